"""How far quantifiers reach and connectives bind, in formulas that leave out brackets.

A parser gathers what stands in each pair of brackets as a group; :func:`formula_of` decides, once
all of it is known, what belongs together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rewards.judges.fol.syntax import (
    VARIABLES,
    Atom,
    Binary,
    Connective,
    Formula,
    Not,
    Quantified,
)

STRENGTHS: tuple[Connective, ...] = ("and", "or", "imp", "iff")
"""Connectives, the one that binds most strongly first."""


@dataclass(frozen=True)
class Prefix:
    """A negation or a quantifier before a formula."""

    kind: Literal["not", "forall", "exists"]
    variable: str = ""
    reaches: bool = False
    """A dot follows, and the scope with it is all that stands in these brackets."""
    delimited: bool = False
    """A bracket follows, and shows the scope."""


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

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """Variables that are free from each operand on, were all quantifiers to reach far."""
        needs = [frozenset[str]()]
        for operand in reversed(self.operands):
            core = operand.core
            own = VARIABLES.intersection(core.terms) if isinstance(core, Atom) else core.needs[0]
            bound = {prefix.variable for prefix in operand.prefixes}
            needs.append((needs[-1] | own) - bound)
        return tuple(reversed(needs))


def formula_of(group: Group, bound: frozenset[str] = frozenset()) -> Formula:
    """Read a group; ``bound`` are the variables that quantifiers around it bind."""
    pending: list[tuple[list[Formula], list[str], tuple[Prefix, ...]]] = []
    formulas: list[Formula] = []
    connectives: list[str] = []
    for index, operand in enumerate(group.operands):
        connectives += group.connectives[index - 1 : index] if index else ()
        needed = group.needs[index + 1] - bound
        is_last = index + 1 == len(group.operands)
        reach = 0 if is_last else _reach(operand.prefixes, needed)
        around, prefixes = operand.prefixes[:reach], operand.prefixes[reach:]
        if around:
            pending.append((formulas, connectives, around))
            formulas, connectives = [], []
            bound = bound.union(prefix.variable for prefix in around)
        inside = bound.union(prefix.variable for prefix in prefixes)
        core = operand.core
        body = core if isinstance(core, Atom) else formula_of(core, inside)
        formulas.append(_under(prefixes, body))
    formula = _joined(formulas, connectives)
    for before, connectives, around in reversed(pending):
        formula = _joined([*before, _under(around, formula)], connectives)
    return formula


def _reach(prefixes: tuple[Prefix, ...], needed: frozenset[str]) -> int:
    """Count the prefixes whose scope goes beyond their operand: all up to the last that must."""
    for index in range(len(prefixes), 0, -1):
        prefix = prefixes[index - 1]
        if prefix.reaches or (prefix.variable in needed and not prefix.delimited):
            return index
    return 0


def _under(prefixes: tuple[Prefix, ...], formula: Formula) -> Formula:
    for prefix in reversed(prefixes):
        if prefix.kind == "not":
            formula = Not(formula)
        else:
            formula = Quantified(prefix.kind, prefix.variable, formula)
    return formula


def _joined(formulas: list[Formula], connectives: list[str]) -> Formula:
    """Join formulas by the connectives between them, the strongest first."""
    for level in STRENGTHS:
        if level not in connectives:
            continue
        if level == "imp":
            formulas, connectives = formulas[::-1], connectives[::-1]
        joined, left = [formulas[0]], []
        for connective, formula in zip(connectives, formulas[1:], strict=True):
            if connective != level:
                joined.append(formula)
                left.append(connective)
            elif level == "imp":
                joined[-1] = Binary(level, formula, joined[-1])
            else:
                joined[-1] = Binary(level, joined[-1], formula)
        formulas, connectives = joined, left
        if level == "imp":
            formulas, connectives = formulas[::-1], connectives[::-1]
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


def delimited(prefixes: list[Prefix]) -> list[Prefix]:
    """Mark the quantifiers directly before a bracket: it shows their scope."""
    marked = list(prefixes)
    for index in range(len(prefixes) - 1, -1, -1):
        prefix = prefixes[index]
        if prefix.kind == "not":
            break
        marked[index] = Prefix(prefix.kind, prefix.variable, delimited=True)
    return marked
