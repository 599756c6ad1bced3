"""Formulas of propositional logic (LTGen, section 2): ``parse`` reads a text, ``str`` writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

MAX_LENGTH = 10_000  # longest text of a formula, in characters
MAX_DEPTH = 100  # deepest nesting of a formula that is read

_TOKEN = re.compile(r"\s*+([A-Za-z]\w*+|[¬∧∨→()])")


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
class _Junction:
    parts: tuple[Formula, ...]
    symbol: ClassVar[str]

    def __post_init__(self) -> None:
        if len(self.parts) < 2:
            raise ValueError(f"{self.symbol} joins {len(self.parts)} formulas: give it two or more")

    def __str__(self) -> str:
        return f"({self.symbol.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class And(_Junction):
    """``(A∧B∧C)``: two or more parts."""

    symbol: ClassVar[str] = "∧"


@dataclass(frozen=True, slots=True)
class Or(_Junction):
    """``(A∨B∨C)``: two or more parts, of which at least one is true."""

    symbol: ClassVar[str] = "∨"


@dataclass(frozen=True, slots=True)
class Implies:
    """``(A→B)``: false where A is true and B is not, else true."""

    condition: Formula
    conclusion: Formula

    def __str__(self) -> str:
        return f"({self.condition}→{self.conclusion})"


Formula: TypeAlias = Variable | Not | And | Or | Implies


def variables(*formulas: Formula) -> tuple[str, ...]:
    """Return the names that occur, once each, in the order of their first occurrence."""

    found: dict[str, None] = {}
    for formula in formulas:
        names = (formula.name,) if isinstance(formula, Variable) else variables(*parts_of(formula))
        found |= dict.fromkeys(names)
    return tuple(found)


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct parts of a formula, in order."""
    match formula:
        case Variable():
            return ()
        case Not(part):
            return (part,)
        case Implies(condition, conclusion):
            return (condition, conclusion)
        case And(parts) | Or(parts):
            return parts


def compound(operator: str, parts: tuple[Formula, ...]) -> Formula:
    """Return the formula that an operator, one of ``¬∧∨→``, makes of its parts."""
    if operator in "∧∨":
        return And(parts) if operator == "∧" else Or(parts)
    return Implies(*parts) if operator == "→" else Not(*parts)


class FormulaError(ValueError):
    """A text is no formula; the message says where and why."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        super().__init__(f"{problem}, at character {position + 1} of {text[:200]!r}")


def parse(text: str) -> Formula:
    """Parse a formula: ``v1``, ``¬A``, ``(A∧B∧C)``, ``(A∨B∨C)``, ``(A→B)``; spaces are free.

    Raises a :class:`FormulaError` for any other text.

    >>> parse("(v1 → ¬v2)")
    Implies(condition=Variable(name='v1'), conclusion=Not(part=Variable(name='v2')))
    """
    if len(text) > MAX_LENGTH:
        problem = f"{len(text)} characters are too many for a formula, {MAX_LENGTH} the most"
        raise FormulaError(problem, text, MAX_LENGTH)
    parser = _Parser(text)
    formula = parser.formula(1)
    if parser.token:
        raise parser.error(f"{parser.token!r} follows a complete formula")
    return formula


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        self.next = 0
        position, end = 0, len(text.rstrip())
        while position < end:
            token = _TOKEN.match(text, position)
            if token is None:
                raise FormulaError("neither a name nor one of ¬∧∨→()", text, position)
            position = token.end()
            self.tokens.append((token[1], token.start(1)))
        self.tokens.append(("", len(text)))

    @property
    def token(self) -> str:  # empty at the end
        return self.tokens[self.next][0]

    def formula(self, depth: int) -> Formula:
        if depth > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep")
        token = self.token
        if not token or token in "∧∨→)":
            raise self.error(f"expected a formula, found {token or 'the end'!r}")
        self.next += 1
        if token == "¬":
            return Not(self.formula(depth + 1))
        return self.compound(depth + 1) if token == "(" else Variable(token)

    def compound(self, depth: int) -> Formula:
        parts = [self.formula(depth)]
        symbol = self.token
        if not symbol or symbol not in "∧∨→":
            raise self.error(f"expected ∧, ∨ or →, found {symbol or 'the end'!r}")
        while self.token == symbol and (symbol != "→" or len(parts) < 2):
            self.next += 1
            parts.append(self.formula(depth))
        if self.token != ")":
            raise self.error(f"expected ')', found {self.token or 'the end'!r}")
        self.next += 1
        return compound(symbol, tuple(parts))

    def error(self, problem: str) -> FormulaError:
        return FormulaError(problem, self.text, self.tokens[self.next][1])
