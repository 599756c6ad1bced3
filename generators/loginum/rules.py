"""Rules, drawn backwards from what they are to conclude (appendix E.1, "Rule Synthesis")."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from logic_curriculum.generators.loginum.language import VARIABLES, Words
from logic_curriculum.generators.loginum.levels import EXPRESSIONS, Config
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule

Goal = tuple[str, ...]  # what a fact is about: (attribute, entity) or (relation, first, second)
TRIES = range(5)  # draws of a condition or a lookup before the rule is given up
new = tuple.__new__  # makes a named tuple in half the time that calling its class takes
_Item = TypeVar("_Item")


class DeadEndError(Exception):
    """What was drawn so far leaves no choice for the rest; draw again from an earlier point."""


class World:
    """The elements of a world, and the chance by which one of them is drawn.

    ``Random.random`` alone is called: other methods of ``Random`` take several times as long.
    """

    def __init__(self, config: Config, words: Words, rng: random.Random) -> None:
        self.config = config
        self.entities, self.attributes, self.relations = words
        self.chance = rng.random
        self.draw_expression, self.draw_part = (
            [EXPRESSIONS[kind] for kind, weight in weights.items() for _ in range(weight)]
            for weights in (config.expressions, config.parts)
        )  # each draw function as often as its weight says
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
        while not (number := self.number()):
            pass
        return number

    def fact(self, goal: Goal) -> Fact:
        """Return a fact about a goal; a value is drawn."""
        if len(goal) == 2:
            return new(AttributeFact, (goal[1], goal[0], self.number()))
        return new(RelationFact, goal)

    def shuffle(self, items: list[_Item]) -> None:
        """Bring the items into a random order."""
        chance = self.chance
        for last in range(len(items) - 1, 0, -1):
            other = int(chance() * (last + 1))
            items[last], items[other] = items[other], items[last]


class RuleBuilder(ABC):
    """Draws a rule for a goal: its conditions and lookups as goals, about entities of the world.

    Entities become variables when the rule is written. Every condition has an entity in common
    with the conclusion or with an earlier condition. Subclasses say what is drawn from.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.number, self.factor, self.pick = world.number, world.factor, world.pick

    def draw(self, goal: Goal, refused: Sequence[Goal]) -> None:
        """Draw conditions and expression of a rule that concludes a goal, without refused goals.

        A :class:`DeadEndError` says that nothing fits.
        """
        self.goal = goal
        self.taken = [goal, *refused]  # what no further condition or lookup may be
        low, high = self.world.config.conditions
        count = low if low == high else low + int(self.world.chance() * (high - low + 1))
        self.conditions = self._conditions(count)
        variables: dict[str, str] = {}
        for need in self.conditions:
            for entity in need[1:]:
                if entity not in variables:
                    variables[entity] = VARIABLES[len(variables)]
        self.variables = variables  # entity → variable
        self.operands: list[Goal] = []
        self.expression: syntax.Expression | None = None
        if len(goal) == 2:
            self.expression = self.pick(self.world.draw_expression)(self)

    @abstractmethod
    def draw_condition(
        self, entity: str, partner: str | None, inside: Sequence[str], left: int
    ) -> Goal | None:
        """Draw a condition about an entity and its partner, if any; ``None``: draw again.

        The rule is about what is ``inside`` so far, and lacks ``left`` conditions with this one.
        """

    @abstractmethod
    def draw_operand(self, entity: str) -> Goal:
        """Draw an attribute of an entity to compute with."""

    def fresh_condition(
        self, entity: str, partner: str | None, inside: Sequence[str]
    ) -> Goal | None:
        """Draw a condition from all attributes and relations."""
        world = self.world
        if partner is None and world.chance() < 0.5:
            return (self.pick(world.attributes), entity)
        return self.relate(self.pick(world.relations), entity, partner, inside)

    def relate(
        self, relation: str, entity: str, partner: str | None, inside: Sequence[str]
    ) -> Goal | None:
        """Draw the second entity of a relation, unless it is given, and the direction."""
        chance = self.world.chance
        if partner is None:
            partner = self.pick(inside if chance() < 0.5 else self.world.entities)
            if partner == entity:
                return None
        return (relation, entity, partner) if chance() < 0.5 else (relation, partner, entity)

    def _conditions(self, count: int) -> list[Goal]:
        about = self.goal[1:]
        if count == 1:
            return [self._condition(about, about, 1)]
        missing, inside = list(about), list(about)
        conditions = []
        for left in range(count, 0, -1):
            conditions.append(self._condition(missing, inside, left))
            for entity in conditions[-1][1:]:
                if entity not in inside:
                    inside.append(entity)
                elif entity in missing:
                    missing.remove(entity)
        self.world.shuffle(conditions)
        return conditions

    def _condition(self, missing: Sequence[str], inside: Sequence[str], left: int) -> Goal:
        """Draw a condition about an entity that has none yet; about two, where there must be."""
        for _ in TRIES:
            partner = None
            if len(missing) == 1:
                entity = missing[0]
            elif missing and (left == 1 or self.world.chance() < 0.5):
                entity, partner = missing
            else:
                entity = self.pick(missing or inside)
            goal = self.draw_condition(entity, partner, inside, left)
            if goal and goal not in self.taken:
                self.taken.append(goal)
                return goal
        raise DeadEndError

    def part(self) -> syntax.Expression:
        """Return an expression that may stand inside another."""
        return self.pick(self.world.draw_part)(self)

    def lookup(self) -> syntax.Lookup:
        """Return an attribute of one of the rule's variables; neither a condition's nor twice."""
        entities = tuple(self.variables)
        for _ in TRIES:
            goal = self.draw_operand(self.pick(entities))
            if goal not in self.taken:
                self.taken.append(goal)
                self.operands.append(goal)
                return new(syntax.Lookup, (self.variables[goal[1]], goal[0]))
        raise DeadEndError

    def write(self, value_of: Callable[[Goal], int]) -> Rule:
        """Return the rule, with the numbers that its conditions on attributes ask for."""
        goal = self.goal
        conditions = tuple([self._pattern(need, value_of) for need in self.conditions])
        if self.expression is None:
            return new(Rule, (conditions, self._pattern(goal, value_of)))
        head = new(syntax.Assignment, (self.variables[goal[1]], goal[0], self.expression))
        return new(Rule, (conditions, head))

    def _pattern(self, goal: Goal, value_of: Callable[[Goal], int]) -> Fact:
        variables = self.variables
        if len(goal) == 2:
            return new(AttributeFact, (variables[goal[1]], goal[0], value_of(goal)))
        return new(RelationFact, (goal[0], variables[goal[1]], variables[goal[2]]))
