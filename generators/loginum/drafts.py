"""Rules, drawn backwards from what they are to conclude (appendix E.1, "Rule Synthesis")."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from generators.loginum.world import DeadEndError, Goal, World
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
TRIES = 20
"""How often a condition or a lookup is drawn before the rule is given up."""


class Draft:
    """A rule for one goal: its conditions and lookups as goals, about entities of the world.

    Entities become variables when the rule is written. Every condition has an entity in common
    with the conclusion or with an earlier condition, so that rules are about things that have to
    do with each other.
    """

    def __init__(
        self,
        world: World,
        goal: Goal,
        known: Mapping[str, Sequence[Goal]],
        share: float,
        refused: Collection[Goal],
    ) -> None:
        """Draw the conditions and the expression.

        Args:
            world: What is drawn from.
            goal: What the rule is to conclude.
            known: Entity → goals about it that are known to be met.
            share: How often one of these is taken, where there is one, rather than a fresh goal.
            refused: Goals that no condition or lookup may be.

        Raises:
            DeadEndError: Nothing fits.
        """
        self.world = world
        self.goal = goal
        self.known = known
        self.share = share
        self.refused = refused
        self.conditions: list[Goal] = []
        self.operands: list[Goal] = []
        self.variables: dict[str, str] = {}
        """Entity → variable."""
        self._draw_conditions()
        self._name_variables()
        self.expression: Expression | None = None
        if len(goal) == 2:
            self.expression = world.pick(world.config.draw_expression)(self)

    def _draw_conditions(self) -> None:
        world = self.world
        low, high = world.config.conditions
        count = low if low == high else low + int(world.chance() * (high - low + 1))
        missing = list(self.goal[1:])
        inside = list(missing)
        for left in range(count, 0, -1):
            condition = self._condition(missing, inside, left)
            self.conditions.append(condition)
            for entity in condition[1:]:
                if entity in missing:
                    missing.remove(entity)
                if entity not in inside:
                    inside.append(entity)
        if count > 1:
            world.shuffle(self.conditions)

    def _condition(self, missing: Sequence[str], inside: Sequence[str], left: int) -> Goal:
        """Draw a condition about an entity that has none yet; about two, where there must be."""
        world = self.world
        for _ in range(TRIES):
            partner = None
            if len(missing) == 2 and (left == 1 or world.chance() < 0.5):
                entity, partner = missing
            else:
                entity = world.pick(missing or inside)
            goal = self._shared(entity, partner) or self._fresh(entity, partner, inside)
            if goal and goal != self.goal and self._is_free(goal):
                return goal
        raise DeadEndError

    def _shared(self, entity: str, partner: str | None) -> Goal | None:
        if self.share and self.world.chance() < self.share:
            known = self.known.get(entity)
            if known:
                goal = self.world.pick(known)
                if partner is None or partner in goal[1:]:
                    return goal
        return None

    def _fresh(self, entity: str, partner: str | None, inside: Sequence[str]) -> Goal | None:
        world = self.world
        if partner is None:
            if world.chance() < 0.5:
                return (world.pick(world.attributes), entity)
            partner = world.pick(inside if world.chance() < 0.5 else world.entities)
            if partner == entity:
                return None
        relation = world.pick(world.relations)
        if world.chance() < 0.5:
            return (relation, entity, partner)
        return (relation, partner, entity)

    def _is_free(self, goal: Goal) -> bool:
        return (
            goal not in self.refused and goal not in self.conditions and goal not in self.operands
        )

    def _name_variables(self) -> None:
        variables = self.variables
        for condition in self.conditions:
            for entity in condition[1:]:
                if entity not in variables:
                    variables[entity] = VARIABLES[len(variables)]

    def number(self) -> int:
        """Return a number of the operand range."""
        return self.world.number()

    def factor(self) -> int:
        """Return a number of the operand range that is not 0."""
        return self.world.factor()

    def pick(self, items: Sequence[Any]) -> Any:
        """Return one of the items, each alike."""
        return self.world.pick(items)

    def part(self) -> Expression:
        """Return an expression that may stand inside another."""
        return self.world.pick(self.world.config.draw_part)(self)

    def lookup(self) -> Lookup:
        """Return an attribute of one of the rule's variables; neither a condition's nor twice.

        Raises:
            DeadEndError: There is none.
        """
        world = self.world
        entities = tuple(self.variables)
        for _ in range(TRIES):
            entity = world.pick(entities)
            goal = self._shared(entity, None)
            if goal is None or len(goal) == 3:
                goal = (world.pick(world.attributes), entity)
            if goal != self.goal and self._is_free(goal):
                self.operands.append(goal)
                return Lookup(self.variables[entity], goal[0])
        raise DeadEndError

    def pattern(self) -> Fact:
        """Return another pattern over the rule's variables, which need not be met."""
        world = self.world
        variables = tuple(self.variables.values())
        if len(variables) > 1 and world.chance() < 0.5:
            first = world.pick(variables)
            second = world.pick([variable for variable in variables if variable != first])
            return RelationFact(world.pick(world.relations), first, second)
        return AttributeFact(world.pick(variables), world.pick(world.attributes), world.number())

    def needs(self) -> list[Goal]:
        """Return what meets the conditions and what gives the values of the lookups."""
        return self.conditions + self.operands

    def write(self, value_of: Callable[[Goal], int]) -> Rule:
        """Return the rule, with the numbers that its conditions on attributes ask for."""
        return Rule(
            tuple([self._write_condition(goal, value_of) for goal in self.conditions]),
            self._conclusion(),
        )

    def _write_condition(self, goal: Goal, value_of: Callable[[Goal], int]) -> Condition:
        pattern: Fact
        if len(goal) == 2:
            pattern = AttributeFact(self.variables[goal[1]], goal[0], value_of(goal))
        else:
            pattern = RelationFact(goal[0], self.variables[goal[1]], self.variables[goal[2]])
        kinds = self.world.config.draw_condition
        return self.world.pick(kinds)(self, pattern) if kinds else pattern

    def _conclusion(self) -> Assignment | RelationFact:
        variables = self.variables
        if self.expression is not None:
            return Assignment(variables[self.goal[1]], self.goal[0], self.expression)
        return RelationFact(self.goal[0], variables[self.goal[1]], variables[self.goal[2]])

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
