"""The figures of LTGen of any results: a panel for each data set, a colour for each model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.requirements import require
from logic_curriculum.curriculum.sat_metrics.answers import Answer, Experiment
from logic_curriculum.curriculum.sat_metrics.groups import (
    INTERVALS,
    Point,
    accuracy_points,
    by_interval,
    by_variables,
    false_positive_points,
)
from logic_curriculum.curriculum.sat_metrics.scores import (
    TITLES,
    count,
    mean_homogeneity,
    over_runs,
    predictions,
)

Groups = Mapping[Experiment, Sequence[Answer]]
Draw = Callable[[Any, Sequence[Answer], str, str], None]
"""Draws answers into a panel, with a label and a colour."""

_WIDTH = 5.0  # inches of a panel
_BAR = 0.8  # width of the bars of all models together, where places are 1 apart


def draw_all(found: Groups, folder: Path) -> list[Path]:
    """Draw every figure into a folder, which is made if need be.

    Raises:
        ImportError: If matplotlib is not installed; the message holds the install command.
    """
    require("matplotlib", extra="plots")
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"sat-{name}.png" for name in (*_SERIES, *_BARS)]
    for path, draw in zip(paths, _SERIES.values(), strict=False):
        _save(found, path, draw)
    for path, (labels, heights) in zip(paths[len(_SERIES) :], _BARS.values(), strict=True):
        _save_bars(found, path, labels, heights)
    return paths


def _panels(found: Groups) -> tuple[Any, dict[str, Any]]:
    """Return a figure and its panel for each data set."""
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    names = list(dict.fromkeys(experiment.dataset for experiment in found))
    figure = Figure(figsize=(_WIDTH * len(names), 4.2), layout="constrained")
    panels = figure.subplots(1, len(names), squeeze=False, sharey=True)[0]
    for name, panel in zip(names, panels, strict=True):
        panel.set_title(name, fontsize="medium")
    return figure, dict(zip(names, panels, strict=True))


def _models(found: Groups) -> list[str]:
    return list(dict.fromkeys(experiment.model for experiment in found))


def _save(found: Groups, path: Path, draw: Draw) -> None:
    figure, panels = _panels(found)
    models = _models(found)
    for (dataset, model), answers in found.items():
        draw(panels[dataset], answers, model, f"C{models.index(model)}")
    _finish(figure, list(panels.values()), path)


def _finish(figure: Any, panels: Sequence[Any], path: Path) -> None:
    handles, labels = [], []
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            if label not in labels:
                handles.append(handle)
                labels.append(label)
    figure.legend(
        handles,
        labels,
        loc="outside upper center",
        ncols=max(1, min(4, len(labels))),
        frameon=False,
        fontsize="small",
    )
    figure.savefig(path, dpi=150)


def _accuracy_by_variables(panel: Any, answers: Sequence[Answer], label: str, colour: str) -> None:
    found = {size: count(group).accuracy or 0.0 for size, group in by_variables(answers).items()}
    _over_variables(panel, found, label, colour)
    _axes(panel, "number of variables", "accuracy", (0, 1.05))


def _accuracy_by_clauses(panel: Any, answers: Sequence[Answer], label: str, colour: str) -> None:
    groups = by_interval(answers)
    heights = [count(group).accuracy or 0.0 for group in groups.values()]
    places = [INTERVALS.index(name) for name in groups]
    panel.plot(places, heights, color=colour, marker="o", markersize=4, label=label)
    panel.set_xticks(range(len(INTERVALS)), INTERVALS, rotation=30, fontsize="small")
    panel.set_xlim(-0.5, len(INTERVALS) - 0.5)
    _axes(panel, "number of clauses", "accuracy", (0, 1.05))


def _homogeneity(panel: Any, answers: Sequence[Answer], label: str, colour: str) -> None:
    found = {size: mean_homogeneity(group) for size, group in by_variables(answers).items()}
    known = {size: height for size, height in found.items() if height is not None}
    _over_variables(panel, known, label, colour)
    _axes(panel, "number of variables", "homogeneity (%)", (0, 105))


def _over_variables(panel: Any, heights: Mapping[int, float], label: str, colour: str) -> None:
    sizes = list(heights)
    panel.plot(sizes, list(heights.values()), color=colour, marker="o", markersize=4, label=label)
    panel.locator_params(axis="x", integer=True)


def _false_positives(panel: Any, answers: Sequence[Answer], label: str, colour: str) -> None:
    _scatter(panel, false_positive_points(answers), label, colour)
    _axes(panel, "inconsistent texts (%)", "false-positive rate", (-0.05, 1.05))


def _accuracy_by_consistency(
    panel: Any, answers: Sequence[Answer], label: str, colour: str
) -> None:
    _scatter(panel, accuracy_points(answers), label, colour)
    _axes(panel, "consistent texts (%)", "accuracy", (-0.05, 1.05))


def _scatter(panel: Any, points: Sequence[Point], label: str, colour: str) -> None:
    shares, rates = [point.share for point in points], [point.rate for point in points]
    panel.scatter(shares, rates, color=colour, s=20, alpha=0.6, label=label)
    panel.set_xlim(-5, 105)


def _lengths(panel: Any, answers: Sequence[Answer], label: str, colour: str) -> None:
    read, written = [each.read for each in answers], [each.written for each in answers]
    panel.scatter(read, written, color=colour, s=8, alpha=0.4, label=label)
    _axes(panel, "characters read", "characters written", None)


def _axes(panel: Any, x: str, y: str, limits: tuple[float, float] | None) -> None:
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    panel.label_outer()
    if limits:
        panel.set_ylim(*limits)


_SERIES: Mapping[str, Draw] = {
    "accuracy-by-variables": _accuracy_by_variables,
    "accuracy-by-clauses": _accuracy_by_clauses,
    "homogeneity": _homogeneity,
    "false-positives": _false_positives,
    "accuracy-by-consistency": _accuracy_by_consistency,
    "lengths": _lengths,
}


def _measured(answers: Sequence[Answer]) -> list[tuple[float, float]]:
    """Return height and deviation of each measure."""
    spreads = over_runs(answers).values()
    return [(each.mean, each.deviation or 0.0) if each else (0.0, 0.0) for each in spreads]


def _said_consistent(answers: Sequence[Answer]) -> list[tuple[float, float]]:
    """Return the share of texts called consistent: of consistent ones, of inconsistent ones."""
    found = predictions(count(answers))
    return [(found[truth][0] / 100 if truth in found else 0.0, 0.0) for truth in (True, False)]


_BARS: Mapping[str, tuple[Sequence[str], Callable[[Sequence[Answer]], list[tuple[float, float]]]]]
_BARS = {
    "measures": (TITLES, _measured),
    "predictions": (("of consistent texts", "of inconsistent texts"), _said_consistent),
}


def _save_bars(
    found: Groups,
    path: Path,
    labels: Sequence[str],
    heights: Callable[[Sequence[Answer]], list[tuple[float, float]]],
) -> None:
    figure, panels = _panels(found)
    models = _models(found)
    width = _BAR / len(models)
    for (dataset, model), answers in found.items():
        number = models.index(model)
        values, errors = zip(*heights(answers), strict=True)
        places = [place - _BAR / 2 + (number + 0.5) * width for place in range(len(labels))]
        panels[dataset].bar(places, values, width, yerr=errors, color=f"C{number}", label=model)
        panels[dataset].set_xticks(range(len(labels)), labels)
        title = "mean over runs" if labels == TITLES else "share that is called consistent"
        _axes(panels[dataset], "", title, (0, 1.05))
    _finish(figure, list(panels.values()), path)
