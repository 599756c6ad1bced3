"""Charts: what they show, their one renderer, and the learning curves of runs side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.run_settings import StepLog

STYLES: dict[str, dict[str, Any]] = {
    "line": {"marker": "o", "markersize": 4},
    "dots": {"marker": "o", "markersize": 4, "linestyle": "none"},
    "bars": {},
    "thick": {"linewidth": 2},
    "thin": {"linewidth": 0.5, "alpha": 0.5},
    "dashed": {"linewidth": 1, "linestyle": "--"},
    "steps": {"drawstyle": "steps-post"},
}
"""How a series can be drawn, with matplotlib's options."""
LEAST_SHARE = 0.2  # Of what the y axis may show, what it shows at least, so that noise looks small
BARS = 0.8  # Width of all bars at one place together; places are 1 apart
PASS_RATES = "pass_rates.jsonl"
"""File of a run folder: optimizer step, completions generated so far, and rates by level."""
SPLIT_STYLES = {"validation": "thick", "test": "dashed"}


class Point(NamedTuple):
    """A value at a place, and its interval if it has one."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """Points of one colour."""

    name: str  # Name in the legend; empty for none
    points: Sequence[Point]
    colour: int  # Number of its colour, from 0
    style: str = "line"  # One of STYLES
    opacity: float | None = None  # In [0, 1]; by the style if None


class Chart(NamedTuple):
    """One panel."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    y_limits: tuple[float, float] | None = (-0.02, 1.02)  # The most that the axis shows
    x_limits: tuple[float | None, float | None] = (None, None)
    ticks: Sequence[str] = ()  # Names of the places 0, 1, 2, ... of the x axis; none for numbers
    right: Series | None = None  # One with the y axis on the right, whose values are whole numbers


def save(path: str | Path, charts: Sequence[Chart], columns: int = 2) -> None:
    """Draw charts into a file, whose ending chooses the format; needs matplotlib."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    width = 8.0 if columns == 1 or len(charts) == 1 else 5.2
    _figure(charts, min(columns, len(charts)), width).savefig(path, dpi=150)


def _figure(charts: Sequence[Chart], columns: int, width: float) -> Any:
    """Return panels, each of a width in inches."""
    require("matplotlib", extra="plots")
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    rows = -(-len(charts) // columns)
    figure = Figure(figsize=(width * columns, 3.8 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for panel, chart in zip(panels, charts, strict=False):
        _draw(panel, chart)
    _scale(list(zip(panels, charts, strict=False)))
    for panel in panels[len(charts) :]:
        panel.set_axis_off()
    figure.draw_without_rendering()  # places the panels
    for panel in panels[: len(charts)]:
        if legend := panel.get_legend():  # its title stands above it
            height = legend.get_window_extent().y1 - panel.get_window_extent().y1
            pad = 4 + height * 72 / figure.dpi
            panel.set_title(panel.get_title(), fontsize="medium", pad=pad)
    return figure


def _draw(panel: Any, chart: Chart) -> None:
    bars = [series for series in chart.series if series.style == "bars"]
    handles = []
    for series in chart.series:
        shift = BARS * ((bars.index(series) + 0.5) / len(bars) - 0.5) if series in bars else 0.0
        handles.append(_draw_series(panel, series, shift, BARS / max(1, len(bars))))
    if bars:
        panel.axhline(0, color="black", linewidth=0.8)
    panel.set_title(_literal(chart.title), fontsize="medium")
    panel.set_xlabel(chart.x_label)
    panel.set_ylabel(chart.y_label)
    panel.set_xlim(*chart.x_limits)
    if chart.ticks:
        panel.set_xticks(range(len(chart.ticks)), map(_literal, chart.ticks), fontsize="small")
    else:
        panel.xaxis.get_major_locator().set_params(integer=True)
    if chart.right:
        other = panel.twinx()
        other.set_ylabel(chart.right.name)
        other.yaxis.get_major_locator().set_params(integer=True)
        handles.append(_draw_series(other, chart.right, 0.0, BARS))
    if named := [handle for handle in handles if not handle.get_label().startswith("_")]:
        columns = max(1, min(4, 64 // (5 + max(len(handle.get_label()) for handle in named))))
        above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": columns}
        panel.legend(handles=named, fontsize="small", frameon=False, **above)


def _scale(drawn: Sequence[tuple[Any, Chart]]) -> None:
    """Let y axes show what their data need; those of the same quantity show the same."""
    for own in grouped(drawn, lambda pair: pair[1].y_label).values():
        lows, highs = zip(*(panel.get_ylim() for panel, _ in own), strict=True)
        for panel, chart in own:
            if chart.y_limits:
                lowest, highest = chart.y_limits
                half = max(max(highs) - min(lows), LEAST_SHARE * (highest - lowest)) / 2
                middle = (max(highs) + min(lows)) / 2
                panel.set_ylim(max(lowest, middle - half), min(highest, middle + half))


def _draw_series(panel: Any, series: Series, shift: float, width: float) -> Any:
    x = [point.x + shift for point in series.points]
    y = [point.value for point in series.points]
    error = None
    if any(point.low is not None for point in series.points):
        low = [max(0.0, p.value - (p.value if p.low is None else p.low)) for p in series.points]
        high = [max(0.0, (p.value if p.high is None else p.high) - p.value) for p in series.points]
        error = [low, high]
    options = {**STYLES[series.style], "color": f"C{series.colour}"}
    options["label"] = _literal(series.name) or "_nameless"
    if series.opacity is not None:
        options["alpha"] = series.opacity
    if series.style == "bars":
        return panel.bar(x, y, width, yerr=error, **options)
    return panel.errorbar(x, y, yerr=error, elinewidth=1, **options)


def _literal(text: str) -> str:
    """Return a text in which matplotlib reads no formula, and XML no forbidden character."""
    clean = "".join(
        c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return clean.replace("$", r"\$").removeprefix("_")


def mean_rates(path: Path, split: str) -> list[Point]:
    """Return the mean pass rate over a split's levels after each number of completions."""
    return [
        Point(
            line["completions"],
            fmean(rate for name, rate in line["rates"].items() if name.split("_")[-2] == split),
        )
        for line in StepLog(path).read()
        if "rates" in line
    ]


def learning_curves(runs: Mapping[str, Path]) -> Chart:
    """Return the chart of runs, given their names and :data:`PASS_RATES` files.

    Raises:
        ValueError: If a file is missing, or has no pass rates.
    """
    series = []
    for colour, (name, path) in enumerate(runs.items()):
        for split, style in SPLIT_STYLES.items():
            points = mean_rates(path, split)
            if not points:
                raise ValueError(
                    f"{path} holds no pass rates: name the {PASS_RATES} of a run of "
                    "`logic-curriculum train slr`, made with eval_strategy steps."
                )
            series.append(Series(f"{name}, {split}", points, colour, style))
    return Chart("", "completions generated", "mean pass rate over levels", series)
