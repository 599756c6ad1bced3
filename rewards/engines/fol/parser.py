"""Parser of the strict grammar; models' looser spellings are read elsewhere."""

from __future__ import annotations

from functools import lru_cache

from logic_curriculum.rewards.engines.fol.syntax import (
    CONSTANTS,
    PREDICATES,
    SYMBOLS,
    VARIABLES,
    Atom,
    Binary,
    Formula,
    Not,
    Quantified,
    check_sentence,
)

MAX_LENGTH = 4000
"""Longest formula that is read, in characters."""
MAX_DEPTH = 100
"""Deepest nesting that is read."""

_NAMES = {symbol: name for name, symbol in SYMBOLS.items()}
_MAX_ARITY = 2


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
        self.tokens = [(place, char) for place, char in enumerate(text) if not char.isspace()]
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
        char = self._take()
        if char == "¬":
            return Not(self._formula())
        if char in ("∀", "∃"):
            return Quantified(_NAMES[char], self._variable(), self._formula())  # type: ignore[arg-type]
        if char == "(":
            return self._binary()
        if char in PREDICATES:
            return Atom(char, self._terms(char))
        self.next -= bool(char)
        raise self._error(f"expected a formula, found {char or 'the end'!r}")

    def _binary(self) -> Formula:
        left = self._formula()
        connective = _NAMES.get(self._peek())
        if connective not in ("and", "or", "imp", "iff"):
            raise self._error(f"expected a connective, found {self._peek() or 'the end'!r}")
        self.next += 1
        right = self._formula()
        if self._peek() != ")":
            raise self._error(f"expected ')', found {self._peek() or 'the end'!r}")
        self.next += 1
        return Binary(connective, left, right)  # type: ignore[arg-type]

    def _terms(self, predicate: str) -> tuple[str, ...]:
        terms = []
        while self._peek() in CONSTANTS or self._peek() in VARIABLES:
            terms.append(self._take())
        if not 1 <= len(terms) <= _MAX_ARITY:
            raise self._error(
                f"predicate {predicate} has {len(terms)} arguments, 1 or 2 expected", ArgumentsError
            )
        return tuple(terms)

    def _variable(self) -> str:
        if self._peek() not in VARIABLES:
            raise self._error(f"expected a variable (s to z), found {self._peek() or 'the end'!r}")
        return self._take()

    def _peek(self) -> str:
        return self.tokens[self.next][1] if self.next < len(self.tokens) else ""

    def _take(self) -> str:
        char = self._peek()
        self.next += 1
        return char

    def _error(self, problem: str, kind: type[FormulaError] = FormulaError) -> FormulaError:
        at_end = self.next >= len(self.tokens)
        return kind(problem, self.text, len(self.text) if at_end else self.tokens[self.next][0])
