"""Formulas of propositional logic (LTGen, section 2); ``str`` of one is its text in payloads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """``v1``: true or false."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Not:
    """``¬A``."""

    part: Formula

    def __str__(self) -> str:
        return f"¬{self.part}"


@dataclass(frozen=True, slots=True)
class And:
    """``(A∧B∧C)``: two or more parts."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        """Check the number of parts."""
        _check_parts(self.parts, "∧")

    def __str__(self) -> str:
        return f"({'∧'.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Or:
    """``(A∨B∨C)``: two or more parts, of which at least one is true."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        """Check the number of parts."""
        _check_parts(self.parts, "∨")

    def __str__(self) -> str:
        return f"({'∨'.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Implies:
    """``(A→B)``: false where A is true and B is not, else true."""

    condition: Formula
    conclusion: Formula

    def __str__(self) -> str:
        return f"({self.condition}→{self.conclusion})"


Formula = Variable | Not | And | Or | Implies


def _check_parts(parts: tuple[Formula, ...], symbol: str) -> None:
    if len(parts) < 2:
        raise ValueError(f"{symbol} joins {len(parts)} formulas: give it two or more")


def variables(*formulas: Formula) -> tuple[str, ...]:
    """Return the names that occur, once each, in the order of their first occurrence.

    >>> variables(Implies(Variable("v2"), Or((Variable("v1"), Variable("v2")))))
    ('v2', 'v1')
    """
    return tuple(dict.fromkeys(name for formula in formulas for name in _names(formula)))


def _names(formula: Formula) -> Iterator[str]:
    if isinstance(formula, Variable):
        yield formula.name
    else:
        for part in parts_of(formula):
            yield from _names(part)


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas that a formula joins, in order."""
    match formula:
        case Variable():
            return ()
        case Not(part):
            return (part,)
        case Implies(condition, conclusion):
            return (condition, conclusion)
        case And(parts) | Or(parts):
            return parts
