"""The judge of scalable inductive logic and its reward functions."""

import json
import pickle

import pytest

import rewards.slr
from rewards import (
    REWARDS,
    judge,
    judge_batch,
    slr_chance_corrected_reward,
    slr_partial_reward,
    slr_reward,
)
from rewards.judges.prolog import Execution, Program, isomorphic_copy
from rewards.slr import chance_corrected


def program(*trains: tuple[str, bool, str]) -> str:
    """Return a program of one-car trains, given by name, label and colour of the car."""
    return "\n".join(
        f"{'eastbound' if label else 'westbound'}({name}).\n"
        f"has_car({name}, {name}_car).\ncar_color({name}_car, {color})."
        for name, label, color in trains
    )


TRAINS = program(
    ("train0", True, "red"),
    ("train1", True, "red"),
    ("train2", False, "blue"),
    ("train3", False, "green"),
)
HELDOUT = program(
    ("train0", True, "red"),
    ("train1", True, "red"),
    ("train2", False, "blue"),
    ("train3", False, "yellow"),
)
TASK = {"validation_program": TRAINS, "positive": "eastbound", "negative": "westbound"}
HELDOUT_TASK = {**TASK, "heldout_program": HELDOUT}
GATED_TASK = {**HELDOUT_TASK, "heldout_threshold": 1.0}

RED = "eastbound(T) :- has_car(T, C), car_color(C, red)."
MEMORISED = "eastbound(T) :- has_car(T, C), \\+ car_color(C, blue), \\+ car_color(C, green)."
NEVER = "eastbound(T) :- has_car(T, C), car_color(C, purple)."
ALWAYS = "eastbound(T)."
NAMES = "eastbound(train0). eastbound(train1)."
UNREADABLE = "eastbound(T) :- has_car(T, C"
FORBIDDEN = "eastbound(T) :- shell(ls)."


def test_the_ground_truth_is_solved():
    verdict = judge("slr", RED, HELDOUT_TASK)
    assert verdict.solved
    assert (verdict.reward, verdict.syntax, verdict.partial) == (1.0, True, 1.0)
    assert verdict.answer == RED
    assert verdict.metrics["heldout_accuracy"] == 1.0


@pytest.mark.parametrize(
    ("completion", "syntax", "partial", "reason"),
    [
        ("", False, 0.0, "nothing was said"),
        ("I don't know.", False, 0.0, "no rule was stated"),
        (UNREADABLE, False, 0.0, "cut off: unreadable"),
        (RED.rstrip("."), False, 0.0, "no full stop: unreadable"),
        (FORBIDDEN, True, 0.0, "readable, but refused"),
        (NEVER, True, 0.5, "2 of 4: all negatives are right"),
        (ALWAYS, True, 0.5, "2 of 4: all positives are right"),
        (NAMES, True, 0.5, "no such names in the renamed copy, so it never fires"),
        (RED.replace("red", "blue"), True, 0.25, "only train3 is right"),
    ],
)
def test_a_wrong_answer_gets_the_scores_of_the_paper(completion, syntax, partial, reason):
    verdict = judge("slr", completion, TASK)
    assert (verdict.solved, verdict.reward) == (False, 0.0)
    assert (verdict.syntax, verdict.partial) == (syntax, partial), reason


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


def test_naming_the_examples_shows_as_hacking_gap():
    verdict = judge("slr", NAMES, TASK)
    assert verdict.metrics["extensional"] == 1.0
    assert verdict.metrics["isomorphic"] == 0.0
    assert verdict.metrics["hacking_gap"] == 1.0
    # the renamed copy repeats a task of fewer than six examples
    assert verdict.explanation.startswith("shortcut: all 4 examples right as shown, 4 of 8 once")


def test_memorised_attributes_fail_only_where_the_gate_is_set():
    # yellow is neither blue nor green, so 3 of the 4 held-out trains are right
    reported, gated = judge_batch("slr", [MEMORISED] * 2, [HELDOUT_TASK, GATED_TASK])
    assert (reported.solved, gated.solved) == (True, False)
    assert reported.metrics["heldout_accuracy"] == gated.metrics["heldout_accuracy"] == 0.75
    assert gated.metrics["isomorphic"] == 1.0
    assert gated.explanation.endswith("3 of 4 held-out ones, below the required 100%")


