"""Exercises in reading a world, for a small model that has learnt nothing yet.

A search (:mod:`loginum_search`) consists of few skills: looking a fact up, reading rules in order,
calculating. Each is practised alone, on worlds cut down to a few facts and rules. Worlds that grow
by and by teach a network to look things up in a small part of the time that full-sized ones take.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from logic_curriculum.curriculum.models.loginum_search import World, subject, world_of
from logic_curriculum.curriculum.models.loginum_targets import gold_steps, solution
from logic_curriculum.generators import Task
from logic_curriculum.generators.loginum.language import clause
from logic_curriculum.generators.loginum.prompts import FORM
from logic_curriculum.generators.loginum.synthesis import Step
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, Query, RelationFact

KEPT = 0.6
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


def looking_up(task: Task, size: int, rng: random.Random) -> Task:
    """Return a few facts whose solution looks things up among them, some in vain.

    Args:
        task: A task in the language ``clauses``.
        size: Number of facts, at most; twice as often something is looked up.
        rng: Draws what is kept and what is looked up.
    """
    whole = world_of(task)
    world = _cut(whole, size, 0, rng)
    facts, kept = list(whole.known), list(world.known)
    lines = [world.look_up(_asked(kept, facts, rng))[0] for _ in range(2 * size)]
    return replace(task, prompt=_prompt(world), solution="\n".join(lines))


def reckoning(task: Task, size: int, rng: random.Random) -> Task:
    """Return a fact and, as the solution, calculations and comparisons that don't depend on it.

    Args:
        task: A task in the language ``clauses``.
        size: Number of calculations, and of comparisons.
        rng: Draws fact and numbers.
    """
    whole = world_of(task)
    lines = [_calculation(rng) for _ in range(size)]
    lines += [_comparison(list(whole.known), rng) for _ in range(size)]
    rng.shuffle(lines)
    return replace(task, prompt=_prompt(_cut(whole, 1, 0, rng)), solution="\n".join(lines))


def reading(task: Task, size: int, rng: random.Random) -> Task:
    """Return a few rules whose solution reads them for various goals.

    Args:
        task: A task in the language ``clauses``.
        size: Number of rules, at most, and of goals.
        rng: Draws what is kept, and the goals.
    """
    whole = world_of(task)
    world = _cut(whole, 0, size, rng)
    entities = _entities(list(whole.known))
    lines = [_reading(world, whole, entities, rng) for _ in range(size)]
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
    prompt = f"{_prompt(world)}{task.metadata['query_sentence']}\n{FORM}\n"
    return replace(task, prompt=prompt, solution=solution(world, task))


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


def _asked(kept: Sequence[Fact], facts: Sequence[Fact], rng: random.Random) -> Fact | Query:
    """Return a question about a kept fact, or about one that shares a part with it."""
    fact = rng.choice(kept)
    alike = [other for other in facts if type(other) is type(fact)]
    if rng.random() > KEPT:
        part = rng.choice(fact._fields[:2])
        fact = fact._replace(**{part: getattr(rng.choice(alike), part)})
    if isinstance(fact, RelationFact):
        return fact._replace(**{rng.choice(["first", "second"]): "?y"})
    if rng.random() < 0.3:
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


def _comparison(facts: Sequence[Fact], rng: random.Random) -> str:
    """Return a line that compares the value of a fact, another than the world's, with one asked."""
    fact = rng.choice([fact for fact in facts if isinstance(fact, AttributeFact)])
    found = fact._replace(value=rng.randint(1, 10))
    asked = rng.choice([found, fact._replace(value=rng.randint(1, 10))])
    return f"if {asked}: {found} {'yes' if asked == found else 'no'}"
