"""Facts and rules beside the gold process, up to the numbers that the configuration asks for."""

from __future__ import annotations

from collections.abc import Sequence

from logic_curriculum.generators.loginum.decoys import Decoys, Manner, Pools
from logic_curriculum.generators.loginum.knowledge import Knowledge
from logic_curriculum.generators.loginum.process import Process
from logic_curriculum.generators.loginum.world import DeadEndError, Goal, World, new
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule

TRIES = 300
"""How many facts or rules are refused in a row before the world is given up."""
NEAR_FACTS = 0.5
"""Share of facts that differ from what the process uses in one place."""
SAME_GOAL = 0.45
"""Share of rules that would conclude something the process concludes, if they fired."""
SAME_NAME = 0.2
"""Share of rules that conclude the same attribute or relation of something else."""
ROOT = 0.45
"""How often these two are about the query, rather than about any of the process's conclusions."""
FIRING = 0.5
"""Share of the rules that conclude something else whose conditions are all met, if possible."""
NEAR = Manner(met=1.0, computed=0.5, fails=True, unknown=0.0)
"""Of rules that would conclude something that the process concludes."""
LOOSE = Manner(met=0.5, computed=0.5, fails=False, unknown=0.3)
"""Of rules that are met by chance."""
FIRM = Manner(met=1.0, computed=1.0, fails=False, unknown=0.0)
"""Of rules that fire."""


def add_facts(world: World, process: Process, knowledge: Knowledge) -> list[Fact]:
    """Return as many facts as the process lacks, taken into the knowledge.

    Raises:
        DeadEndError: No more facts fit.
    """
    found: list[Fact] = []
    missing = world.config.facts - len(process.given)
    goals = [*process.given, *process.derived]
    refused = 0
    while len(found) < missing:
        fact = _fact(world, goals)
        if fact is not None and knowledge.add_fact(fact):
            found.append(fact)
            refused = 0
        else:
            refused += 1
            if refused > TRIES:
                raise DeadEndError
    return found


def _fact(world: World, goals: list[Goal]) -> Fact | None:
    goal = _neighbour(world, goals) if world.chance() < NEAR_FACTS else _anything(world)
    if len(goal) == 2:
        return new(AttributeFact, (goal[1], goal[0], world.number()))
    return new(RelationFact, goal) if goal[1] != goal[2] else None


def _anything(world: World) -> Goal:
    first = world.pick(world.entities)
    if world.chance() < 0.5:
        return (world.pick(world.attributes), first)
    return (world.pick(world.relations), first, world.pick(world.entities))


def _neighbour(world: World, goals: list[Goal]) -> Goal:
    """Return what differs from one of the goals in its name, an entity or its direction."""
    goal = world.pick(goals)
    if len(goal) == 2:
        if world.chance() < 0.5:
            return (goal[0], world.pick(world.entities))
        return (world.pick(world.attributes), goal[1])
    name, first, second = goal
    chance = world.chance()
    if chance < 0.25:
        return (name, second, first)
    if chance < 0.5:
        return (world.pick(world.relations), first, second)
    if chance < 0.75:
        return (name, first, world.pick(world.entities))
    return (name, world.pick(world.entities), second)


def add_rules(
    world: World, process: Process, more_facts: list[Fact], knowledge: Knowledge
) -> list[Rule]:
    """Return as many rules as the process lacks, taken into the knowledge.

    Args:
        world: What is drawn from.
        process: The gold process.
        more_facts: The facts beside it.
        knowledge: What is known from all facts and the process's rules.

    Raises:
        DeadEndError: No more rules fit.
    """
    found: list[Rule] = []
    missing = world.config.rules - len(process.steps)
    pools = Pools(process, more_facts, knowledge)
    decoys = Decoys(world, pools)
    refused = 0
    while len(found) < missing:
        try:
            rule = _rule(world, pools, decoys)
        except DeadEndError:
            rule = None
        if rule is not None and knowledge.add_rule(rule):
            found.append(rule)
            refused = 0
        else:
            refused += 1
            if refused > TRIES:
                raise DeadEndError
    return found


def _rule(world: World, pools: Pools, decoys: Decoys) -> Rule | None:
    """Draw a rule of one of three kinds, or ``None`` where it would conclude what is known.

    It would conclude the same as the process, but a condition fails; or it fires for other
    entities; or its conditions are met by chance.

    Raises:
        DeadEndError: What was drawn can't become a rule.
    """
    chance = world.chance()
    goal = _gold_goal(world, pools) if chance < SAME_GOAL + SAME_NAME else _anything(world)
    # Relations that follow from a single one leave hardly a way to fail.
    if chance < SAME_GOAL and (len(goal) == 2 or world.config.conditions[1] > 1):
        return decoys.rule(goal, NEAR)
    if world.chance() > FIRING:
        return decoys.rule(_of_others(world, goal, world.entities), LOOSE)
    goal = _of_others(world, goal, tuple(pools.knowledge.entities))
    if pools.knowledge.knows(goal):
        return None
    return decoys.rule(goal, FIRM)


def _gold_goal(world: World, pools: Pools) -> Goal:
    return pools.root if world.chance() < ROOT else world.pick(pools.goals)


def _of_others(world: World, goal: Goal, entities: Sequence[str]) -> Goal:
    """Return the goal about some of the entities instead of its own."""
    chance, size = world.chance, len(entities)
    first = int(chance() * size)
    if len(goal) == 2:
        return (goal[0], entities[first])
    second = int(chance() * (size - 1))
    return (goal[0], entities[first], entities[second + (second >= first)])