def test_heldout_accuracy_is_absent_without_a_heldout_program():
    assert "heldout_accuracy" not in judge("slr", RED, TASK).metrics
    assert "heldout_accuracy" not in judge("slr", "", TASK).metrics


@pytest.mark.parametrize(
    ("completion", "explanation"),
    [
        (RED, "all 4 examples right"),
        ("", "no rule found in the completion"),
        (NEVER, "2 of 4 examples right; train0 should be eastbound"),
        (ALWAYS, "2 of 4 examples right; train2 should be westbound"),
    ],
)
def test_the_explanation_says_why_in_the_prompt_s_names(completion, explanation):
    assert judge("slr", completion, TASK).explanation == explanation


@pytest.mark.parametrize(
    ("completion", "opening", "mention"),
    [
        (UNREADABLE, "syntax error: ", "end of file"),
        (FORBIDDEN, "rejected: ", "shell/1"),
        ("eastbound(T) :- has_wheel(T, W).", "rejected: ", "has_wheel/2"),
        ("eastbound(T) :- eastbound(T).", "budget exceeded: ", "inferences"),
        (
            "eastbound(T) :- has_car(T, C), X is C + 1, X > 0.",
            "0 of 4 examples right; train0 should be eastbound; a proof raised ",
            "train0_car",
        ),
    ],
)
def test_the_explanation_of_a_failure_is_one_line_with_the_reason(completion, opening, mention):
    explanation = judge("slr", completion, TASK).explanation
    assert explanation.startswith(opening)
    assert mention in explanation
    assert "\n" not in explanation


def test_order_survives_a_batch_of_mixed_tasks():
    blue = {"validation_program": TRAINS.replace("red", "blue_").replace("blue_", "purple")}
    completions = [RED, RED.replace("red", "purple"), "", RED.replace("red", "purple"), RED]
    verifications = [TASK, blue, TASK, TASK, blue]
    solved = [verdict.solved for verdict in judge_batch("slr", completions, verifications)]
    assert solved == [True, True, False, False, False]


def test_a_batch_is_judged_like_its_rows():
    completions = [RED, NEVER, ALWAYS, NAMES, UNREADABLE, FORBIDDEN, ""]
    together = judge_batch("slr", completions, [HELDOUT_TASK] * len(completions))
    assert together == [judge("slr", completion, HELDOUT_TASK) for completion in completions]


def test_user_chosen_label_predicates_are_honoured():
    text = TRAINS.replace("eastbound", "sunny").replace("westbound", "rainy")
    task = {"validation_program": text, "positive": "sunny", "negative": "rainy"}
    assert judge("slr", RED.replace("eastbound", "sunny"), task).solved
    assert not judge("slr", RED, task).solved


def test_a_payload_s_own_isomorphic_program_is_used():
    copy = isomorphic_copy(Program.parse(TRAINS)).text
    verdict = judge("slr", NAMES, {**TASK, "isomorphic_program": copy})
    assert verdict == judge("slr", NAMES, TASK)


@pytest.mark.parametrize("dump", [lambda task: task, json.dumps], ids=["mapping", "json"])
def test_a_payload_is_a_mapping_or_its_json_text(dump):
    assert slr_reward(completions=[RED], verification=[dump(TASK)]) == [1.0]


def test_conversational_completions_are_read():
    said = [{"role": "assistant", "content": f"<think>red?</think>[RULE]{RED}[/RULE]"}]
    assert slr_reward([said], verification=[TASK]) == [1.0]


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


def test_a_published_row_is_a_payload():
    assert judge("slr", RED, PUBLISHED_ROW).solved


