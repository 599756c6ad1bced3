"""The tables of a report and the comparison of models, on made-up answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from answered import answered, frame

from logic_curriculum.curriculum.evaluation import report
from logic_curriculum.curriculum.evaluation.records import as_frame
from logic_curriculum.curriculum.evaluation.tables import joined


def run(marks: str, model: str, **changes: object):
    """Return answers: 1 accepted, ``p`` right by the paper's score alone, 0 wrong."""
    return [
        answered(n, mark == "1", paper=float(mark != "0"), model=model, **changes)
        for n, mark in enumerate(marks)
    ]


def test_two_models_are_compared_task_by_task_by_both_scores():
    # Accepted: better on 5, worse on 1 of 8; p = 2 * (C(6, 0) + C(6, 1)) / 2**6.
    # By the paper's score both are right on the sixth: better on 4, worse on 1.
    paper, accepted = report.compare(
        frame(*run("10000p11", "base"), *run("01111111", "tuned"))
    ).rows
    assert [accepted[name] for name in ("shared tasks", "base (%)", "model (%)")] == [8, 37.5, 87.5]
    assert (accepted["better on"], accepted["worse on"], accepted["p"]) == (5, 1, "0.22")
    assert accepted["difference (points)"].startswith("+50.0 ±")
    assert (paper["better on"], paper["worse on"], paper["p"]) == (4, 1, "0.38")
    assert accepted["p, corrected"] == paper["p, corrected"] == "0.38"


def test_tasks_that_only_one_model_has_are_left_out():
    records = run("11", "base") + run("0111", "other") + run("1", "new", level=2)
    rows = report.compare(frame(*records)).rows
    assert [(row["model"], row["score"], row["shared tasks"]) for row in rows] == [
        *(("other", "paper", 2), ("other", "accepted", 2))
    ]


def test_models_judged_by_other_versions_are_not_compared():
    old = [replace(r, metadata={**r.metadata, "reward_version": 1}) for r in run("10", "old")]
    with pytest.raises(ValueError, match="reward_version 1 and new with –"):
        report.compare(frame(*old, *run("10", "new")))


def test_several_answers_to_a_task_count_as_one_task():
    records = [
        answered(task, sample < right, sample=sample, family="validity")
        for task, right in enumerate((1, 0))
        for sample in range(4)
    ]
    # shares 1/4 and 0: mean 12.5, deviation 17.7 over the root of 2
    (row,) = report.overview(frame(*records)).rows
    assert str(row["paper's score (%)"]) == str(row["accepted (%)"]) == "12.5 ± 12.5"


def test_errors_are_shares_of_all_answers():
    records = [*run("1", "m"), answered(7, False, errors=("not_general",)), *run("1", "n")]
    assert report.errors("slr", frame(*records)).rows == [
        {"error": "not_general", "m": 50.0, "n": 0.0}
    ]
    assert report.errors("slr", frame(*run("1", "m"))).rows == []


def test_costs_and_tokens_are_sums_and_a_dash_where_one_is_unknown():
    priced = [replace(r, completion_tokens=1000, cost=0.25) for r in run("10", "m")]
    for records, sums in ((priced, ["2,000", "0.5"]), ([*priced, *run("1", "m")], ["–", "–"])):
        assert list(report.overview(frame(*records)).rows[0].values())[-2:] == sums


def test_hostile_names_end_no_cell_and_open_no_tag():
    text = joined(report.tables(frame(*run("10", "a|b<script>"))))
    assert "a\\|b&lt;script>" in text


def test_answers_that_were_all_lost_are_refused():
    with pytest.raises(ValueError, match="None of 1 answers was graded"):
        report.tables(as_frame([answered(0, False, graded=False)]))
