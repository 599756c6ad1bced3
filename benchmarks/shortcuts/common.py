"""What the tables of shortcuts share: pay, choice by a classifier, chance, and Markdown."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
from scipy.stats import binom
from sklearn.model_selection import GridSearchCV

from logic_curriculum.generators import Task
from logic_curriculum.rewards import REWARDS

ERROR_RATE = 0.01  # probability that any figure of a table is called above chance although none is


@dataclass(frozen=True)
class Example:
    """A task, what a strategy sees of it, and the column of the table that it belongs to."""

    task: Task
    view: Any
    column: str


@dataclass(frozen=True)
class Row:
    """What a strategy earned on each test task; only superficial strategies are shortcuts."""

    name: str
    paid: Sequence[float]
    group: str = "superficial"

    def mean(self, places: Iterable[int]) -> float:
        """Return the mean reward on some of the test tasks."""
        return fmean(self.paid[place] for place in places)


Columns = Mapping[str, Sequence[int]]  # tier or preset → places of its test tasks


def columns_of(examples: Sequence[Example]) -> Columns:
    found: dict[str, list[int]] = {}
    for place, example in enumerate(examples):
        found.setdefault(example.column, []).append(place)
    return found


def pay(reward: str, answers: Iterable[str], tasks: Iterable[Task]) -> list[float]:
    """Return what a reward function pays; 0 for what it can't grade."""
    payloads = [task.verification for task in tasks]
    return [paid or 0.0 for paid in REWARDS[reward](list(answers), verification=payloads)]


# ---- learners -----------------------------------------------------------------------------------

Known = Iterable[tuple[Sequence[Any], int | None]]
"""Features of each option of a training task, and the place of the right one, if there is one."""


def fit_choice(model: Any, known: Known) -> Any:
    """Fit a scikit-learn classifier to tell right options from others; folds keep tasks whole."""
    rows: list[Any] = []
    labels: list[bool] = []
    groups: list[int] = []
    for number, (options, right) in enumerate(known):
        if right is not None:
            rows += options
            labels += [place == right for place in range(len(options))]
            groups += [number] * len(options)
    by_task = {"groups": groups} if isinstance(model, GridSearchCV) else {}
    return model.fit(rows, labels, **by_task)


def choose(model: Any, options: Sequence[Any]) -> int:
    """Return the place of the option that is most probably right."""
    return int(np.argmax(model.decision_function(options)))


def learn(
    make_model: Callable[[], Any],
    describe: Callable[[Any], Sequence[Any]],
    right: Callable[[Example], int | None],
    train: Sequence[Example],
    test: Sequence[Example],
    by_column: bool = True,
) -> list[int]:
    """Return the place of the option that learners choose in each test task.

    Args:
        make_model: Returns a new classifier.
        describe: Returns the features of the options of a view.
        right: Returns the place of the right option of a training task, or None.
        train: The training tasks.
        test: The test tasks.
        by_column: Whether each column has a learner of its own.
    """
    chosen = [0] * len(test)
    columns = columns_of(test) if by_column else {"": range(len(test))}
    for column, places in columns.items():
        mine = [example for example in train if example.column == column or not by_column]
        model = fit_choice(make_model(), [(describe(e.view), right(e)) for e in mine])
        for place in places:
            chosen[place] = choose(model, describe(test[place].view))
    return chosen


# ---- tables -------------------------------------------------------------------------------------


def markdown(
    header: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)
) -> str:
    """Return a Markdown table; columns are aligned to the right but for some."""
    lines = ["".join(f"| {c} " if c else "| " for c in cells) + "|" for cells in (header, *rows)]
    align = (":---" if place in left else "---:" for place in range(len(header)))
    lines.insert(1, f"|{'|'.join(align)}|")
    return "\n".join(lines)


@dataclass(frozen=True)
class Chance:
    """What chance earns on each test task, and what counts as more."""

    row: Row
    exact: bool = True
    """Whether the bound is that of the binomial distribution, or of its normal approximation."""

    def deviation(self, places: Sequence[int]) -> float:
        """Return the standard error of what chance earns."""
        chance = self.row.mean(places)
        return sqrt(chance * (1 - chance) / len(places))

    def bound(self, places: Sequence[int], figures: int) -> float:
        """Return the mean above which one of so many figures is no noise, by Bonferroni's bound."""
        rate, chance = ERROR_RATE / figures, self.row.mean(places)
        if self.exact:
            return float(binom.isf(rate, len(places), chance) / len(places))
        return chance + NormalDist().inv_cdf(1 - rate) * self.deviation(places)


def report(columns: Columns, rows: Sequence[Row], chance: Chance | None = None) -> str:
    """Return the mean rewards by column; what exceeds chance by more than noise is in bold type."""
    figures, high = len(rows) * len(columns), []
    bounds = {name: chance.bound(at, figures) for name, at in columns.items()} if chance else {}
    lines = [[f"*{chance.row.name}*", *_means(chance.row, columns)]] if chance else []
    for row in rows:
        cells = _means(row, columns)
        for number, (column, places) in enumerate(columns.items()):
            deviation = chance.deviation(places) if chance else 0
            if chance and deviation and row.mean(places) > bounds[column]:
                cells[number] = f"**{cells[number]}**"
                z = (row.mean(places) - chance.row.mean(places)) / deviation
                high += [f"{row.name} ({column}, z = {z:.1f})"] * (row.group == "superficial")
        mark = "" if row.group == "superficial" else f" ({row.group})"
        lines.append([row.name + mark, *cells])
    header = ["strategy", *(f"{name} ({len(places)})" for name, places in columns.items())]
    text = markdown(header, lines)
    if chance is None:
        return text
    shown = ", ".join(
        f"{name} {bounds[name]:.3f} (standard error {chance.deviation(places):.4f})"
        for name, places in columns.items()
    )
    return (
        f"{text}\n\nWith {figures} figures, one is above chance by more than noise (at a "
        f"family-wise error rate of {ERROR_RATE}) where it exceeds {shown}.\n\n"
        f"Superficial, above chance: {'; '.join(high) or 'none'}."
    )


def _means(row: Row, columns: Columns) -> list[str]:
    return [f"{row.mean(places):.3f}" for places in columns.values()]
