"""What cheap strategies earn on LogiNumSynth tasks, as Markdown tables.

    python benchmarks/shortcuts_loginum.py [--tasks 200] [--train 400] [--presets EL-EN HL-HN]

Each strategy sees what a prompt shows and names a number, or writes steps, without deducing
anything; the completions go through the real reward functions. What a guess can earn is the
share of the commonest answer in training. A figure in bold type lies above it by more than noise,
given how many figures there are. What is marked as structural looks at the rules about the query's
attribute: a glance that is part of the work.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import ceil, exp, lgamma, log, log1p, sqrt
from statistics import fmean

import loginum_features
from loginum_steps import INVENTED, REASONED
from loginum_strategies import (
    STRUCTURAL,
    SUPERFICIAL,
    View,
    answer,
    from_conditions,
    largest,
    most_known,
    numbers_in,
    view,
)
from option_learner import Features, choose, encode, train

from generators import Task, generate
from generators.registry import family
from generators.seeding import stream
from rewards import REWARDS
from rewards.judges.numeric.syntax import Rule

PRESETS = ("EL-EN", "EL-HN", "HL-EN", "HL-HN", "exHL-HN", "EL-Train", "EN-Train")
DEPTHS = {"EL": range(1, 4), "HL": range(4, 7), "EN": range(4, 7), "exHL": range(7, 11)}
"""Beginning of a preset's name → its depths."""
LADDER = "ladder"
ERROR_RATE = 0.01
"""Probability that any figure of a table is called above chance although none is."""
Chosen = dict[str, list[int]]
"""Way to choose a rule about the query's attribute → its place among them, for each test task."""
Describe = Callable[[View, Sequence[Rule]], list[Features]]


@dataclass(frozen=True)
class Example:
    """A task with what is seen of it."""

    task: Task
    view: View
    column: str
    """The tier or preset that it belongs to."""

    @property
    def kind(self) -> tuple[str, int]:
        """Tasks of one kind have one best constant answer."""
        return self.column, self.task.level

    @property
    def answer(self) -> int:
        """The value that is asked for."""
        return int(self.task.verification["answer"])

    @property
    def last_rule(self) -> int:
        """Place among the rules about the query's attribute of the one that gives the answer."""
        rule = self.view.rules[self.task.verification["steps"][-1]["rule"] - 1]
        return self.view.about.index(rule)


@dataclass(frozen=True)
class Data:
    """Tasks of all columns."""

    train: tuple[Example, ...]
    test: tuple[Example, ...]

    @cached_property
    def columns(self) -> dict[str, list[int]]:
        """Tier or preset → numbers of its test tasks."""
        found: dict[str, list[int]] = {}
        for number, example in enumerate(self.test):
            found.setdefault(example.column, []).append(number)
        return found

    @cached_property
    def common(self) -> dict[tuple[str, int], tuple[int, float]]:
        """The commonest answer of each kind of task in training, and its share."""
        answers: dict[tuple[str, int], Counter[int]] = {}
        for example in self.train:
            answers.setdefault(example.kind, Counter())[example.answer] += 1
        return {
            kind: (found.most_common(1)[0][0], found.most_common(1)[0][1] / found.total())
            for kind, found in answers.items()
        }

    def chances(self) -> list[float]:
        """Return for each test task the share of the commonest answer of its kind."""
        return [self.common[example.kind][1] for example in self.test]


@dataclass(frozen=True)
class Row:
    """What a strategy earned, one figure for each test task."""

    name: str
    paid: Sequence[float]
    group: str = "superficial"


def make(column: str, count: int, split: str) -> list[Example]:
    """Make tasks of the ladder, equally many of each level, or of a preset, of each depth."""
    ladder = column == LADDER
    levels = range(1, 11) if ladder else DEPTHS[column.partition("-")[0]]
    options = {} if ladder else {"preset": column}
    tasks = [
        generate("loginum", level, seed, split=split, **options)
        for level in levels
        for seed in range(count)
    ]
    tiers = family("loginum").TIERS
    return [Example(task, view(task), tiers[task.level] if ladder else column) for task in tasks]


def pay(reward: str, answers: Sequence[str], data: Data) -> list[float]:
    """Return what a reward function pays; 0 for what it can't grade."""
    payloads = [example.task.verification for example in data.test]
    paid = REWARDS[reward](completions=list(answers), verification=payloads)
    return [value or 0.0 for value in paid]


# Answers


