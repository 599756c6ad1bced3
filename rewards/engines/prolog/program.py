"""A task's program: labelled examples and background facts, read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_ATOM = r"[a-z]\w*|'(?:[^'\\\n]|''|\\[^\n])+'"
_NUMBER = r"-?\d+(?:\.\d+)?(?![\w.]\w)"
_SPACE = re.compile(r"(?:\s|%[^\n]*(?:\n|$)|/\*.*?\*/)*", re.S)
_CONSTANT = re.compile(f"{_ATOM}|{_NUMBER}", re.A)
_FACT = re.compile(
    rf"({_ATOM})\(\s*((?:{_ATOM}|{_NUMBER})(?:\s*,\s*(?:{_ATOM}|{_NUMBER}))*)\s*\)\s*\.(?=[\s%]|$)",
    re.A,
)
_PLAIN_NAME = re.compile(r"[a-z]\w*", re.A)


class Fact(NamedTuple):
    """A ground atom; predicate and arguments are written as in Prolog text."""

    predicate: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.arguments)})."


@dataclass(frozen=True)
class Program:
    """Labelled examples over background facts, e.g. a validation program of SLR-Bench.

    The examples stand in the order of their label facts; all outcomes of a judgement follow it.
    """

    text: str
    """The program as it was given."""
    positive: str
    """Name of the unary predicate that labels positive examples; hypotheses define it."""
    negative: str
    """Name of the unary predicate that labels negative examples."""
    examples: tuple[str, ...]
    """The examples' constants, e.g. ``train0``."""
    labels: tuple[bool, ...]
    """Whether each example is positive."""

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Background facts in text order, labels left out."""
        return _parse(self.text, self.positive, self.negative)[1]

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """Constants that name individuals: examples, and atoms that some fact is about.

        A fact is about its first argument. Colours, sizes and numbers only occur in later
        positions and are values. Names play no part, so a language may call things what it likes.
        """
        about = (fact.arguments[0] for fact in self.facts)
        atoms = (constant for constant in about if not is_number(constant))
        return tuple(dict.fromkeys((*self.examples, *atoms)))

    @property
    def predicates(self) -> tuple[tuple[str, int], ...]:
        """Name and arity of the background predicates, in order of their first fact."""
        return tuple(dict.fromkeys((name, len(arguments)) for name, arguments in self.facts))

    @classmethod
    def parse(cls, text: str, positive: str = "eastbound", negative: str = "westbound") -> Program:
        """Read a program of ground facts, and check all of it.

        Args:
            text: Facts ``name(argument, ...).`` with atoms (plain or quoted) and numbers as
                arguments; comments and blank lines may stand between them.
            positive: Predicate of the positive label facts.
            negative: Predicate of the negative label facts.

        Raises:
            ValueError: The text holds something else than ground facts, an example is labelled
                twice, or there is no example. The message names the line.
        """
        labels, facts = _parse(text, positive, negative)
        program = cls(text, positive, negative, tuple(labels), tuple(labels.values()))
        program.__dict__["facts"] = facts
        return program


def _parse(text: str, positive: str, negative: str) -> tuple[dict[str, bool], tuple[Fact, ...]]:
    """Return labels by example, and background facts."""
    labels: dict[str, bool] = {}
    facts = []
    for fact, offset in read_facts(text):
        if fact.predicate not in (positive, negative) or len(fact.arguments) != 1:
            facts.append(fact)
            continue
        example = fact.arguments[0]
        if example in labels:
            raise ValueError(
                f"Line {_line(text, offset)} labels example {example!r} a second time; "
                f"give each example one label, {positive} or {negative}."
            )
        labels[example] = fact.predicate == positive
    if not labels:
        raise ValueError(
            f"The program has no fact {positive}(...) or {negative}(...), so there is no "
            "example to judge; pass the label predicates it uses as positive and negative."
        )
    return labels, tuple(facts)


def is_number(constant: str) -> bool:
    """Tell whether a constant as written is a number rather than an atom."""
    return constant[0] in "-0123456789"


def read_facts(text: str) -> Iterator[tuple[Fact, int]]:
    """Yield each fact of a text with its offset.

    Raises:
        ValueError: Something else than a fact comes next; the message names the line.
    """
    position = _skip(text, 0)
    while position < len(text):
        match = _FACT.match(text, position)
        if match is None:
            raise ValueError(_complaint(text, position))
        name, inside = match.groups()
        if "'" in match[0]:
            name = _canonical(name)
            arguments = tuple(_canonical(constant) for constant in _CONSTANT.findall(inside))
        else:
            arguments = tuple(inside.replace(",", " ").split())
        yield Fact(name, arguments), position
        position = _skip(text, match.end())


def _canonical(constant: str) -> str:
    """Drop the quotes of an atom that needs none."""
    inner = constant[1:-1]
    return inner if constant[0] == "'" and _PLAIN_NAME.fullmatch(inner) else constant


def _skip(text: str, position: int) -> int:
    """Return the offset of the next character that is neither white space nor comment."""
    if text[position : position + 1] == "\n" and text[position + 1 : position + 2].isalpha():
        return position + 1
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _complaint(text: str, offset: int) -> str:
    shown = text[offset:].split("\n", 1)[0][:80]
    if ":-" in shown:
        reason, remedy = "is a rule or a directive", "leave only facts"
    elif re.search(r"[(,]\s*[A-Z_]", shown):
        reason, remedy = "has a variable", "make every argument an atom or a number"
    elif '"' in shown:
        reason, remedy = "has a string", "write it as an atom, e.g. 'two words'"
    elif re.match(rf"(?:{_ATOM})\s*\([^()]*\)\s*$", shown, re.A):
        reason, remedy = "has no full stop", "end each fact with one"
    else:
        reason, remedy = "is not a fact", "write name(argument, ...). with atoms or numbers"
    return f"Line {_line(text, offset)} of the program, {shown!r}, {reason}; {remedy}."
