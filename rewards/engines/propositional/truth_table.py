"""Truth tables as whole numbers, one bit for each assignment: ``&`` judges all of them at once.

Assignment number ``a`` makes the variable at place ``i`` true where bit ``i`` of ``a`` is set; bit
``a`` of a table says whether the formula is true there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from logic_curriculum.rewards.engines.propositional.syntax import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
    variables,
)

MAX_VARIABLES = 20
"""Most variables of a truth table: 2**20 assignments, 128 KiB for each formula."""


class TooManyVariablesError(ValueError):
    """A truth table would be too large."""


@lru_cache(maxsize=32)
def variable_tables(count: int) -> tuple[int, ...]:
    """Return the tables of so many variables, in order of their places.

    Raises:
        TooManyVariablesError: When they are more than :data:`MAX_VARIABLES`.

    >>> [f"{table:04b}" for table in variable_tables(2)]
    ['1010', '1100']
    """
    if count > MAX_VARIABLES:
        raise TooManyVariablesError(
            f"{count} variables have 2**{count} assignments, and tables are made for at most "
            f"{MAX_VARIABLES}. Ask the solver instead."
        )
    return tuple(_variable_table(place, count) for place in range(count))


def _variable_table(place: int, count: int) -> int:
    table = full_table(place) << (1 << place)
    for doubled in range(place + 1, count):
        table |= table << (1 << doubled)
    return table


def full_table(count: int) -> int:
    """Return the table of what is always true, over so many variables."""
    return (1 << (1 << count)) - 1


class TruthTables:
    """The tables of formulas over the same variables."""

    def __init__(self, names: Sequence[str]) -> None:
        """Fix the variables and their order.

        Raises:
            TooManyVariablesError: When they are more than :data:`MAX_VARIABLES`.
        """
        self.names = tuple(names)
        self.full = full_table(len(self.names)) if len(self.names) <= MAX_VARIABLES else 0
        self._variables = dict(zip(self.names, variable_tables(len(self.names)), strict=True))

    def of(self, formula: Formula) -> int:
        """Return the table of a formula."""
        match formula:
            case Variable(name):
                return self._variables[name]
            case Not(part):
                return self.full ^ self.of(part)
            case And(parts):
                return self.all_of(parts)
            case Or(parts):
                found = 0
                for part in parts:
                    found |= self.of(part)
                return found
            case Implies(condition, conclusion):
                return (self.full ^ self.of(condition)) | self.of(conclusion)

    def all_of(self, formulas: Iterable[Formula]) -> int:
        """Return the table of where all formulas are true."""
        found = self.full
        for formula in formulas:
            found &= self.of(formula)
        return found

    def assignment(self, number: int) -> dict[str, bool]:
        """Return an assignment by its number."""
        return {name: bool(number >> place & 1) for place, name in enumerate(self.names)}


def model_count(formulas: Sequence[Formula]) -> int:
    """Return how many assignments to the variables that occur make all formulas true.

    Raises:
        TooManyVariablesError: When more than :data:`MAX_VARIABLES` variables occur.

    >>> from logic_curriculum.rewards.engines.propositional.parser import parse
    >>> model_count([parse("(v1∨v2)"), parse("(v1→v3)")])
    4
    """
    return TruthTables(variables(*formulas)).all_of(formulas).bit_count()


def is_true(formula: Formula, assignment: Mapping[str, bool]) -> bool:
    """Say whether a formula is true under an assignment to all its variables."""
    match formula:
        case Variable(name):
            return assignment[name]
        case Not(part):
            return not is_true(part, assignment)
        case And(parts):
            return all(is_true(part, assignment) for part in parts)
        case Or(parts):
            return any(is_true(part, assignment) for part in parts)
        case Implies(condition, conclusion):
            return not is_true(condition, assignment) or is_true(conclusion, assignment)
