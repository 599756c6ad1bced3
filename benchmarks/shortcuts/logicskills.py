"""What cheap strategies earn on the LogicSkills families, as a Markdown table.

    python benchmarks/shortcuts/logicskills.py [--families validity] [--tasks 100] [--train 200]

Each strategy sees what a model sees and answers without reasoning; the answers go through the real
reward functions. On validity, learners are trained on superficial features of training tasks and
tested on test tasks. Chance there is one in six, and the table says which figures lie above it by
more than noise, given how many were computed. What is marked as structural or semantic is no
shortcut but shows how far a look at structure or at truth in random models carries.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from math import sqrt
from statistics import NormalDist, fmean

import logicskills_strategies as strategies
import validity_strategies
from logicskills_strategies import Answer
from validity_learners import STRUCTURAL, SUPERFICIAL, Describe, learned_answers

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards import REWARDS

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
    starts = range(0, count, CHUNK)
    jobs = [(level, start, min(CHUNK, count - start)) for level in levels for start in starts]
    level, first, size = zip(*jobs, strict=True)
    with ProcessPoolExecutor() as pool:
        found = pool.map(_make, repeat(name), level, repeat(split), repeat(language), first, size)
        tasks = [task for chunk in found for task in chunk]
    distinct = {family(name).fingerprint(task): task for task in reversed(tasks)}
    return list(reversed(distinct.values()))


def pay(answers: Sequence[str], tasks: Sequence[Task]) -> tuple[float, ...]:
    """Return what the family's reward function pays for answers; 0 for what it can't grade."""
    paid = REWARDS[f"{tasks[0].family}_reward"](
        completions=list(answers), verification=[task.verification for task in tasks]
    )
    return tuple(value or 0.0 for value in paid)


def measure_validity(data: Data) -> list[Row]:
    views = [validity_strategies.view(task) for task in data.test]
    seen = [validity_strategies.view(task) for task in data.train]
    right = [task.verification["correct"][0] - 1 for task in data.train]
    picks = validity_strategies.untrained() | validity_strategies.memorised(seen, right)
    rows = [
        Row(name, pay([pick(view) for view in views], data.test)) for name, pick in picks.items()
    ]
    for group, learners in (("superficial", SUPERFICIAL), ("structural", STRUCTURAL)):
        for name, describe in learners.items():
            answers = learned_answers(describe, seen, right, views)
            rows.append(Row(f"learner: {name}", pay(answers, data.test), group))
            answers = _learned_by_tier(data, describe, seen, right, views)
            rows.append(Row(f"learner: {name}, one for each tier", pay(answers, data.test), group))
    semantic = validity_strategies.semantic_answers(data.test)
    return [
        *rows,
        *(Row(name, pay(said, data.test), "semantic") for name, said in semantic.items()),
    ]


def _learned_by_tier(
    data: Data,
    describe: Describe,
    seen: Sequence[validity_strategies.View],
    right: Sequence[int],
    views: Sequence[validity_strategies.View],
) -> list[str]:
    """Return the answers of learners of which each knows the tasks of one tier alone."""
    answers = [""] * len(views)
    for name, numbers in data.tiers.items():
        mine = [i for i, task in enumerate(data.train) if tier(task) == name]
        if not mine:
            continue  # "all" is no tier
        found = learned_answers(
            describe, [seen[i] for i in mine], [right[i] for i in mine], [views[i] for i in numbers]
        )
        for number, answer in zip(numbers, found, strict=True):
            answers[number] = answer
    return answers


def measure_countermodel(data: Data) -> list[Row]:
    candidates = strategies.drawn_constants(CONSTANTS) | dict(strategies.COUNTERMODEL)
    return [*_rows(strategies.COUNTERMODEL, data.test), _best_constant(candidates, data)]


def measure_symbolization(data: Data) -> list[Row]:
    common = Counter(task.verification["formula"] for task in data.train).most_common(CONSTANTS)
    neighbours = strategies.Neighbours(data.train)
    structural = {
        "likest training sentence with the same symbols": neighbours.same_symbols,
        "training sentence of the same form, symbols replaced": neighbours.translated,
    }
    return [
        *_rows(strategies.SYMBOLIZATION, data.test),
        _best_constant({text: strategies.always(text) for text, _ in common}, data),
        *_rows(structural, data.test, "structural"),
    ]


def _rows(
    answers: Mapping[str, Answer], tasks: Sequence[Task], group: str = "superficial"
) -> Iterator[Row]:
    for name, answer in answers.items():
        yield Row(name, pay([answer(task) for task in tasks], tasks), group)


def _best_constant(candidates: Mapping[str, Answer], data: Data) -> Row:
    """Take for each level the constant answer that earns most on training tasks."""
    paid = [0.0] * len(data.test)
    for level in sorted({task.level for task in data.test}):
        known = [task for task in data.train if task.level == level][:SAMPLE]
        best = max(
            candidates.values(),
            key=lambda answer: fmean(pay([answer(task) for task in known], known)),
        )
        numbers = [i for i, task in enumerate(data.test) if task.level == level]
        tasks = [data.test[i] for i in numbers]
        for number, value in zip(numbers, pay([best(t) for t in tasks], tasks), strict=True):
            paid[number] = value
    return Row("best constant answer of each level, chosen in training", tuple(paid))


MEASURES = {
    "validity": measure_validity,
    "countermodel": measure_countermodel,
    "symbolization": measure_symbolization,
}


def table(data: Data, rows: Sequence[Row], threshold: float | None) -> str:
    """Return the mean rewards by tier.

    Args:
        data: The tasks.
        rows: What the strategies earned.
        threshold: How many standard errors above chance a figure has to be for bold type; ``None``
            for no bold type.
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
            high = threshold is not None and mean > bound(threshold, len(numbers))
            cells.append(f"**{mean:.3f}**" if high else f"{mean:.3f}")
        mark = "" if row.group == "superficial" else f" ({row.group})"
        lines.append(f"| {row.name}{mark} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def standard_error(tasks: int) -> float:
    """Return the standard error of a guess's mean reward on so many validity tasks."""
    return sqrt(CHANCE * (1 - CHANCE) / tasks)


def bound(threshold: float, tasks: int) -> float:
    """Return the mean reward on so many tasks that lies some standard errors above chance."""
    return CHANCE + threshold * standard_error(tasks)


def report_validity(data: Data, rows: Sequence[Row]) -> str:
    figures = len(rows) * len(data.tiers)
    threshold = NormalDist().inv_cdf(1 - ERROR_RATE / figures)
    bounds = ", ".join(
        f"{name} {bound(threshold, len(numbers)):.3f} "
        f"(standard error {standard_error(len(numbers)):.4f})"
        for name, numbers in data.tiers.items()
    )
    above = [
        f"{row.name} ({name})"
        for row in rows
        for name, numbers in data.tiers.items()
        if row.group == "superficial"
        and fmean(row.paid[i] for i in numbers) > bound(threshold, len(numbers))
    ]
    return (
        f"{table(data, rows, threshold)}\n\n"
        f"Chance is {CHANCE:.3f}. With {figures} figures, one is above chance by more than noise "
        f"(at a family-wise error rate of {ERROR_RATE}) where it exceeds {bounds}. "
        f"Superficial strategies above that: {'; '.join(above) or 'none'}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogicSkills tasks.")
    parser.add_argument("--families", nargs="+", choices=MEASURES, default=list(MEASURES))
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
