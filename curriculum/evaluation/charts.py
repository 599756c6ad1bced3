"""Charts: what they show, and their one renderer."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.curriculum import require

logger = logging.getLogger(__name__)

STYLES: dict[str, dict[str, Any]] = {
    "line": {"marker": "o", "markersize": 4},
    "thick": {"linewidth": 2},
    "thin": {"linewidth": 0.5, "alpha": 0.5},
    "dashed": {"linewidth": 1, "linestyle": "--"},
    "steps": {"drawstyle": "steps-post"},
}
"""How a series can be drawn, with matplotlib's options."""
PASS_RATES = "pass_rates.jsonl"
"""File of a run folder: optimizer step, completions generated so far, and rates by level."""


class Point(NamedTuple):
    """A value at a place, with its standard error."""

    x: float
    value: float
    error: float = 0.0


class Series(NamedTuple):
    """Points of one colour."""

    name: str  # Name in the legend; empty for none
    points: Sequence[Point]
    colour: int  # Number of its colour, from 0
    style: str = "line"  # One of STYLES


class Chart(NamedTuple):
    """One panel."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    y_limits: tuple[float, float] = (-0.02, 1.02)
    right: Series | None = None  # One with the y axis on the right, whose values are whole numbers


def save(path: str | Path, charts: Sequence[Chart], columns: int = 2) -> None:
    """Draw charts into a file, whose ending chooses the format; needs matplotlib."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    matplotlib = require("matplotlib", extra="plots")
    with matplotlib.rc_context({"text.parse_math": False}):  # names are no formulas
        _figure(charts, min(columns, len(charts))).savefig(path, dpi=150)


def draw(path: Path, charts: Sequence[Chart], numbers: str) -> None:
    """Save charts, if any, in one column; without matplotlib, a warning names their source."""
    try:
        if charts:
            save(path, charts, columns=1)
    except ImportError as error:
        logger.warning(f"{path.name} was not drawn; {numbers} holds the numbers. {error}")


def _figure(charts: Sequence[Chart], columns: int) -> Any:
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    rows = -(-len(charts) // columns)
    size = (8.0 if columns == 1 else 5.2 * columns, 3.8 * rows)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for panel, chart in zip(panels, charts, strict=False):
        _draw(panel, chart)
    for panel in panels[len(charts) :]:
        panel.set_axis_off()
    return figure


def _draw(panel: Any, chart: Chart) -> None:
    handles = [_draw_series(panel, series) for series in chart.series]
    panel.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label, ylim=chart.y_limits)
    panel.xaxis.get_major_locator().set_params(integer=True)
    if chart.right:
        other = panel.twinx()
        other.set_ylabel(chart.right.name)
        other.yaxis.get_major_locator().set_params(integer=True)
        handles.append(_draw_series(other, chart.right))
    if named := [handle for handle in handles if not handle.get_label().startswith("_")]:
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 2}
        panel.legend(handles=named, fontsize="small", frameon=False, **below)


def _draw_series(panel: Any, series: Series) -> Any:
    x, y, error = zip(*series.points, strict=True)
    label = series.name.removeprefix("_") or "_nameless"
    options = {**STYLES[series.style], "color": f"C{series.colour}", "label": label}
    return panel.errorbar(x, y, yerr=error if any(error) else None, elinewidth=1, **options)
