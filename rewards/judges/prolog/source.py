"""Program text in the form the engine reads: a list of goals and a list of facts.

SWI-Prolog reads one long list in two thirds of the time that as many clauses take, so the usual
layout, a fact to a line, is turned into a list by a few string operations.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class Source:
    """A program as sent to a host of the engine."""

    goals: str
    """Prolog list of the atoms to prove, one for each example."""
    facts: str
    """Prolog list of the background facts."""
    key: int = field(default_factory=itertools.count().__next__)
    """Names the source within this Python process."""


class LabelLine(NamedTuple):
    """Where a label fact stands in a text, as offsets."""

    start: int
    open: int
    close: int
    end: int
    positive: bool


def label_lines(text: str, positive: str, negative: str) -> list[LabelLine]:
    """Find the label facts of a text that has a fact to a line.

    Returns:
        One item for each label fact in text order; empty when the layout is another.
    """
    if "\r" in text or ("/" in text and "/*" in text):
        return []
    heads = re.compile(rf"\n({re.escape(positive)}|{re.escape(negative)})\(")
    found = []
    for match in heads.finditer("\n" + text):
        start = match.start()
        end = text.find("\n", start) + 1 or len(text)
        close = text.find(").", start, end)
        if close < 0 or text[close + 2 : end].strip():
            return []
        found.append(LabelLine(start, match.end() - 2, close, end, match[1] == positive))
    return found


def split_lines(text: str, lines: Sequence[LabelLine], positive: str) -> Source:
    """Split a text that has a fact to a line.

    The facts are not checked; the engine may still find them unreadable.
    """
    goals = [f"{positive}{text[line.open : line.close]})" for line in lines]
    ends = [0, *(line.end for line in lines)]
    starts = [*(line.start for line in lines), _end_of_facts(text)]
    facts = "".join([text[end:start] for end, start in zip(ends, starts, strict=True)])
    return Source(prolog_list(goals), as_list(facts))


def _end_of_facts(text: str) -> int:
    """Return the offset of a comment in the last line, or the end of the text."""
    last = text.rfind("\n", 0, -1) + 1
    return last if text.startswith("%", last) else len(text)


def as_list(facts: str) -> str:
    """Turn lines of facts into one Prolog list."""
    separator = "),\n" if "%" in facts else "),"  # a newline ends a comment
    body = facts.replace(").\n", separator).rstrip()
    return f"[{body[:-1]}]" if body.endswith(("),", ").")) else f"[{body}]"


def prolog_list(terms: Sequence[str]) -> str:
    """Write terms as a Prolog list."""
    return f"[{', '.join(terms)}]"
