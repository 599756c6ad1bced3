"""The tasks on which cheap strategies are measured, with what is seen of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from loginum_strategies import View, view

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.seeding import stream

PRESETS = ("EL-EN", "EL-HN", "HL-EN", "HL-HN", "exHL-HN", "EL-Train", "EN-Train")
DEPTHS = {"EL": range(1, 4), "HL": range(4, 7), "EN": range(4, 7), "exHL": range(7, 11)}
"""Beginning of a preset's name → its depths."""
LADDER = "ladder"


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
    tiers = dict(enumerate(family("loginum").tiers, 1))
    return [Example(task, view(task), tiers[task.level] if ladder else column) for task in tasks]


def shuffled(examples: Sequence[Example]) -> list[Example]:
    found = list(examples)
    stream("shortcuts", "loginum", "order").shuffle(found)
    return found
