"""From candidates to files: the first distinct ones of each part, in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from logic_curriculum.common.files import atomic_write
from logic_curriculum.generators.dataset.files import TAKE_ALL, TaskFile
from logic_curriculum.generators.dataset.pieces import (
    FINGERPRINT,
    Piece,
    make_pieces,
    open_piece,
    pieces_of,
)
from logic_curriculum.generators.sampling import available_tasks

PATIENCE = 1000  # a level is exhausted when so many in a row, and half of all, were known tasks
CERTAIN_PATIENCE = 50_000  # the same where the family counts its tasks, so that there are enough
OPEN = 8  # pieces of a part that are read at a time
ROW_GROUP = 100  # rows per Parquet row group: about 20 MB at the highest level


class TooFewTasksError(RuntimeError):
    """A level does not hold as many distinct tasks as were asked for."""


class Candidates:
    """The candidates of one part of a file, as far as they have been needed."""

    def __init__(self, part: TaskFile, place: int, folder: Path, plan: str, num_proc: int) -> None:
        self.part, self.place, self.folder = part, place, folder
        self._plan, self._num_proc = plan, num_proc
        self._pieces: list[Piece] = []
        self.schemas: set[pa.Schema] = set()
        self.tried = 0
        # What was read of a file on the disk counts as memory of this process until it is closed.
        self._table = lru_cache(OPEN)(self._open)

    def read_on(self, count: int) -> Iterator[str]:
        """Yield the fingerprints of the next ``count`` candidates; make those that are missing."""
        pieces = pieces_of(self.part, self.place, self.tried, self.tried + count)
        file = f"{self.part.family} {self.part.split} level {self.part.level}"
        made_for = {"plan": self._plan, "shard": "1/1"}
        make_pieces(pieces, self.folder, made_for, self._num_proc, f"{file}, more")
        for piece in pieces:
            self._pieces.append(piece)
            table = self._table(len(self._pieces) - 1)
            self.schemas.add(table.drop_columns([FINGERPRINT]).schema)
            yield from table[FINGERPRINT].to_pylist()
        self.tried += count

    def row(self, number: int) -> pa.Table:
        """Return the row of a candidate."""
        index = bisect_right(self._pieces, number, key=attrgetter("start")) - 1
        table = self._table(index).slice(number - self._pieces[index].start, 1)
        return table.drop_columns([FINGERPRINT])

    def _open(self, index: int) -> pa.Table:
        piece = open_piece(self.folder / self._pieces[index].path, self._plan)
        return piece.replace_schema_metadata(None)


def write_file(file: TaskFile, folder: Path, plan: str, num_proc: int) -> None:
    """Write the first ``file.count`` distinct candidates, in order, in one step or not at all.

    Where the family sets the number of tasks of each kind, it is the first of each kind, in the
    order of their fingerprints, so that a place tells nothing. Rows stay on the disk: memory holds
    the fingerprints, and a hundred rows. ``num_proc`` processes make candidates that are missing.

    Raises:
        TooFewTasksError: The level is exhausted, see :data:`PATIENCE`; not where ``at_most``.
    """
    parts = [
        Candidates(part, place, folder, plan, num_proc) for place, part in enumerate(file.parts)
    ]
    found = [(name, part, number) for part in parts for name, number in _distinct(part).items()]
    if len(parts) > 1:
        found.sort(key=lambda item: item[0])
    schemas = [schema for part in parts for schema in part.schemas]
    schema = pa.unify_schemas(schemas, promote_options="permissive")
    with (
        atomic_write(folder / file.path) as path,
        pq.ParquetWriter(path, schema, compression="zstd") as writer,
    ):
        for at in range(0, len(found), ROW_GROUP):
            some = found[at : at + ROW_GROUP]
            rows = pa.concat_tables([part.row(number).cast(schema) for _, part, number in some])
            writer.write_table(rows.combine_chunks(), row_group_size=ROW_GROUP)


def _distinct(candidates: Candidates) -> dict[str, int]:
    """Return fingerprint → number of the first distinct candidates."""
    part, found = candidates.part, dict[str, int]()
    last_new = 0
    known = available_tasks(part.family, part.level, part.split, part.options)
    patience = PATIENCE if known is None else CERTAIN_PATIENCE
    while len(found) < part.count:
        tried = candidates.tried
        if tried - last_new > max(patience, tried // 2):
            if part.at_most:
                break
            raise TooFewTasksError(
                f"{part.count} distinct {part.family} tasks were asked for at level {part.level}, "
                f"split {part.split!r}, but {tried} candidates held only {len(found)}, and the "
                f"last new one came long ago. Ask for at most {len(found)} tasks there{TAKE_ALL}, "
                "or leave the level out."
            )
        missing = part.count - len(found)
        block = missing if tried == 0 else max(4 * missing, tried // 4, 16)
        for number, fingerprint in enumerate(candidates.read_on(block), tried):
            if fingerprint not in found:
                found[fingerprint] = number
                last_new = number + 1
    return dict(islice(found.items(), part.count))
