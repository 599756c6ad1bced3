"""The small network that learns LogiNumSynth: exercises in small worlds, then tasks.

Each skill of a search (:mod:`loginum_search`) is practised alone, on worlds cut down to a few facts
and rules: that takes a small part of the time that full-sized ones take. Then may come tasks of the
ladder, larger ones by and by, with a learning rate that starts anew.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from logic_curriculum.curriculum.models import loginum_search, tiny_model
from logic_curriculum.curriculum.models.loginum_search import World, subject, world_of
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.loginum.language import clause
from logic_curriculum.generators.loginum.prompts import FORM
from logic_curriculum.generators.loginum.synthesis import Step
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, Query, RelationFact

KEPT = 0.6  # share of the questions about what was kept of a world, and so has an answer


def copy_exercise(task: Task, size: int, rng: random.Random) -> Task:
    """Return a world of ``size`` facts and half as many rules whose solution says it again."""
    world = _cut(world_of(task), size, (size + 1) // 2, rng)
    lines = [f"{fact} = {name}" for fact, name in world.known.items()] + _rules(world)
    rng.shuffle(lines)
    return replace(task, prompt=_prompt(world), solution="\n".join(lines))


def lookup_exercise(task: Task, size: int, rng: random.Random) -> Task:
    """Return ``size`` facts, whose solution looks up twice as many things, some in vain."""
    whole = world_of(task)
    world = _cut(whole, size, 0, rng)
    facts, kept = list(whole.known), list(world.known)
    lines = [world.look_up(_question(kept, facts, rng))[0] for _ in range(2 * size)]
    return replace(task, prompt=_prompt(world), solution="\n".join(lines))


def arithmetic_exercise(task: Task, size: int, rng: random.Random) -> Task:
    """Return a fact whose solution is ``size`` calculations and comparisons of other numbers."""
    whole = world_of(task)
    values = [fact for fact in whole.known if isinstance(fact, AttributeFact)]
    lines = [_calculation(rng) for _ in range(size)]
    lines += [_comparison(values, rng) for _ in range(size)]
    rng.shuffle(lines)
    return replace(task, prompt=_prompt(_cut(whole, 1, 0, rng)), solution="\n".join(lines))


def rule_reading_exercise(task: Task, size: int, rng: random.Random) -> Task:
    """Return ``size`` rules whose solution reads them for as many goals."""
    whole = world_of(task)
    world = _cut(whole, 0, size, rng)
    entities = list(dict.fromkeys(chain(*map(loginum_search.terms_of, whole.known))))
    lines = [_rule_reading(world, whole, entities, rng) for _ in range(size)]
    return replace(task, prompt=_prompt(world), solution="\n".join(lines))


def search_exercise(task: Task, size: int, rng: random.Random) -> Task:
    """Return a task of depth 1 with ``size`` facts and rules, those of the gold process kept."""
    (step,) = loginum_search.gold_steps(task)
    world = _cut(world_of(task), size, size, rng, step)
    prompt = f"{_prompt(world)}{task.metadata['query_sentence']}\n{FORM}\n"
    return replace(task, prompt=prompt, solution=loginum_search.search_and_solve(world, task))


def _cut(
    world: World, facts: int, rules: int, rng: random.Random, step: Step | None = None
) -> World:
    """Return a part of a world with its numbers, what ``step`` uses in it; rules are successive."""
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
    kept_rules = {number: world.rules[number] for number in range(start, start + rules)}
    return World(kept_rules, {number: known[number] for number in kept})


def _prompt(world: World) -> str:
    lines = [f"{name}: {fact}" for fact, name in world.known.items()] + _rules(world)
    return "\n".join(lines) + "\n"


def _rules(world: World) -> list[str]:
    return [f"rule_{number}: {clause(rule)}" for number, rule in world.rules.items()]


def _question(kept: Sequence[Fact], facts: Sequence[Fact], rng: random.Random) -> Fact | Query:
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


def _rule_reading(world: World, whole: World, entities: Sequence[str], rng: random.Random) -> str:
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


def _comparison(facts: Sequence[AttributeFact], rng: random.Random) -> str:
    """Return a line that compares the value of a fact, another than the world's, with one asked."""
    fact = rng.choice(facts)
    found = fact._replace(value=rng.randint(1, 10))
    asked = rng.choice([found, fact._replace(value=rng.randint(1, 10))])
    return f"if {asked}: {found} {'yes' if asked == found else 'no'}"


