"""Paired comparisons of made-up runs, worked out by hand or by enumeration."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evaluation_records import made_up, run

from logic_curriculum.curriculum.evaluation.compare import (
    BOOTSTRAP,
    EXACT,
    compare,
    comparison_table,
    not_asked_of_all,
)
from logic_curriculum.curriculum.evaluation.statistics import bootstrap_p, holm, mcnemar


def test_two_runs_are_compared_task_by_task():
    (found,) = compare({"a": run("1100", "0"), "b": run("1011", "1")})
    assert found.base_accuracy.value == pytest.approx(2 / 5)
    assert found.other_accuracy.value == pytest.approx(4 / 5)
    assert found.difference.value == pytest.approx(2 / 5)
    assert found.level_difference.value == pytest.approx(1 / 4 + 1)
    assert (found.base_only, found.other_only, found.test) == (1, 3, EXACT)
    assert found.p == 2 * 5 / 16  # C(4, 0) + C(4, 1)


def test_only_tasks_that_both_could_be_graded_on_count():
    (found,) = compare({"a": run("11?0"), "b": [*run("1?01"), made_up(9)]})
    assert found.difference.tasks == 2
    assert found.unshared == 3
    assert (
        "3 tasks with graded answers in one of two runs only" in comparison_table([found], []).note
    )


def test_what_was_not_asked_of_all_runs_is_named():
    runs = {
        "a": run("10") + run("1", family="sat"),
        "b": run("11"),
        "c": run("01") + run("1", shots=2),
    }
    note = comparison_table(compare(runs), not_asked_of_all(runs)).note
    assert note.endswith("Not asked of all runs: sat (only of a); slr, 2-shot (only of c).")


def test_a_task_that_two_levels_share_counts_at_each():
    def asked(*solved: bool) -> list:
        return [made_up(0, right, level=level, id="t") for level, right in enumerate(solved, 1)]

    (found,) = compare({"a": asked(True, False), "b": asked(True, True)})
    assert found.difference.tasks == 2
    assert (found.base_only, found.other_only) == (0, 1)


def test_order_of_the_answers_does_not_matter():
    first, second = run("110100", "10"), run("011001", "11")
    assert compare({"a": first, "b": second}) == compare({"a": first, "b": second[::-1]})


def test_several_answers_are_compared_by_the_bootstrap():
    def several(*runs: str) -> list:
        return [
            replace(record, sample=sample)
            for sample, marks in enumerate(runs)
            for record in run(marks)
        ]

    (same,) = compare({"a": several("1010", "0110"), "b": several("0110", "1010")})
    assert (same.test, same.difference.value, same.p) == (BOOTSTRAP, 0.0, 1.0)
    (apart,) = compare({"a": several("0" * 20, "0" * 20), "b": several("1" * 20, "10" * 10)})
    assert apart.difference.value == 0.75
    assert apart.p < 0.001


def test_the_bootstrap_agrees_with_mcnemar_on_many_tasks():
    gains = [1.0] * 30 + [-1.0] * 15 + [0.0] * 155
    assert bootstrap_p({1: gains}, "seed") == pytest.approx(mcnemar(15, 30), abs=0.015)


def test_three_runs_are_compared_with_the_first_and_corrected():
    found = compare({"a": run("0" * 8), "b": run("1" * 8), "c": run("1" * 7 + "0")})
    # 2 / 256 * 2 and 2 / 128 * 1
    assert [(item.other, item.p) for item in found] == [("b", 1 / 64), ("c", 1 / 64)]
    note = comparison_table(found, []).note
    assert "corrected for 2 comparisons (Holm)" in note
    assert "a 95 % interval is of its comparison alone" in note


def test_holms_method_never_lets_a_larger_p_value_fall_below_a_smaller_one():
    p_values = holm([0.04, 0.01, 0.03])
    assert p_values == pytest.approx([0.06, 0.03, 0.06])


def test_tasks_asked_in_other_words_are_counted():
    (found,) = compare({"a": run("10"), "b": run("10", prompt="Otherwise?")})
    assert found.reworded == 2
    assert "asked in other words" in comparison_table([found], []).note


def test_a_run_alone_is_refused():
    with pytest.raises(ValueError, match=r"Only the run 'a' was given: .* two or more"):
        compare({"a": run("1")})


def test_no_run_at_all_is_refused():
    with pytest.raises(ValueError, match=r"No run was given"):
        compare({})


def test_runs_without_shared_tasks_are_refused():
    with pytest.raises(ValueError, match="'a' shares no task with 'b'"):
        compare({"a": run("1"), "b": run("1", family="sat")})


def test_a_run_that_shares_nothing_is_not_left_out_without_a_word():
    with pytest.raises(ValueError, match="'a' shares no task with 'c'"):
        compare({"a": run("1"), "b": run("0"), "c": run("?")})
