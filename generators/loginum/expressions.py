"""Draw functions of expressions, by kind. A new kind adds one here, see docs/tasks-loginum.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from logic_curriculum.rewards.engines.numeric.syntax import (
    AGGREGATORS,
    Aggregation,
    Calculation,
    Constant,
    Expression,
    Lookup,
    Power,
    Retrieval,
)

_OPERATORS = tuple(AGGREGATORS)


class Pen(Protocol):
    """What a draw function gets: the rule that is being written."""

    def number(self) -> int:
        """Return a number of the operand range."""

    def factor(self) -> int:
        """Return a number of the operand range that is not 0."""

    def pick(self, items: Sequence[Any]) -> Any:
        """Return one of the items, each alike."""

    def lookup(self) -> Lookup:
        """Return an attribute of one of the rule's variables; each call another one."""

    def part(self) -> Expression:
        """Return an expression that may stand inside another, by the weights for parts."""


DrawExpression = Callable[[Pen], Expression]


def _constant(pen: Pen) -> Expression:
    return Constant(pen.number())


def _retrieval(pen: Pen) -> Expression:
    return Retrieval(pen.lookup())


def _calculation(pen: Pen) -> Expression:
    return Calculation(pen.factor(), pen.lookup(), pen.number())


def _aggregation(pen: Pen) -> Expression:
    return Aggregation(pen.pick(_OPERATORS), pen.part(), pen.part())


def _power(pen: Pen) -> Expression:
    return Power(Retrieval(pen.lookup()), pen.pick((2, 3)))


EXPRESSIONS: dict[str, DrawExpression] = {
    "constant": _constant,
    "retrieval": _retrieval,
    "calculation": _calculation,
    "aggregation": _aggregation,
    "power": _power,
}
"""Name → draw function. The first four are the paper's; no preset gives the others weight."""
