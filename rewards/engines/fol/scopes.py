"""How far quantifiers reach and connectives bind, in formulas that leave out brackets.

A parser gathers what stands in each pair of brackets as a group; :func:`formula_of` decides, once
all of it is known, what belongs together.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from logic_curriculum.rewards.engines.fol.syntax import (
    Atom,
    Binary,
    Connective,
    Formula,
    Not,
    Quantified,
)

STRENGTHS: tuple[Connective, ...] = ("and", "or", "imp", "iff")
"""Connectives, the one that binds most strongly first."""


class ChainError(ValueError):
    """Conditionals follow one another without brackets: ``A→B→C`` can be grouped in two ways."""


@dataclass(frozen=True)
class Prefix:
    """A negation or a quantifier before a formula."""

    kind: Literal["not", "forall", "exists"]
    variable: str = ""
    reaches: bool = False
    """A dot follows, and the scope with it is all that stands in these brackets."""


@dataclass(frozen=True)
class Operand:
    """What stands between two connectives: negations and quantifiers, then what they apply to."""

    prefixes: tuple[Prefix, ...]
    core: Atom | Group


@dataclass(frozen=True)
class Group:
    """What stands in brackets, before it is known how far its quantifiers reach."""

    operands: tuple[Operand, ...]
    connectives: tuple[str, ...]
    """One fewer than the operands."""


def formula_of(group: Group) -> Formula:
    """Read a group."""
    pending: list[tuple[list[Formula], list[str], tuple[Prefix, ...]]] = []
    formulas: list[Formula] = []
    connectives: list[str] = []
    for index, operand in enumerate(group.operands):
        connectives += group.connectives[index - 1 : index] if index else ()
        reach = _reach(operand.prefixes)
        if reach:
            pending.append((formulas, connectives, operand.prefixes[:reach]))
            formulas, connectives = [], []
        core = operand.core
        body = core if isinstance(core, Atom) else formula_of(core)
        formulas.append(_under(operand.prefixes[reach:], body))
    formula = _joined(formulas, connectives)
    for before, connectives, around in reversed(pending):
        formula = _joined([*before, _under(around, formula)], connectives)
    return formula


def _reach(prefixes: tuple[Prefix, ...]) -> int:
    """Count the prefixes whose scope goes beyond their operand: all up to the last that must."""
    return max((index for index, prefix in enumerate(prefixes, 1) if prefix.reaches), default=0)


def _under(prefixes: tuple[Prefix, ...], formula: Formula) -> Formula:
    for prefix in reversed(prefixes):
        if prefix.kind == "not":
            formula = Not(formula)
        else:
            formula = Quantified(prefix.kind, prefix.variable, formula)
    return formula


def _joined(formulas: list[Formula], connectives: list[str]) -> Formula:
    """Join formulas by the connectives between them, the strongest first, from the left.

    Raises:
        ChainError: When conditionals follow one another, ``A→B→C``.
    """
    for level in STRENGTHS:
        if level == "imp" and ("imp", "imp") in pairwise(connectives):
            raise ChainError
        joined, left = [formulas[0]], []
        for connective, formula in zip(connectives, formulas[1:], strict=True):
            if connective != level:
                joined.append(formula)
                left.append(connective)
            else:
                joined[-1] = Binary(level, joined[-1], formula)
        formulas, connectives = joined, left
    return formulas[0]


def depth_of(formula: Formula) -> int:
    """Count the levels of a formula, however many they are."""
    depth, layer = 0, [formula]
    while layer:
        depth += 1
        below: list[Formula] = []
        for part in layer:
            match part:
                case Not(body) | Quantified(body=body):
                    below.append(body)
                case Binary(_, left, right):
                    below += [left, right]
        layer = below
    return depth
