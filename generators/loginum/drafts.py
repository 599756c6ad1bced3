"""Rules, drawn backwards from what they are to conclude (appendix E.1, "Rule Synthesis")."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

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
KNOWN_TRIES = 3
"""How many of these may take what is known."""


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
        self.number = world.number
        self.factor = world.factor
        self.pick = world.pick
        self.goal = goal
        self.known = known
        self.share = share
        self.refused = refused
        self.conditions: list[Goal] = []
        self.operands: list[Goal] = []
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
        for left in range(count, 0, -1):
            condition = self._condition(missing, inside, left)
            conditions.append(condition)
            for entity in condition[1:]:
                if entity in missing:
                    missing.remove(entity)
                if entity not in inside:
                    inside.append(entity)
        if count > 1:
            world.shuffle(conditions)
        for condition in conditions:
            for entity in condition[1:]:
                if entity not in variables:
                    variables[entity] = VARIABLES[len(variables)]

    def _condition(self, missing: Sequence[str], inside: Sequence[str], left: int) -> Goal:
        """Draw a condition about an entity that has none yet; about two, where there must be."""
        chance, share = self.world.chance, self.share
        for attempt in range(TRIES):
            partner = None
            if len(missing) == 1:
                entity = missing[0]
            elif missing and (left == 1 or chance() < 0.5):
                entity, partner = missing
            else:
                entity = self.pick(missing or inside)
            goal = None
            if attempt < KNOWN_TRIES and chance() < share:
                goal = self._known(entity, partner)
            if goal is None:
                goal = self._fresh(entity, partner, inside)
            if goal and self._is_free(goal):
                return goal
        raise DeadEndError

    def _known(self, entity: str, partner: str | None) -> Goal | None:
        """Return something known about an entity, and about its partner if there is one."""
        known = self.known.get(entity)
        if known:
            goal = known[int(self.world.chance() * len(known))]
            if partner is None or partner in goal:
                return goal
        return None

    def _fresh(self, entity: str, partner: str | None, inside: Sequence[str]) -> Goal | None:
        world, chance = self.world, self.world.chance
        if partner is None:
            if chance() < 0.5:
                return (world.attributes[int(chance() * len(world.attributes))], entity)
            partner = world.pick(inside if chance() < 0.5 else world.entities)
            if partner == entity:
                return None
        relation = world.relations[int(chance() * len(world.relations))]
        return (relation, entity, partner) if chance() < 0.5 else (relation, partner, entity)

    def _is_free(self, goal: Goal) -> bool:
        return (
            goal != self.goal
            and goal not in self.conditions
            and goal not in self.operands
            and goal not in self.refused
        )

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
        for attempt in range(TRIES):
            entity = world.pick(entities)
            goal = (world.pick(world.attributes), entity)
            if attempt < KNOWN_TRIES and world.chance() < self.share:
                known = [goal for goal in self.known.get(entity, ()) if len(goal) == 2]
                goal = world.pick(known or [goal])
            if self._is_free(goal):
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
        variables, goal = self.variables, self.goal
        patterns: list[Fact] = []
        for condition in self.conditions:
            if len(condition) == 2:
                attribute, entity = condition
                patterns.append(AttributeFact(variables[entity], attribute, value_of(condition)))
            else:
                relation, first, second = condition
                patterns.append(RelationFact(relation, variables[first], variables[second]))
        kinds = self.world.config.draw_condition
        conditions: tuple[Condition, ...] = tuple(patterns)
        if kinds:
            conditions = tuple([self.pick(kinds)(self, pattern) for pattern in patterns])
        if self.expression is not None:
            head = Assignment(variables[goal[1]], goal[0], self.expression)
            return Rule(conditions, head)
        relation, first, second = goal
        return Rule(conditions, RelationFact(relation, variables[first], variables[second]))

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
