"""Parser of the strict grammar; models' looser spellings are read elsewhere."""

from collections.abc import Collection
from functools import lru_cache
from typing import get_args

from logic_curriculum.rewards.engines.fol import syntax

MAX_LENGTH = 4000  # longest formula that is read, in characters
MAX_DEPTH = 100  # deepest nesting that is read
MAX_ARITY = 2  # most arguments of a predicate

_CONNECTIVES: dict[str, syntax.Connective] = {
    syntax.SYMBOLS[name]: name for name in get_args(syntax.Connective)
}
_STARTS = frozenset("¬∀∃(") | syntax.PREDICATES


class FormulaError(ValueError):
    """A text is no formula; the message says where and why."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        super().__init__(f"{problem}, at character {position + 1} of {text[:200]!r}")
        self.problem = problem


class ArgumentsError(FormulaError):
    """A predicate has no argument, or more than two; what else there is may be a formula."""

    def __init__(self, predicate: str, count: int, text: str, position: int) -> None:
        problem = f"predicate {predicate} has {count} arguments, 1 or 2 expected"
        super().__init__(problem, text, position)


def check_length(text: str) -> None:
    """Raise a :class:`FormulaError` for a text of more than :data:`MAX_LENGTH` characters."""
    if len(text) > MAX_LENGTH:
        problem = f"{len(text)} characters are too many for a formula, {MAX_LENGTH} the most"
        raise FormulaError(problem, text, MAX_LENGTH)


def parse(text: str) -> syntax.Formula:
    """Parse a formula of the strict grammar: ``Fa``, ``¬A``, ``(A∧B)``, ``∀xA``; spaces are free.

    Raises a :class:`FormulaError` for any other text.

    >>> str(parse("∀x (Fx → ∃y Rxy)"))
    '∀x(Fx→∃yRxy)'
    """
    check_length(text)
    parser = _Parser(text)
    formula = parser.formula()
    if parser.char:
        raise parser.error(f"{parser.char!r} follows a complete formula")
    return formula


@lru_cache(maxsize=4096)
def parse_sentence(text: str) -> syntax.Formula:
    """Parse a sentence of the strict grammar, else raise a FormulaError or FreeVariableError."""
    formula = parse(text)
    syntax.check_sentence(formula)
    return formula


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.chars = [(char, place) for place, char in enumerate(text) if not char.isspace()]
        self.chars.append(("", len(text)))
        self.next = 0

    @property
    def char(self) -> str:
        return self.chars[self.next][0]

    def formula(self, depth: int = 1) -> syntax.Formula:
        if depth > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep")
        sign = self.take("a formula", _STARTS)
        if sign in syntax.PREDICATES:
            return self.atom(sign)
        if sign == "¬":
            return syntax.Not(self.formula(depth + 1))
        if sign == "(":
            left = self.formula(depth + 1)
            connective = _CONNECTIVES[self.take("a connective", _CONNECTIVES)]
            right = self.formula(depth + 1)
            self.take("')'", (")",))
            return syntax.Binary(connective, left, right)
        quantifier: syntax.Quantifier = "forall" if sign == "∀" else "exists"
        variable = self.take("a variable (s to z)", syntax.VARIABLES)
        return syntax.Quantified(quantifier, variable, self.formula(depth + 1))

    def atom(self, predicate: str) -> syntax.Atom:
        start = self.next
        while self.char in syntax.CONSTANTS or self.char in syntax.VARIABLES:
            self.next += 1
        terms = tuple(char for char, _ in self.chars[start : self.next])
        if not 1 <= len(terms) <= MAX_ARITY:
            raise ArgumentsError(predicate, len(terms), self.text, self.chars[self.next][1])
        return syntax.Atom(predicate, terms)

    def take(self, what: str, among: Collection[str]) -> str:
        char = self.char
        if char not in among:
            raise self.error(f"expected {what}, found {char or 'the end'!r}")
        self.next += 1
        return char

    def error(self, problem: str) -> FormulaError:
        return FormulaError(problem, self.text, self.chars[self.next][1])
