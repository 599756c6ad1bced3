"""Distracting rules, drawn from what makes them look like the gold ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from logic_curriculum.generators.loginum.drafts import Draft
from logic_curriculum.generators.loginum.knowledge import Knowledge
from logic_curriculum.generators.loginum.process import GoldStep, Process
from logic_curriculum.generators.loginum.world import Goal, World
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, Rule

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
    computed: Sequence[AttributeFact]
    """The facts with computed values that are borrowed from."""


class Pools:
    """What distracting rules borrow: names and values of facts and of the process's conclusions.

    A rule has attributes, and asks for computed values, as often as the gold rule about the same
    attribute or relation does; else such features would tell gold rules from others.
    """

    def __init__(self, process: Process, more_facts: Sequence[Fact], knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.root = process.root
        self.goals = tuple(process.derived)
        """What the process concludes."""
        self.refused = (process.root,)
        self.given: list[AttributeFact] = []
        """The facts with given values."""
        self.given_about: dict[str, list[Goal]] = {}
        """Entity → its attributes with given values."""
        self.relations: list[str] = []
        """The relations of facts and of the process's conclusions."""
        self._add_facts([*process.given.values(), *more_facts])
        self.relations += [goal[0] for goal in self.goals if len(goal) == 3]
        self.derived = [
            fact
            for goal, fact in process.derived.items()
            if type(fact) is AttributeFact and goal != process.root
        ]
        asked = [goal for step in process.steps for goal in step.asked]
        self.secret = [goal for goal in self.goals if len(goal) == 2 and goal not in asked]
        """Attributes whose computed values stand in no gold rule, and should stand in no other."""
        self.usual = _shares(process.steps, process, self.derived)
        """What rules are made of that conclude what no gold rule does."""
        self.shares = {
            goal[0]: self._shares_of(step, process)
            for goal, step in zip(self.goals, process.steps, strict=True)
        }
        """Attribute or relation → what rules that conclude it are made of, as the gold one is."""

    def _add_facts(self, facts: Sequence[Fact]) -> None:
        about = self.given_about
        for fact in facts:
            if type(fact) is AttributeFact:
                entity, attribute, _ = fact
                self.given.append(fact)
                about.setdefault(entity, []).append((attribute, entity))
            else:
                self.relations.append(fact.relation)

    def _shares_of(self, step: GoldStep, process: Process) -> Shares:
        computed = [fact for fact in self.derived if (fact[1], fact[0]) in step.uses]
        return _shares([step], process, computed or self.derived, self.usual)


def _shares(
    steps: Sequence[GoldStep],
    process: Process,
    computed: Sequence[AttributeFact],
    usual: Shares | None = None,
) -> Shares:
    """Return what the rules of steps are made of; where there is nothing, as is usual."""
    asked: list[Goal] = []
    used: list[Goal] = []
    for rule, needs, _ in steps:
        conditions = len(rule[0])
        asked += needs[:conditions]
        used += needs[conditions:]
    attributes = [goal for goal in asked if len(goal) == 2]
    return Shares(
        (len(attributes) + 0.5) / (len(asked) + 1),
        _derived_share(attributes, process, usual.asked if usual else 0),
        _derived_share(used, process, usual.used if usual else 0),
        computed,
    )


def _derived_share(attributes: Sequence[Goal], process: Process, usual: float) -> float:
    if not attributes:
        return usual
    derived = process.derived
    return sum([goal in derived for goal in attributes]) / len(attributes)


