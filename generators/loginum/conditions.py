"""Draw functions of conditions, by kind. A new kind adds one here, see docs/tasks-loginum.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from logic_curriculum.rewards.engines.numeric.syntax import AnyOf, Condition, Fact


class Pen(Protocol):
    """What a draw function gets: the rule that is being written."""

    def pick(self, items: Sequence[Any]) -> Any:
        """Return one of the items, each alike."""

    def other_pattern(self, met: Fact) -> Fact:
        """Return another pattern with the same variables, which need not be met."""


DrawCondition = Callable[[Pen, Fact], Condition]
"""Makes a condition that holds where the given pattern does."""


def _pattern(pen: Pen, met: Fact) -> Condition:
    return met


def _any_of(pen: Pen, met: Fact) -> Condition:
    other = pen.other_pattern(met)
    return AnyOf(pen.pick(((met, other), (other, met))))


CONDITIONS: dict[str, DrawCondition] = {"pattern": _pattern, "any_of": _any_of}
"""Name → draw function. The first is the paper's; no preset gives the others weight."""
