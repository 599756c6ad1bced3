"""Charts are scaled to their data, and nothing in them covers anything else."""

from __future__ import annotations

import pytest

from logic_curriculum.curriculum.evaluation import charts
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series

pytest.importorskip("matplotlib")


def chart(*values: float, style: str = "line", **options) -> Chart:
    points = [Point(place, value, value - 0.02, value + 0.02) for place, value in enumerate(values)]
    return Chart("title", "level", options.pop("y_label", "share"), [Series("", points, 0, style)])


def drawn(*shown: Chart):
    figure = charts._figure(shown, len(shown), 5.2)
    figure.draw_without_rendering()
    return figure


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ((0.0, 0.3), -0.02, 0.34),  # the axis shows no less than there can be
        ((0.5, 0.9), 0.45, 0.95),
        ((0.8, 1.0), 0.77, 1.02),
        ((0.5, 0.5), 0.39, 0.61),  # a fifth of what there can be, at least
    ],
)
def test_an_axis_ends_where_its_data_do(values, low, high):
    (panel,) = drawn(chart(*values)).axes
    assert panel.get_ylim() == pytest.approx((low, high), abs=0.015)


def test_bars_begin_at_nothing():
    (panel,) = drawn(chart(0.8, 0.9, style="bars")).axes
    assert panel.get_ylim()[0] == 0.0


def test_panels_of_the_same_quantity_can_be_compared():
    one, two, other = drawn(chart(0.1, 0.3), chart(0.6, 0.7), chart(0.6, 0.7, y_label="gap")).axes
    assert one.get_ylim() == two.get_ylim()
    assert other.get_ylim() != two.get_ylim()


@pytest.mark.parametrize(
    "names", [["o3", "gpt-4o"], ["a name of forty characters or thereabouts"] * 5]
)
def test_a_legend_covers_neither_the_title_nor_the_data(names):
    series = [Series(name, [Point(0, 1.0), Point(1, 0.5)], n) for n, name in enumerate(names)]
    figure = drawn(Chart("title", "level", "share", series))
    (panel,) = figure.axes
    legend = panel.get_legend().get_window_extent()
    assert not legend.overlaps(panel.get_window_extent())
    assert not legend.overlaps(panel.title.get_window_extent())
    assert figure.bbox.contains(legend.x0, legend.y0)
    assert figure.bbox.contains(legend.x1, legend.y1)


def test_a_line_of_noughts_can_be_drawn():
    drawn(Chart("t", "x", "y", [Series("", [Point(1, 0.0), Point(2, 0.0)], 0)]))
