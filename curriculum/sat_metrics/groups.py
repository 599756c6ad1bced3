"""Answers by size of the text, and what goes together over the groups (Tables 2 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from logic_curriculum.curriculum.sat_metrics.answers import Answer
from logic_curriculum.curriculum.sat_metrics.correlation import Correlation, correlate
from logic_curriculum.curriculum.sat_metrics.scores import Counts, count

INTERVALS = (*("1-10", "11-20", "21-30", "31-40", "41-50", "51-60", "61-70"), "71 or more")
"""Those of Table 4, where the last one ends at 92."""
_WIDTH = 10


def by_variables(answers: Iterable[Answer]) -> dict[int, list[Answer]]:
    """Return the answers by number of variables, ascending."""
    return _grouped(answers, lambda answer: answer.variables)


def by_clauses(answers: Iterable[Answer]) -> dict[int, list[Answer]]:
    """Return the answers by number of clauses, ascending."""
    return _grouped(answers, lambda answer: answer.clauses)


def by_interval(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    """Return the answers by interval of clauses, ascending."""
    intervals: dict[str, list[Answer]] = {}
    for clauses, group in by_clauses(answers).items():
        intervals.setdefault(interval(clauses), []).extend(group)
    return intervals


def _grouped(answers: Iterable[Answer], key: Callable[[Answer], int]) -> dict[int, list[Answer]]:
    return {number: list(group) for number, group in groupby(sorted(answers, key=key), key)}


def interval(clauses: int) -> str:
    """Return the interval of Table 4 that a number of clauses lies in; the last one is open.

    >>> interval(10), interval(11), interval(92)
    ('1-10', '11-20', '71 or more')
    """
    return INTERVALS[min((clauses - 1) // _WIDTH, len(INTERVALS) - 1)]


@dataclass(frozen=True)
class Point:
    """What was measured on the texts with one number of clauses."""

    clauses: int
    share: float
    """Share of the texts that are of the kind in question, in percent."""
    rate: float
    """The rate in question, in [0, 1]."""


def false_positive_points(answers: Iterable[Answer]) -> list[Point]:
    """Return false-positive rate and share of inconsistent inputs by number of clauses (Table 2).

    Without an inconsistent input, there is no rate; it is 0 here. The paper's tables have one
    number of groups for this rate and for the accuracy, which all groups have, so none is left out.
    """
    return [
        Point(clauses, 100 * each.negatives / each.total, each.false_positive_rate or 0.0)
        for clauses, each in _counted(answers)
    ]


def accuracy_points(answers: Iterable[Answer]) -> list[Point]:
    """Return accuracy and share of consistent inputs by number of clauses (Table 7)."""
    return [
        Point(clauses, 100 * each.positives / each.total, each.accuracy or 0.0)
        for clauses, each in _counted(answers)
    ]


def _counted(answers: Iterable[Answer]) -> list[tuple[int, Counts]]:
    return [(clauses, count(group)) for clauses, group in by_clauses(answers).items()]


def over(points: Sequence[Point]) -> Correlation:
    """Return how share and rate go together."""
    return correlate([point.share for point in points], [point.rate for point in points])


def with_inputs(points: Sequence[Point]) -> list[Point]:
    """Return the points of groups that hold an input of the kind in question."""
    return [point for point in points if point.share > 0]
