"""LRL, tier accuracy, and tables, by hand-computed examples."""

from __future__ import annotations

import pytest

from logic_curriculum.curriculum import Ladder
from logic_curriculum.curriculum.evaluation.levels import (
    format_leaderboard,
    format_levels,
    profile,
)

LADDER = Ladder("toy", ("basic", "basic", "hard"))
OUTCOMES = [
    (1, True),
    (1, True),
    (2, True),
    (2, False),
    (3, True),
    (3, False),
    (3, False),
    (3, False),
]


def test_lrl_is_the_sum_of_the_levels_accuracies() -> None:
    # 2/2 + 1/2 + 1/4
    assert profile(OUTCOMES, LADDER).logical_reasoning_level == 1.75


def test_a_perfect_model_reaches_the_number_of_levels() -> None:
    assert profile([(level, True) for level in (1, 2, 3)], LADDER).logical_reasoning_level == 3


def test_tier_accuracy_is_the_share_of_solved_tasks_of_the_tier() -> None:
    # basic: 3 of 4, hard: 1 of 4
    assert profile(OUTCOMES, LADDER).tier_accuracy == {"basic": 0.75, "hard": 0.25}


def test_the_order_of_outcomes_does_not_matter() -> None:
    assert profile(reversed(OUTCOMES), LADDER) == profile(OUTCOMES, LADDER)


def test_an_outcome_at_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="Level 4 does not exist"):
        profile([(4, True)], LADDER)


def test_the_level_table_has_a_row_per_level_and_a_dash_where_nothing_was_tried() -> None:
    profiles = {"before": profile([(1, False)], LADDER), "after": profile(OUTCOMES, LADDER)}
    assert format_levels(profiles).splitlines() == [
        "| level | tier | before | after |",
        "| --- | --- | --- | --- |",
        "| 1 | basic | 0 | 100 |",
        "| 2 | basic | – | 50 |",
        "| 3 | hard | – | 25 |",
    ]


def test_the_leaderboard_has_lrl_and_tiers() -> None:
    assert format_leaderboard({"tiny": profile(OUTCOMES, LADDER)}).splitlines()[2] == (
        "| tiny | 1.8 | 75 | 25 |"
    )
