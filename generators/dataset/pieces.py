"""The unit of work: some numbered candidates of one file, which one process makes and keeps.

A file's tasks are the first distinct candidates, and which ones are distinct is known only when all
are there. So pieces keep every candidate, repeated or not, until the files are written from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from logic_curriculum.common.files import atomic_write
from logic_curriculum.common.processes import Progress, in_order
from logic_curriculum.generators import registry
from logic_curriculum.generators.dataset.files import TaskFile
from logic_curriculum.generators.shard import Shard

FOLDER = "candidates"  # of the pieces, in the dataset's folder until its files are written
PIECES = 1000  # a file is made in about so many pieces, so that many machines can share it, but
FEWEST, MOST = 16, 256  # a piece has so many candidates: what a kill may cost a process
FINGERPRINT = "_fingerprint"  # a column that pieces have and files have not


@dataclass(frozen=True)
class Piece:
    """Candidates ``start`` to ``stop`` of a part of a file."""

    part: TaskFile
    place: int  # of the part among those of its file
    start: int
    stop: int

    @property
    def path(self) -> str:
        """Where the piece lies inside the dataset's folder."""
        name = f"part-{self.place}-{self.start:09d}-{self.stop:09d}.arrow"
        return f"{FOLDER}/{self.part.split}/level-{self.part.level:02d}/{name}"

    def table(self) -> pa.Table:
        """Make the candidates."""
        family = registry.family(self.part.family)
        rows = []
        for index in range(self.start, self.stop):
            task = self.part.candidate(index)
            row = {**family.published_columns(task), **task.to_row()}
            rows.append({**row, FINGERPRINT: task.metadata["fingerprint"]})
        return pa.Table.from_pylist(rows)


def pieces_of(part: TaskFile, place: int, start: int, stop: int) -> list[Piece]:
    """Return candidates ``start`` to ``stop`` of a part in pieces, a function of these alone."""
    size = min(max(part.count // PIECES, FEWEST), MOST)
    return [Piece(part, place, at, min(at + size, stop)) for at in range(start, stop, size)]


def make_pieces(
    pieces: Iterable[Piece], folder: Path, made_for: dict[str, str], num_proc: int, text: str
) -> None:
    """Make the pieces that are not there, each in one step or not at all.

    Each records what it is ``made_for``: the ``plan`` of its dataset and its ``shard``. A single
    worker is a process of its own, too, so that a build starts no Prolog in this one. Lines of
    progress begin with ``text``.
    """
    missing = [piece for piece in pieces if not (folder / piece.path).exists()]
    if not missing:
        return
    make = partial(_make_piece, folder=folder, made_for=made_for)
    progress = Progress(text, "tasks", sum(piece.stop - piece.start for piece in missing))
    for count in in_order(make, missing, min(num_proc, len(missing))):
        progress.add(count)


def _make_piece(piece: Piece, folder: Path, made_for: dict[str, str]) -> int:
    table = piece.table().replace_schema_metadata(made_for)
    with (
        atomic_write(folder / piece.path, shared=True) as path,
        pa.OSFile(str(path), "wb") as sink,
        pa.ipc.new_file(sink, table.schema) as writer,
    ):
        writer.write_table(table)
    return len(table)


def open_piece(path: Path, plan: str) -> pa.Table:
    """Return the table of a piece, not read into memory; an error if it is of another plan."""
    try:
        with pa.memory_map(str(path)) as source:
            table = pa.ipc.open_file(source).read_all()
    except pa.ArrowInvalid as error:
        raise RuntimeError(
            f"{path} is damaged ({error}): delete it, and run the same command, or its shard's, "
            "again."
        ) from error
    if differences := changes(json.loads(table.schema.metadata[b"plan"]), json.loads(plan)):
        raise ValueError(
            f"{path} is of a shard with other arguments ({differences}): nothing was changed. "
            f"Keep datasets in folders of their own, or delete {FOLDER} there."
        )
    return table


def check_pieces(pieces: Sequence[Piece], folder: Path, plan: str) -> Shard:
    """Check those pieces that are there, and return the shard of the last."""
    shard = Shard(1, 1)
    for piece in pieces:
        if (path := folder / piece.path).exists():
            shard = Shard.read(open_piece(path, plan).schema.metadata[b"shard"].decode())
    return shard


def changes(there: dict[str, Any], here: dict[str, Any]) -> str:
    """Return the differences between two plans, read from their JSON, as text."""
    changed = [name for name in {**here, **there} if there.get(name) != here.get(name)]
    return "; ".join(f"{name}: {there.get(name)} there, {here.get(name)} asked" for name in changed)
