"""What the plot of a run shows."""

from logic_curriculum.curriculum.callback import curriculum_charts


def record(step: int, level: int, passes: int, current: bool = True) -> dict[str, object]:
    counts = {"groups": 1, "attempts": 4, "passes": passes}
    return {"family": "toy", "step": step, "level": level, "current": current, **counts}


def test_the_thick_line_looks_back_over_a_window_of_tasks_at_the_level_to_be_passed():
    records = [record(0, 1, 4), record(1, 1, 2), record(1, 2, 0, current=False), record(2, 1, 1)]
    (chart,) = curriculum_charts(records, window=2)
    thin, thick = chart.series
    assert [(point.x, point.value) for point in thin.points] == [(0, 1.0), (1, 0.5), (2, 0.25)]
    # 4/4, then (4+2)/8, then (2+1)/8 with the first task out of the window of two.
    assert [point.value for point in thick.points] == [1.0, 0.75, 0.375]
    assert [point.value for point in chart.right.points] == [1, 1, 1]
