"""Rules, drawn backwards from what they are to conclude (appendix E.1, "Rule Synthesis")."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from generators.loginum.world import DeadEndError, Goal, World, new
from rewards.judges.numeric.syntax import (
    Assignment,
    AttributeFact,
    Condition,
    Expression,
    Fact,
    Lookup,
    RelationFact,
    Rule,
)

VARIABLES = tuple(f"?{letter}" for letter in "xyzuvwabcdefghijklmnopqrst")
"""Names of variables, in the order in which a rule's conditions use them."""
TRIES = 5
"""How often a condition or a lookup is drawn before the rule is given up."""


class Source(Protocol):
    """What the conditions and lookups of a rule are drawn from."""

    refused: Collection[Goal]
    """Goals that none of them may be."""

    def condition(
        self, entity: str, partner: str | None, inside: Sequence[str], left: int
    ) -> Goal | None:
        """Draw a condition, or ``None`` where what was drawn is none.

        Args:
            entity: What it has to be about.
            partner: What it has to relate this to, if anything.
            inside: All that the rule is about so far.
            left: How many conditions the rule still lacks, this one included.
        """

    def operand(self, entity: str) -> Goal:
        """Draw an attribute of an entity to compute with."""


def fresh_condition(
    world: World, entity: str, partner: str | None, inside: Sequence[str]
) -> Goal | None:
    """Draw a condition from all attributes and relations; see :meth:`Source.condition`."""
    if partner is None and world.chance() < 0.5:
        return (world.pick(world.attributes), entity)
    return relate(world, world.pick(world.relations), entity, partner, inside)


def relate(
    world: World, relation: str, entity: str, partner: str | None, inside: Sequence[str]
) -> Goal | None:
    """Draw the second entity of a relation, unless it is given, and the direction."""
    chance = world.chance
    if partner is None:
        partner = world.pick(inside if chance() < 0.5 else world.entities)
        if partner == entity:
            return None
    return (relation, entity, partner) if chance() < 0.5 else (relation, partner, entity)


class Draft:
    """A rule for one goal: its conditions and lookups as goals, about entities of the world.

    Entities become variables when the rule is written. Every condition has an entity in common
    with the conclusion or with an earlier condition, so that rules are about things that have to
    do with each other.
    """

    __slots__ = (
        "conditions", "expression", "factor", "goal", "number", "operands", "pick", "source",
        "taken", "variables", "world",
    )  # fmt: skip

    def __init__(self, world: World, goal: Goal, source: Source) -> None:
        """Draw the conditions and the expression.

        Args:
            world: What numbers and expressions are drawn from.
            goal: What the rule is to conclude.
            source: What conditions and lookups are drawn from.

        Raises:
            DeadEndError: Nothing fits.
        """
        self.world = world
        self.number = world.number
        self.factor = world.factor
        self.pick = world.pick
        self.goal = goal
        self.source = source
        self.conditions: list[Goal] = []
        self.operands: list[Goal] = []
        self.taken = [goal, *source.refused]
        """What no further condition or lookup may be."""
        self.variables: dict[str, str] = {}
        """Entity → variable."""
        self._draw_conditions()
        self.expression: Expression | None = None
        if len(goal) == 2:
            self.expression = world.pick(world.config.draw_expression)(self)

    def _draw_conditions(self) -> None:
        world, variables, conditions = self.world, self.variables, self.conditions
        low, high = world.config.conditions
        count = low if low == high else low + int(world.chance() * (high - low + 1))
        missing = list(self.goal[1:])
        inside = missing.copy()
        for left in range(count, 1, -1):
            for entity in self._draw_condition(missing, inside, left):
                if entity in missing:
                    missing.remove(entity)
                if entity not in inside:
                    inside.append(entity)
        self._draw_condition(missing, inside, 1)
        if count > 1:
            world.shuffle(conditions)
        for condition in conditions:
            for entity in condition[1:]:
                if entity not in variables:
                    variables[entity] = VARIABLES[len(variables)]

    def _draw_condition(
        self, missing: Sequence[str], inside: Sequence[str], left: int
    ) -> tuple[str, ...]:
        """Draw a condition about an entity that has none yet; about two, where there must be.

        Returns:
            The entities that the condition is about.
        """
        for _ in range(TRIES):
            partner = None
            if len(missing) == 1:
                entity = missing[0]
            elif missing and (left == 1 or self.world.chance() < 0.5):
                entity, partner = missing
            else:
                entity = self.pick(missing or inside)
            goal = self.source.condition(entity, partner, inside, left)
            if goal and goal not in self.taken:
                self.taken.append(goal)
                self.conditions.append(goal)
                return goal[1:]
        raise DeadEndError

    def part(self) -> Expression:
        """Return an expression that may stand inside another."""
        return self.world.pick(self.world.config.draw_part)(self)

    def lookup(self) -> Lookup:
        """Return an attribute of one of the rule's variables; neither a condition's nor twice.

        Raises:
            DeadEndError: There is none.
        """
        entities = tuple(self.variables)
        for _ in range(TRIES):
            goal = self.source.operand(self.pick(entities))
            if goal not in self.taken:
                self.taken.append(goal)
                self.operands.append(goal)
                return new(Lookup, (self.variables[goal[1]], goal[0]))
        raise DeadEndError

    def other_pattern(self, met: Fact) -> Fact:
        """Return another pattern with the same variables, which need not be met."""
        if isinstance(met, AttributeFact):
            return AttributeFact(met.entity, self.pick(self.world.attributes), self.number())
        pair = self.pick(((met.first, met.second), (met.second, met.first)))
        return RelationFact(self.pick(self.world.relations), *pair)

    def needs(self) -> list[Goal]:
        """Return what meets the conditions and what gives the values of the lookups."""
        return self.conditions + self.operands

    def write(self, value_of: Callable[[Goal], int]) -> Rule:
        """Return the rule, with the numbers that its conditions on attributes ask for."""
        variables, goal = self.variables, self.goal
        patterns: list[Fact] = []
        for condition in self.conditions:
            if len(condition) == 2:
                attribute, entity = condition
                value = value_of(condition)
                patterns.append(new(AttributeFact, (variables[entity], attribute, value)))
            else:
                relation, first, second = condition
                pair = (variables[first], variables[second])
                patterns.append(new(RelationFact, (relation, *pair)))
        kinds = self.world.config.draw_condition
        conditions: tuple[Condition, ...] = tuple(patterns)
        if kinds:
            conditions = tuple([self.pick(kinds)(self, pattern) for pattern in patterns])
        if self.expression is not None:
            head = new(Assignment, (variables[goal[1]], goal[0], self.expression))
            return new(Rule, (conditions, head))
        relation, first, second = goal
        pair = (variables[first], variables[second])
        return new(Rule, (conditions, new(RelationFact, (relation, *pair))))

    def conclude(self, value_of: Callable[[Goal], int]) -> Fact:
        """Return what the rule yields for the draft's own entities."""
        goal = self.goal
        if self.expression is None:
            return RelationFact(*goal)
        entities = {variable: entity for entity, variable in self.variables.items()}
        value = self.expression.value(
            lambda lookup: value_of((lookup.attribute, entities[lookup.entity]))
        )
        return AttributeFact(goal[1], goal[0], value)
