"""Charts as a PNG file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation.series import Chart, Point
from logic_curriculum.curriculum.requirements import require


def save(path: Path, charts: Sequence[Chart]) -> None:
    """Draw charts, two in a row, and write them to a file.

    Raises:
        ImportError: If matplotlib is not installed; the message holds the install command.
    """
    require("matplotlib", extra="plots")
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    columns = min(2, len(charts))
    rows = -(-len(charts) // columns)
    figure = Figure(figsize=(5.2 * columns, 3.6 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for panel, chart in zip(panels, charts, strict=False):
        _draw(panel, chart)
    for panel in panels[len(charts) :]:
        panel.set_axis_off()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def _draw(panel: Any, chart: Chart) -> None:
    for series in chart.series:
        x = [point.x for point in series.points]
        values = [point.value for point in series.points]
        panel.errorbar(
            x,
            values,
            yerr=[_below(series.points), _above(series.points)],
            fmt="o-" if chart.line else "o",
            color=f"C{series.colour}",
            markersize=4,
            elinewidth=1,
            label=_literal(series.name),
        )
        for point in [] if chart.line else series.points:
            mark = _literal(point.mark)
            panel.annotate(mark, (point.x, point.value), (4, 4), textcoords="offset points")
    panel.set_title(_literal(chart.title), fontsize="medium")
    panel.set_xlabel(chart.x_label)
    panel.set_ylabel("share of tasks solved")
    panel.set_ylim(-0.02, 1.02)
    panel.set_xlim(left=0)
    if chart.line:
        panel.xaxis.get_major_locator().set_params(integer=True)
    if chart.legend:
        panel.legend(fontsize="small", frameon=False)


def _below(points: Sequence[Point]) -> list[float]:
    return [max(0.0, point.value - point.low) for point in points]


def _above(points: Sequence[Point]) -> list[float]:
    return [max(0.0, point.high - point.value) for point in points]


def _literal(text: str) -> str:
    """Return a text in which matplotlib reads no formula."""
    return text.replace("$", r"\$")
