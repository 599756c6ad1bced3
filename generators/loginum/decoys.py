"""What the conditions of distracting rules are drawn from, so that they look like the gold ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from generators.loginum.drafts import fresh_condition, relate
from generators.loginum.knowledge import Knowledge
from generators.loginum.process import GoldStep, Process
from generators.loginum.world import Goal, World
from rewards.judges.numeric.syntax import AttributeFact, Fact

MOVED = 0.6
"""How often a value that a condition borrows is changed, so that it is nobody's."""
REVERSED = 0.5
"""How often a relation that fails is one that holds in the other direction, if there is one."""


class Manner(NamedTuple):
    """How the conditions of a rule are met."""

    met: float
    """How often a condition is about something known, where there is such."""
    computed: float
    """How often the conclusion is computed with something known."""
    fails: bool
    """Whether one condition is not met in any case."""
    unknown: float
    """How often a condition that is not met is drawn from all words and numbers."""


class Shares(NamedTuple):
    """What rules are made of."""

    attributes: float
    """Share of attributes among conditions, drawn a little to one half."""
    asked: float
    """Share of computed values, rather than given ones, that conditions ask for."""
    used: float
    """The same of what the conclusion is computed with."""


class Pools:
    """What conditions borrow: names and values of facts and of the process's conclusions.

    A rule has attributes, and asks for computed values, as often as the gold rule about the same
    attribute or relation does; else such features would tell gold rules from others.
    """

    def __init__(self, process: Process, more_facts: Sequence[Fact], knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.root = process.root
        self.goals = tuple(process.derived)
        """What the process concludes."""
        self.refused = (process.root,)
        asked = {goal for step in process.steps for goal in step.uses[: len(step.rule.conditions)]}
        self.secret = {goal for goal in process.derived if len(goal) == 2 and goal not in asked}
        """Attributes whose computed values stand in no gold rule, and should stand in no other."""
        facts = [*process.given.values(), *more_facts]
        self.given = [fact for fact in facts if isinstance(fact, AttributeFact)]
        self.derived = [
            fact
            for goal, fact in process.derived.items()
            if isinstance(fact, AttributeFact) and goal != process.root
        ]
        self.relations = [fact.relation for fact in facts if not isinstance(fact, AttributeFact)]
        self.relations += [goal[0] for goal in process.derived if len(goal) == 3]
        self.given_about: dict[str, list[Goal]] = {}
        """Entity → its attributes with given values."""
        for fact in self.given:
            goals = self.given_about.setdefault(fact.entity, [])
            goals.append((fact.attribute, fact.entity))
        steps = process.steps
        self._overall = _shares(steps, process, Shares(0.5, 0, 0))
        self._shares = {
            goal[0]: _shares([step], process, self._overall)
            for goal, step in zip(process.derived, steps, strict=True)
        }
        self._computed = {
            goal[0]: [fact for fact in self.derived if (fact.attribute, fact.entity) in step.uses]
            for goal, step in zip(process.derived, steps, strict=True)
        }

    def shares(self, name: str) -> Shares:
        """Return what rules that conclude a name are made of: the same as the gold one."""
        return self._shares.get(name, self._overall)

    def computed(self, name: str) -> Sequence[AttributeFact]:
        """Return the facts with computed values that rules that conclude a name borrow from."""
        return self._computed.get(name) or self.derived


def _shares(steps: Sequence[GoldStep], process: Process, overall: Shares) -> Shares:
    """Return what the rules of steps are made of; where there is nothing, as in all rules."""
    asked = [goal for step in steps for goal in step.uses[: len(step.rule.conditions)]]
    used = [goal for step in steps for goal in step.uses[len(step.rule.conditions) :]]
    return Shares(
        (sum([len(goal) == 2 for goal in asked]) + 0.5) / (len(asked) + 1),
        _derived_share(asked, process, overall.asked),
        _derived_share(used, process, overall.used),
    )


def _derived_share(goals: Sequence[Goal], process: Process, overall: float) -> float:
    attributes = [goal for goal in goals if len(goal) == 2]
    if not attributes:
        return overall
    return sum([goal in process.derived for goal in attributes]) / len(attributes)


class DecoySource:
    """Conditions and lookups of one distracting rule."""

    def __init__(self, world: World, pools: Pools, goal: Goal, manner: Manner) -> None:
        self.world = world
        self.pools = pools
        self.knowledge = pools.knowledge
        self.manner = manner
        self.shares = pools.shares(goal[0])
        self.computed = pools.computed(goal[0])
        self.refused: Collection[Goal] = pools.refused
        self.asked: dict[Goal, int] = {}
        """Condition → the value that it asks for."""
        self._failing: int | None = None if manner.fails else 0
        """Which condition is not met in any case, counted from the last."""

    def condition(
        self, entity: str, partner: str | None, inside: Sequence[str], left: int
    ) -> Goal | None:
        """Draw a condition that is met, or one that looks as if it might be."""
        chance = self.world.chance
        if self._failing is None:
            self._failing = 1 + int(chance() * left)
        attribute = partner is None and chance() < self.shares.attributes
        if left == self._failing:
            if attribute:
                return self._failing_attribute(entity)
            return self._failing_relation(entity, partner, inside)
        met = chance() < self.manner.met
        if not met and chance() < self.manner.unknown:
            return self._anything(entity, partner, inside)
        if attribute:
            return self._attribute(entity, met)
        return self._relation(entity, partner, inside, met)

    def operand(self, entity: str) -> Goal:
        """Draw an attribute, of which the entity or another one has a value."""
        derived = self.world.chance() < self.shares.used
        if self.world.chance() < self.manner.computed:
            known = self._known(entity, derived)
            if known:
                return self.world.pick(known)
        fact = self._borrowed(derived)
        return (fact.attribute if fact else self.world.pick(self.world.attributes), entity)

    def _anything(self, entity: str, partner: str | None, inside: Sequence[str]) -> Goal | None:
        goal = fresh_condition(self.world, entity, partner, inside)
        if goal is not None and len(goal) == 2:
            self.asked[goal] = self.world.number()
        return goal

    def _attribute(self, entity: str, met: bool) -> Goal:
        """Draw an attribute with its value, if met; else with the value of another entity."""
        derived = self.world.chance() < self.shares.asked
        known = self._known(entity, derived) if met else []
        open_known = [goal for goal in known if goal not in self.pools.secret]
        if open_known:
            goal = self.world.pick(open_known)
            self.asked[goal] = self.knowledge.values[goal[0]][entity]
            return goal
        fact = self._borrowed(derived)
        if fact is None:
            goal = (self.world.pick(self.world.attributes), entity)
            self.asked[goal] = self.world.number()
            return goal
        goal = (fact.attribute, entity)
        secret = (fact.attribute, fact.entity) in self.pools.secret
        moved = secret or self.world.chance() < MOVED
        self.asked[goal] = self._near(fact.value) if moved else fact.value
        return goal

    def _failing_attribute(self, entity: str) -> Goal:
        """Draw an attribute that the entity has, but with another value."""
        known = self._known(entity, self.world.chance() < self.shares.asked)
        if not known:
            return self._attribute(entity, met=False)
        goal = self.world.pick(known)
        self.asked[goal] = self._near(self.knowledge.values[goal[0]][entity])
        return goal

    def _relation(
        self, entity: str, partner: str | None, inside: Sequence[str], met: bool
    ) -> Goal | None:
        known = self._related(entity, partner) if met else []
        if known:
            return self.world.pick(known)
        relation = self.world.pick(self.pools.relations or self.world.relations)
        return relate(self.world, relation, entity, partner, inside)

    def _failing_relation(
        self, entity: str, partner: str | None, inside: Sequence[str]
    ) -> Goal | None:
        """Draw a relation that the entity has, but in the other direction; or any relation."""
        known = self._related(entity, partner)
        if known and self.world.chance() < REVERSED:
            relation, first, second = self.world.pick(known)
            return (relation, second, first)
        return relate(self.world, self.world.pick(self.world.relations), entity, partner, inside)

    def _known(self, entity: str, derived: bool) -> Sequence[Goal]:
        if derived:
            return [(fact.attribute, entity) for fact in self.computed if fact.entity == entity]
        return self.pools.given_about.get(entity, ())

    def _related(self, entity: str, partner: str | None) -> list[Goal]:
        about = self.knowledge.about.get(entity, ())
        if partner is None:
            return [goal for goal in about if len(goal) == 3]
        return [goal for goal in about if len(goal) == 3 and partner in goal]

    def _borrowed(self, derived: bool) -> AttributeFact | None:
        facts = (derived and self.computed) or self.pools.given
        return self.world.pick(facts) if facts else None

    def _near(self, value: int) -> int:
        """Return another given value for a given one, and one as large for a computed one."""
        low, high = self.world.config.operands
        return self.world.number() if low <= value <= high else value + self.world.factor()
