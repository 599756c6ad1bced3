"""Two runs on the same tasks: how much better is one, and could it be chance?

Only tasks that both runs have answered count, each against itself. With one answer a task the test
is McNemar's, exact; with several it is a bootstrap over tasks. p-values of a table are corrected
for their number by Holm's method.

Source: McNemar, "Note on the sampling error of the difference between correlated proportions or
percentages" (1947); Holm, "A simple sequentially rejective multiple test procedure" (1979).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from logic_curriculum.curriculum.evaluation.estimates import (
    RESAMPLES,
    Estimate,
    mean,
    resampled_means,
    sum_of_means,
)
from logic_curriculum.curriculum.evaluation.scores import SEED, TaskScore, by_level, task_scores
from logic_curriculum.curriculum.evaluation.tables import Table, plain
from logic_curriculum.curriculum.records import Record

EXACT = "McNemar, exact"
BOOTSTRAP = "bootstrap"


@dataclass(frozen=True)
class Comparison:
    """One run against another, on one family with one number of examples in front."""

    base: str
    """Name of the run that is compared with."""
    other: str
    title: str
    """What was asked."""
    base_accuracy: Estimate
    """pass@1 on the shared tasks, in [0, 1]."""
    other_accuracy: Estimate
    difference: Estimate
    """The other's minus the base's."""
    level_difference: Estimate
    """Difference of the Logical Reasoning Levels."""
    base_only: int
    """Tasks that the base solves better."""
    other_only: int
    """Tasks that the other solves better."""
    test: str
    """The test: :data:`EXACT` or :data:`BOOTSTRAP`."""
    p: float
    """Chance of a difference at least as large if there were none; corrected once in a table."""
    unshared: int
    """Tasks that only one of the runs has graded answers to; they don't count."""
    reworded: int
    """Shared tasks that were asked in other words, such as in another style of prompt."""


def compare(runs: Mapping[str, Sequence[Record]]) -> list[Comparison]:
    """Return each run after the first against the first, p-values corrected.

    Args:
        runs: Name of a run → its records.

    Raises:
        ValueError: If there are fewer than two runs, or one shares nothing with the first.
    """
    if len(runs) < 2:
        given = f"Only the run {next(iter(runs))!r}" if runs else "No run"
        raise ValueError(f"{given} was given: a comparison needs two or more.")
    (base, first), *others = runs.items()
    found = [
        comparison
        for other, records in others
        for comparison in _compare_two(base, first, other, records)
    ]
    compared = {comparison.other for comparison in found}
    if apart := [repr(name) for name, _ in others if name not in compared]:
        raise ValueError(
            f"{base!r} shares no task with {', '.join(apart)} to which both have graded answers: "
            "compare runs with the same families, levels, shots, split and seed."
        )
    return corrected(found)


def _compare_two(
    base: str, first: Sequence[Record], other: str, second: Sequence[Record]
) -> list[Comparison]:
    settings = dict.fromkeys((record.family, record.shots) for record in first)
    found = []
    for family, shots in settings:
        sides = [
            [record for record in records if (record.family, record.shots) == (family, shots)]
            for records in (first, second)
        ]
        one, two = (task_scores(side) for side in sides)
        if shared := [key for key in one if key in two]:
            title = _title(family, shots)
            pairs = [(one[key], two[key]) for key in shared]
            comparison = _compare_pairs(base, other, title, pairs)
            unshared = len(one) + len(two) - 2 * len(shared)
            reworded = _reworded(*sides)
            found.append(replace(comparison, unshared=unshared, reworded=reworded))
    return found


def _title(family: str, shots: int) -> str:
    return family if shots == 0 else f"{family}, {shots}-shot"


