"""Clause structures: what a clause is, but for the variables and signs at its leaves (App. A.1).

There are 1.19 billion structures with ternary operators at depth 3, so they are drawn, not listed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from logic_curriculum.rewards.engines.propositional.syntax import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
)

OPERATORS = "¬∧∨→"
MAX_LEAVES = 8
"""Most leaves of a structure."""
_TRIES = 10_000
_UNIT_SHARE = 0.1
_NESTED_SHARE = 0.5
_NEGATED_SHARE = 0.15
_TERNARY_SHARE = 0.25
_WEIGHTS = {"∧": 1, "∨": 2, "→": 2}


class Structure(NamedTuple):
    """An operator and its operands, see :func:`join`; without operands it is a leaf."""

    operator: str
    """``¬``, ``∧``, ``∨``, ``→``, or empty for a leaf."""
    parts: tuple[Structure, ...]
    leaves: int
    """Number of leaves."""
    share: float
    """Share of assignments that make it true, its leaves being different variables."""


def join(operator: str, parts: tuple[Structure, ...]) -> Structure:
    """Return the structure of an operator with operands.

    >>> join("→", (LEAF, LEAF)).share
    0.75
    """
    count = 0
    share = 1.0
    for part in parts:
        count += part.leaves
        share *= 1 - part.share if operator == "∨" else part.share
    if operator in "∨¬":
        share = 1 - share
    elif operator == "→":
        share = 1 - parts[0].share * (1 - parts[1].share)
    return Structure(operator, parts, count, share)


LEAF = Structure("", (), 1, 0.5)
TERNARY = join("∨", (LEAF, LEAF, LEAF))
"""The structure of all clauses of 3-SAT."""
BINARY = join("∨", (LEAF, LEAF))


class StructureError(RuntimeError):
    """No structure fits what was asked for."""


@dataclass(frozen=True)
class StructureSampler:
    """Draws structures, in this way.

    The root is a leaf with probability 0.1. Else it is an operator, and so is each operand with
    probability 0.5 as long as the depth allows it; the others are leaves. An operator is ∧, ∨ or →
    with weights 1, 2 and 2, of those allowed; ∧ and ∨ have three operands with probability 0.25,
    else two. If ¬ is allowed, an operator below the root or the root's is negated as a whole with
    probability 0.15. A structure with more leaves than allowed, or true too rarely, is drawn again.
    """

    operators: str
    """Those of :data:`OPERATORS` that may occur; ``¬`` also lets leaves be negated."""
    max_depth: int
    """Most operators, ¬ not counted, on a way from the root to a leaf; at least 1."""
    max_leaves: int
    """Most leaves, at least 2: a variable stands in a clause once."""
    min_share: float = 0.0
    """Least share of assignments that make a structure true, at most 0.7; from 0.5 on, none is a
    conjunction, from above 0.5 on, none is a leaf."""

    def draw(self, rng: random.Random) -> Structure:
        """Draw a structure.

        Raises:
            StructureError: When none that may be was found.
        """
        for _ in range(_TRIES):
            is_leaf = rng.random() < _UNIT_SHARE
            structure = LEAF if is_leaf else self._operator(rng, self.max_depth)
            if structure.leaves <= self.max_leaves and structure.share >= self.min_share:
                return structure
        raise StructureError(
            f"No structure with at most {self.max_leaves} leaves that is true under a share of "
            f"{self.min_share} was found for the operators {self.operators} in {_TRIES} tries. Ask "
            "for more variables or a smaller share."
        )

    def _operator(self, rng: random.Random, depth: int) -> Structure:
        operator = self._weighted[int(rng.random() * len(self._weighted))]
        is_ternary = operator != "→" and rng.random() < _TERNARY_SHARE
        deeper = depth > 1
        parts = [
            self._operator(rng, depth - 1) if deeper and rng.random() < _NESTED_SHARE else LEAF
            for _ in range(3 if is_ternary else 2)
        ]
        structure = join(operator, tuple(parts))
        if "¬" in self.operators and rng.random() < _NEGATED_SHARE:
            return join("¬", (structure,))
        return structure

    @cached_property
    def _weighted(self) -> str:
        return "".join(
            operator * _WEIGHTS[operator] for operator in "∧∨→" if operator in self.operators
        )


def depth(structure: Structure) -> int:
    """Return the most operators, ¬ not counted, on a way from the root to a leaf."""
    if not structure.parts:
        return 0
    return (structure.operator != "¬") + max(map(depth, structure.parts))


def evaluate(structure: Structure, values: Sequence[int], full: int, at: int = 0) -> int:
    """Return the value of a structure whose leaves have the given values, from left to right.

    Values are truth tables; ``full`` is the table of what is always true. The structure's first
    leaf has the value at place ``at``.
    """
    operator, parts = structure.operator, structure.parts
    if not parts:
        return values[at]
    found = []
    for part in parts:
        found.append(evaluate(part, values, full, at) if part.parts else values[at])
        at += part.leaves
    if operator == "∨":
        return found[0] | found[1] if len(found) == 2 else found[0] | found[1] | found[2]
    if operator == "→":
        return (full ^ found[0]) | found[1]
    if operator == "¬":
        return full ^ found[0]
    return found[0] & found[1] if len(found) == 2 else found[0] & found[1] & found[2]


def to_formula(structure: Structure, literals: Sequence[Formula], at: int = 0) -> Formula:
    """Return the formula with the given literals at the leaves, from left to right.

    The structure's first leaf has the literal at place ``at``.
    """
    if not structure.parts:
        return literals[at]
    formulas = []
    for part in structure.parts:
        formulas.append(to_formula(part, literals, at) if part.parts else literals[at])
        at += part.leaves
    return _MAKERS[structure.operator](tuple(formulas))


_MAKERS: dict[str, Callable[[tuple[Formula, ...]], Formula]] = {
    "¬": lambda parts: Not(*parts),
    "∧": And,
    "∨": Or,
    "→": lambda parts: Implies(*parts),
}


def signed_shape(structure: Structure, signs: Sequence[bool], at: int = 0) -> str:
    """Return a text that does not depend on the order of the parts of ∧ and ∨.

    The structure's first leaf has the sign at place ``at``.
    """
    operator, parts, *_ = structure
    if not parts:
        return "+" if signs[at] else "-"
    shapes = []
    for part in parts:
        shapes.append(signed_shape(part, signs, at) if part.parts else "+" if signs[at] else "-")
        at += part.leaves
    return f"{operator}({''.join(shapes if operator == '→' else sorted(shapes))})"


@cache
def literal(variable: int, is_positive: bool) -> Formula:
    """Return ``v1`` or ``¬v1``, for variable 0."""
    atom = Variable(f"v{variable + 1}")
    return atom if is_positive else Not(atom)


def clause_formula(
    structure: Structure, signs: Sequence[bool], variables: Sequence[int]
) -> Formula:
    """Return the formula of a clause: a structure with the sign and the variable of each leaf."""
    return to_formula(structure, list(map(literal, variables, signs)))
