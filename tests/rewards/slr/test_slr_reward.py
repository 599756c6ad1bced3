"""The judge of scalable inductive logic and its reward functions."""

import json
import logging

import pytest
from slr_samples import (
    ALWAYS,
    FACTS,
    FORBIDDEN,
    FRESH_TASK,
    NAMES,
    NEVER,
    RED,
    TASK,
    TRAINS,
    UNREADABLE,
)

import logic_curriculum.rewards.slr.judge
from logic_curriculum.rewards import (
    judge,
    judge_batch,
    slr_chance_corrected_reward,
    slr_partial_reward,
    slr_reward,
)
from logic_curriculum.rewards.answers import STATUSES
from logic_curriculum.rewards.engines.prolog_old import Execution
from logic_curriculum.rewards.registry import judge_of
from logic_curriculum.rewards.slr.judge import chance_corrected


def test_the_ground_truth_is_solved():
    verdict = judge("slr", RED, FRESH_TASK)
    assert verdict.solved
    assert (verdict.reward, verdict.syntax, verdict.partial) == (1.0, True, 1.0)
    assert verdict.answer == RED
    assert verdict.metrics["heldout_accuracy"] == verdict.metrics["fits"] == 1.0


@pytest.mark.parametrize(
    ("completion", "syntax", "partial", "reason"),
    [
        ("", False, 0.0, "nothing was said"),
        ("I don't know.", False, 0.0, "no rule was stated"),
        (FACTS, False, 0.0, "facts are no rule"),
        (UNREADABLE, False, 0.0, "cut off, which is malformed"),
        (FORBIDDEN, True, 0.0, "readable, but refused"),
        (NEVER, True, 0.5, "2 of 4: all negatives are right"),
        (ALWAYS, True, 0.5, "2 of 4: all positives are right"),
        (NAMES, True, 0.5, "examples have neutral names, so it never fires"),
        (RED.replace("red", "blue"), True, 0.25, "only train3 is right"),
    ],
)
def test_a_wrong_answer_earns_nothing_and_gets_a_share_of_the_examples_shown(
    completion, syntax, partial, reason
):
    verdict = judge("slr", completion, TASK)
    assert (verdict.solved, verdict.reward) == (False, 0.0)
    assert (verdict.syntax, verdict.partial) == (syntax, partial), reason
    assert verdict.metrics["fits"] == 0.0


@pytest.mark.parametrize(
    ("completion", "status"),
    [
        (RED, "answered"),
        (UNREADABLE, "answered"),
        (FACTS, "unreadable"),
        (f"<answer>{RED}", "truncated"),
        (json.dumps({"rule": RED, "program": NEVER}), "ambiguous"),
    ],
)
def test_one_metric_tells_what_became_of_a_completion(completion, status):
    metrics = judge("slr", completion, TASK).metrics
    assert [name for name in STATUSES if metrics[name]] == [status]


@pytest.mark.parametrize("completion", ["", UNREADABLE, FORBIDDEN, NEVER, ALWAYS, NAMES])
def test_an_answer_without_insight_is_worth_nothing_once_corrected_for_chance(completion):
    assert slr_chance_corrected_reward([completion], verification=[TASK]) == [0.0]


@pytest.mark.parametrize(
    ("labels", "outcomes", "expected"),
    [
        ("++--", "++--", 1.0),
        ("++--", "+---", 0.5),  # 1/2 + 2/2 - 1
        ("+++-", "++++", 0.0),  # 3/3 + 0/1 - 1: the majority class earns nothing
        ("++--", "--++", 0.0),  # 0/2 + 0/2 - 1 = -1, cut off
        ("++--", "++ee", 0.0),  # 2/2 + 0/2 - 1: a proof that raised is never right
        ("++", "++", 0.0),  # nothing to tell apart
    ],
)
def test_chance_correction_is_twice_the_balanced_accuracy_minus_one(labels, outcomes, expected):
    meaning = {"+": True, "-": False, "e": None}
    assert chance_corrected([c == "+" for c in labels], [meaning[c] for c in outcomes]) == expected


