"""A whole sample: gold process, distractors, and the order in which they are told."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from logic_curriculum.generators.loginum.distractors import add_facts, add_rules
from logic_curriculum.generators.loginum.knowledge import Knowledge
from logic_curriculum.generators.loginum.language import Words
from logic_curriculum.generators.loginum.levels import Config
from logic_curriculum.generators.loginum.process import Process, build_process, process_key
from logic_curriculum.generators.loginum.rules import DeadEndError, World
from logic_curriculum.rewards.engines.numeric.syntax import Fact, Query, Rule
from logic_curriculum.rewards.loginum.judge import GoldStep

ATTEMPTS = 5_000  # processes that are drawn for one task before the generator gives up


class SynthesisError(ValueError):
    """No task was found within the limits; the message says for what, and what to change."""


@dataclass(frozen=True)
class Sample:
    """A world in the order in which a prompt tells it, a query, and how to answer it."""

    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    query: Query
    steps: tuple[GoldStep, ...]  # the last one concludes what the query asks for
    conclusions: tuple[Fact, ...]  # of the steps
    answer: int
    height: int  # the number of steps of the longest chain
    key: str  # what the gold process has in common with those that differ in names and order only


def synthesize(
    config: Config,
    depth: int,
    words: Words,
    rng: random.Random,
    belongs: Callable[[str], bool] = lambda key: True,
    by_height: bool = False,
) -> Sample:
    """Make a sample of ``depth`` steps whose key ``belongs``, or raise a ``SynthesisError``.

    ``by_height``, its longest chain has so many steps.
    """
    world = World(config, words, rng)
    for _ in range(ATTEMPTS):
        try:
            process = build_process(world, depth, by_height)
            key = process_key(process)
            if belongs(key):
                knowledge = Knowledge()
                for fact in process.given.values():
                    knowledge.add_fact(fact)
                if all(knowledge.add_rule(step.rule) for step in process.derived.values()):
                    facts = add_facts(world, process, knowledge)
                    rules = add_rules(world, process, facts, knowledge)
                    return _in_order(world, process, facts, rules, key)
        except DeadEndError:
            continue
    raise SynthesisError(
        f"No sample of depth {depth} in {ATTEMPTS} attempts with {config}. Give more facts, rules, "
        "entities, attributes or relations, or fewer conditions."
    )


def _in_order(
    world: World, process: Process, more_facts: list[Fact], more_rules: list[Rule], key: str
) -> Sample:
    """Shuffle facts and rules, and number what the steps of the process use."""
    facts = [*process.given.values(), *more_facts]
    rules = [*[step.rule for step in process.derived.values()], *more_rules]
    fact_order, rule_order = list(range(len(facts))), list(range(len(rules)))
    world.shuffle(fact_order)
    world.shuffle(rule_order)
    fact_number = {goal: fact_order.index(place) + 1 for place, goal in enumerate(process.given)}
    step_number = {goal: number for number, goal in enumerate(process.derived, start=1)}
    steps, conclusions = [], [step.conclusion for step in process.derived.values()]
    for place, step in enumerate(process.derived.values()):
        used_facts = tuple([fact_number[goal] for goal in step.uses if goal in fact_number])
        used_steps = tuple([step_number[goal] for goal in step.uses if goal in step_number])
        text = str(step.conclusion)
        steps.append(GoldStep(text, rule_order.index(place) + 1, used_facts, used_steps))
    attribute, entity = process.root
    told_facts = tuple([facts[place] for place in fact_order])
    told_rules = tuple([rules[place] for place in rule_order])
    query, answer = Query(entity, attribute), process.value(process.root)
    told, gold = (told_facts, told_rules, query), (tuple(steps), tuple(conclusions))
    return Sample(*told, *gold, answer, process.height, key)
