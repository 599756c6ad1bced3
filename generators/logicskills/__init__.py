"""First-order logic in prose: symbolization, countermodels and validity.

Source: "LogicSkills: A Structured Benchmark for Formal Reasoning in Large Language Models", §3,
App. A and B. Each family has a folder; what stands here is shared by all three.
"""

import hashlib
from collections.abc import Iterable, Sequence

from logic_curriculum.generators.splits import Split, split_by_share

TIERS = ("basic",) * 2 + ("easy",) * 3 + ("medium",) * 3 + ("hard",) * 2
"""Tier of each level, from level 1."""


def split_of(key: str) -> Split:
    """Return the one split to which the tasks with a key belong, e.g. with a formula's text."""
    digest = hashlib.sha256(f"logicskills {key}".encode()).digest()
    return split_by_share(int.from_bytes(digest[:8], "big") / 2**64)


def text_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as text; the last column is as wide as it likes, others as their header."""
    widths = [len(name) for name in header[:-1]]
    return "\n".join(
        "".join(f"{cell!s:<{width}}  " for cell, width in zip(row, widths, strict=False))
        + str(row[-1])
        for row in (header, *rows)
    )
