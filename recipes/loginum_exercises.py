"""Exercises in reading a world, for a small model that has learnt nothing yet.

A search (:mod:`loginum_search`) consists of few skills: looking a fact up, reading rules in order,
calculating. Each is practised alone, on worlds cut down to a few facts and rules. Worlds that grow
by and by teach a network to look things up in a small part of the time that full-sized ones take.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from loginum_search import World, subject, world_of
from loginum_targets import gold_steps, solution

from generators import Task
from generators.loginum.clauses import clause
from generators.loginum.world import Step
from rewards.judges.numeric.syntax import AttributeFact, Fact, Query, RelationFact

CALCULATIONS = 6
"""Calculations in an exercise."""
KEPT = 0.7
"""Share of the questions about what was kept of a world, and so has an answer."""


def copying(task: Task, size: int, rng: random.Random) -> Task:
    """Return a cut world whose solution says it again: facts, then their number; rules after it.

    Args:
        task: A task in the language ``clauses``.
        size: Number of facts, at most; half as many rules are kept.
        rng: Draws what is kept, and the order.
    """
    world = _cut(world_of(task), size, (size + 1) // 2, rng)
    lines = [f"{fact} = {name}" for fact, name in world.known.items()]
    lines += [f"rule_{number}: {clause(rule)}" for number, rule in world.rules.items()]
    rng.shuffle(lines)
    return replace(task, prompt=_prompt(world), solution="\n".join(lines))


def searching(task: Task, size: int, rng: random.Random) -> Task:
    """Return a cut world whose solution practises the skills of a search, in random order.

    Args:
        task: A task in the language ``clauses``.
        size: Number of facts and of rules, at most; as often is either looked for.
        rng: Draws what is kept and what is looked for.
    """
    whole = world_of(task)
    world = _cut(whole, size, size, rng)
    facts = list(whole.known)
    entities = _entities(facts)
    lines = [world.look_up(_asked(world, facts, entities, rng))[0] for _ in range(size)]
    lines += [_reading(world, whole, entities, rng) for _ in range(size)]
    lines += [_calculation(rng) for _ in range(CALCULATIONS)]
    rng.shuffle(lines)
    return replace(task, prompt=_prompt(world), solution="\n".join(lines))


def solving(task: Task, size: int, rng: random.Random) -> Task:
    """Return a task in a cut world, to be searched and solved.

    Args:
        task: A task of depth 1 in the language ``clauses``.
        size: Number of facts and of rules, at most; those of the gold process are kept.
        rng: Draws what else is kept.
    """
    (step,) = gold_steps(task)
    world = _cut(world_of(task), size, size, rng, step)
    query = task.prompt.rstrip("\n").rpartition("\n")[2]
    return replace(task, prompt=f"{_prompt(world)}{query}\n", solution=solution(world, task))


def _cut(
    world: World, facts: int, rules: int, rng: random.Random, step: Step | None = None
) -> World:
    """Return a world of a few facts and successive rules, all with their numbers.

    Args:
        world: What is cut.
        facts: Number of facts, at most.
        rules: Number of rules, at most.
        rng: Draws what is kept.
        step: What it uses is kept in any case.
    """
    known = dict(enumerate(world.known, start=1))
    needed = step.facts if step else ()
    others = [number for number in known if number not in needed]
    more = min(len(others), max(0, facts - len(needed)))
    kept = sorted([*needed, *rng.sample(others, more)])
    rules = min(rules, len(world.rules))
    first, last = 1, len(world.rules) - rules + 1
    if step:
        first, last = max(first, step.rule - rules + 1), min(last, step.rule)
    start = rng.randint(first, last)
    return World(
        {number: world.rules[number] for number in range(start, start + rules)},
        {number: known[number] for number in kept},
    )


def _prompt(world: World) -> str:
    lines = [f"{name}: {fact}" for fact, name in world.known.items()]
    lines += [f"rule_{number}: {clause(rule)}" for number, rule in world.rules.items()]
    return "\n".join(lines) + "\n"


def _entities(facts: Sequence[Fact]) -> list[str]:
    names = [name for fact in facts for name in _names(fact)]
    return list(dict.fromkeys(names))


def _names(fact: Fact) -> tuple[str, ...]:
    return fact[1:] if isinstance(fact, RelationFact) else (fact.entity,)


def _asked(
    world: World, facts: Sequence[Fact], entities: Sequence[str], rng: random.Random
) -> Fact | Query:
    """Return a question about a fact, most often one that was kept."""
    kept = list(world.known)
    fact = rng.choice(kept if rng.random() < KEPT else facts)
    if isinstance(fact, RelationFact):
        return rng.choice([fact._replace(first="?y"), fact._replace(second="?y"), fact])
    if rng.random() < 0.2:
        fact = fact._replace(entity=rng.choice(entities))
    if rng.random() < 0.5:
        return Query(fact.entity, fact.attribute)
    return fact if rng.random() < 0.5 else fact._replace(value=rng.randint(1, 10))


def _reading(world: World, whole: World, entities: Sequence[str], rng: random.Random) -> str:
    """Return a line that reads the rules for what one of them, most often a kept one, concludes."""
    source = world if rng.random() < KEPT else whole
    conclusion = rng.choice(list(source.rules.values())).conclusion
    goal: Fact
    if isinstance(conclusion, RelationFact):
        goal = RelationFact(conclusion.relation, rng.choice(entities), rng.choice(entities))
    else:
        goal = AttributeFact(rng.choice(entities), conclusion.attribute, 0)
    after = rng.choice([min(world.rules) - 1, *world.rules])
    about = f"{subject(goal)} after rule_{after}" if after else f"want {subject(goal)}"
    return f"{about} {world.read_rules(goal, after)[0]}"


def _calculation(rng: random.Random) -> str:
    factor, number, summand = (rng.randint(1, 10) for _ in range(3))
    product = factor * number
    return f"so {factor}*{number}+{summand} -> {product}+{summand} -> {product + summand}"
