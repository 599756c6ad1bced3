"""What the charts show, drawn as SVG into the page and by matplotlib into PNG files alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation.scores import Scores


class Point(NamedTuple):
    """A share with its interval."""

    x: float
    value: float
    low: float
    high: float
    label: str
    """What the point stands for, such as ``"level 3"``."""
    mark: str = ""
    """What stands beside it where points are not joined; nothing if the series says enough."""


class Series(NamedTuple):
    """Points that belong together."""

    name: str
    points: Sequence[Point]
    colour: int
    """Number of its colour, from 0; a model's is the same in all charts."""


class Chart(NamedTuple):
    """A chart whose y axis is a share from 0 to 1."""

    title: str
    x_label: str
    series: Sequence[Series]
    line: bool
    """Whether points are joined; else each has its mark beside it."""
    legend: bool
    """Whether the series have to be named."""


def charts(scores: Sequence[Scores]) -> list[Chart]:
    """Return the charts of some runs: for each family, accuracy by level and against tokens.

    Args:
        scores: Of one model or several; the models are the series of a chart.
    """
    titles = dict.fromkeys(item.title for item in scores)
    models = list(dict.fromkeys(item.model for item in scores))
    several = len(models) > 1
    found = []
    for title in titles:
        alike = [item for item in scores if item.title == title]
        found.append(_by_level(title, alike, models))
        compute = _models_by_tokens(alike, models) if several else _levels_by_tokens(alike)
        if compute:
            name, axis = f"{title}: compute and accuracy", "mean completion tokens"
            legend = several or len(compute) > 1
            found.append(Chart(name, axis, compute, line=False, legend=legend))
    return found


def _by_level(title: str, scores: Sequence[Scores], models: list[str]) -> Chart:
    series = [
        Series(
            item.model,
            [Point(float(s.name), *s.accuracy[:3], f"level {s.name}") for s in item.levels],
            models.index(item.model),
        )
        for item in scores
    ]
    name = f"{title}: accuracy by level"
    return Chart(name, "level", series, line=True, legend=len(models) > 1)


def _models_by_tokens(scores: Sequence[Scores], models: list[str]) -> list[Series]:
    """Return the accuracy of each model, on all levels together, against its tokens."""
    return [
        Series(
            item.model,
            [Point(item.overall.tokens.value, *item.overall.accuracy[:3], item.model)],
            models.index(item.model),
        )
        for item in scores
        if item.overall.tokens is not None
    ]


def _levels_by_tokens(scores: Sequence[Scores]) -> list[Series]:
    """Return the accuracy of one model on each level against its tokens, a series for each tier."""
    slices = [s for item in scores for s in item.levels if s.tokens is not None]
    tiers = dict.fromkeys(s.tier for s in slices)
    return [
        Series(
            tier or "levels",
            [
                Point(s.tokens.value, *s.accuracy[:3], f"level {s.name}", s.name)
                for s in slices
                if s.tier == tier and s.tokens is not None
            ],
            number,
        )
        for number, tier in enumerate(tiers)
    ]
