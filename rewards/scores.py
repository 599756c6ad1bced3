"""The table of scores by level, summed up line by line."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

_METRICS = {"hacking gap": "hacking_gap", "held-out": "heldout_accuracy"}
_COLUMNS = ("solved", "partial", "syntax", *_METRICS)


class Scores:
    """Sums over verdicts as they are written; memory grows with the number of levels only."""

    def __init__(self) -> None:
        self.lines = self.errors = 0
        self._levels: dict[str, _Sums] = defaultdict(_Sums)
        self._all = _Sums()

    def add(self, line: Mapping[str, Any]) -> None:
        """Count a line of verdicts."""
        self.lines += 1
        self.errors += "error" in line
        for sums in (self._levels[line["level"]], self._all):
            sums.add(line)

    def table(self) -> str:
        """Return the scores level by level and in all; a line without a reward is not graded."""
        levels = sorted(self._levels, key=lambda level: (len(level), level))
        rows = [["level", "lines", *_COLUMNS, "not graded"]]
        rows += [[level, *self._levels[level].cells()] for level in levels]
        rows.append(["all", *self._all.cells()])
        # Metrics that no verdict has get no column.
        columns = [c for c in zip(*rows, strict=True) if c[0] not in _METRICS or c[-1] != "-"]
        widths = [max(map(len, column)) for column in columns]
        lines = zip(*columns, strict=True)
        return "\n".join("  ".join(map(str.rjust, line, widths)) for line in lines)


class _Sums:
    def __init__(self) -> None:
        self._lines = self._graded = 0
        self._sums: dict[str, float] = dict.fromkeys(_COLUMNS, 0.0)
        self._counts = dict.fromkeys(_COLUMNS, 0)

    def add(self, line: Mapping[str, Any]) -> None:
        self._lines += 1
        if line.get("reward") is None:
            return
        self._graded += 1
        for column in _COLUMNS:
            key = _METRICS.get(column)
            value = line["metrics"].get(key) if key else line[column]
            if value is not None:  # a metric is averaged over the verdicts that have it
                self._sums[column] += value
                self._counts[column] += 1

    def cells(self) -> list[str]:
        means = [
            f"{self._sums[column] / count:.3f}" if count else "-"
            for column, count in self._counts.items()
        ]
        return [str(self._lines), *means, str(self._lines - self._graded)]