def measure_answers(data: Data, chosen: Chosen) -> list[Row]:
    """Return what numbers earn that are named without deduction.

    Args:
        data: The tasks.
        chosen: Rules that were chosen as those that give the answer.
    """
    constants = [data.common[example.kind][0] for example in data.test]
    named: dict[tuple[str, str], Sequence[int | None]] = {
        ("the commonest answer in training", "superficial"): constants
    }
    for group, picks in (("superficial", SUPERFICIAL), ("structural", STRUCTURAL)):
        for name, pick in picks.items():
            named[name, group] = [pick(example.view) for example in data.test]
    named["learner: numbers of the text", "structural"] = learnt_numbers(data)
    for name, places in chosen.items():
        named[f"the rule of {name}, with values from conditions", "structural"] = [
            from_conditions(partial(_rule_at, place), example.view)
            for place, example in zip(places, data.test, strict=True)
        ]
    return [
        Row(name, pay("loginum_reward", [answer(n) for n in numbers], data), group)
        for (name, group), numbers in named.items()
    ]


def _rule_at(place: int, task: View) -> Rule:
    return task.about[place]


def learnt_numbers(data: Data) -> list[int]:
    """Return the number of each test task that a learner finds likeliest to be the answer."""
    chosen = [0] * len(data.test)
    for column, numbers in data.columns.items():
        known = [
            example
            for example in shuffled(data.train)
            if example.column == column
            and example.answer in loginum_features.candidates(example.view)
        ]
        right = [loginum_features.candidates(e.view).index(e.answer) for e in known]
        weights = train(encode(loginum_features.numbers(e.view) for e in known), right)
        tested = [data.test[number].view for number in numbers]
        places = choose(encode(map(loginum_features.numbers, tested)), weights)
        for number, seen, place in zip(numbers, tested, places, strict=True):
            chosen[number] = loginum_features.candidates(seen)[place]
    return chosen


def shuffled(examples: Sequence[Example]) -> list[Example]:
    found = list(examples)
    stream("shortcuts", "loginum", "order").shuffle(found)
    return found


# Steps


def measure_steps(data: Data, reward: str) -> list[Row]:
    """Return what written steps earn."""
    rows = [
        Row(name, pay(reward, [write(example.view) for example in data.test], data), group)
        for group, writers in (("superficial", INVENTED), ("reasoning", REASONED))
        for name, write in writers.items()
    ]
    return [*rows, Row("a training task's solution", pay(reward, copied(data), data))]


def copied(data: Data) -> list[str]:
    """Return for each test task the solution of a training task of its kind."""
    solutions = {example.kind: example.task.solution for example in data.train}
    return [solutions[example.kind] for example in data.test]


# The last rule


Score = Callable[[Rule], float]
SCORES: dict[str, Score] = {
    "length": lambda rule: len(str(rule)),
    "conditions": lambda rule: len(rule.conditions),
    "number in the conditions": lambda rule: largest(numbers_in(*rule.conditions)),
    "number in the conclusion": lambda rule: largest(numbers_in(rule.conclusion)),
    "lookups": lambda rule: len(rule.lookups()),
}
"""By what the rule with most or least of it is chosen."""


def choose_last_rules(data: Data) -> Chosen:
    """Return for each way to choose the places of the chosen rules, among those that might."""
    ways: dict[str, Callable[[View], int]] = {
        "the first": lambda _: 0,
        "the last": lambda task: len(task.about) - 1,
        "most conditions like facts": lambda task: task.about.index(most_known(task)),
    }
    for name, score in SCORES.items():
        ways[f"most: {name}"] = partial(_extreme, score, max)
        ways[f"least: {name}"] = partial(_extreme, score, min)
    return {name: [way(example.view) for example in data.test] for name, way in ways.items()}


def learn_last_rules(data: Data) -> Chosen:
    """Return the same for learners."""
    return {
        "learner: looks": learnt_rules(data, loginum_features.by_looks),
        "learner: looks and overlap": learnt_rules(data, loginum_features.by_looks_and_overlap),
    }


def measure_last_rules(data: Data, chosen: Chosen) -> list[Row]:
    """Return how often the rule that gives the answer is found."""
    return [
        Row(name, [float(p == e.last_rule) for p, e in zip(places, data.test, strict=True)])
        for name, places in chosen.items()
    ]


def _extreme(score: Score, best: Callable[[Iterable[float]], float], task: View) -> int:
    """Return the place of the rule with the best score, any of several."""
    scores = [score(rule) for rule in task.about]
    winning = best(scores)
    return task.random.choice([place for place, found in enumerate(scores) if found == winning])