@pytest.mark.parametrize(("completion", "opening", "mention"), [
    (UNREADABLE, "syntax error: ", "operator expected"),
    (FORBIDDEN, "rejected: ", "shell/1"),
    ("eastbound(T) :- has_wheel(T, W).", "rejected: ", "has_wheel/2"),
    ("eastbound(T) :- eastbound(T).", "budget exceeded: ", "inferences"),
    ("eastbound(T) :- has_car(T, C), X is C + 1, X > 0.",
     "0 of 4 examples right; train0 should be eastbound; a proof raised ", "type error: number"),
])  # fmt: skip
def test_the_explanation_of_a_failure_is_one_line_with_the_reason(completion, opening, mention):
    explanation = judge("slr", completion, TASK).explanation
    assert explanation.startswith(opening)
    assert mention in explanation
    assert "\n" not in explanation


def test_order_survives_a_batch_of_mixed_tasks():
    purple = {**TASK, "validation_program": TRAINS.replace("red", "purple")}
    completions = [RED, RED.replace("red", "purple"), "", RED.replace("red", "purple"), RED]
    verifications = [TASK, purple, TASK, TASK, purple]
    solved = [verdict.solved for verdict in judge_batch("slr", completions, verifications)]
    assert solved == [True, True, False, False, False]


def test_user_chosen_label_predicates_are_honoured():
    text = TRAINS.replace("eastbound", "sunny").replace("westbound", "rainy")
    task = {"validation_program": text, "positive": "sunny", "negative": "rainy"}
    assert judge("slr", RED.replace("eastbound", "sunny"), task).solved
    assert not judge("slr", RED, task).solved


def test_examples_that_share_objects_are_counted_in_the_metrics():
    # train0 and train1 are coupled in the program shown, two fresh ones in the other
    linked = TRAINS + "\ncoupled(train0_car, train1_car)."
    both = {**FRESH_TASK, "validation_program": linked}
    both["heldout_program"] += "\ncoupled(fresh0_car, fresh40_car)."
    verdicts = judge_batch("slr", [RED, "", RED], [both, both, TASK])
    assert [verdict.metrics.get("sharing") for verdict in verdicts] == [4.0, 4.0, None]
    assert verdicts[0].solved


def test_a_value_with_the_judge_s_name_for_an_object_names_the_row():
    clash = {**TASK, "validation_program": TRAINS.replace("green", "obj001")}
    with pytest.raises(
        ValueError, match=r"^Row 1 can't be judged\. .*value 'obj001'.*another name"
    ):
        judge_batch("slr", [RED, RED], [TASK, clash])


PUBLISHED_ROW = {
    "id": 1,
    "ground-truth rule": RED,
    "validation program": TRAINS,
    "curriculum level": 1,
    "vocabulary predicates": 2,
}


def test_published_columns_are_judged_as_they_stand():
    columns = {name: [value, value] for name, value in PUBLISHED_ROW.items()}
    assert slr_reward(completions=[RED, NEVER], prompts=["p", "p"], **columns) == [1.0, 0.0]


def _warnings(caplog):
    return [record for record in caplog.records if "memorise" in record.getMessage()]


def test_training_on_published_rows_warns_once_that_memorising_pays(caplog):
    logic_curriculum.rewards.slr.judge._warn_of_memorising.cache_clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            slr_reward([RED, NEVER], verification=[PUBLISHED_ROW] * 2)
    assert len(_warnings(caplog)) == 1
    assert "'heldout_program'" in caplog.text


