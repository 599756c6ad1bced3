"""Facts and rules beside the gold process, up to the numbers that the configuration asks for.

A distracting rule has attributes, and asks for computed values, as often as the gold rule about the
same attribute or relation does; else such features would tell gold rules from others.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeVar

from logic_curriculum.generators.loginum.knowledge import Knowledge
from logic_curriculum.generators.loginum.process import Application, Process
from logic_curriculum.generators.loginum.rules import DeadEndError, Goal, RuleBuilder, World
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule

TRIES = 300  # how many facts or rules are refused in a row before the world is given up
NEAR_FACTS = 0.5  # share of facts that differ from what the process uses in one place
SAME_GOAL = 0.45  # share of rules that would conclude what the process does, if they fired
SAME_NAME = 0.2  # share of rules that conclude the same attribute or relation of something else
ROOT = 0.45  # how often these two are about the query, rather than about any conclusion
FIRING_SHARE = 0.5  # share of the others whose conditions are all met, if possible
CHANGED = 0.6  # how often a value that a condition borrows is changed, so that no entity has it
REVERSED = 0.5  # how often a relation that fails holds in the other direction, if any does


class RuleKind(NamedTuple):
    """How the conditions of a distracting rule are met; all numbers are shares."""

    met: float  # how often a condition is about something known, where there is such
    computed: float  # how often the conclusion is computed with something known
    fails: bool = False  # whether one condition is not met in any case
    unknown: float = 0.0  # how often a condition that isn't met is drawn from all there is


FAILING_RULE = RuleKind(met=1.0, computed=0.5, fails=True)  # would conclude what the process does
CHANCE_RULE = RuleKind(met=0.5, computed=0.5, unknown=0.3)  # its conditions are met by chance
FIRING_RULE = RuleKind(met=1.0, computed=1.0)
_Item = TypeVar("_Item", Fact, Rule)


def add_facts(world: World, process: Process, knowledge: Knowledge) -> list[Fact]:
    """Return the facts that the process lacks, taken into the knowledge, or a ``DeadEndError``."""
    goals = [*process.given, *process.derived]

    def draw() -> Fact | None:
        goal = _neighbour(world, goals) if world.chance() < NEAR_FACTS else _any_goal(world)
        return None if len(goal) == 3 and goal[1] == goal[2] else world.fact(goal)

    return _collect(world.config.facts - len(process.given), draw, knowledge.add_fact)


def add_rules(
    world: World, process: Process, more_facts: Sequence[Fact], knowledge: Knowledge
) -> list[Rule]:
    """Return the rules that the process lacks, like :func:`add_facts`, which gave the facts."""
    rules = _Distractors(world, process, more_facts, knowledge)
    missing = world.config.rules - len(process.derived)
    return _collect(missing, rules.draw_rule, knowledge.add_rule)


def _collect(
    missing: int, draw: Callable[[], _Item | None], take_in: Callable[[_Item], bool]
) -> list[_Item]:
    found: list[_Item] = []
    refused = 0  # in a row
    while len(found) < missing:
        if refused > TRIES:
            raise DeadEndError
        refused += 1
        if (item := draw()) is not None and take_in(item):
            found.append(item)
            refused = 0
    return found


def _any_goal(world: World) -> Goal:
    first = world.pick(world.entities)
    if world.chance() < 0.5:
        return (world.pick(world.attributes), first)
    return (world.pick(world.relations), first, world.pick(world.entities))


def _neighbour(world: World, goals: list[Goal]) -> Goal:
    """Return a goal that differs from one of ``goals`` in name, an entity or direction."""
    name, first, *second = world.pick(goals)
    chance = world.chance()
    if not second and chance < 0.5:
        return (name, world.pick(world.entities))
    if not second:
        return (world.pick(world.attributes), first)
    if chance < 0.25:
        return (name, *second, first)
    if chance < 0.5:
        return (world.pick(world.relations), first, *second)
    if chance < 0.75:
        return (name, first, world.pick(world.entities))
    return (name, world.pick(world.entities), *second)


class _Shares(NamedTuple):
    attributes: float  # share of attributes among conditions, drawn a little to one half
    asked: float  # share of computed values, rather than given ones, that conditions ask for
    used: float  # the same of what the conclusion is computed with
    computed: Sequence[AttributeFact]  # the facts with computed values that are borrowed from


_NO_SHARES = _Shares(0, 0, 0, ())


def _shares(
    steps: Collection[Application],
    process: Process,
    computed: Sequence[AttributeFact],
    usual: _Shares = _NO_SHARES,
) -> _Shares:
    """Return what the rules of steps are made of; where there is nothing, as is usual."""
    asked = [goal for step in steps for goal in step.asked]
    used = [goal for step in steps for goal in step.uses[len(step.rule.conditions) :]]
    attributes = [goal for goal in asked if len(goal) == 2]

    def derived_share(goals: Sequence[Goal], otherwise: float) -> float:
        return sum([goal in process.derived for goal in goals]) / len(goals) if goals else otherwise

    shares = derived_share(attributes, usual.asked), derived_share(used, usual.used)
    return _Shares((len(attributes) + 0.5) / (len(asked) + 1), *shares, computed)


class _Distractors(RuleBuilder):
    """Distracting rules, one after the other; they borrow names and values of what is there."""

    def __init__(
        self, world: World, process: Process, more_facts: Sequence[Fact], knowledge: Knowledge
    ) -> None:
        super().__init__(world)
        self.chance, self.knowledge, self.root = world.chance, knowledge, process.root
        self.goals = tuple(process.derived)  # what the process concludes
        facts = [*process.given.values(), *more_facts]
        self.given = [fact for fact in facts if type(fact) is AttributeFact]
        self.given_about: dict[str, list[Goal]] = {}  # entity → its attributes with given values
        for entity, attribute, _ in self.given:
            self.given_about.setdefault(entity, []).append((attribute, entity))
        self.related = [fact[0] for fact in facts if type(fact) is RelationFact]
        self.related += [goal[0] for goal in self.goals if len(goal) == 3]
        steps = process.derived.values()
        others = [step.conclusion for goal, step in process.derived.items() if goal != self.root]
        derived = [fact for fact in others if type(fact) is AttributeFact]
        asked = [goal for step in steps for goal in step.asked]
        self.unasked = [goal for goal in self.goals if len(goal) == 2 and goal not in asked]
        """Attributes whose computed values no gold rule asks for; no other should either."""
        self.usual = _shares(steps, process, derived)
        """What rules are made of that conclude what no gold rule does."""
        self.shares_of: dict[str, _Shares] = {}
        """Attribute or relation → what rules that conclude it are made of, as the gold one is."""
        for goal, step in process.derived.items():
            computed = [fact for fact in derived if (fact[1], fact[0]) in step.uses]
            self.shares_of[goal[0]] = _shares([step], process, computed or derived, self.usual)

    def draw_rule(self) -> Rule | None:
        world, chance = self.world, self.chance()
        if chance < SAME_GOAL + SAME_NAME:
            goal = self.root if self.chance() < ROOT else self.pick(self.goals)
        else:
            goal = _any_goal(world)
        # Relations that follow from a single one leave hardly a way to fail.
        if chance < SAME_GOAL and (len(goal) == 2 or world.config.conditions[1] > 1):
            return self._rule(goal, FAILING_RULE)
        if self.chance() > FIRING_SHARE:
            return self._rule(self._of_others(goal, world.entities), CHANCE_RULE)
        goal = self._of_others(goal, tuple(self.knowledge.entities))
        return None if self.knowledge.knows(goal) else self._rule(goal, FIRING_RULE)

    def _of_others(self, goal: Goal, entities: Sequence[str]) -> Goal:
        """Return the goal about some of the entities instead of its own."""
        size = len(entities)
        first = int(self.chance() * size)
        if len(goal) == 2:
            return (goal[0], entities[first])
        second = int(self.chance() * (size - 1))
        return (goal[0], entities[first], entities[second + (second >= first)])

    def _rule(self, goal: Goal, kind: RuleKind) -> Rule | None:
        self.kind = kind
        self.shares = self.shares_of.get(goal[0], self.usual)
        self.asked: dict[Goal, int] = {}  # condition → the value that it asks for
        self.failing = None if kind.fails else 0  # which one fails, counted from the last
        try:
            self.draw(goal, (self.root,))
        except DeadEndError:
            return None
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
        met = chance() < self.kind.met
        if not met and chance() < self.kind.unknown:
            goal = self.fresh_condition(entity, partner, inside)
            if goal is not None and len(goal) == 2:
                self.asked[goal] = self.number()
            return goal
        if attribute:
            return self._attribute(entity, met)
        if met and (known := self._relations_of(entity, partner)):
            return self.pick(known)
        return self.relate(self.pick(self.related or self.world.relations), entity, partner, inside)

    def draw_operand(self, entity: str) -> Goal:
        """Draw an attribute, of which the entity or another one has a value."""
        chance = self.chance
        derived = chance() < self.shares.used
        if chance() < self.kind.computed and (known := self._known(entity, derived)):
            return self.pick(known)
        fact = self._borrowed(derived)
        return (fact[1] if fact else self.pick(self.world.attributes), entity)

    def _attribute(self, entity: str, met: bool) -> Goal:
        """Draw an attribute with its value, if met; else with the value of another entity."""
        derived = self.chance() < self.shares.asked
        known = self._known(entity, derived) if met else ()
        if known := [goal for goal in known if goal not in self.unasked]:
            goal = self.pick(known)
            self.asked[goal] = self.knowledge.value(goal)
        elif fact := self._borrowed(derived):
            goal = (fact.attribute, entity)
            changed = (fact.attribute, fact.entity) in self.unasked or self.chance() < CHANGED
            self.asked[goal] = self._other_value(fact.value) if changed else fact.value
        else:
            goal = (self.pick(self.world.attributes), entity)
            self.asked[goal] = self.number()
        return goal

    def _failing_attribute(self, entity: str) -> Goal:
        """Draw an attribute that the entity has, but with another value."""
        known = self._known(entity, self.chance() < self.shares.asked)
        if not known:
            return self._attribute(entity, met=False)
        goal = self.pick(known)
        self.asked[goal] = self._other_value(self.knowledge.value(goal))
        return goal

    def _failing_relation(
        self, entity: str, partner: str | None, inside: Sequence[str]
    ) -> Goal | None:
        """Draw a relation that the entity has, but in the other direction; or any relation."""
        known = self._relations_of(entity, partner)
        if known and self.chance() < REVERSED:
            relation, first, second = self.pick(known)
            return (relation, second, first)
        return self.relate(self.pick(self.world.relations), entity, partner, inside)

    def _known(self, entity: str, derived: bool) -> Sequence[Goal]:
        if not derived:
            return self.given_about.get(entity, ())
        return [(fact[1], entity) for fact in self.shares.computed if fact[0] == entity]

    def _relations_of(self, entity: str, partner: str | None) -> Sequence[Goal]:
        related = self.knowledge.related.get(entity, ())
        return related if partner is None else [goal for goal in related if partner in goal]

    def _borrowed(self, derived: bool) -> AttributeFact | None:
        facts = (derived and self.shares.computed) or self.given
        return self.pick(facts) if facts else None

    def _other_value(self, value: int) -> int:
        """Return another given value for a given one, and one as large for a computed one."""
        low, high = self.world.config.operands
        return self.number() if low <= value <= high else value + self.factor()
