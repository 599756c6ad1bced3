"""The metrics of LTGen on answers whose values are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, sqrt

import pytest
from answered import answered, frame

from logic_curriculum.curriculum.evaluation.papers import (
    by_clauses,
    correlated,
    homogeneity,
    ltgen,
    measures,
    with_calls,
)
from logic_curriculum.curriculum.evaluation.records import Record, make_record
from logic_curriculum.curriculum.evaluation.tables import shown
from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge

# Text: whether it is consistent, its variables and clauses, and what two runs say of it.
TEXTS = {
    "A": (True, 3, 8, "cc"),
    "B": (False, 3, 8, "ci"),
    "C": (True, 4, 12, "ic"),
    "D": (False, 4, 12, "ii"),
    "E": (False, 4, 15, "c-"),
    "F": (True, 3, 5, "cc"),
}


def record(name: str, run: int, **changes: object) -> Record:
    consistent, variables, clauses, said = TEXTS[name]
    called = {"c": True, "i": False, "-": None}[said[run]]
    metrics = {
        "verdict": float(called is consistent),
        "false_positive": float(called is True and not consistent),
        "false_negative": float(called is False and consistent),
    }
    about = {"satisfiable": consistent, "variables": variables, "clauses": clauses}
    given = {
        **{"id": name, "family": "sat", "sample": run, "metrics": metrics},
        **{"prompt": "?" * 10 * clauses, "completion": "." * 20 * clauses},
        **{"metadata": {**about, "preset": "uniform", "tier": ""}, "seconds": 2 * run + 1.0},
    }
    return answered(0, called is consistent, **{**given, **changes})


RECORDS = [record(name, run) for run in (0, 1) for name in TEXTS]
TEXTS_ASKED = with_calls(frame(*RECORDS))


def test_classification_is_the_mean_over_runs_with_consistent_as_positive():
    # Run 0: TP A F, FN C, FP B E, TN D. Run 1: TP A C F, TN B D, nothing said of E.
    #   accuracy 3/6 and 5/6, precision 2/4 and 3/3, recall 2/3 and 3/3,
    #   F1 2*2/(4 called + 3 consistent) = 4/7 and 2*3/(3+3) = 1
    first, second = (measures(TEXTS_ASKED[TEXTS_ASKED["sample"] == run]) for run in (0, 1))
    assert [*first.values()] == pytest.approx([3 / 6, 2 / 4, 2 / 3, 4 / 7])
    assert [*second.values()] == pytest.approx([5 / 6, 1, 1, 1])


def test_homogeneity_is_the_share_of_the_most_frequent_answer():
    # A cc 100, B ci 50, F cc 100; C ic 50, D ii 100, E c- 50, no verdict being a value too.
    assert homogeneity(TEXTS_ASKED) == pytest.approx((250 + 200) / 6)
    assert isnan(homogeneity(TEXTS_ASKED[:6]))


def test_false_positive_rates_are_correlated_with_inconsistency():
    # Clauses: 5 (F) 0 % inconsistent, rate 0; 8 (A B) 50 %, B once of twice; 12 (C D) 50 %, rate 0;
    # 15 (E) 100 %, once of twice.
    groups = by_clauses(TEXTS_ASKED)
    assert list(groups.index) == [5, 8, 12, 15]
    assert list(1 - groups.consistent) == [0, 0.5, 0.5, 1]
    assert list(groups.false_positive) == [0, 0.5, 0, 0.5]
    # Deviations -50 0 0 50 and -1/4 1/4 -1/4 1/4: products 25, squares 5000 and 1/4,
    # r = 25 / sqrt(1250) = 1/sqrt(2) = 0.71; with 4 points p = 1 - |r| = 0.293.
    # Without the first group r = 1/2; with 3 points p = 1 - 2/pi * asin(1/2) = 2/3.
    # Accuracies by clauses: r = sqrt(8/9), p = 1 - r
    assert list(groups.right) == [1, 0.75, 0.75, 0]
    rows = ltgen(frame(*RECORDS))[2].rows
    assert [(row["r"], row["p"], row["points"]) for row in rows[:3]] == [
        *(("0.71", "0.293", "4"), ("0.50", "0.667", "3"), (f"{sqrt(8 / 9):.2f}", "0.057", "4"))
    ]
    same = groups[1:3]
    assert [*correlated(same.consistent, same.right).values()] == ["–", "–", "2"]


def test_the_tables_show_rates_and_biases():
    first, said, _ = ltgen(frame(*RECORDS))
    # mean 0.667 and deviation 1/3/sqrt(2) = 0.236 for the accuracy, and so on; 6 answers a run,
    # 2 runs, 1 of 12 without a verdict, 8 right; answers took 1 s in run 0 and 3 s in run 1
    (row,) = first.rows
    assert list(row.values()) == [
        *("uniform", "m", "0.67 (0.24)", "0.75 (0.35)", "0.83 (0.24)", "0.79 (0.30)"),
        *("6.0 (0.0)", "2.00 (1.04)", 2, "0.08", "0.67", 75.0),
    ]
    # Consistent texts: 5 of 6 called consistent, C once not. Inconsistent ones: B and E once called
    # consistent, B once and D twice not, E once neither.
    assert [[*map(shown, row.values())][2:] for row in said.rows] == [
        ["consistent", "83.3", "16.7", "0.0"],
        ["inconsistent", "33.3", "50.0", "16.7"],
    ]


def test_data_sets_and_models_are_kept_apart_and_ungraded_answers_left_out():
    records = [
        *RECORDS,
        record("A", 0, model="other"),
        replace(RECORDS[0], metadata={**RECORDS[0].metadata, "preset": "hard3sat"}),
        replace(RECORDS[0], metadata={**RECORDS[0].metadata, "style": "certificate"}),
        replace(RECORDS[0], model="lost", graded=False),
    ]
    assert {(row["data set"], row["model"]) for row in ltgen(frame(*records))[0].rows} == {
        *(("uniform", "m"), ("uniform", "other"), ("hard3sat", "m"), ("uniform, certificate", "m")),
    }


def test_answers_to_generated_tasks_can_be_measured():
    task = generate("sat", 3, 1, style="certificate")
    made = make_record(task, judge("sat", task.solution, task.verification), model="gold")
    assert made.metadata["satisfiable"] is task.verification["satisfiable"]
    assert measures(with_calls(frame(made)))["accuracy"] == made.paper == 1.0