def learnt_rules(data: Data, describe: Describe) -> list[int]:
    """Let a learner of each column choose."""
    chosen = [0] * len(data.test)
    for column, numbers in data.columns.items():
        known = [example for example in shuffled(data.train) if example.column == column]
        weights = train(
            encode(describe(e.view, e.view.about) for e in known), [e.last_rule for e in known]
        )
        tested = [data.test[number].view for number in numbers]
        places = choose(encode(describe(task, task.about) for task in tested), weights)
        for number, place in zip(numbers, places, strict=True):
            chosen[number] = place
    return chosen


# Report


def tail(hits: float, tries: int, chance: float) -> float:
    """Return how probable so many hits, or more, are when each is as probable as chance."""
    if hits <= tries * chance or chance >= 1:
        return 1.0
    if chance <= 0:
        return 0.0
    return sum(
        exp(
            lgamma(tries + 1)
            - lgamma(k + 1)
            - lgamma(tries - k + 1)
            + k * log(chance)
            + (tries - k) * log1p(-chance)
        )
        for k in range(ceil(hits), tries + 1)
    )


@dataclass(frozen=True)
class Table:
    """What strategies earned, beside what chance earns."""

    data: Data
    rows: Sequence[Row]
    chance: str
    """What chance is, in words."""
    chances: Sequence[float]
    """What chance earns on each test task; where it is nothing, nothing is compared with it."""

    def is_high(self, row: Row, numbers: Sequence[int]) -> bool:
        """Tell whether a row is above chance on some tasks by more than noise."""
        chance = fmean(self.chances[i] for i in numbers)
        bound = ERROR_RATE / (len(self.rows) * len(self.data.columns))
        hits = sum(row.paid[i] for i in numbers)
        return chance > 0 and tail(hits, len(numbers), chance) < bound

    def text(self) -> str:
        """Return the mean of each row by column; what is above chance is in bold type."""
        columns = self.data.columns
        lines = [
            "| strategy | " + " | ".join(f"{c} ({len(n)})" for c, n in columns.items()) + " |",
            "|:---|" + "---:|" * len(columns),
        ]
        for row in [Row(f"*{self.chance}*", self.chances), *self.rows]:
            mark = "" if row.group == "superficial" else f" ({row.group})"
            cells = [
                f"**{fmean(row.paid[i] for i in numbers):.3f}**"
                if self.is_high(row, numbers)
                else f"{fmean(row.paid[i] for i in numbers):.3f}"
                for numbers in columns.values()
            ]
            lines.append(f"| {row.name}{mark} | " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def verdict(self) -> str:
        """List the superficial strategies above chance, with the number of standard errors."""
        found = []
        for row in self.rows:
            for column, numbers in self.data.columns.items():
                if row.group == "superficial" and self.is_high(row, numbers):
                    chance = fmean(self.chances[i] for i in numbers)
                    error = sqrt(chance * (1 - chance) / len(numbers))
                    z = (fmean(row.paid[i] for i in numbers) - chance) / error
                    found.append(f"{row.name} ({column}, z = {z:.1f})")
        return "; ".join(found) or "none"


TABLES = ("answers", "steps", "rules")


def report(data: Data, wanted: Sequence[str]) -> str:
    """Return some of :data:`TABLES`."""
    learnt = learn_last_rules(data) if {"answers", "rules"} & set(wanted) else {}
    makers: dict[str, Callable[[], Table]] = {
        "answers": lambda: Table(
            data, measure_answers(data, learnt), "commonest answer", data.chances()
        ),
        "steps": lambda: Table(
            data,
            measure_steps(data, "loginum_process_reward"),
            "nothing",
            [0.0] * len(data.test),
        ),
        "rules": lambda: Table(
            data,
            measure_last_rules(data, choose_last_rules(data) | learnt),
            "one at random",
            [1 / len(example.view.about) for example in data.test],
        ),
    }
    parts = []
    for name in wanted:
        found = makers[name]()
        parts += [f"### {name}", found.text(), f"Superficial, above chance: {found.verdict()}."]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogiNumSynth tasks.")
    parser.add_argument("--presets", nargs="*", default=PRESETS)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--no-ladder", action="store_true", help="only presets")
    parser.add_argument("--tasks", type=int, default=200, help="test tasks per level or depth")
    parser.add_argument("--train", type=int, default=400, help="training tasks per level or depth")
    arguments = parser.parse_args()
    sizes = {"train": arguments.train, "test": arguments.tasks}
    for title, columns in (
        ("Ladder", [] if arguments.no_ladder else [LADDER]),
        ("Presets", arguments.presets),
    ):
        if columns:
            made = {
                split: tuple(example for c in columns for example in make(c, count, split))
                for split, count in sizes.items()
            }
            print(f"## {title}\n\n{report(Data(**made), arguments.tables)}\n", flush=True)


if __name__ == "__main__":
    main()
