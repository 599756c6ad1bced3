"""From numbered candidates to files: a file holds its first distinct candidates, in order.

Which candidates are distinct is known only when all are there. So the processes keep what they
make, repeated or not, in pieces on the disk, from which the files are written in the end. Then the
files are checked: nothing is in them twice, and nothing on two sides.

Making tasks and checking files are one kind of work: a function says keys and numbers of each item,
and what counts is the lowest and the highest number of each key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from logic_curriculum.common.files import atomic_write
from logic_curriculum.common.processes import in_order
from logic_curriculum.generators import registry
from logic_curriculum.generators.dataset.plan import TaskFile
from logic_curriculum.generators.sampling import available_tasks
from logic_curriculum.generators.task import SPLITS

FOLDER = "candidates"  # of the pieces, in the dataset's folder until its files are written
PIECES, FEWEST = 1000, 16  # a part is made in about so many pieces, of so many candidates or more
PATIENCE = 1000  # a level is exhausted when so many in a row, and half of all, were known tasks
CERTAIN_PATIENCE = 50_000  # the same where the family counts its tasks, so that there are enough
ROW_GROUP = 100  # rows per Parquet row group: about 20 MB at the highest level
FINGERPRINT = "_fingerprint"  # a column that pieces have and files have not
_APART = 2**40  # how far the numbers of two parts are apart, where they stand in one column
SIDES = {
    "fingerprint": SPLITS,
    "leak_key": ("train or validation", "train or validation", "test"),
    "question": SPLITS,
}
"""Key in a task's metadata → on which side of the dataset the tasks of each split are."""
_SIDES_APART = 2**20  # the same of two sides; files are numbered in between

Function = Callable[[Any], Iterable[tuple[str, int]]]
"""Returns keys and numbers of an item."""
Pick = Callable[[pa.Table], pa.Table]
"""Returns what is wanted of a table of ``key``, ``low`` and ``high``, in which no key is twice."""
Grouping = Callable[[Function, Sequence[Any], Pick, str], pa.Table]
"""Applies a function to items, in parallel, and picks from the groups; the text is for progress."""
_ROWS = pa.schema([("key", pa.string()), ("number", pa.int64())])
_GROUPS = pa.schema([("key", pa.string()), ("low", pa.int64()), ("high", pa.int64())])


class TooFewTasksError(RuntimeError):
    """A level does not hold as many distinct tasks as were asked for."""


@dataclass(frozen=True)
class Piece:
    """Candidates ``start`` to ``stop`` of a part of a file, which one process makes and keeps."""

    part: TaskFile
    place: int  # of the part among those of all files
    start: int
    stop: int

    @property
    def path(self) -> str:
        """Where the piece lies inside the dataset's folder."""
        return f"{FOLDER}/part-{self.place:03d}/{self.start:09d}-{self.stop:09d}.arrow"

    def keep(self, folder: Path) -> Iterator[tuple[str, int]]:
        """Make the candidates, unless they are there; yield their fingerprints and numbers."""
        path = folder / self.path
        if not path.exists():
            table = self._make()
            with (  # a cluster may make a piece twice at the same time
                atomic_write(path, shared=True) as partial,
                pa.OSFile(str(partial), "wb") as sink,
                pa.ipc.new_stream(sink, table.schema) as writer,
            ):
                writer.write_table(table)
        with pa.memory_map(str(path)) as source:
            names = pa.ipc.open_stream(source).read_all()[FINGERPRINT].to_pylist()
        for number, name in enumerate(names, self.place * _APART + self.start):
            yield f"{self.place} {name}", number

    def _make(self) -> pa.Table:
        family = registry.family(self.part.family)
        tasks = [self.part.candidate(index) for index in range(self.start, self.stop)]
        registry.check_solutions(tasks)
        rows = [{**family.published_columns(task), **task.to_row()} for task in tasks]
        names = [task.metadata["fingerprint"] for task in tasks]
        return pa.Table.from_pylist(rows).append_column(FINGERPRINT, [names])


