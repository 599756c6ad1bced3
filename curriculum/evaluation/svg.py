"""Charts as SVG that takes its colours from the page."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from logic_curriculum.curriculum.evaluation.series import Chart, Point, Series

WIDTH, HEIGHT = 460, 280
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 34, 42
COLOURS = 6
"""Classes ``s0`` to ``s5`` of the style sheet; further series begin again."""


def draw(chart: Chart) -> str:
    """Return a chart as an SVG element with a title, which a pointer can read point by point."""
    axis = _Axis([point.x for series in chart.series for point in series.points])
    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(chart.title)}</title>",
        *_grid(axis, chart.x_label),
    ]
    for series in chart.series:
        parts.append(f'<g class="s{series.colour % COLOURS}">')
        parts += _line(series, axis) if chart.line else []
        draw_point = _dot if chart.line else _marked_dot
        parts += [part for point in series.points for part in draw_point(point, axis)]
        parts.append("</g>")
    parts += _legend(chart.series) if chart.legend else []
    return "\n".join([*parts, "</svg>"])


class _Axis:
    """The x axis: from 0 or the lowest value to the highest, with round numbers marked."""

    def __init__(self, values: list[float]) -> None:
        highest = max(values, default=1.0)
        self.step = _round_step(max(highest, 1.0) / 6)
        self.end = self.step * max(1, math.ceil(highest / self.step + 0.25))

    def __call__(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * value / self.end

    def marks(self) -> list[float]:
        return [self.step * number for number in range(round(self.end / self.step) + 1)]


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20 and so on that is no smaller than ``least``."""
    power = 10 ** math.floor(math.log10(max(least, 1.0)))
    return next(float(factor * power) for factor in (1, 2, 5, 10) if factor * power >= least)


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _grid(axis: _Axis, x_label: str) -> Iterable[str]:
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{percent}%</text>'
    for value in axis.marks():
        yield (
            f'<text x="{axis(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">'
            f"{value:g}</text>"
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>'


def _line(series: Series, axis: _Axis) -> Iterable[str]:
    """Draw the values as a line and their intervals as a band."""
    upper = [f"{axis(point.x):.1f},{_y(point.high):.1f}" for point in series.points]
    lower = [f"{axis(point.x):.1f},{_y(point.low):.1f}" for point in series.points]
    values = [f"{axis(point.x):.1f},{_y(point.value):.1f}" for point in series.points]
    yield f'<polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>'
    yield f'<polyline class="line" points="{" ".join(values)}"/>'


def _dot(point: Point, axis: _Axis) -> Iterable[str]:
    told = f"{point.label}: {point.value:.0%} [{point.low:.0%}, {point.high:.0%}]"
    yield (
        f'<circle class="dot" cx="{axis(point.x):.1f}" cy="{_y(point.value):.1f}" r="4">'
        f"<title>{escape(told)}</title></circle>"
    )


def _marked_dot(point: Point, axis: _Axis) -> Iterable[str]:
    """Draw a point that no line explains: with its interval and its mark."""
    x, y = axis(point.x), _y(point.value)
    yield (
        f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" '
        f'y1="{_y(point.low):.1f}" y2="{_y(point.high):.1f}"/>'
    )
    yield from _dot(point, axis)
    if point.mark:
        yield f'<text x="{x + 7:.1f}" y="{y - 5:.1f}">{escape(point.mark)}</text>'


def _legend(series: Iterable[Series]) -> Iterable[str]:
    x = float(LEFT)
    for item in series:
        name = item.name if len(item.name) <= 24 else f"…{item.name[-23:]}"
        yield f'<circle class="dot s{item.colour % COLOURS}" cx="{x + 5:.1f}" cy="14" r="4"/>'
        yield f'<text x="{x + 14:.1f}" y="18">{escape(name)}</text>'
        x += 30 + 6.5 * len(name)
