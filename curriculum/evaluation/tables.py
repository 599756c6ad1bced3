"""Tables as rows of text, and as Markdown."""

from collections.abc import Iterable, Sequence
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
