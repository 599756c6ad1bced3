"""What a task is made of: the elements of its world, and the finished sample."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from logic_curriculum.generators.loginum.configs import Config
from logic_curriculum.rewards.engines.numeric.syntax import Fact, Query, Rule

Goal = tuple[str, ...]
"""What a fact is about: ``(attribute, entity)`` or ``(relation, first, second)``."""
_Item = TypeVar("_Item")
new = tuple.__new__
"""Makes a named tuple of its class and a tuple, in half the time that calling the class takes."""


class DeadEndError(Exception):
    """What was drawn so far leaves no choice for the rest; draw again from an earlier point."""


class World:
    """The elements of a world, and the chance by which one of them is drawn.

    ``Random.random`` alone is called: other methods of ``Random`` take several times as long.
    """

    def __init__(
        self,
        config: Config,
        entities: Sequence[str],
        attributes: Sequence[str],
        relations: Sequence[str],
        rng: random.Random,
    ) -> None:
        self.config = config
        self.entities = entities
        self.attributes = attributes
        self.relations = relations
        self.chance = rng.random
        self.draw_expression = config.draw_expression
        self.draw_condition = config.draw_condition
        """Both at hand, as cached properties of the configuration take longer to reach."""
        self._low, high = config.operands
        self._width = high - self._low + 1

    def pick(self, items: Sequence[_Item]) -> _Item:
        """Return one of the items, each alike."""
        return items[int(self.chance() * len(items))]

    def number(self) -> int:
        """Return a number of the operand range."""
        return self._low + int(self.chance() * self._width)

    def factor(self) -> int:
        """Return a number of the operand range, but not 0: what it multiplies has to matter."""
        while True:
            number = self.number()
            if number:
                return number

    def shuffle(self, items: list[_Item]) -> None:
        """Bring the items into a random order."""
        chance = self.chance
        for last in range(len(items) - 1, 0, -1):
            other = int(chance() * (last + 1))
            items[last], items[other] = items[other], items[last]


class Step(NamedTuple):
    """One rule application of the gold process."""

    rule: int
    """Number of the rule, from 1."""
    facts: tuple[int, ...]
    """Numbers of the facts that it uses, from 1."""
    steps: tuple[int, ...]
    """Numbers of the earlier steps whose conclusions it uses, from 1."""
    conclusion: Fact


@dataclass(frozen=True)
class Sample:
    """A world in the order in which a prompt tells it, a query, and how to answer it."""

    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    query: Query
    steps: tuple[Step, ...]
    """The gold process; the last step concludes what the query asks for."""
    answer: int
    key: str
    """What the gold process has in common with those that differ in names and order only."""