def test_columns_that_arrow_filled_with_nulls_count_as_absent():
    assert judge("slr", RED, {**TASK, "heldout_program": None, "heldout_threshold": None}).solved


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"level": 3, "seed": 7}, r"only \['level', 'seed'\].*Keep the generator's"),
        (None, "NoneType.*Keep the generator's"),
        ("eastbound(train0).", "is no JSON.*json.dumps"),
        ("[1]", "no object.*json.dumps"),
        ({"validation_program": "eastbound(train0)"}, "Line 1.*full stop"),
        ({**TASK, "heldout_program": TRAINS + "\np(X)."}, "Line 13.*has a variable"),
        ({**TASK, "isomorphic_program": TRAINS + "\np(a) :- b(X)."}, "Line 13.*is a rule"),
        ({"validation_program": TRAINS, "positive": "up", "negative": "down"}, "no fact up"),
        ({**TASK, "heldout_threshold": 0.75}, "no heldout_program.*Add the program"),
        ({**HELDOUT_TASK, "heldout_threshold": 75}, r"lies in \(0, 1\]"),
        ({**HELDOUT_TASK, "heldout_threshold": 0}, r"lies in \(0, 1\]"),
        ({**HELDOUT_TASK, "heldout_threshold": "0.75"}, "'0.75' of type str.*without quotes"),
        ({**HELDOUT_TASK, "heldout_threshold": True}, "True of type bool.*such as 0.75"),
        ({"validation_program": 7}, "validation_program is 7 of type int.*as a string"),
        ({**TASK, "heldout_program": 7}, "heldout_program is 7 of type int.*as a string"),
        ({**TASK, "isomorphic_program": [1]}, r"isomorphic_program is \[1\] of type list"),
        ({**TASK, "positive": 3}, "positive is 3 of type int.*as a string"),
        ({**TASK, "negative": ["west"]}, "negative is .* of type list.*as a string"),
    ],
)
def test_a_malformed_row_raises_instead_of_scoring_the_model(payload, message):
    with pytest.raises(ValueError, match=r"(?s)Row 1 can't be judged\. .*" + message):
        judge_batch("slr", [RED, RED], [TASK, payload])


def test_a_lost_worker_is_not_the_model_s_fault_and_is_tried_again(monkeypatch):
    def lose(tasks):
        lost = Execution("lost", detail="worker died")
        return [[(lost,) * len(programs)] * len(hypotheses) for programs, hypotheses in tasks]

    rewards.slr._judge_answers.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(rewards.slr, "judge_tasks", lose)
        verdict = judge("slr", RED, TASK)
        assert (verdict.solved, verdict.reward) == (False, None)
        assert verdict.explanation == "not gradable: worker died"
        assert [f([RED], verification=[TASK]) for f in (slr_reward, slr_partial_reward)] == [
            [None],
            [None],
        ]
    assert judge("slr", RED, TASK).solved


def test_reward_functions_of_one_batch_judge_once(monkeypatch):
    calls = []
    original = rewards.slr.judge_tasks

    def count(tasks):
        calls.append(len(tasks))
        return original(tasks)

    rewards.slr._judge_answers.cache_clear()
    monkeypatch.setattr(rewards.slr, "judge_tasks", count)
    batch = {"completions": [RED, NEVER], "verification": [TASK, TASK]}
    paid = [function(**batch) for function in (slr_reward, slr_partial_reward)]
    assert paid == [[1.0, 0.0], [1.0, 0.5]]
    assert calls == [1]


def test_hostile_megabytes_get_a_verdict():
    hostile = ["[RULE]" * 170_000, "%" * 1_000_000, "p(" * 500_000, "\0", "eastbound(\ud800)."]
    assert slr_reward(hostile, verification=[TASK] * len(hostile)) == [0.0] * len(hostile)


@pytest.mark.parametrize("name", [n for n in REWARDS if REWARDS[n].family in (None, "slr")])
def test_reward_functions_survive_pickling_with_their_name(name):
    assert REWARDS[name].__name__ == name
    copy = pickle.loads(pickle.dumps(REWARDS[name]))
    columns = {"verification": [TASK], "family": ["slr"]}
    assert copy([RED], **columns) == REWARDS[name]([RED], **columns) == [1.0]
