"""The run folder's record of a curriculum: one JSON line per batch, family and level."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.tally import Tally

FILE_NAME = "curriculum.jsonl"


class History:
    """``curriculum.jsonl``: what was attempted and passed, in the order of training.

    Each line has ``step`` (optimizer steps done), ``family``, ``level``, ``attempts``, ``passes``
    and ``current`` (whether the level was the track's current one, or a replayed one).

    Args:
        folder: The run folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder) / FILE_NAME

    def rewind(self, step: int) -> None:
        """Drop the lines of ``step`` and later: training starts again from there."""
        kept = [record for record in self.records() if record["step"] < step]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(json.dumps(record) + "\n" for record in kept))

    def append(self, step: int, tallies: Iterable[Tally], levels: dict[str, int]) -> None:
        """Add a batch.

        Args:
            step: Optimizer steps done.
            tallies: What was attempted and passed.
            levels: Current level of each family while the batch was made.
        """
        with self.path.open("a") as file:
            for entry in tallies:
                current = levels[entry.family] == entry.level
                file.write(json.dumps({"step": step, **entry._asdict(), "current": current}) + "\n")

    def records(self) -> list[dict[str, Any]]:
        """Return the lines read back; one cut short by a kill is left out."""
        if not self.path.exists():
            return []
        lines = self.path.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]