Exercise = Callable[[Task, int, random.Random], Task]

_LAST = [(lookup_exercise, 8), (arithmetic_exercise, 8), (rule_reading_exercise, 8)]
STAGES: Sequence[tuple[float, Sequence[tuple[Exercise, int]]]] = (
    (0.26, [(copy_exercise, 2)]),
    (0.07, [(copy_exercise, 4)]),
    (0.3, [(lookup_exercise, 2), (lookup_exercise, 4), (arithmetic_exercise, 8)]),
    (0.37, [*_LAST, (search_exercise, 4), (search_exercise, 8)]),
)
"""Share of the steps, and what is practised in them by turns, on how many facts or rules."""
WARM_SHARE = 0.7  # of the steps on tasks; after it the last level is reached
VOCABULARY_STEPS = 50
"""Batches of tasks whose words the tokenizer knows, besides those of what is learnt."""
NETWORK = tiny_model.TinyModelConfig(
    hidden_size=64,
    layers=6,
    heads=2,
    intermediate_size=128,
    convolutions=True,
    matching_heads=True,
    initializer_range=0.1,
    batch_size=8,
    learning_rate=2e-3,
    sampling="sequential",
)
"""0.3 million parameters, three layers of convolution, three of attention: narrow, so that there is
time for many steps, which looking things up takes."""


def pretrain(
    folder: str,
    seed: int,
    exercise_steps: int,
    steps: int,
    levels: Sequence[int],
    teach: Callable[[Task], Task],
    options: Mapping[str, Any],
) -> None:
    """Make and pretrain the network, and save it with its tokenizer in a folder.

    After the exercises come ``steps`` on tasks, each step of one level, so that little is padded.
    ``levels`` are in the order in which they are reached; one that stands twice is practised for
    twice as long. ``teach`` returns a task with the solution that is learnt, ``options`` are those
    of ``generate``; their language has to be ``clauses``.
    """
    if options.get("language") != "clauses":
        raise ValueError(
            f"the language is {options.get('language')!r}, and the small network reads clauses "
            "only: set language to clauses, or name a model"
        )
    tasks = growing_tasks(seed, steps, levels, teach, options)
    parts = [list(exercises(seed, exercise_steps, options)), list(tasks)]
    words = growing_tasks(seed, VOCABULARY_STEPS, (1, 2, 3), teach, options)
    texts = (text for task in chain(*parts, words) for text in (task.prompt, task.solution))
    tokenizer = tiny_model.make_clause_tokenizer(texts)
    model = None
    for part in filter(None, parts):
        config = replace(NETWORK, steps=len(part) // NETWORK.batch_size)
        model = tiny_model.train_tiny_model(folder, seed, part, config, tokenizer, model)


def exercises(seed: int, steps: int, options: Mapping[str, Any]) -> Iterator[Task]:
    """Yield the exercises of all batches, in order, on worlds of EL-EN; each is of one kind."""
    rng = stream("pretraining exercises", seed)
    of_preset = {**options, "split": "train", "preset": "EL-EN"}
    for share, practised in STAGES:
        for _ in range(round(steps * share)):
            exercise, size = rng.choice(practised)
            for _ in range(NETWORK.batch_size):
                task = generate("loginum", 1, rng.randrange(2**62), **of_preset)
                yield exercise(task, size, rng)


def growing_tasks(
    seed: int,
    steps: int,
    levels: Sequence[int],
    teach: Callable[[Task], Task],
    options: Mapping[str, Any],
) -> Iterator[Task]:
    """Yield the tasks of all batches, in order.

    At each time the two highest levels reached so far are equally frequent.
    """
    if steps and not levels:
        raise ValueError(
            f"{steps} steps of pretraining on tasks, and no level to take them from: name levels, "
            "or set the steps to 0"
        )
    rng = stream("pretraining", seed)
    for step in range(steps):
        reached = min(len(levels), 1 + int(step / steps * len(levels) / WARM_SHARE))
        level = rng.choice(levels[max(0, reached - 2) : reached])
        for _ in range(NETWORK.batch_size):
            task = generate("loginum", level, rng.randrange(2**62), split="train", **options)
            yield teach(task)
