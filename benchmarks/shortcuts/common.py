"""What the tables of shortcuts share: pay, choice by a classifier, chance, and Markdown."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
from scipy.stats import binom
from sklearn.model_selection import GridSearchCV

from logic_curriculum.curriculum.evaluation.records import grouped
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


Answers = tuple[str, Iterable[str], str]
"""A strategy's name, its answer to each test task, and its group."""
Columns = Mapping[str, Sequence[int]]  # tier or preset → places of its test tasks


def columns_of(examples: Sequence[Example]) -> Columns:
    return grouped(range(len(examples)), lambda place: examples[place].column)


def pay(reward: str, answers: Iterable[str], tasks: Iterable[Task]) -> list[float]:
    """Return what a reward function pays; 0 for what it can't grade."""
    payloads = [task.verification for task in tasks]
    return [paid or 0.0 for paid in REWARDS[reward](list(answers), verification=payloads)]


def rows_of(reward: str, test: Sequence[Example], answers: Iterable[Answers]) -> list[Row]:
    tasks = [example.task for example in test]
    return [Row(name, pay(reward, texts, tasks), group) for name, texts, group in answers]


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
    describe: Callable[[Any], Iterable[tuple[Any, Any]]],
    right: Callable[[Example], Any],
    train: Sequence[Example],
    test: Sequence[Example],
    by_column: bool = True,
) -> list[Any]:
    """Return the option of each test task that a learner, or one for each column, chooses.

    ``describe`` returns the options of a view with their features, ``right`` the right option of a
    training task, which need not be among them.
    """
    chosen: list[Any] = [None] * len(test)
    columns = columns_of(test) if by_column else {"": range(len(test))}
    for column, places in columns.items():
        known = []
        for example in train:
            if example.column == column or not by_column:
                options, features = map(list, zip(*describe(example.view), strict=True))
                answer = right(example)
                known.append((features, options.index(answer) if answer in options else None))
        model = fit_choice(make_model(), known)
        for place in places:
            options, features = map(list, zip(*describe(test[place].view), strict=True))
            chosen[place] = options[choose(model, features)]
    return chosen


def markdown(
    header: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)
) -> str:
    """Return a Markdown table; columns are aligned to the right but for some."""
    lines = ["".join(f"| {c} " if c else "| " for c in cells) + "|" for cells in (header, *rows)]
    align = (":---" if place in left else "---:" for place in range(len(header)))
    lines.insert(1, f"|{'|'.join(align)}|")
    return "\n".join(lines)


def report(
    columns: Columns, rows: Sequence[Row], chance: Row | None = None, exact: bool = True
) -> str:
    """Return the mean rewards by column; what exceeds chance by more than noise is in bold type.

    The bound of noise is Bonferroni's for all figures, by the binomial distribution (``exact``) or
    by its normal approximation.
    """
    lines = [[f"*{chance.name}*", *_means(chance, columns)]] if chance else []
    figures, bounds, shown, high = len(rows) * len(columns), {}, [], []
    if chance is not None:
        for column, places in columns.items():
            mean, count, rate = chance.mean(places), len(places), ERROR_RATE / figures
            error = sqrt(mean * (1 - mean) / count)
            bound = mean + NormalDist().inv_cdf(1 - rate) * error
            if exact:
                bound = float(binom.isf(rate, count, mean) / count)
            bounds[column] = mean, error, bound
            shown.append(f"{column} {bound:.3f} (standard error {error:.4f})")
    for row in rows:
        cells = _means(row, columns)
        for number, (column, (mean, error, bound)) in enumerate(bounds.items()):
            paid = row.mean(columns[column])
            if error and paid > bound:
                cells[number] = f"**{cells[number]}**"
                if row.group == "superficial":
                    high.append(f"{row.name} ({column}, z = {(paid - mean) / error:.1f})")
        mark = "" if row.group == "superficial" else f" ({row.group})"
        lines.append([row.name + mark, *cells])
    header = ["strategy", *(f"{name} ({len(places)})" for name, places in columns.items())]
    text = markdown(header, lines)
    if chance is None:
        return text
    return (
        f"{text}\n\nWith {figures} figures, one is above chance by more than noise (at a "
        f"family-wise error rate of {ERROR_RATE}) where it exceeds {', '.join(shown)}.\n\n"
        f"Superficial, above chance: {'; '.join(high) or 'none'}."
    )


def _means(row: Row, columns: Columns) -> list[str]:
    return [f"{row.mean(places):.3f}" for places in columns.values()]
