"""What cheap strategies earn on the LogicSkills families, as a Markdown table.

    python benchmarks/shortcuts_logicskills.py [--families validity] [--tasks 100] [--train 200]

Each strategy sees what a model sees and answers without reasoning; the answers go through the real
reward functions. On validity, learners are trained on superficial features of training tasks and
tested on test tasks. Chance there is one in six, and the table says which figures lie above it by
more than noise, given how many were computed. What is marked as structural or semantic is no
shortcut but shows how far a look at structure or at truth in random models carries.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from math import sqrt
from statistics import NormalDist, fmean

import countermodel_strategies
import option_features
import symbolization_strategies
import validity_semantics
import validity_strategies
from option_learner import choose, encode, train

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards import REWARDS

FAMILIES = ("validity", "countermodel", "symbolization")
CHANCE = 1 / 6
ERROR_RATE = 0.01
"""Probability that any figure of the whole table is called above chance although none is."""
CONSTANTS = 100
"""Drawn structures of which the best on training tasks is taken."""
SAMPLE = 100
"""Training tasks of a level on which constant answers compete."""
CHUNK = 50
"""Tasks that a worker makes at a time."""


@dataclass(frozen=True)
class Data:
    """Tasks of one family."""

    train: tuple[Task, ...]
    test: tuple[Task, ...]

    @cached_property
    def tiers(self) -> dict[str, list[int]]:
        """Tier → numbers of the test tasks in it; all of them first."""
        found = {"all": list(range(len(self.test)))}
        for number, task in enumerate(self.test):
            found.setdefault(tier(task), []).append(number)
        return found


@dataclass(frozen=True)
class Row:
    """What a strategy earned."""

    name: str
    paid: tuple[float, ...]
    """One reward for each test task."""
    group: str = "superficial"


def tier(task: Task) -> str:
    """Return the name of a task's tier."""
    return family(task.family).tiers[task.level - 1]


def _make(name: str, level: int, split: str, language: str, first: int, count: int) -> list[Task]:
    options = {} if name == "countermodel" else {"language": language}
    seeds = range(first, first + count)
    return [generate(name, level, seed, split=split, **options) for seed in seeds]


def make(name: str, levels: Sequence[int], split: str, count: int, language: str) -> list[Task]:
    """Make tasks of some levels, on all cores; with equal contents only the first is kept."""
    jobs = [
        (level, first, min(CHUNK, count - first))
        for level in levels
        for first in range(0, count, CHUNK)
    ]
    with ProcessPoolExecutor() as pool:
        columns = zip(*jobs, strict=True)
        level, first, size = (list(column) for column in columns)
        found = pool.map(_make, repeat(name), level, repeat(split), repeat(language), first, size)
        tasks = [task for chunk in found for task in chunk]
    distinct = {family(name).fingerprint(task): task for task in reversed(tasks)}
    return list(reversed(distinct.values()))


def pay(name: str, answers: Sequence[str], tasks: Sequence[Task]) -> tuple[float, ...]:
    """Return what the family's reward function pays for answers; 0 for what it can't grade."""
    paid = REWARDS[f"{name}_reward"](
        completions=list(answers), verification=[task.verification for task in tasks]
    )
    return tuple(value or 0.0 for value in paid)


def measure_validity(data: Data) -> list[Row]:
    views = [validity_strategies.view(task) for task in data.test]
    seen = [validity_strategies.view(task) for task in data.train]
    right = [task.verification["correct"][0] - 1 for task in data.train]
    picks = validity_strategies.untrained() | validity_strategies.memorised(seen, right)
    answers = {name: [pick(task) for task in views] for name, pick in picks.items()}
    groups = dict.fromkeys(answers, "superficial")
    for group, learners in (
        ("superficial", option_features.SUPERFICIAL),
        ("structural", option_features.STRUCTURAL),
    ):
        for name, describe in learners.items():
            learnt = _learn(data, views, seen, right, describe)
            for suffix, found in learnt.items():
                answers[f"learner: {name}{suffix}"] = found
                groups[f"learner: {name}{suffix}"] = group
    for name, found in validity_semantics.answers(data.test).items():
        answers[name], groups[name] = found, "semantic"
    return [
        Row(name, pay("validity", found, data.test), groups[name])
        for name, found in answers.items()
    ]


def _learn(
    data: Data,
    views: Sequence[validity_strategies.View],
    seen: Sequence[validity_strategies.View],
    right: Sequence[int],
    describe: option_features.Describe,
) -> dict[str, list[str]]:
    """Return the answers of a learner trained on all levels, and of one for each tier."""
    order = list(range(len(seen)))
    stream("shortcuts", "order").shuffle(order)
    pooled = train(encode(describe(seen[i]) for i in order), [right[i] for i in order])
    tested = [describe(task) for task in views]
    answers = {"": _numbers(choose(encode(tested), pooled))}
    apart = [""] * len(views)
    for name, numbers in data.tiers.items():
        if name != "all":
            mine = [i for i in order if tier(data.train[i]) == name]
            weights = train(encode(describe(seen[i]) for i in mine), [right[i] for i in mine])
            chosen = _numbers(choose(encode(tested[i] for i in numbers), weights))
            for number, answer in zip(numbers, chosen, strict=True):
                apart[number] = answer
    return answers | {", one for each tier": apart}


def _numbers(places: Sequence[int]) -> list[str]:
    return [str(place + 1) for place in places]