def test_judging_published_rows_and_training_on_generated_ones_warns_of_nothing(caplog):
    logic_curriculum.rewards.slr.judge._warn_of_memorising.cache_clear()
    with caplog.at_level(logging.WARNING):
        judge("slr", RED, PUBLISHED_ROW)
        judge_batch("slr", [RED, NEVER], [PUBLISHED_ROW] * 2)
        slr_reward([RED], verification=[FRESH_TASK])
    assert _warnings(caplog) == []


def test_columns_that_arrow_filled_with_nulls_count_as_absent():
    nulls = dict.fromkeys(["heldout_program", "accepted", "task_version", "reward_version"])
    assert judge("slr", RED, {**TASK, **nulls}).solved


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"level": 3, "seed": 7}, r"only \['level', 'seed'\].*Keep the generator's"),
        (None, "NoneType.*Keep the generator's"),
        ("eastbound(train0).", "is no JSON.*json.dumps"),
        ("[1]", "no object.*json.dumps"),
        ({"validation_program": "eastbound(train0)"}, "Line 1.*full stop"),
        ({**TASK, "heldout_program": TRAINS + "\np(X)."}, "Line 13.*has a variable"),
        ({**TASK, "heldout_program": TRAINS + "\np(a) :- b(X)."}, "Line 13.*is a rule"),
        ({"validation_program": TRAINS, "positive": "up", "negative": "down"}, "no fact up"),
        ({"validation_program": 7}, "validation_program is 7 of type int.*reads text"),
        ({**TASK, "heldout_program": 7}, "heldout_program is 7 of type int.*reads text"),
        ({**TASK, "positive": 3}, "positive is 3 of type int.*reads text"),
        ({**TASK, "negative": ["west"]}, "negative is .* of type list.*reads text"),
        ({**TASK, "positive": "East bound"}, "'East bound'.*reads a predicate"),
        ({**TASK, "positive": "e(X) :- halt"}, "reads a predicate"),
        ({**TASK, "heldout_threshold": 0.75, "task_version": 1}, "task_version 1 of slr"),
    ],
)
def test_a_malformed_row_raises_instead_of_scoring_the_model(payload, message):
    with pytest.raises(ValueError, match=r"(?s)Row 1 can't be judged\. .*" + message):
        judge_batch("slr", [RED, RED], [TASK, payload])


def test_a_lost_worker_is_not_the_model_s_fault_and_is_tried_again(monkeypatch):
    def lose(groups):
        lost = Execution("lost", detail="worker died")
        return [[(lost, None)] * len(rules) for _, _, rules in groups]

    judge_of("slr")._judge_again.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(logic_curriculum.rewards.engines.prolog_old, "judge_further", lose)
        verdict = judge("slr", RED, FRESH_TASK)
        assert (verdict.solved, verdict.reward) == (False, None)
        assert verdict.explanation == "not gradable: worker died"
        assert [f([RED], verification=[FRESH_TASK]) for f in (slr_reward, slr_partial_reward)] == [
            [None],
            [None],
        ]
    assert judge("slr", RED, FRESH_TASK).solved


def test_reward_functions_of_one_batch_judge_once(monkeypatch):
    calls = []
    original = logic_curriculum.rewards.engines.prolog_old.judge_further

    def count(groups):
        calls.append([len(rules) for _, _, rules in groups])
        return original(groups)

    judge_of("slr")._judge_again.cache_clear()
    monkeypatch.setattr(logic_curriculum.rewards.engines.prolog_old, "judge_further", count)
    batch = {"completions": [RED, NEVER], "verification": [FRESH_TASK, FRESH_TASK]}
    paid = [function(**batch) for function in (slr_reward, slr_partial_reward)]
    assert paid == [[1.0, 0.0], [1.0, 0.5]]
    assert calls == [[2]]


def test_hostile_megabytes_get_a_verdict():
    hostile = ["[RULE]" * 170_000, "%" * 1_000_000, "p(" * 500_000, "\0", "eastbound(\ud800)."]
    assert slr_reward(hostile, verification=[TASK] * len(hostile)) == [0.0] * len(hostile)
