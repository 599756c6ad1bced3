"""Where a curriculum begins and ends, from answers by hand."""

from __future__ import annotations

import pytest
from answered import answered

from logic_curriculum.curriculum.evaluation.report import (
    LevelRate,
    measure,
    recommend,
    useful_share,
    where_to_begin,
)


def answers(*solved: int, level: int = 1, of: int = 4):
    """Return ``of`` answers to each task, so many of them right."""
    return [
        answered(task, sample < right, level=level, sample=sample, family="sat")
        for task, right in enumerate(solved)
        for sample in range(of)
    ]


def rate(level: int, low: float, useful: float) -> LevelRate:
    return LevelRate(level, 10, low, low, low, useful)


@pytest.mark.parametrize(
    ("answers", "solved", "group", "share"),
    [(4, 1, 2, 0.5), (4, 2, 2, 4 / 6), (4, 0, 2, 0.0), (4, 4, 4, 0.0), (4, 1, 4, 1.0)],
)
def test_a_useful_group_has_right_and_wrong_answers(answers, solved, group, share):
    assert useful_share(answers, solved, group) == pytest.approx(share)


def test_rates_are_means_over_tasks():
    first, second = measure([*answers(4, 2), *answers(0, 1, level=2)], group=2)
    assert (first.pass_rate, first.useful) == (0.75, pytest.approx((0 + 4 / 6) / 2))
    assert (second.pass_rate, second.useful) == (0.125, pytest.approx((0 + 0.5) / 2))
    assert first.low < 0.75 < first.high


def test_fewer_answers_than_a_group_has_are_refused():
    with pytest.raises(ValueError, match="evaluate with --epochs 8 or more"):
        measure(answers(1, 2), group=8)


@pytest.mark.parametrize(
    ("rates", "levels"),
    [
        ([rate(1, 0.9, 0.1), rate(2, 0.5, 0.5), rate(3, 0.1, 0.3), rate(4, 0.0, 0.0)], (2, 4)),
        ([rate(1, 0.5, 0.5), rate(2, 0.1, 0.05), rate(3, 0.0, 0.5)], (1, 2)),
        ([rate(1, 0.9, 0.0), rate(2, 0.9, 0.0)], (2, 2)),
    ],
)
def test_a_curriculum_begins_at_the_first_level_not_passed(rates, levels):
    assert recommend(rates, threshold=0.8) == levels


def test_the_table_says_where_to_begin_or_why_nowhere():
    assert where_to_begin("m", [*answers(2, 2), *answers(1, 0, level=2)], 2).note == (
        "A curriculum could begin with --start_level 1 --last_level 2."
    )
    assert "train on solutions first" in where_to_begin("m", answers(0, 0), 2).note
    assert "evaluate higher ones" in where_to_begin("m", answers(*[4] * 60), 2).note
