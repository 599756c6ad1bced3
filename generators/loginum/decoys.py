"""What the conditions of distracting rules are drawn from, so that they look like the gold ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from generators.loginum.drafts import fresh_condition, relate
from generators.loginum.knowledge import Knowledge
from generators.loginum.process import GoldStep, Process
from generators.loginum.world import Goal, World
from rewards.judges.numeric.syntax import AttributeFact, Fact

UNKNOWN = 0.3
"""How often a condition that is not met is drawn from all words and numbers."""
MOVED = 0.6
"""How often a value that a condition borrows is changed, so that it is nobody's."""


class Manner(NamedTuple):
    """How often the conditions of a rule are met."""

    met: float
    """How often a condition or lookup is about something known, where there is such."""
    failing: float
    """How many conditions are not met in any case, on average."""
    altered: float
    """How often a condition on a known value asks for another entity's."""


class Pools:
    """What conditions borrow: names and values of facts and of the process's conclusions.

    A rule asks for computed values as often as the gold rule about the same attribute or relation
    does; else the size of the numbers in conditions would tell gold rules from others.
    """

    def __init__(self, process: Process, more_facts: Sequence[Fact], knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.root = process.root
        facts = [*process.given.values(), *more_facts]
        self.given = [fact for fact in facts if isinstance(fact, AttributeFact)]
        self.derived = [
            fact
            for goal, fact in process.derived.items()
            if isinstance(fact, AttributeFact) and goal != process.root
        ]
        self.relations = [fact.relation for fact in facts if not isinstance(fact, AttributeFact)]
        self.relations += [goal[0] for goal in process.derived if len(goal) == 3]
        self.given_goals = {(fact.attribute, fact.entity) for fact in self.given}
        self._shares = {
            goal[0]: _derived_share([step], process)
            for goal, step in zip(process.derived, process.steps, strict=True)
        }
        self._share = _derived_share(process.steps, process)

    def share(self, name: str) -> float:
        """Return how often rules that conclude a name ask for computed values."""
        return self._shares.get(name, self._share)


def _derived_share(steps: Sequence[GoldStep], process: Process) -> float:
    attributes = [goal for step in steps for goal in step.uses if len(goal) == 2]
    if not attributes:
        return 0.0
    return sum(goal in process.derived for goal in attributes) / len(attributes)


class DecoySource:
    """Conditions and lookups of one distracting rule."""

    def __init__(self, world: World, pools: Pools, goal: Goal, manner: Manner) -> None:
        self.world = world
        self.pools = pools
        self.knowledge = pools.knowledge
        self.share = pools.share(goal[0])
        self.met = manner.met * (1 - 2 * manner.failing / sum(world.config.conditions))
        self.altered = manner.altered
        # Nothing is concluded from the answer: its value must not stand in a rule.
        self.refused: Collection[Goal] = (pools.root,)
        self.asked: dict[Goal, int] = {}

    def value(self, goal: Goal) -> int:
        """Return the value that a condition asks for."""
        return self.asked[goal]

    def condition(self, entity: str, partner: str | None, inside: Sequence[str]) -> Goal | None:
        """Draw a condition that is met, or that borrows its name and value from what is known."""
        world, chance = self.world, self.world.chance
        met = chance() < self.met
        if not met and chance() < UNKNOWN:
            goal = fresh_condition(world, entity, partner, inside)
            if goal is not None and len(goal) == 2:
                self.asked[goal] = world.number()
            return goal
        if partner is None and chance() < 0.5:
            return self._attribute(entity, met)
        known = [
            goal
            for goal in self.knowledge.about.get(entity, ())
            if len(goal) == 3 and (partner is None or partner in goal)
        ]
        if met and known:
            return world.pick(known)
        relation = world.pick(self.pools.relations or world.relations)
        return relate(world, relation, entity, partner, inside)

    def operand(self, entity: str) -> Goal:
        """Draw an attribute, of which the entity or another one has a value."""
        derived = self.world.chance() < self.share
        if self.world.chance() < self.met:
            known = self._known(entity, derived)
            if known:
                return self.world.pick(known)
        fact = self._borrowed(derived)
        return (fact.attribute if fact else self.world.pick(self.world.attributes), entity)

    def _attribute(self, entity: str, met: bool) -> Goal:
        derived = self.world.chance() < self.share
        known = self._known(entity, derived) if met else []
        if known:
            goal = self.world.pick(known)
            self.asked[goal] = self._asked_of(goal)
            return goal
        fact = self._borrowed(derived)
        if fact is None:
            goal = (self.world.pick(self.world.attributes), entity)
            self.asked[goal] = self.world.number()
            return goal
        goal = (fact.attribute, entity)
        moved = self.world.chance() < MOVED
        self.asked[goal] = self._near(fact.value) if moved else fact.value
        return goal

    def _known(self, entity: str, derived: bool) -> list[Goal]:
        given = self.pools.given_goals
        return [
            goal
            for goal in self.knowledge.about.get(entity, ())
            if len(goal) == 2 and (goal not in given) == derived
        ]

    def _borrowed(self, derived: bool) -> AttributeFact | None:
        facts = (derived and self.pools.derived) or self.pools.given
        return self.world.pick(facts) if facts else None

    def _asked_of(self, goal: Goal) -> int:
        """Return the value of a known attribute, or now and then that of another entity."""
        values = self.knowledge.values[goal[0]]
        value = values[goal[1]]
        if self.world.chance() >= self.altered:
            return value
        others = [other for other in values.values() if other != value]
        return self.world.pick(others) if others else self._near(value)

    def _near(self, value: int) -> int:
        """Return another given value for a given one, and one as large for a computed one."""
        low, high = self.world.config.operands
        return self.world.number() if low <= value <= high else value + self.world.factor()