class Part:
    """One kind of a file's tasks: the candidates that were tried, and those that are taken."""

    def __init__(self, file: TaskFile, place: int) -> None:
        self.file, self.place = file, place
        self.tried, self.pieces, self.taken = 0, list[Piece](), np.array([], int)
        self._try(file.count)

    def _try(self, count: int) -> None:
        stop, size = self.tried + count, max(self.file.count // PIECES, FEWEST)
        for start in range(self.tried, stop, size):
            self.pieces.append(Piece(self.file, self.place, start, min(start + size, stop)))
        self.tried = stop

    def take(self, firsts: np.ndarray) -> bool:
        """Take the first distinct candidates; whether there are enough, else more are to be tried.

        ``firsts`` are the numbers of the distinct candidates of all parts, ascending.
        """
        file, tried = self.file, self.tried
        numbers = firsts[firsts // _APART == self.place] % _APART
        self.taken = numbers[: file.count]
        if (missing := file.count - len(numbers)) <= 0:
            return True
        known = available_tasks(file.family, file.level, file.split, file.options)
        patience = PATIENCE if known is None else CERTAIN_PATIENCE
        if tried - (numbers[-1] + 1) > max(patience, tried // 2):
            raise TooFewTasksError(
                f"{file.count} distinct {file.family} tasks were asked for at level {file.level}, "
                f"split {file.split!r}, but {tried} candidates held only {len(numbers)}, and the "
                f"last new one came long ago. Ask for at most {len(numbers)} tasks there, or leave "
                "the level out."
            )
        self._try(max(4 * missing, tried // 4, 16))
        return False


def write_files(files: Sequence[TaskFile], folder: Path, group: Grouping) -> None:
    """Write the files that are missing, each in one step or not at all.

    Where the family sets the number of tasks of each kind, a file holds the first of each kind, in
    the order of their fingerprints, so that a place tells nothing. Rows stay on the disk.

    Raises:
        TooFewTasksError: A level is exhausted, see :data:`PATIENCE`.
    """
    numbered = enumerate(part for file in files for part in file.parts)
    parts = [Part(part, n) for n, part in numbered if not (folder / part.path).exists()]
    text, unfinished = "making", parts
    while unfinished:
        pieces = [piece for part in unfinished for piece in part.pieces]
        lowest = methodcaller("select", ["low"])
        found = group(partial(Piece.keep, folder=folder.resolve()), pieces, lowest, text)
        firsts = np.sort(found["low"].to_numpy())
        unfinished = [part for part in unfinished if not part.take(firsts)]
        text = "making more, since some were equal"
    for path, of_file in groupby(parts, attrgetter("file.path")):
        _write(folder / path, list(of_file), folder)


def _write(path: Path, parts: Sequence[Part], folder: Path) -> None:
    from datasets import Dataset, concatenate_datasets

    pieces = [piece for part in parts for piece in part.pieces]
    starts = np.cumsum([0, *(part.tried for part in parts[:-1])])
    taken = [part.taken + start for part, start in zip(parts, starts, strict=True)]
    rows = concatenate_datasets([Dataset.from_file(str(folder / piece.path)) for piece in pieces])
    rows = rows.select(np.concatenate(taken))
    if len(parts) > 1:
        rows = rows.select(np.argsort(rows[FINGERPRINT][:], kind="stable"))
    rows = rows.remove_columns(FINGERPRINT).with_format("arrow")
    with (
        atomic_write(path) as partial,
        pq.ParquetWriter(partial, rows.data.schema.remove_metadata(), compression="zstd") as writer,
    ):
        for table in rows.iter(ROW_GROUP):
            writer.write_table(table)


def check_files(files: Sequence[TaskFile], folder: Path, group: Grouping) -> None:
    """Check what was written: sizes, no task twice, no leak key of ``test`` in another split.

    Within a split, tasks of different levels may be equal; in different splits, none are. Where a
    family tells a task's ``question``, no question is in two splits either. A ``RuntimeError``
    names the files that fail.
    """
    for file in files:
        count = pq.read_metadata(folder / file.path).num_rows
        if count != file.count:
            raise RuntimeError(
                f"{folder / file.path} holds {count} tasks, where {file.count} belong. Delete the "
                "file and build again."
            )
    keys = partial(_keys, files=files, folder=folder.resolve())
    for wrong in group(keys, range(len(files)), _on_two_sides, "checking").to_pylist():
        one, other = (files[wrong[end] % _SIDES_APART] for end in ("high", "low"))
        name, _, value = wrong["key"].partition(" ")
        if name not in SIDES:
            raise RuntimeError(
                f"{folder / one.path} holds task {value} twice. Delete the file and build again."
            )
        here, there = (SIDES[name][wrong[end] // _SIDES_APART] for end in ("high", "low"))
        raise RuntimeError(
            f"{folder / one.path} and {folder / other.path} share {value!r}, but nothing of {here} "
            f"may occur in {there}. Don't use this dataset. Mend make of {one.family}, which keeps "
            "splits apart (docs/own-family.md); of a family of this library, report it."
        )


def _keys(place: int, files: Sequence[TaskFile], folder: Path) -> Iterator[tuple[str, int]]:
    """Yield what may not recur of each row of a file, with its side: a number and the file's."""
    split = SPLITS.index(files[place].split)
    with pq.ParquetFile(folder / files[place].path) as file:
        batches = file.iter_batches(columns=["metadata"])
        rows = (json.loads(text) for batch in batches for text in batch[0].to_pylist())
        for number, row in enumerate(rows):
            # a side of its own
            yield f"{place} {row['fingerprint']}", number * _SIDES_APART + place
            for name, sides in SIDES.items():
                if name in row:
                    yield f"{name} {row[name]}", sides.index(sides[split]) * _SIDES_APART + place


def _on_two_sides(groups: pa.Table) -> pa.Table:
    low, high = (pc.divide(groups[name], _SIDES_APART) for name in ("low", "high"))
    return groups.filter(pc.not_equal(low, high))


# The work, by processes of this machine or by Ray Data on a cluster


def by_processes(
    num_proc: int, function: Function, items: Sequence[Any], pick: Pick, text: str
) -> pa.Table:
    """Do the work by so many processes of this machine."""
    from datasets.utils import tqdm

    # A single worker is a process of its own, too, so that a build starts no Prolog in this one.
    tables = in_order(partial(_rows, function), items, min(num_proc, len(items)))
    rows = pa.concat_tables(tqdm(tables, total=len(items), desc=text, unit="piece"))
    groups = rows.group_by("key").aggregate([("number", "min"), ("number", "max")])
    return pick(groups.rename_columns(_GROUPS.names))


def _rows(function: Function, item: Any) -> pa.Table:
    keys, numbers = zip(*function(item), strict=True)
    return pa.table([keys, numbers], schema=_ROWS)


def cluster(address: str) -> Grouping:
    """Return the work by Ray Data, on the cluster of an address as ``ray.init`` takes it."""
    try:
        import ray
    except ImportError as error:
        raise RuntimeError(
            f'ray={address!r} needs the package ray: pip install "logic-curriculum[ray]"'
        ) from error
    if not ray.is_initialized():
        alone: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
        ray.init(address, log_to_driver=False, **alone)
    return _by_ray


def _by_ray(function: Function, items: Sequence[Any], pick: Pick, text: str) -> pa.Table:
    import ray
    from ray.data.aggregate import Max, Min

    places = ray.data.range(len(items), override_num_blocks=len(items))
    rows = places.map_batches(_rows_at, fn_args=(function, items), batch_format="pyarrow")
    partitions = int(ray.cluster_resources()["CPU"])  # Ray's default, 200, takes half a minute
    groups = rows.groupby("key", num_partitions=partitions).aggregate(
        Min("number", alias_name="low"), Max("number", alias_name="high")
    )
    picked = groups.map_batches(pick, batch_format="pyarrow")
    try:
        tables = list(picked.iter_batches(batch_size=None, batch_format="pyarrow"))
    except ray.exceptions.RayError as error:  # which holds the worker's error as text alone
        line = re.search(r"^\w+: (.+)$", str(error), re.MULTILINE)
        raise RuntimeError(f"{text} on Ray failed: {line[1] if line else error}") from error
    return pa.concat_tables([pick(_GROUPS.empty_table()), *tables])


def _rows_at(places: pa.Table, function: Function, items: Sequence[Any]) -> pa.Table:
    return pa.concat_tables(_rows(function, items[place]) for place in places["id"].to_pylist())
