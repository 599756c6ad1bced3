"""Propositional logic (LTGen, section 2): ``parse`` reads a formula, ``str`` writes it.

Can formulas be true together? Truth tables say so, with exact counts of models. A truth table is a
whole number with one bit for each assignment, so that ``&`` combines two tables at all assignments
at once. Assignment number ``a`` makes the variable at place ``i`` true where bit ``i`` of ``a`` is
set; bit ``a`` of a table says whether the formula is true there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate
from operator import and_, or_
from typing import ClassVar, TypeAlias

from logic_curriculum.rewards.engines.reading import Reader

MAX_LENGTH = 10_000  # longest text of a formula, in characters
MAX_DEPTH = 100  # deepest nesting of a formula that is read

_TOKEN = re.compile(r"[A-Za-z]\w*|\S")


@dataclass(frozen=True, slots=True)
class Variable:
    """``v1``: true or false."""

    name: str
    operator: ClassVar[str] = ""
    parts: ClassVar[tuple[Formula, ...]] = ()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Compound:
    """``¬A``, ``(A→B)``, or ``(A∧B∧C)`` and ``(A∨B∨C)``, which have two or more parts."""

    operator: str  # one of ¬→∧∨
    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        if self.operator == "¬":
            return f"¬{self.parts[0]}"
        return f"({self.operator.join(map(str, self.parts))})"


Formula: TypeAlias = Variable | Compound


def negation(formula: Formula) -> Formula:
    """Return ``¬A`` for ``A``."""
    return Compound("¬", (formula,))


def variables(*formulas: Formula) -> tuple[str, ...]:
    """Return the names that occur, once each, in the order of their first occurrence."""

    found: dict[str, None] = {}
    for formula in formulas:
        names = (formula.name,) if isinstance(formula, Variable) else variables(*formula.parts)
        found |= dict.fromkeys(names)
    return tuple(found)


def parse(text: str) -> Formula:
    """Parse a formula: ``v1``, ``¬A``, ``(A∧B∧C)``, ``(A∨B∨C)``, ``(A→B)``; spaces are free.

    Raises a :class:`FormulaError` for any other text.

    >>> parse("(v1 → v2)")
    Compound(operator='→', parts=(Variable(name='v1'), Variable(name='v2')))
    """
    reader = _Reader(text, _TOKEN, MAX_LENGTH)
    return reader.whole(lambda: reader.formula(1))


class _Reader(Reader):
    def formula(self, depth: int) -> Formula:
        if depth > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep")
        if self.accept("¬"):
            return negation(self.formula(depth + 1))
        if self.accept("("):
            return self.compound(depth + 1)
        first = self.token[:1]
        names = (self.token,) if first.isascii() and first.isalpha() else ()
        return Variable(self.take("a formula", names))

    def compound(self, depth: int) -> Formula:
        parts = [self.formula(depth)]
        symbol = self.take("∧, ∨ or →", ("∧", "∨", "→"))
        parts.append(self.formula(depth))
        while symbol != "→" and self.accept(symbol):
            parts.append(self.formula(depth))
        self.expect(")")
        return Compound(symbol, tuple(parts))


# Can formulas be true together?

MAX_VARIABLES = 20  # most variables of a truth table: 2**20 assignments, 128 KiB for each formula


@lru_cache(maxsize=32)
def variable_tables(count: int) -> tuple[int, ...]:
    """Return the tables of ``count`` variables, :data:`MAX_VARIABLES` at most, by place.

    >>> [f"{table:04b}" for table in variable_tables(2)]
    ['1010', '1100']
    """
    tables = []
    for place in range(count):
        table = full_table(place) << (1 << place)
        for doubled in range(place + 1, count):
            table |= table << (1 << doubled)
        tables.append(table)
    return tuple(tables)


def full_table(count: int) -> int:
    """Return the table of a tautology over ``count`` variables."""
    return (1 << (1 << count)) - 1


class TruthTables:
    """The tables of formulas over the same variables, :data:`MAX_VARIABLES` at most."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.variables = dict(zip(self.names, variable_tables(len(self.names)), strict=True))
        self.full = full_table(len(self.names))

    def of(self, formula: Formula) -> int:
        """Return the table of a formula."""
        if isinstance(formula, Variable):
            return self.variables[formula.name]
        found, *others = map(self.of, formula.parts)
        if formula.operator in "¬→":
            found ^= self.full
        return reduce(and_ if formula.operator == "∧" else or_, others, found)

    def all_of(self, formulas: Iterable[Formula]) -> int:
        """Return the table of a conjunction."""
        return reduce(and_, map(self.of, formulas), self.full)

    def assignment(self, number: int) -> dict[str, bool]:
        """Return an assignment by its number."""
        return {name: bool(number >> place & 1) for place, name in enumerate(self.names)}


def is_true(formula: Formula, assignment: Mapping[str, bool]) -> bool:
    """Say whether a formula is true under an assignment to all its variables."""
    table = TruthTables(())  # of one bit, for one assignment
    table.variables = {name: int(value) for name, value in assignment.items()}
    return table.of(formula) == 1


def minimal_core(tables: Sequence[int], full: int) -> list[int]:
    """Return the places of a minimal set of truth tables whose conjunction is 0, as that of all is.

    Each is left out in turn, from the first, if the rest can do without it; ``full`` is the table
    of a tautology.

    >>> minimal_core([0b1010, 0b1100, 0b0101, 0b1111], 0b1111)
    [0, 2]
    """
    after = list(accumulate(reversed(tables), and_, initial=full))[::-1]  # from each place on
    kept: list[int] = []
    before = full
    for place, table in enumerate(tables):
        if before & after[place + 1]:
            kept.append(place)
            before &= table
    return kept


def tables_are_minimal(tables: Sequence[int], full: int) -> bool:
    """Say whether truth tables with the conjunction 0 need each of them for that."""
    return len(minimal_core(tables, full)) == len(tables)