class Decoys(Draft):
    """Distracting rules, one after the other."""

    __slots__ = ("asked", "chance", "failing", "knowledge", "manner", "pools", "shares")

    def __init__(self, world: World, pools: Pools) -> None:
        super().__init__(world)
        self.chance = world.chance
        self.pools = pools
        self.knowledge = pools.knowledge

    def rule(self, goal: Goal, manner: Manner) -> Rule:
        """Draw a rule.

        Raises:
            DeadEndError: Nothing fits.
        """
        self.manner = manner
        self.shares = self.pools.shares.get(goal[0], self.pools.usual)
        self.asked: dict[Goal, int] = {}
        """Condition → the value that it asks for."""
        self.failing: int | None = None if manner.fails else 0
        """Which condition is not met in any case, counted from the last."""
        self.draw(goal, self.pools.refused)
        return self.write(self.asked.__getitem__)

    def draw_condition(
        self, entity: str, partner: str | None, inside: Sequence[str], left: int
    ) -> Goal | None:
        """Draw a condition that is met, or one that looks as if it might be."""
        chance = self.chance
        if self.failing is None:
            self.failing = 1 + int(chance() * left)
        attribute = partner is None and chance() < self.shares.attributes
        if left == self.failing:
            if attribute:
                return self._failing_attribute(entity)
            return self._failing_relation(entity, partner, inside)
        met = chance() < self.manner.met
        if not met and chance() < self.manner.unknown:
            return self._anything(entity, partner, inside)
        if attribute:
            return self._attribute(entity, met)
        return self._relation(entity, partner, inside, met)

    def draw_operand(self, entity: str) -> Goal:
        """Draw an attribute, of which the entity or another one has a value."""
        chance = self.chance
        derived = chance() < self.shares.used
        if chance() < self.manner.computed:
            known = self._known(entity, derived)
            if known:
                return self.pick(known)
        fact = self._borrowed(derived)
        return (fact[1] if fact else self.pick(self.world.attributes), entity)

    def _anything(self, entity: str, partner: str | None, inside: Sequence[str]) -> Goal | None:
        goal = self.fresh_condition(entity, partner, inside)
        if goal is not None and len(goal) == 2:
            self.asked[goal] = self.number()
        return goal

    def _attribute(self, entity: str, met: bool) -> Goal:
        """Draw an attribute with its value, if met; else with the value of another entity."""
        pools, derived = self.pools, self.chance() < self.shares.asked
        known = self._known(entity, derived) if met else ()
        if pools.secret:
            known = [goal for goal in known if goal not in pools.secret]
        if known:
            goal = self.pick(known)
            self.asked[goal] = self.knowledge.values[goal[0]][entity]
            return goal
        fact = self._borrowed(derived)
        if fact is None:
            goal = (self.pick(self.world.attributes), entity)
            self.asked[goal] = self.number()
            return goal
        goal = (fact.attribute, entity)
        secret = (fact.attribute, fact.entity) in pools.secret
        moved = secret or self.chance() < MOVED
        self.asked[goal] = self._near(fact.value) if moved else fact.value
        return goal

    def _failing_attribute(self, entity: str) -> Goal:
        """Draw an attribute that the entity has, but with another value."""
        known = self._known(entity, self.chance() < self.shares.asked)
        if not known:
            return self._attribute(entity, met=False)
        goal = self.pick(known)
        self.asked[goal] = self._near(self.knowledge.values[goal[0]][entity])
        return goal

    def _relation(
        self, entity: str, partner: str | None, inside: Sequence[str], met: bool
    ) -> Goal | None:
        known = self._related(entity, partner) if met else ()
        if known:
            return self.pick(known)
        relation = self.pick(self.pools.relations or self.world.relations)
        return self.relate(relation, entity, partner, inside)

    def _failing_relation(
        self, entity: str, partner: str | None, inside: Sequence[str]
    ) -> Goal | None:
        """Draw a relation that the entity has, but in the other direction; or any relation."""
        known = self._related(entity, partner)
        if known and self.chance() < REVERSED:
            relation, first, second = self.pick(known)
            return (relation, second, first)
        return self.relate(self.pick(self.world.relations), entity, partner, inside)

    def _known(self, entity: str, derived: bool) -> Sequence[Goal]:
        if not derived:
            return self.pools.given_about.get(entity, ())
        known: list[Goal] = []
        for fact in self.shares.computed:
            if fact[0] == entity:
                known.append((fact[1], entity))
        return known

    def _related(self, entity: str, partner: str | None) -> Sequence[Goal]:
        related = self.knowledge.related.get(entity, ())
        return related if partner is None else [goal for goal in related if partner in goal]

    def _borrowed(self, derived: bool) -> AttributeFact | None:
        facts = (derived and self.shares.computed) or self.pools.given
        return self.pick(facts) if facts else None

    def _near(self, value: int) -> int:
        """Return another given value for a given one, and one as large for a computed one."""
        low, high = self.world.config.operands
        return self.number() if low <= value <= high else value + self.factor()
