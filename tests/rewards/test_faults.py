"""What a verdict says is wrong: the parts, and the category."""

from __future__ import annotations

from functools import cache

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards import Verdict, measure_batch
from logic_curriculum.rewards.registry import judge_of


@cache
def slr_task():
    return generate(
        "slr", level=3, seed=7
    )  # train0 and train3 are eastbound, train1 and train2 not


def verdict_on(family, completion, verification) -> Verdict:
    return measure_batch(family, [completion], [verification])[0]


@pytest.mark.parametrize(
    ("rule", "category", "wrong"),
    [
        ("eastbound(T) :- has_car(T, C), car_len(C, short), has_wall(C, railing).", "", []),
        ("eastbound(T).", "examples_wrong", ["train1", "train2"]),
        ("eastbound(T) :- fail.", "examples_wrong", ["train0", "train3"]),
        ("eastbound(T) :- member(T, [train0, train3]).", "shortcut", []),
        ("eastbound(T) :- no_such_predicate(T).", "outside_language", []),
        ("eastbound(T) :- shell(ls).", "outside_language", []),
        ("eastbound(T) :- has_car(T, C", "syntax_error", []),
        ("I do not know.", "unreadable", []),
    ],
)
def test_a_rule_has_one_category_and_names_the_examples_it_gets_wrong(rule, category, wrong):
    verdict = verdict_on("slr", f"[RULE]{rule}[/RULE]", slr_task().verification)
    assert list(judge_of("slr").categories(verdict)) == ([category] if category else [])
    assert list(verdict.faults) == wrong


def test_a_rule_that_fits_and_is_not_accepted_is_not_general():
    task = slr_task()
    either = "car_color(C, green), has_wall(C, railing) ; car_color(C, yellow), car_len(C, short)"
    rule = f"[RULE]eastbound(T) :- has_car(T, C), ({either}).[/RULE]"
    verdict = verdict_on("slr", rule, {**task.verification, "caps": {"values": 4}})
    assert verdict.metrics["fits"] == 1.0
    assert judge_of("slr").categories(verdict) == ("not_general",)
    assert verdict.faults == {}


def test_a_structure_names_the_premises_that_are_false_and_the_conclusion_that_is_true():
    payload = {"premises": ["Fa", "Ga", "¬Ha"], "conclusion": "Ja", "domain": [0]}
    structure = "<answer>a=0 F={0} G={} H={0} J={0}</answer>"
    verdict = verdict_on("countermodel", structure, payload)
    assert verdict.faults == {"Ga": "is false", "¬Ha": "is false", "Ja": "is true"}
    categories = ("not_countermodel", "premise_false", "conclusion_true")
    assert judge_of("countermodel").categories(verdict) == categories


def test_a_choice_names_the_statements_that_are_wrongly_in_or_out():
    payload = {"correct": [2], "options": 3, "texts": ["one", "two", "three"]}
    verdict = verdict_on("validity", "<answer>1</answer>", payload)
    assert verdict.faults == {"one": "does not follow", "two": "follows, but is left out"}
    assert judge_of("validity").categories(verdict) == ("incorrect",)


def test_a_derivation_names_the_conclusions_of_its_wrong_steps():
    task = generate("loginum", level=2, seed=7)
    steps = [
        "rule_1 & fact_4 =>> int_1: Yasmine's imaginative is 7",
        "rule_5 & int_1 =>> int_2: Yasmine's nice is 9",
        "rule_5 & int_2 =>> int_3: Yasmine's nice is 8",
    ]
    text = "\n".join(["Reasoning:", *steps, "Answer: \\boxed{8}"])
    verdict = verdict_on("loginum", text, task.verification)
    wrong = {"Yasmine's nice is 9": "wrong number", "Yasmine's nice is 8": "unsupported"}
    assert verdict.faults == wrong
    assert verdict.solved
    assert judge_of("loginum").categories(verdict) == ("wrong_number",)
