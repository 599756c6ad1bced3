"""What reports show: means of shares, and tables in Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

NONE = "–"  # A cell without a value
SKILLS = ("symbolization", "countermodel", "validity")  # The families of LogicSkills


class Table(NamedTuple):
    """A table with a title; a row is its cells by column."""

    title: str
    rows: Sequence[Mapping[str, Any]]
    note: str = ""  # One or two sentences below the table

    def __str__(self) -> str:
        """Return it in Markdown with its title and note, its cells made harmless."""
        header = list(dict.fromkeys(chain(*self.rows)))
        cells = [[_escape(shown(row.get(name))) for name in header] for row in self.rows]
        table = markdown_table([*map(_escape, header)], cells)
        return f"## {self.title}\n\n{table}\n" + (f"\n{self.note}\n" if self.note else "")


def joined(tables: Iterable[Table]) -> str:
    """Return tables in Markdown; those without rows are left out."""
    return "\n".join(str(table) for table in tables if table.rows)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, its texts as they are."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _escape(cell: str) -> str:
    """Return a text that ends no cell and opens no tag."""
    text = " ".join(cell.split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def shown(value: Any, form: str = "z.1f") -> str:
    """Return a cell: a float in a form of Python's, a dash for None and NaN, else the text."""
    if value is None or value != value:
        return NONE
    return format(value, form) if isinstance(value, float) else str(value)


class Mean(NamedTuple):
    """A mean of shares with its standard error, both in percent."""

    value: float
    error: float
    items: int  # Number of shares

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}" if self.items else NONE

    @property
    def signed(self) -> str:
        """Text of a difference."""
        return f"{self.value:+.1f} ± {self.error:.1f}" if self.items else NONE


def mean_percent(shares: Iterable[float], degrees_lost: int = 1) -> Mean:
    """Return the mean of numbers in [-1, 1] in percent, without those that are NaN.

    With ``degrees_lost`` 1 the variance is estimated without bias, with 0 it is the numbers' own.

    >>> mean_percent([0.0, 1.0, 1.0, 0.0])
    Mean(value=50.0, error=28.867513459481287, items=4)
    """
    numbers = 100 * np.array([*shares], dtype=float)
    numbers = numbers[~np.isnan(numbers)]
    count = len(numbers)
    if count == 0:
        return Mean(0.0, 0.0, 0)
    deviation = numbers.std(ddof=degrees_lost) if count > 1 else 0.0
    return Mean(float(numbers.mean()), float(deviation / count**0.5), count)
