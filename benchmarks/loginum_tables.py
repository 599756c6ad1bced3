"""Tables of what strategies earn, with what exceeds chance by more than noise in bold type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, lgamma, log, log1p, sqrt
from statistics import fmean

from loginum_data import Data

ERROR_RATE = 0.01
"""Probability that any figure of a table is called above chance although none is."""


@dataclass(frozen=True)
class Row:
    """What a strategy earned, one figure for each test task."""

    name: str
    paid: Sequence[float]
    group: str = "superficial"


def tail(hits: float, tries: int, chance: float) -> float:
    """Return how probable so many hits, or more, are when each is as probable as chance."""
    if hits <= tries * chance or chance >= 1:
        return 1.0
    if chance <= 0:
        return 0.0
    return sum(
        exp(
            lgamma(tries + 1)
            - lgamma(k + 1)
            - lgamma(tries - k + 1)
            + k * log(chance)
            + (tries - k) * log1p(-chance)
        )
        for k in range(ceil(hits), tries + 1)
    )


@dataclass(frozen=True)
class Table:
    """What strategies earned, beside what chance earns."""

    data: Data
    rows: Sequence[Row]
    chance: str
    """What chance is, in words."""
    chances: Sequence[float]
    """What chance earns on each test task; where it is nothing, nothing is compared with it."""

    def is_high(self, row: Row, numbers: Sequence[int]) -> bool:
        """Tell whether a row is above chance on some tasks by more than noise."""
        chance = fmean(self.chances[i] for i in numbers)
        bound = ERROR_RATE / (len(self.rows) * len(self.data.columns))
        hits = sum(row.paid[i] for i in numbers)
        return chance > 0 and tail(hits, len(numbers), chance) < bound

    def text(self) -> str:
        """Return the mean of each row by column; what is above chance is in bold type."""
        columns = self.data.columns
        lines = [
            "| strategy | " + " | ".join(f"{c} ({len(n)})" for c, n in columns.items()) + " |",
            "|:---|" + "---:|" * len(columns),
        ]
        for row in [Row(f"*{self.chance}*", self.chances), *self.rows]:
            mark = "" if row.group == "superficial" else f" ({row.group})"
            cells = [
                f"**{fmean(row.paid[i] for i in numbers):.3f}**"
                if self.is_high(row, numbers)
                else f"{fmean(row.paid[i] for i in numbers):.3f}"
                for numbers in columns.values()
            ]
            lines.append(f"| {row.name}{mark} | " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def verdict(self) -> str:
        """List the superficial strategies above chance, with the number of standard errors."""
        found = []
        for row in self.rows:
            for column, numbers in self.data.columns.items():
                if row.group == "superficial" and self.is_high(row, numbers):
                    chance = fmean(self.chances[i] for i in numbers)
                    error = sqrt(chance * (1 - chance) / len(numbers))
                    z = (fmean(row.paid[i] for i in numbers) - chance) / error
                    found.append(f"{row.name} ({column}, z = {z:.1f})")
        return "; ".join(found) or "none"
