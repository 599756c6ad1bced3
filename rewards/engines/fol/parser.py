"""Parser of the strict grammar; models' looser spellings are read elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import get_args

from logic_curriculum.rewards.engines.fol.syntax import (
    CONSTANTS,
    PREDICATES,
    SYMBOLS,
    VARIABLES,
    Atom,
    Binary,
    Connective,
    Formula,
    Not,
    Quantified,
    check_sentence,
)

MAX_LENGTH = 4000
"""Longest formula that is read, in characters."""
MAX_DEPTH = 100
"""Deepest nesting that is read."""

MAX_ARITY = 2
"""Most arguments of a predicate."""
_CONNECTIVES: Mapping[str, Connective] = {SYMBOLS[name]: name for name in get_args(Connective)}


class FormulaError(ValueError):
    """A text is no formula; the message says where and why."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        """Point at ``text[position]``."""
        super().__init__(f"{problem}, at character {position + 1} of {text[:200]!r}")
        self.problem = problem
        self.position = position


class ArgumentsError(FormulaError):
    """A predicate has no argument, or more than two; what else there is may be a formula."""


def parse(text: str) -> Formula:
    """Parse a formula of the strict grammar: ``Fa``, ``¬A``, ``(A∧B)``, ``∀xA``; spaces are free.

    Raises:
        FormulaError: When the text is no such formula.

    >>> str(parse("∀x (Fx → ∃y Rxy)"))
    '∀x(Fx→∃yRxy)'
    """
    if len(text) > MAX_LENGTH:
        problem = f"{len(text)} characters are too many for a formula, {MAX_LENGTH} the most"
        raise FormulaError(problem, text, MAX_LENGTH)
    return _Parser(text).parse()


@lru_cache(maxsize=4096)
def parse_sentence(text: str) -> Formula:
    """Parse a formula of the strict grammar that binds all its variables.

    Raises:
        FormulaError: When the text is no such formula.
        FreeVariableError: When a variable is free.
    """
    formula = parse(text)
    check_sentence(formula)
    return formula


class _Parser:
    """Recursive descent over the characters that are not white space."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [(char, place) for place, char in enumerate(text) if not char.isspace()]
        self.tokens.append(("", len(text)))
        self.next = 0
        self.depth = 0

    def parse(self) -> Formula:
        formula = self._formula()
        if self._peek():
            raise self._error(f"{self._peek()!r} follows a complete formula")
        return formula

    def _formula(self) -> Formula:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} deep")
        formula = self._nested()
        self.depth -= 1
        return formula

    def _nested(self) -> Formula:
        char = self._peek()
        if not (char in PREDICATES or char in ("¬", "∀", "∃", "(")):
            raise self._expected("a formula")
        self.next += 1
        if char == "¬":
            return Not(self._formula())
        if char == "(":
            return self._binary()
        if char in PREDICATES:
            return Atom(char, self._terms(char))
        variable = self._peek()
        if variable not in VARIABLES:
            raise self._expected("a variable (s to z)")
        self.next += 1
        return Quantified("forall" if char == "∀" else "exists", variable, self._formula())

    def _binary(self) -> Formula:
        left = self._formula()
        connective = _CONNECTIVES.get(self._peek())
        if connective is None:
            raise self._expected("a connective")
        self.next += 1
        right = self._formula()
        if self._peek() != ")":
            raise self._expected("')'")
        self.next += 1
        return Binary(connective, left, right)

    def _terms(self, predicate: str) -> tuple[str, ...]:
        start = self.next
        while self._peek() in CONSTANTS or self._peek() in VARIABLES:
            self.next += 1
        terms = tuple(char for char, _ in self.tokens[start : self.next])
        if not 1 <= len(terms) <= MAX_ARITY:
            raise self._error(
                f"predicate {predicate} has {len(terms)} arguments, 1 or 2 expected", ArgumentsError
            )
        return terms

    def _peek(self) -> str:
        return self.tokens[self.next][0]

    def _expected(self, what: str) -> FormulaError:
        return self._error(f"expected {what}, found {self._peek() or 'the end'!r}")

    def _error(self, problem: str, kind: type[FormulaError] = FormulaError) -> FormulaError:
        return kind(problem, self.text, self.tokens[self.next][1])
