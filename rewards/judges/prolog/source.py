"""Program text in the form the engine reads: one list of goals and one of facts.

SWI-Prolog reads one long list in two thirds of the time that as many clauses take, so the usual
layout, a fact to a line, is turned into a list by a few string operations. A program laid out in
another way is parsed strictly and written anew.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import lru_cache

from rewards.judges.prolog.program import Program, read_facts


@dataclass(frozen=True)
class Source:
    """A program as sent to a host of the engine."""

    goals: str
    """Prolog list of the atoms to prove, one for each example."""
    facts: str
    """Prolog list of the background facts."""
    labels: tuple[bool, ...]
    """Whether each example is positive."""
    key: int = field(default_factory=itertools.count().__next__)
    """Names the source within this Python process."""


@lru_cache(maxsize=256)
def source_of(text: str, positive: str, negative: str, strict: bool) -> Source:
    """Return the source of a program text.

    Args:
        text: The program.
        positive: Predicate of the positive label facts.
        negative: Predicate of the negative label facts.
        strict: Whether to parse the text rather than to rely on its layout.

    Raises:
        ValueError: The text is no program; see :meth:`Program.parse`.
    """
    source = None if strict else quick_source(text, positive, negative)
    return source or strict_source(text, positive, negative)


def quick_source(text: str, positive: str, negative: str) -> Source | None:
    """Turn text with a fact to a line into a source, or return ``None`` for another layout.

    The text is not checked; reading the source may still fail.
    """
    if "/*" in text or "\r" in text:
        return None
    starts = sorted([*_label_lines(text, positive), *_label_lines(text, negative)])
    goals, labels, pieces, end = [], [], [], 0
    for start in starts:
        pieces.append(text[end:start])
        open_, end = text.index("(", start), text.find("\n", start) + 1 or len(text)
        label = text[open_:end].rstrip()
        if not label.endswith(").") or label.count("(") != 1:
            return None
        goals.append(f"{positive}{label[:-1]}")
        labels.append(text.startswith(f"{positive}(", start))
    pieces.append(text[end:])
    return Source(_list(goals), as_list("".join(pieces)), tuple(labels)) if goals else None


def strict_source(text: str, positive: str, negative: str) -> Source:
    """Parse text strictly and return its source.

    Raises:
        ValueError: See :meth:`Program.parse`.
    """
    program = Program.parse(text, positive, negative)
    goals = [f"{positive}({example})" for example in program.examples]
    facts = [str(fact)[:-1] for fact in program.facts]
    return Source(_list(goals), _list(facts), program.labels)


def as_list(facts: str) -> str:
    """Turn lines of facts into one Prolog list."""
    body = facts.replace(").\n", "),\n").rstrip()
    return f"[{body[:-1]}]" if body.endswith(("),", ").")) else f"[{body}]"


def strict_list(facts: str) -> str:
    """Parse facts strictly and return them as one Prolog list.

    Raises:
        ValueError: The text holds something else than ground facts.
    """
    return _list([str(fact)[:-1] for fact, _ in read_facts(facts)])


def _list(terms: list[str]) -> str:
    return f"[{', '.join(terms)}]"


def _label_lines(text: str, name: str) -> list[int]:
    """Return the offsets of the lines that start with a fact of the predicate."""
    head, found = f"{name}(", []
    offset = text.find(head)
    while offset >= 0:
        if offset == 0 or text[offset - 1] == "\n":
            found.append(offset)
        offset = text.find(head, offset + 1)
    return found
