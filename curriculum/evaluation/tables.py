"""What reports show: means of shares, pass@k without bias, and tables as text and Markdown.

Source for pass@k: Chen et al., "Evaluating Large Language Models Trained on Code" (2021),
section 2.1.
"""

from collections.abc import Iterable, Sequence
from math import comb, sqrt
from typing import NamedTuple

NONE = "–"  # A cell without a value
SKILLS = ("symbolization", "countermodel", "validity")  # The families of LogicSkills
MANY_SENTENCES = (3, 5, 6, 7, 8, 9, 10)  # Levels of symbolization that hold thousands of sentences


class Table(NamedTuple):
    """A table with a title."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""  # One or two sentences below the table


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, its texts as they are."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def joined(tables: Iterable[Table]) -> str:
    """Return tables in Markdown with titles and notes, their cells made harmless."""
    parts = []
    for table in tables:
        header, *rows = ([_escape(cell) for cell in row] for row in (table.header, *table.rows))
        note = f"\n{table.note}\n" if table.note else ""
        parts.append(f"## {table.title}\n\n{markdown_table(header, rows)}\n{note}")
    return "\n".join(parts)


def _escape(cell: str) -> str:
    """Return a text that ends no cell and opens no tag."""
    text = " ".join(cell.split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def decimals(value: float | None, digits: int = 2) -> str:
    """Return a number with so many digits, never -0.00; a dash for None."""
    return NONE if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


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
        return f"{self.value:+.1f} ± {self.error:.1f}"

    @property
    def interval(self) -> tuple[float, float, float]:
        """The mean, and one standard error below and above it."""
        return self.value, self.value - self.error, self.value + self.error


def mean_percent(shares: Sequence[float], degrees_lost: int = 1) -> Mean:
    """Return the mean of numbers in [-1, 1] in percent, 0 for none of them.

    With ``degrees_lost`` 1 the variance is estimated without bias, with 0 it is the numbers' own.

    >>> mean_percent([0.0, 1.0, 1.0, 0.0])
    Mean(value=50.0, error=28.867513459481287, items=4)
    """
    count = len(shares)
    if count == 0:
        return Mean(0.0, 0.0, 0)
    centre = sum(shares) / count
    variance = sum((share - centre) ** 2 for share in shares) / max(1, count - degrees_lost)
    return Mean(100 * centre, 100 * sqrt(variance / count), count)


def pass_at(k: int, answers: int, solved: int) -> float:
    """Return the chance that one of k answers solves the task, without bias.

    It is 1 - C(n-c, k) / C(n, k), where c of n answers were right.

    >>> pass_at(2, answers=4, solved=1)  # of the 6 pairs, 3 hold the right one
    0.5

    Fewer than k answers are a ValueError.
    """
    if not 1 <= k <= answers:
        raise ValueError(
            f"pass@{k} was asked for, but the task has {answers} graded answers: k is from 1 to "
            "their number."
        )
    return 1 - comb(answers - solved, k) / comb(answers, k)


def pass_at_means(tasks: Sequence[tuple[int, int]]) -> dict[int, Mean]:
    """Return pass@k for 1, 2, 4 and so on, and for as many answers as a task has.

    ``tasks`` are numbers of answers and of right ones; those with k answers or more count for k.
    """
    most = max((answers for answers, _ in tasks), default=0)
    numbers = sorted({most, *(2**power for power in range(most.bit_length()))} - {0})
    able = {k: [pair for pair in tasks if pair[0] >= k] for k in numbers}
    return {k: mean_percent([pass_at(k, *pair) for pair in own]) for k, own in able.items()}