def asked_of_some(runs: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return what was not asked of all runs, each with the names of those that were asked it."""
    askers: dict[str, list[str]] = {}
    for name, records in runs.items():
        for title in dict.fromkeys(_title(record.family, record.shots) for record in records):
            askers.setdefault(title, []).append(name)
    return [
        f"{title} (only of {' and '.join(names)})"
        for title, names in askers.items()
        if len(names) < len(runs)
    ]


def _reworded(first: Sequence[Record], second: Sequence[Record]) -> int:
    prompts = {record.id: record.prompt for record in first}
    other = {record.id: record.prompt for record in second}
    return sum(other[key] != prompt for key, prompt in prompts.items() if key in other)


def _compare_pairs(
    base: str, other: str, title: str, pairs: Sequence[tuple[TaskScore, TaskScore]]
) -> Comparison:
    gains: dict[int, list[float]] = {}
    for one, two in pairs:
        gains.setdefault(one.level, []).append(_accuracy(two) - _accuracy(one))
    flat = [gain for group in gains.values() for gain in group]
    worse, better = sum(gain < 0 for gain in flat), sum(gain > 0 for gain in flat)
    single = all(task.answers == 1 for pair in pairs for task in pair)
    return Comparison(
        base=base,
        other=other,
        title=title,
        base_accuracy=_present(mean(by_level((one for one, _ in pairs), _accuracy), SEED, title)),
        other_accuracy=_present(mean(by_level((two for _, two in pairs), _accuracy), SEED, title)),
        difference=_present(mean(gains, SEED, title)),
        level_difference=_present(sum_of_means(gains, SEED, title)),
        base_only=worse,
        other_only=better,
        test=EXACT if single else BOOTSTRAP,
        p=mcnemar(worse, better) if single else bootstrap_p(gains, SEED, title),
        unshared=0,
        reworded=0,
    )


def _accuracy(task: TaskScore) -> float:
    return task.means["accuracy"]


def _present(estimate: Estimate | None) -> Estimate:
    assert estimate is not None  # there is a pair
    return estimate


def mcnemar(worse: int, better: int) -> float:
    """Return the exact two-sided p-value of McNemar's test.

    >>> mcnemar(1, 5)  # 2 * (C(6, 0) + C(6, 1)) / 2**6
    0.21875

    Args:
        worse: Tasks that only the first run solves.
        better: Tasks that only the second one solves.
    """
    count = worse + better
    tail = sum(comb(count, number) for number in range(min(worse, better) + 1))
    return min(1.0, 2 * tail / 2**count)


def bootstrap_p(gains: Mapping[int, Sequence[float]], *scope: str | int) -> float:
    """Return the two-sided p-value of a mean gain, by the centred bootstrap.

    Args:
        gains: Level → what each task gained.
        scope: Seed of the resampling.
    """
    total = sum(map(len, gains.values()))
    observed = sum(map(sum, gains.values())) / total
    resampled = sum(
        len(values) / total * resampled_means(values, *scope, level)
        for level, values in gains.items()
    )
    beyond = np.abs(np.asarray(resampled) - observed) >= abs(observed) - 1e-12
    return float((1 + beyond.sum()) / (1 + RESAMPLES))


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p-values corrected by Holm's method for their number."""
    order = sorted(range(len(comparisons)), key=lambda index: comparisons[index].p)
    found = list(comparisons)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * comparisons[index].p))
        found[index] = replace(comparisons[index], p=highest)
    return found


def comparison_table(comparisons: Sequence[Comparison], partly: Sequence[str] = ()) -> Table:
    """Return a row for each comparison; accuracies and their difference are in %.

    Args:
        comparisons: What :func:`compare` found.
        partly: What :func:`asked_of_some` found.
    """
    header = ["family", "base", "compared", "shared tasks", "base (%)", "compared (%)"]
    header += ["difference (points)", "LRL difference", "better on", "worse on", "p", "test"]
    rows = [
        [
            item.title,
            item.base,
            item.other,
            str(item.difference.tasks),
            _points(item.base_accuracy),
            _points(item.other_accuracy),
            _points(item.difference),
            plain(item.level_difference, 2),
            str(item.other_only),
            str(item.base_only),
            f"{item.p:.2g}",
            item.test,
        ]
        for item in comparisons
    ]
    note = f"p-values are corrected for {len(comparisons)} comparisons (Holm)."
    left_out = sum(item.unshared for item in comparisons)
    if left_out:
        note += f" {left_out} tasks with graded answers in one of two runs only are left out."
    reworded = sum(item.reworded for item in comparisons)
    if reworded:
        note += f" {reworded} of the shared tasks were asked in other words."
    if partly:
        note += f" Not asked of all runs: {'; '.join(partly)}."
    return Table("Paired comparison", header, rows, note)


def _points(estimate: Estimate) -> str:
    value, low, high, tasks = estimate
    return plain(Estimate(100 * value, 100 * low, 100 * high, tasks))