def measure_countermodel(data: Data) -> list[Row]:
    strategies = dict(countermodel_strategies.UNTRAINED)
    drawn = {f"{n}": countermodel_strategies.constant(n) for n in range(CONSTANTS)}
    candidates = drawn | strategies
    return [
        *_rows("countermodel", strategies, data.test),
        _best_constant("countermodel", candidates, data),
    ]


def measure_symbolization(data: Data) -> list[Row]:
    neighbours = symbolization_strategies.Neighbours(data.train)
    common = Counter(task.verification["formula"] for task in data.train)
    candidates: dict[str, Answer] = {
        text: _always(text) for text, _ in common.most_common(CONSTANTS)
    }
    return [
        *_rows("symbolization", symbolization_strategies.UNTRAINED, data.test),
        _best_constant("symbolization", candidates, data),
        *_rows(
            "symbolization",
            {
                "likest training sentence with the same symbols": neighbours.same_symbols,
                "training sentence of the same form, symbols replaced": neighbours.translated,
            },
            data.test,
            "structural",
        ),
    ]


Answer = Callable[[Task], str]


def _always(text: str) -> Answer:
    return lambda _: text


def _rows(
    name: str, strategies: Mapping[str, Answer], tasks: Sequence[Task], group: str = "superficial"
) -> list[Row]:
    return [
        Row(strategy, pay(name, [answer(task) for task in tasks], tasks), group)
        for strategy, answer in strategies.items()
    ]


def _best_constant(name: str, candidates: Mapping[str, Answer], data: Data) -> Row:
    """Take for each level the constant answer that earns most on training tasks."""
    paid = [0.0] * len(data.test)
    for level in sorted({task.level for task in data.test}):
        known = [task for task in data.train if task.level == level][:SAMPLE]
        best = max(
            candidates.values(),
            key=lambda answer: fmean(pay(name, [answer(task) for task in known], known)),
        )
        numbers = [i for i, task in enumerate(data.test) if task.level == level]
        tasks = [data.test[i] for i in numbers]
        for number, value in zip(numbers, pay(name, [best(t) for t in tasks], tasks), strict=True):
            paid[number] = value
    return Row("best constant answer of each level, chosen in training", tuple(paid))


MEASURES = {
    "validity": measure_validity,
    "countermodel": measure_countermodel,
    "symbolization": measure_symbolization,
}


def table(data: Data, rows: Sequence[Row], threshold: float | None) -> str:
    """Return the mean rewards by tier; with a threshold, what lies above it is in bold type.

    Args:
        data: The tasks.
        rows: What the strategies earned.
        threshold: How many standard errors above chance a figure has to be.
    """
    tiers = data.tiers
    lines = [
        "| strategy | " + " | ".join(f"{name} ({len(n)})" for name, n in tiers.items()) + " |",
        "|:---|" + "---:|" * len(tiers),
    ]
    for row in rows:
        cells = []
        for numbers in tiers.values():
            mean = fmean(row.paid[i] for i in numbers)
            error = standard_error(len(numbers))
            high = threshold is not None and mean > CHANCE + threshold * error
            cells.append(f"**{mean:.3f}**" if high else f"{mean:.3f}")
        mark = "" if row.group == "superficial" else f" ({row.group})"
        lines.append(f"| {row.name}{mark} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def standard_error(tasks: int) -> float:
    """Return the standard error of a guess's mean reward on so many validity tasks."""
    return sqrt(CHANCE * (1 - CHANCE) / tasks)


def report_validity(data: Data, rows: Sequence[Row]) -> str:
    figures = len(rows) * len(data.tiers)
    threshold = NormalDist().inv_cdf(1 - ERROR_RATE / figures)
    bounds = ", ".join(
        f"{name} {CHANCE + threshold * standard_error(len(numbers)):.3f} "
        f"(standard error {standard_error(len(numbers)):.4f})"
        for name, numbers in data.tiers.items()
    )
    above = [
        f"{row.name} ({name})"
        for row in rows
        for name, numbers in data.tiers.items()
        if row.group == "superficial"
        and fmean(row.paid[i] for i in numbers) > CHANCE + threshold * standard_error(len(numbers))
    ]
    verdict = "; ".join(above) or "none"
    return (
        f"{table(data, rows, threshold)}\n\n"
        f"Chance is {CHANCE:.3f}. With {figures} figures, one is above chance by more than noise "
        f"(at a family-wise error rate of {ERROR_RATE}) where it exceeds {bounds}. "
        f"Superficial strategies above that: {verdict}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogicSkills tasks.")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--levels", type=int, nargs="+", default=range(1, 11))
    parser.add_argument("--tasks", type=int, default=100, help="test tasks per level")
    parser.add_argument("--train", type=int, default=200, help="training tasks per level")
    parser.add_argument("--language", default="english", help="of the sentences")
    arguments = parser.parse_args()
    for name in arguments.families:
        sizes = {"train": arguments.train, "test": arguments.tasks}
        made = {
            split: tuple(make(name, arguments.levels, split, count, arguments.language))
            for split, count in sizes.items()
        }
        data = Data(**made)
        rows = MEASURES[name](data)
        print(f"## {name}\n\n{len(data.train)} training tasks\n")
        print(report_validity(data, rows) if name == "validity" else table(data, rows, None))
        print(flush=True)


if __name__ == "__main__":
    main()
