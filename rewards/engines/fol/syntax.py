"""Formulas of first-order logic without identity: ``parse`` reads them, ``str`` writes them.

The grammar is that of LogicSkills (section 3): predicates A–Z with one or two arguments,
constants a–r, variables s–z, and a pair of parentheses around every binary formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from logic_curriculum.rewards.engines.reading import FormulaError, Reader

PREDICATES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
CONSTANTS = frozenset("abcdefghijklmnopqr")
VARIABLES = frozenset("stuvwxyz")

Connective = Literal["and", "or", "imp", "iff"]
Quantifier = Literal["forall", "exists"]

SYMBOLS = {"not": "¬", "and": "∧", "or": "∨", "imp": "→", "iff": "↔", "forall": "∀", "exists": "∃"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate and its terms, one or two constants and variables, e.g. ``Pxc``."""

    predicate: str
    terms: tuple[str, ...]

    def __str__(self) -> str:
        return self.predicate + "".join(self.terms)


@dataclass(frozen=True, slots=True)
class Not:
    """A negation."""

    body: Formula

    def __str__(self) -> str:
        return f"¬{self.body}"


@dataclass(frozen=True, slots=True)
class Binary:
    """A conjunction, disjunction, conditional or biconditional."""

    connective: Connective
    left: Formula
    right: Formula

    def __str__(self) -> str:
        return f"({self.left}{SYMBOLS[self.connective]}{self.right})"


@dataclass(frozen=True, slots=True)
class Quantified:
    """A universal or existential quantification."""

    quantifier: Quantifier
    variable: str
    body: Formula

    def __str__(self) -> str:
        return f"{SYMBOLS[self.quantifier]}{self.variable}{self.body}"


Formula = Atom | Not | Binary | Quantified  # any formula; ``str`` writes it in the strict grammar


@dataclass(frozen=True)
class Signature:
    """The symbols of formulas: predicate → number of arguments, and the constants."""

    arities: Mapping[str, int]
    constants: frozenset[str]


class ArityClashError(ValueError):
    """A predicate occurs with different numbers of arguments."""


class FreeVariableError(ValueError):
    """A formula has free variables, so that it is neither true nor false."""


def parts(formula: Formula) -> tuple[Formula, ...]:
    """Return what a formula is directly made of: no formula, one or two."""
    match formula:
        case Not(body) | Quantified(body=body):
            return (body,)
        case Binary(_, left, right):
            return left, right
    return ()


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and everything in it, in the order in which it is written."""
    stack = [formula]
    while stack:
        part = stack.pop()
        yield part
        stack += reversed(parts(part))


def signature(*formulas: Formula) -> Signature:
    """Return the symbols of formulas; raise ArityClashError if a predicate has two arities."""
    arities: dict[str, int] = {}
    constants: set[str] = set()
    for atom in (part for formula in formulas for part in subformulas(formula)):
        if isinstance(atom, Atom):
            count = len(atom.terms)
            if (arity := arities.setdefault(atom.predicate, count)) != count:
                problem = f"occurs with {arity} and with {count} arguments"
                raise ArityClashError(f"predicate {atom.predicate} {problem}")
            constants.update(CONSTANTS.intersection(atom.terms))
    return Signature(arities, frozenset(constants))


def free_variables(formula: Formula, widths: list[int] | None = None) -> frozenset[str]:
    """Return the free variables; add 1 to ``widths[n]`` for each subformula with ``n`` of them."""
    match formula:
        case Atom(_, terms):
            free = VARIABLES.intersection(terms)
        case Not(body):
            free = free_variables(body, widths)
        case Binary(_, left, right):
            free = free_variables(left, widths) | free_variables(right, widths)
        case Quantified(_, variable, body):
            free = free_variables(body, widths) - {variable}
    if widths is not None:
        widths[len(free)] += 1
    return free


def check_sentence(formula: Formula) -> None:
    """Raise a :class:`FreeVariableError` for a formula that is no sentence."""
    if free := free_variables(formula):
        raise FreeVariableError(
            f"{', '.join(sorted(free))} occurs free in {str(formula)[:200]}. "
            "Bind it by a quantifier."
        )


def to_ast(formula: Formula) -> list[Any]:
    """Return a JSON-able tree, e.g. ``["forall", "x", ["pred1", "F", "x"]]``.

    The shape is that of the published LogicSkills data: ``["not", A]``, ``["and", A, B]`` (also
    ``or``, ``imp``, ``iff``), ``["exists", v, A]``, ``["pred2", "P", t, u]``.
    """
    match formula:
        case Atom(predicate, terms):
            return [f"pred{len(terms)}", predicate, *terms]
        case Not(body):
            return ["not", to_ast(body)]
        case Binary(connective, left, right):
            return [connective, to_ast(left), to_ast(right)]
        case Quantified(quantifier, variable, body):
            return [quantifier, variable, to_ast(body)]


# The strict grammar; tolerant.py reads the looser spellings of models

MAX_LENGTH = 4000  # longest formula that is read, in characters
MAX_DEPTH = 100  # deepest nesting that is read
MAX_ARITY = 2  # most arguments of a predicate

_CONNECTIVES: dict[str, Connective] = {SYMBOLS[name]: name for name in get_args(Connective)}
_STARTS = frozenset("¬∀∃(") | PREDICATES
_SIGN = re.compile(r"\S")


class ArgumentsError(FormulaError):
    """A predicate has no argument, or more than two; what else there is may be a formula."""

    def __init__(self, predicate: str, count: int, text: str, position: int) -> None:
        problem = f"predicate {predicate} has {count} arguments, 1 or 2 expected"
        super().__init__(problem, text, position)


def parse(text: str) -> Formula:
    """Parse a formula of the strict grammar: ``Fa``, ``¬A``, ``(A∧B)``, ``∀xA``; spaces are free.

    Raises a :class:`FormulaError` for any other text.

    >>> str(parse("∀x (Fx → ∃y Rxy)"))
    '∀x(Fx→∃yRxy)'
    """
    reader = _Reader(text, _SIGN, MAX_LENGTH)
    return reader.whole(reader.formula)


@lru_cache(maxsize=4096)
def parse_sentence(text: str) -> Formula:
    """Parse a sentence of the strict grammar, else raise a FormulaError or FreeVariableError."""
    formula = parse(text)
    check_sentence(formula)
    return formula


class _Reader(Reader):
    def formula(self, depth: int = 1) -> Formula:
        if depth > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep")
        sign = self.take("a formula", _STARTS)
        if sign in PREDICATES:
            return self.atom(sign)
        if sign == "¬":
            return Not(self.formula(depth + 1))
        if sign == "(":
            left = self.formula(depth + 1)
            connective = _CONNECTIVES[self.take("a connective", _CONNECTIVES)]
            right = self.formula(depth + 1)
            self.expect(")")
            return Binary(connective, left, right)
        quantifier: Quantifier = "forall" if sign == "∀" else "exists"
        variable = self.take("a variable (s to z)", VARIABLES)
        return Quantified(quantifier, variable, self.formula(depth + 1))

    def atom(self, predicate: str) -> Atom:
        start = self.next
        while self.token in CONSTANTS or self.token in VARIABLES:
            self.next += 1
        terms = tuple(token for token, _ in self.tokens[start : self.next])
        if not 1 <= len(terms) <= MAX_ARITY:
            raise ArgumentsError(predicate, len(terms), self.text, self.tokens[self.next][1])
        return Atom(predicate, terms)
