"""Bootstrap intervals and pass@k, by hand and by enumeration."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import pytest

from logic_curriculum.curriculum.evaluation.estimates import (
    mean,
    pass_at,
    resampled_means,
    sum_of_means,
)


@pytest.mark.parametrize(
    ("k", "answers", "solved", "expected"),
    [
        (1, 4, 1, 0.25),
        (2, 4, 1, 0.5),  # 3 of the 6 pairs hold the right one
        (4, 4, 1, 1.0),
        (2, 4, 0, 0.0),
        (2, 2, 2, 1.0),
        (1, 1, 0, 0.0),
    ],
)
def test_pass_at_k_by_hand(k, answers, solved, expected):
    assert pass_at(k, answers, solved) == expected


def test_pass_at_k_is_the_share_of_draws_that_hold_a_right_answer():
    for answers in range(1, 8):
        for solved in range(answers + 1):
            marks = [True] * solved + [False] * (answers - solved)
            for k in range(1, answers + 1):
                draws = list(combinations(marks, k))
                assert pass_at(k, answers, solved) == pytest.approx(
                    sum(map(any, draws)) / len(draws)
                )


@pytest.mark.parametrize("k", [0, 5])
def test_pass_at_more_answers_than_there_are_is_refused(k):
    with pytest.raises(ValueError, match="k is from 1 to their number"):
        pass_at(k, answers=4, solved=1)


def test_a_mean_weighs_all_tasks_alike_whatever_their_level():
    found = mean({1: [1.0, 1.0, 1.0], 2: [0.0]}, "seed")
    assert found is not None
    assert (found.value, found.tasks) == (0.75, 4)


def test_a_sum_of_means_weighs_all_levels_alike():
    found = sum_of_means({1: [1.0, 1.0, 1.0], 2: [0.0, 1.0], 3: []}, "seed")
    assert found is not None
    assert found.value == 1.5


def test_without_tasks_there_is_no_mean():
    assert mean({}, "seed") is None
    assert sum_of_means({1: []}, "seed") is None


def test_the_interval_is_that_of_the_normal_approximation_for_many_tasks():
    values = [1.0] * 120 + [0.0] * 280
    found = mean({1: values}, "seed")
    assert found is not None
    half = 1.96 * sqrt(0.3 * 0.7 / 400)  # 0.045
    assert found.low == pytest.approx(0.3 - half, abs=0.006)
    assert found.high == pytest.approx(0.3 + half, abs=0.006)


def test_levels_that_are_sure_add_nothing_to_the_interval():
    # all doubt is within level 3; were tasks drawn over levels, level 1 against 2 would add to it
    unsure = [1.0, 0.0] * 10
    alone = sum_of_means({3: unsure}, "seed")
    among = sum_of_means({1: [1.0] * 20, 2: [0.0] * 20, 3: unsure}, "seed")
    assert alone is not None
    assert among is not None
    assert among.high - among.low == pytest.approx(alone.high - alone.low)


def test_resampling_is_the_same_everywhere():
    means = resampled_means([0.0, 1.0, 2.0, 3.0], "pinned", 1)
    assert means[:4].tolist() == [1.25, 0.75, 1.75, 2.0]
    assert means.mean() == pytest.approx(1.5, abs=0.05)
