"""What the charts show, drawn as SVG into the page and by matplotlib into PNG files alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curriculum.evaluation.scores import Scores


class Point(NamedTuple):
    """A share with its interval."""

    x: float
    value: float
    low: float
    high: float
    label: str
    """What the point stands for, such as ``"level 3"``."""


class Series(NamedTuple):
    """Points that belong together."""

    name: str
    points: Sequence[Point]


class Chart(NamedTuple):
    """A chart whose y axis is a share from 0 to 1."""

    title: str
    x_label: str
    series: Sequence[Series]
    line: bool
    """Whether points are joined; else each has its label beside it."""


def charts(scores: Sequence[Scores]) -> list[Chart]:
    """Return the charts of some runs: for each family, accuracy by level and against tokens.

    Args:
        scores: Of one model or several; the models are the series of a chart.
    """
    titles = dict.fromkeys(item.title for item in scores)
    found = []
    for title in titles:
        alike = [item for item in scores if item.title == title]
        found.append(_by_level(title, alike))
        compute = _by_tokens(title, alike)
        if compute.series:
            found.append(compute)
    return found


def _by_level(title: str, scores: Sequence[Scores]) -> Chart:
    series = [
        Series(
            item.model,
            [Point(float(s.name), *s.accuracy[:3], f"level {s.name}") for s in item.levels],
        )
        for item in scores
    ]
    return Chart(f"{title}: accuracy by level", "level", series, line=True)


def _by_tokens(title: str, scores: Sequence[Scores]) -> Chart:
    """Return accuracy against mean completion tokens: levels of one model, or several models."""
    if len(scores) > 1:
        series = [
            Series(
                item.model, [Point(item.overall.tokens.value, *item.overall.accuracy[:3], "all")]
            )
            for item in scores
            if item.overall.tokens is not None
        ]
    else:
        slices = [s for item in scores for s in item.levels if s.tokens is not None]
        tiers = dict.fromkeys(s.tier for s in slices)
        series = [
            Series(
                tier or "levels",
                [
                    Point(s.tokens.value, *s.accuracy[:3], f"level {s.name}")
                    for s in slices
                    if s.tier == tier and s.tokens is not None
                ],
            )
            for tier in tiers
        ]
    return Chart(f"{title}: compute and accuracy", "mean completion tokens", series, line=False)
