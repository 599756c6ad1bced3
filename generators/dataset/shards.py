"""One shard of a dataset: the tasks of one split and level, in one Parquet file."""

from __future__ import annotations

import dataclasses
import itertools
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import multiprocess
import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Dataset

from logic_curriculum.generators import registry
from logic_curriculum.generators.atomic import atomic_write
from logic_curriculum.generators.sampling import available_tasks
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import Task

PATIENCE = 1000  # a level is exhausted when so many in a row, and half of all, were known tasks
CERTAIN_PATIENCE = 50_000  # the same where the family counts its tasks, so that there are enough
POLL_SECONDS = 0.5  # how often a worker looks whether its build is still alive
ROW_GROUP = 100  # rows per Parquet row group: about 20 MB at the highest level


class TooFewTasksError(RuntimeError):
    """A level does not hold as many distinct tasks as were asked for."""


@dataclass(frozen=True)
class Shard:
    """What determines the content of one Parquet file."""

    family: str
    split: str
    level: int
    count: int  # number of tasks, at least 1
    seed: int  # the seed of the whole dataset
    options: Mapping[str, Any]  # options of the family, such as `style` and `language`

    @property
    def path(self) -> str:
        """Where the shard lies inside the dataset's folder."""
        return f"data/{self.split}/level-{self.level:02d}.parquet"

    @property
    def parts(self) -> tuple[Shard, ...]:
        """What it is put together from: a shard for each kind of task, or itself alone."""
        published_parts = registry.family(self.family).published_parts
        return tuple(
            dataclasses.replace(self, count=count, options={**self.options, **more})
            for count, more in published_parts(self.split, self.level, self.count, self.options)
        )

    def candidate(self, index: int) -> Task:
        """Return candidate number ``index``, with its fingerprint and leak key in the metadata."""
        family = registry.family(self.family)
        seed = derive_seed("dataset", self.family, self.split, self.level, self.seed, index)
        task = registry.generate(self.family, self.level, seed, split=self.split, **self.options)
        keys = {"fingerprint": family.fingerprint(task), "leak_key": family.leak_key(task)}
        return dataclasses.replace(task, metadata={**task.metadata, **keys})


def build_shard(shard: Shard, folder: Path, *, num_proc: int, label: str) -> None:
    """Write the first ``shard.count`` distinct candidates, in order, in one step or not at all.

    Where the family sets the number of tasks of each kind, it is the first of each kind, in the
    order of their fingerprints, so that a place tells nothing. ``num_proc``, from 1, is the number
    of worker processes, ``label`` the text in front of the progress bar.

    Raises:
        TooFewTasksError: The level is exhausted, see :data:`PATIENCE`.
    """
    parts = [_distinct_rows(part, num_proc=num_proc, label=label) for part in shard.parts]
    rows = [item for part in parts for item in part.items()]
    if len(parts) > 1:
        rows.sort(key=lambda item: item[0])
    table = pa.Table.from_pylist([row for _, row in rows])
    with atomic_write(folder / shard.path) as partial:
        pq.write_table(table, partial, compression="zstd", row_group_size=ROW_GROUP)


def _distinct_rows(shard: Shard, *, num_proc: int, label: str) -> dict[str, dict[str, Any]]:
    """Return fingerprint → row of the first distinct candidates."""
    rows: dict[str, dict[str, Any]] = {}
    tried = last_new = 0
    known = available_tasks(shard.family, shard.level, shard.split, shard.options)
    patience = PATIENCE if known is None else CERTAIN_PATIENCE
    while len(rows) < shard.count:
        if tried - last_new > max(patience, tried // 2):
            raise TooFewTasksError(
                f"{shard.count} distinct {shard.family} tasks were asked for at level "
                f"{shard.level}, split {shard.split!r}, but {tried} candidates held only "
                f"{len(rows)}, and the last new one came long ago. Ask for at most {len(rows)} "
                "tasks there, or leave the level out."
            )
        missing = shard.count - len(rows)
        block = missing if tried == 0 else max(4 * missing, tried // 4, 16)
        fresh = _candidates(shard, tried, tried + block, num_proc=num_proc, label=label)
        for number, (fingerprint, row) in enumerate(fresh, tried + 1):
            if fingerprint not in rows:
                rows[fingerprint] = row
                last_new = number
        tried += block
    return dict(itertools.islice(rows.items(), shard.count))


def _candidates(
    shard: Shard, start: int, stop: int, *, num_proc: int, label: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield fingerprint and row of candidates ``start`` to ``stop``, in this order.

    Even a single worker is a process of its own, so that a build starts no Prolog in this one.
    """
    with die_with_parent():
        table = Dataset.from_dict({"index": list(range(start, stop))}).map(
            _candidate_row,
            fn_kwargs={"shard": shard},
            remove_columns=["index"],
            num_proc=min(num_proc, stop - start),
            desc=label,
        )
    for row in table:
        yield row.pop("_fingerprint"), row


def _candidate_row(example: dict[str, int], shard: Shard) -> dict[str, Any]:
    task = shard.candidate(example["index"])
    row = {**registry.family(shard.family).published_columns(task), **task.to_row()}
    return {**row, "_fingerprint": task.metadata["fingerprint"]}


_builder: int | None = None


@contextmanager
def die_with_parent() -> Iterator[None]:
    """Let every process that is forked inside end within a second of this one's death.

    A pool whose parent is killed with SIGKILL waits for it forever: its helper process keeps all
    pipes open. Ctrl-C, which the pool of the datasets library hides, is a ``KeyboardInterrupt``.
    """
    global _builder
    _builder = os.getpid()
    try:
        yield
    except multiprocess.TimeoutError as error:  # datasets stops waiting when interrupted
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
    finally:
        _builder = None


def _after_fork() -> None:
    global _builder
    if _builder is not None:
        threading.Thread(target=_end_with, args=(_builder,), daemon=True).start()
        _builder = None  # what this process forks in turn is its own affair


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)


if hasattr(os, "register_at_fork"):  # absent on Windows, where nothing forks
    os.register_at_fork(after_in_child=_after_fork)
