"""Nothing in a chart covers anything else."""

from __future__ import annotations

import pytest

from logic_curriculum.curriculum.evaluation import charts
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series

pytest.importorskip("matplotlib")


@pytest.mark.parametrize(
    "names", [["o3", "gpt-4o"], ["a name of forty characters or thereabouts"] * 5]
)
def test_a_legend_covers_neither_data_nor_texts(names):
    series = [Series(name, [Point(0, 1.0), Point(1, 0.5)], n) for n, name in enumerate(names)]
    figure = charts._figure([Chart("title", "level", "share", series)], 1)
    figure.draw_without_rendering()
    (panel,) = figure.axes
    legend = panel.get_legend().get_window_extent()
    for other in (panel, panel.title, panel.xaxis.label):
        assert not legend.overlaps(other.get_window_extent())
    assert figure.bbox.contains(legend.x0, legend.y0)
    assert figure.bbox.contains(legend.x1, legend.y1)


def test_a_line_of_noughts_and_a_name_like_a_formula_can_be_drawn(tmp_path):
    series = Series("$x^{", [Point(1, 0.0), Point(2, 0.0)], 0)
    charts.save(tmp_path / "noughts.svg", [Chart("t", "x", "y", [series])])
