"""pass@k, by hand and by enumeration."""

from __future__ import annotations

from itertools import combinations

import pytest

from logic_curriculum.curriculum.evaluation.tables import pass_at, pass_at_means


def test_pass_at_k_is_the_share_of_draws_that_hold_a_right_answer():
    for answers in range(1, 8):
        for solved in range(answers + 1):
            marks = [True] * solved + [False] * (answers - solved)
            for k in range(1, answers + 1):
                draws = list(combinations(marks, k))
                share = sum(map(any, draws)) / len(draws)
                assert pass_at(k, answers, solved) == pytest.approx(share)


@pytest.mark.parametrize("k", [0, 5])
def test_pass_at_more_answers_than_there_are_is_refused(k):
    with pytest.raises(ValueError, match="k is from 1 to their number"):
        pass_at(k, answers=4, solved=1)


def test_pass_at_k_is_a_mean_over_the_tasks_that_have_k_answers():
    # of 4 answers 1 and 0 right, of 2 answers 2 right
    found = pass_at_means([(4, 1), (4, 0), (2, 2)])
    assert {k: mean.value for k, mean in found.items()} == pytest.approx(
        {1: 100 * (1 / 4 + 0 + 1) / 3, 2: 100 * (1 / 2 + 0 + 1) / 3, 4: 50.0}
    )
    assert pass_at_means([]) == {}
