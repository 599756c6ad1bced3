"""The category of what is wrong with an answer."""

from __future__ import annotations

from functools import cache

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards import Verdict, measure_batch
from logic_curriculum.rewards.registry import judge_of


@cache
def slr_task():
    return generate("slr", level=3, seed=7)  # train1 and train3 are eastbound, the others not


def verdict_on(family, completion, verification) -> Verdict:
    return measure_batch(family, [completion], [verification])[0]


@pytest.mark.parametrize(
    ("rule", "category"),
    [
        ("eastbound(T) :- has_car(T, C), car_len(C, short).", ""),
        ("eastbound(T).", "examples_wrong"),
        ("eastbound(T) :- fail.", "examples_wrong"),
        ("eastbound(T) :- member(T, [train1, train3]).", "shortcut"),
        ("eastbound(T) :- no_such_predicate(T).", "outside_language"),
        ("eastbound(T) :- shell(ls).", "outside_language"),
        ("eastbound(T) :- has_car(T, C", "syntax_error"),
        ("I do not know.", "unreadable"),
    ],
)
def test_a_wrong_rule_has_one_category(rule, category):
    verdict = verdict_on("slr", f"[RULE]{rule}[/RULE]", slr_task().verification)
    assert list(judge_of("slr").categories(verdict)) == ([category] if category else [])


def test_a_rule_that_fits_and_is_not_accepted_is_not_general():
    task = slr_task()
    either = "car_color(C, green), car_len(C, short) ; car_color(C, red), car_len(C, short)"
    rule = f"[RULE]eastbound(T) :- has_car(T, C), ({either}).[/RULE]"
    verdict = verdict_on("slr", rule, {**task.verification, "caps": {"values": 4}})
    assert verdict.metrics["fits"] == 1.0
    assert judge_of("slr").categories(verdict) == ("not_general",)


@pytest.mark.parametrize(
    ("family", "completion", "payload", "categories"),
    [
        (
            "countermodel",
            "<answer>a=0 F={0} G={} H={0} J={0}</answer>",
            {"premises": ["Fa", "Ga", "¬Ha"], "conclusion": "Ja", "domain": [0]},
            ("not_countermodel", "premise_false", "conclusion_true"),
        ),
        ("validity", "<answer>1</answer>", {"correct": [2], "options": 3}, ("incorrect",)),
    ],
)
def test_a_wrong_answer_has_the_errors_of_its_family(family, completion, payload, categories):
    assert judge_of(family).categories(verdict_on(family, completion, payload)) == categories
