"""Intervals, pass@k, McNemar's test and correlations, by hand and by enumeration."""

from __future__ import annotations

from itertools import combinations, product
from math import asin, pi, sqrt

import numpy as np
import pytest

from logic_curriculum.curriculum.evaluation.statistics import (
    _correlation_p,
    correlate,
    mcnemar,
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
    assert (found.value, found.tasks) == (0.75, 4)


def test_a_sum_of_means_weighs_all_levels_alike():
    found = sum_of_means({1: [1.0, 1.0, 1.0], 2: [0.0, 1.0], 3: []}, "seed")
    assert found.value == 1.5


def test_the_interval_is_that_of_the_normal_approximation_for_many_tasks():
    values = [1.0] * 120 + [0.0] * 280
    found = mean({1: values}, "seed")
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


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [
        (0, 0, 1.0),
        (1, 1, 1.0),
        (0, 5, 2 / 32),
        (5, 0, 2 / 32),
        (1, 5, 2 * 7 / 64),  # C(6, 0) + C(6, 1)
        (3, 3, 1.0),
    ],
)
def test_mcnemar_by_hand(worse, better, p):
    assert mcnemar(worse, better) == p


def test_mcnemar_is_the_share_of_coin_tosses_that_are_as_uneven():
    for worse, better in [(1, 4), (2, 6), (0, 7), (4, 4)]:
        count = worse + better
        tosses = [sum(toss) for toss in product((0, 1), repeat=count)]
        uneven = abs(better - worse)
        share = sum(abs(2 * heads - count) >= uneven for heads in tosses) / len(tosses)
        assert mcnemar(worse, better) == pytest.approx(share)


def test_p_values_are_those_of_students_t():
    for r in (0.1, -0.5, 0.9):
        angle = asin(abs(r))
        assert _correlation_p(r, 1) == pytest.approx(1 - 2 / pi * angle)
        assert _correlation_p(r, 2) == pytest.approx(1 - abs(r))
        cosine = sqrt(1 - r * r)
        assert _correlation_p(r, 3) == pytest.approx(1 - 2 / pi * (angle + abs(r) * cosine))
    # If the two are independent, the density of r goes with (1 - r²)^((points - 4) / 2).
    for r, points in ((0.2, 10), (0.35, 41), (0.5, 47), (0.1, 100)):
        tail, whole = (np.linspace(low, 1, 200_001) for low in (r, 0))
        areas = [np.trapezoid((1 - x * x) ** ((points - 4) / 2), x) for x in (tail, whole)]
        assert _correlation_p(r, points - 2) == pytest.approx(areas[0] / areas[1], rel=1e-6)
    # What the paper prints for 56 groups: Table 2 has 0.003 and 0.002, Table 7 0.0086 for 0.35 and
    # "< 0.001" for -0.50; the coefficients are rounded.
    assert [round(_correlation_p(r, 54), 3) for r in (0.39, 0.41, 0.35)] == [0.003, 0.002, 0.008]
    assert _correlation_p(-0.50, 54) < 0.001


def test_a_correlation_needs_two_that_vary_and_three_points():
    assert correlate([1, 2, 3], [0.1 + 0.2, 0.3, 0.3]).r is None
    assert correlate([1, 2], [0, 1]).p is None
    assert correlate([1, 2, 3], [2, 4, 6]).r == pytest.approx(1)
