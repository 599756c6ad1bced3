"""Clauses: structures of operators, with a sign and a variable for each leaf (App. A.1).

There are 1.19 billion structures with ternary operators at depth 3, so they are drawn, not listed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import and_
from typing import NamedTuple

from logic_curriculum.generators.sat.levels import MAX_LEAVES, Config
from logic_curriculum.rewards.engines import propositional
from logic_curriculum.rewards.engines.propositional import Compound, Formula, Variable, negation

_TRIES = 10_000
_UNIT_SHARE = 0.1  # how often a structure is a leaf alone
_TERNARY_SHARE = 0.25  # how often ∧ and ∨ have three operands; else they have two
_WEIGHTED = "∧∨∨→→"  # each operator as often as its weight


class Structure(NamedTuple):
    """An operator and its operands, see :func:`join`; without operands it is a leaf."""

    operator: str  # `¬`, `∧`, `∨`, `→`, or empty for a leaf
    parts: tuple[Structure, ...]
    leaves: int  # number of leaves
    share: float  # share of assignments that make it true, its leaves being different variables


def join(operator: str, parts: tuple[Structure, ...]) -> Structure:
    """Return the structure of an operator with operands.

    >>> join("→", (LEAF, LEAF)).share
    0.75
    """
    leaves, share = 0, 1.0
    for part in parts:
        leaves += part.leaves
        share *= 1 - part.share if operator == "∨" else part.share
    if operator in "∨¬":
        share = 1 - share
    elif operator == "→":
        share = 1 - parts[0].share * (1 - parts[1].share)
    return Structure(operator, parts, leaves, share)


LEAF = Structure("", (), 1, 0.5)
TERNARY = join("∨", (LEAF, LEAF, LEAF))  # the structure of all clauses of 3-SAT
BINARY = join("∨", (LEAF, LEAF))


def draw_structure(config: Config, rng: random.Random) -> Structure:
    """Draw a structure of the uniform mode.

    A structure with more leaves than :data:`MAX_LEAVES` or than there are variables, or true too
    rarely, is drawn again; a ``RuntimeError`` says that none was found.
    """
    operators = "".join(operator for operator in _WEIGHTED if operator in config.operators)
    most = min(config.variables, MAX_LEAVES)
    for _ in range(_TRIES):
        is_leaf = rng.random() < _UNIT_SHARE
        structure = LEAF if is_leaf else _draw_operator(operators, rng, config)
        if structure.leaves <= most and structure.share >= config.min_share:
            return structure
    raise RuntimeError(
        f"No structure with at most {most} leaves that is true under a share of "
        f"{config.min_share} was found for the operators {config.operators} in {_TRIES} tries. Ask "
        "for more variables or a smaller share."
    )


def _draw_operator(operators: str, rng: random.Random, config: Config, above: int = 0) -> Structure:
    operator = operators[int(rng.random() * len(operators))]
    count = 3 if operator != "→" and rng.random() < _TERNARY_SHARE else 2
    parts = []
    for _ in range(count):
        is_nested = above + 1 < config.max_depth and rng.random() < config.nested
        parts.append(_draw_operator(operators, rng, config, above + 1) if is_nested else LEAF)
    structure = join(operator, tuple(parts))
    return join("¬", (structure,)) if rng.random() < config.negated else structure


def depth(structure: Structure) -> int:
    """Return the most operators, ¬ not counted, on a way from the root to a leaf."""
    if not structure.parts:
        return 0
    return (structure.operator != "¬") + max(map(depth, structure.parts))


def evaluate(structure: Structure, leaves: Iterator[int], full: int) -> int:
    """Return the truth table of a structure from those of its leaves; ``full`` is all ones."""
    operator, parts, _, _ = structure
    if not parts:
        return next(leaves)
    is_and, negates = operator == "∧", operator in "¬→"  # the first part, that is
    found = full if is_and else 0
    for part in parts:
        table = evaluate(part, leaves, full) if part.parts else next(leaves)
        found = found & table if is_and else found | (full ^ table if negates else table)
        negates = False
    return found


@dataclass(slots=True)
class Clause:
    """A structure with a sign and a variable for each leaf, from left to right."""

    structure: Structure
    signs: tuple[bool, ...]
    variables: list[int]  # numbers from 0, all different

    def formula(self) -> Formula:
        """Return the clause over ``v1``, ``v2``, …, which are variables 0, 1, …"""
        return _formula(self.structure, map(_literal, self.variables, self.signs))


@lru_cache(maxsize=1024)
def _literal(number: int, sign: bool) -> Formula:
    return Variable(f"v{number + 1}") if sign else negation(_literal(number, True))


def _formula(structure: Structure, literals: Iterator[Formula]) -> Formula:
    if not structure.parts:
        return next(literals)
    return Compound(structure.operator, tuple([_formula(p, literals) for p in structure.parts]))


@lru_cache(maxsize=1024)
def clause_shape(structure: Structure, signs: tuple[bool, ...]) -> str:
    """Return a structure with its signs, equal for any order of the parts of ∧ and ∨."""
    return _shape(structure, iter(signs))


def _shape(structure: Structure, signs: Iterator[bool]) -> str:
    if not structure.parts:
        return "+" if next(signs) else "-"
    shapes = [_shape(part, signs) for part in structure.parts]
    parts = shapes if structure.operator == "→" else sorted(shapes)
    return f"{structure.operator}({''.join(parts)})"


class Tables:
    """Truth tables of clauses over a fixed number of variables."""

    def __init__(self, variables: int) -> None:
        self.full = propositional.full_table(variables)
        positive = propositional.variable_tables(variables)
        self._literals = ([self.full ^ table for table in positive], positive)

    def of(self, clause: Clause) -> int:
        """Return the table of a clause."""
        signs, variables, literals = clause.signs, clause.variables, self._literals
        if clause.structure is TERNARY:  # most clauses by far, hence the short cut
            (a, b, c), (x, y, z) = signs, variables
            return literals[a][x] | literals[b][y] | literals[c][z]
        found = [literals[sign][each] for sign, each in zip(signs, variables, strict=True)]
        return evaluate(clause.structure, iter(found), self.full)

    def all_of(self, tables: Iterable[int]) -> int:
        """Return the conjunction."""
        return reduce(and_, tables, self.full)
