"""How large a world is and how hard its rules are; the columns of Table 7."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from logic_curriculum.generators.loginum.conditions import CONDITIONS, DrawCondition
from logic_curriculum.generators.loginum.expressions import EXPRESSIONS, DrawExpression

PLAIN: Mapping[str, int] = {"pattern": 1}
"""Weights of the kinds of conditions in the paper."""


@dataclass(frozen=True)
class Config:
    """A row of Table 7, for one depth."""

    entities: int
    attributes: int
    relations: int
    facts: int
    """Given facts of a task, exactly."""
    rules: int
    """Rules of a task, exactly."""
    conditions: tuple[int, int]
    """Least and greatest number of a rule's conditions."""
    expressions: Mapping[str, int]
    """Kind of expression, by its name in :data:`EXPRESSIONS` → weight."""
    parts: Mapping[str, int]
    """The same for what an aggregation is made of."""
    operands: tuple[int, int]
    """Least and greatest given value, factor and summand."""
    condition_kinds: Mapping[str, int] = field(default_factory=lambda: PLAIN)
    """Kind of condition, by its name in :data:`CONDITIONS` → weight."""

    def __post_init__(self) -> None:
        _check_weights("expressions", self.expressions, EXPRESSIONS)
        _check_weights("parts", self.parts, EXPRESSIONS)
        _check_weights("condition_kinds", self.condition_kinds, CONDITIONS)
        if self.entities < 2 or min(self.attributes, self.relations, self.facts, self.rules) < 1:
            raise ValueError(
                f"{self} is no world: it takes 2 entities and 1 of all else at least; raise the "
                "number that is too small"
            )
        for name in ("conditions", "operands"):
            low, high = getattr(self, name)
            if low > high or (name == "conditions" and low < 1):
                raise ValueError(f"{name}={(low, high)} is no range: write the least number first")
        if self.operands == (0, 0):
            raise ValueError("operands=(0, 0) leaves no factor but 0: widen the range")

    @cached_property
    def draw_expression(self) -> tuple[DrawExpression, ...]:
        """The draw function of each kind of expression, as often as its weight says."""
        return _repeated(self.expressions, EXPRESSIONS)

    @cached_property
    def draw_part(self) -> tuple[DrawExpression, ...]:
        """The same for the parts of an aggregation."""
        return _repeated(self.parts, EXPRESSIONS)

    @cached_property
    def draw_condition(self) -> tuple[DrawCondition, ...]:
        """The same for kinds of conditions; empty where there is the paper's kind alone."""
        names = [name for name, weight in self.condition_kinds.items() if weight]
        return () if names == ["pattern"] else _repeated(self.condition_kinds, CONDITIONS)


def _check_weights(
    name: str, weights: Mapping[str, int], known: Mapping[str, Callable[..., object]]
) -> None:
    unknown = [kind for kind in weights if kind not in known]
    if unknown:
        raise ValueError(
            f"{name} has a weight for {', '.join(unknown)}, which nothing draws: the kinds are "
            f"{', '.join(known)}. Choose among them, or register a draw function."
        )
    if min(weights.values(), default=0) < 0 or not any(weights.values()):
        raise ValueError(
            f"{name}={dict(weights)} are no weights: give whole numbers from 0, one above 0"
        )


def _repeated(weights: Mapping[str, int], known: Mapping[str, Callable]) -> tuple:
    return tuple(known[kind] for kind, weight in weights.items() for _ in range(weight))
