"""Parser of the formulas in payloads."""

from __future__ import annotations

import re

from logic_curriculum.rewards.engines.propositional.syntax import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
)

MAX_LENGTH = 10_000
"""Longest formula that is read, in characters."""
MAX_DEPTH = 100
"""Deepest nesting that is read."""

_TOKEN = re.compile(r"\s*+(?:([A-Za-z]\w*+)|([¬∧∨→()]))")


class FormulaError(ValueError):
    """A text is no formula; the message says where and why."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        """Point at ``text[position]``."""
        super().__init__(f"{problem}, at character {position + 1} of {text[:200]!r}")


def parse(text: str) -> Formula:
    """Parse a formula: ``v1``, ``¬A``, ``(A∧B∧C)``, ``(A∨B∨C)``, ``(A→B)``; spaces are free.

    Raises:
        FormulaError: When the text is no such formula.

    >>> parse("(v1 → ¬v2)")
    Implies(condition=Variable(name='v1'), conclusion=Not(part=Variable(name='v2')))
    """
    if len(text) > MAX_LENGTH:
        problem = f"{len(text)} characters are too many for a formula, {MAX_LENGTH} the most"
        raise FormulaError(problem, text, MAX_LENGTH)
    return _Parser(text).parse()


class _Parser:
    """Recursive descent."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        self.next = 0
        self._scan()

    def _scan(self) -> None:
        position, end = 0, len(self.text.rstrip())
        while position < end:
            token = _TOKEN.match(self.text, position)
            if token is None:
                raise FormulaError("neither a name nor one of ¬∧∨→()", self.text, position)
            self.tokens.append((token[1] or token[2], token.end() - len(token[1] or token[2])))
            position = token.end()

    def parse(self) -> Formula:
        formula = self._formula(1)
        if self._peek():
            raise self._error(f"{self._peek()!r} follows a complete formula")
        return formula

    def _formula(self, depth: int) -> Formula:
        if depth > MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} deep")
        token = self._peek()
        if token == "¬":
            self.next += 1
            return Not(self._formula(depth + 1))
        if token == "(":
            self.next += 1
            return self._compound(depth + 1)
        if not token or token in "∧∨→)":
            raise self._error(f"expected a formula, found {token or 'the end'!r}")
        self.next += 1
        return Variable(token)

    def _compound(self, depth: int) -> Formula:
        parts = [self._formula(depth)]
        symbol = self._peek()
        if not symbol or symbol not in "∧∨→":
            raise self._error(f"expected ∧, ∨ or →, found {symbol or 'the end'!r}")
        while self._peek() == symbol and (symbol != "→" or len(parts) < 2):
            self.next += 1
            parts.append(self._formula(depth))
        if self._peek() != ")":
            raise self._error(f"expected ')', found {self._peek() or 'the end'!r}")
        self.next += 1
        if symbol == "→":
            return Implies(*parts)
        return And(tuple(parts)) if symbol == "∧" else Or(tuple(parts))

    def _peek(self) -> str:
        return self.tokens[self.next][0] if self.next < len(self.tokens) else ""

    def _error(self, problem: str) -> FormulaError:
        at_end = self.next >= len(self.tokens)
        return FormulaError(
            problem, self.text, len(self.text) if at_end else self.tokens[self.next][1]
        )
