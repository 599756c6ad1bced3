"""Formulas of first-order logic without identity: what they are, not what they mean.

The grammar is that of LogicSkills (section 3): predicates A–Z with one or two arguments,
constants a–r, variables s–z, and a pair of parentheses around every binary formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

PREDICATES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
CONSTANTS = frozenset("abcdefghijklmnopqr")
VARIABLES = frozenset("stuvwxyz")

Connective = Literal["and", "or", "imp", "iff"]
Quantifier = Literal["forall", "exists"]

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"not": "¬", "and": "∧", "or": "∨", "imp": "→", "iff": "↔", "forall": "∀", "exists": "∃"}
)
"""Name of each connective and quantifier → how it is written."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate and its terms, e.g. ``Pxc``."""

    predicate: str
    terms: tuple[str, ...]
    """Constants and variables, one or two."""

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


Formula = Atom | Not | Binary | Quantified
"""Any formula; ``str`` writes it in the strict grammar."""


@dataclass(frozen=True)
class Signature:
    """The symbols that occur in formulas."""

    arities: Mapping[str, int]
    """Predicate → number of arguments."""
    constants: frozenset[str]


class ArityClashError(ValueError):
    """A predicate occurs with different numbers of arguments."""


class FreeVariableError(ValueError):
    """A formula has free variables, so that it is neither true nor false."""


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and everything in it, in the order in which it is written."""
    stack = [formula]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case Not(body) | Quantified(body=body):
                stack.append(body)
            case Binary(_, left, right):
                stack += [right, left]


def signature(*formulas: Formula) -> Signature:
    """Return the predicates and constants of formulas.

    Raises:
        ArityClashError: When a predicate occurs with different numbers of arguments.
    """
    arities: dict[str, int] = {}
    constants: set[str] = set()
    for formula in formulas:
        for part in subformulas(formula):
            if isinstance(part, Atom):
                arity = arities.setdefault(part.predicate, len(part.terms))
                if arity != len(part.terms):
                    raise ArityClashError(
                        f"predicate {part.predicate} occurs with {arity} and with "
                        f"{len(part.terms)} arguments"
                    )
                constants.update(CONSTANTS.intersection(part.terms))
    return Signature(arities, frozenset(constants))


def free_variables(formula: Formula) -> frozenset[str]:
    """Return the variables that no quantifier binds."""
    match formula:
        case Atom(_, terms):
            return VARIABLES.intersection(terms)
        case Not(body):
            return free_variables(body)
        case Binary(_, left, right):
            return free_variables(left) | free_variables(right)
        case Quantified(_, variable, body):
            return free_variables(body) - {variable}


def check_sentence(formula: Formula) -> None:
    """Refuse a formula that is no sentence.

    Raises:
        FreeVariableError: When a variable is free.
    """
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
