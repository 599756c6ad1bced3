"""The judge of scalable inductive logic and its reward functions."""

import json
import string
from functools import partial

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
    program,
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
from logic_curriculum.rewards.engines.rules import LabelledExamples
from logic_curriculum.rewards.registry import judge_of
from logic_curriculum.rewards.slr.answer import read_rule
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
        (NAMES, True, 0.0, "names of examples are no values"),
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
        (f"<answer>{RED[:-2]},", "truncated"),
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
        ("++", "++", 0.0),  # nothing to tell apart
    ],
)
def test_chance_correction_is_twice_the_balanced_accuracy_minus_one(labels, outcomes, expected):
    text = program(*((f"t{at}", label == "+", "red") for at, label in enumerate(labels)))
    shown = LabelledExamples.read(text, "eastbound", "westbound")
    called = sum(1 << at for at, outcome in enumerate(outcomes) if outcome == "+")
    assert chance_corrected(shown, called) == expected


@pytest.mark.parametrize(("completion", "opening", "mention"), [
    (UNREADABLE, "syntax error: ", "')' expected near"),
    (FORBIDDEN, "outside the rule language: clause 1, shell(ls): ", "shell/1 is neither"),
    ("eastbound(T) :- has_wheel(T, W).", "outside the rule language: ", "has_wheel/2"),
    ("eastbound(T) :- eastbound(T).", "outside the rule language: ", "call itself on the tail"),
    ("eastbound(T) :- has_car(T, C), X is C + 1, X > 0.", "outside the rule language: clause 1, ",
     "a part is compared with a number"),
    ("eastbound(T) :- has_car(T, red).", "outside the rule language: clause 1, ", "with a part"),
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


def test_training_on_published_rows_warns_that_memorising_pays():
    with pytest.warns(UserWarning, match=r"'heldout_program'.* memorise"):
        slr_reward([RED, NEVER], verification=[PUBLISHED_ROW] * 2)


def test_judging_published_rows_and_training_on_generated_ones_warns_of_nothing(recwarn):
    judge_batch("slr", [RED, NEVER], [PUBLISHED_ROW] * 2)
    for row in (FRESH_TASK, {"verification": FRESH_TASK}, json.dumps({"verification": FRESH_TASK})):
        slr_reward([RED], verification=[row])
    assert not recwarn.list


def test_columns_that_arrow_filled_with_nulls_count_as_absent():
    nulls = dict.fromkeys(["heldout_program", "accepted", "task_version", "reward_version"])
    assert judge("slr", RED, {**TASK, **nulls}).solved


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"level": 3, "seed": 7}, r"only \['level', 'seed'\].*Keep the generator's"),
        (None, "NoneType.*Keep the generator's"),
        ("eastbound(train0).", "is no JSON.*json.dumps"),
        ("[1]", "of type list, but the judge reads a mapping"),
        ({"validation_program": "eastbound(train0)"}, "line 1, .*no fact.*slr_paper_reward"),
        ({**TASK, "heldout_program": TRAINS + "\np(X)."}, "line 13, .*no fact"),
        ({**TASK, "heldout_program": TRAINS + "\np(a) :- b(X)."}, "line 13, .*no fact"),
        (
            {"validation_program": TRAINS, "positive": "up", "negative": "down"},
            r"one label of an example, up\(\.\.\.\)",
        ),
        ({"validation_program": 7}, "'validation_program' is 7 of type int.*valid string"),
        ({**TASK, "heldout_program": 7}, "'heldout_program' is 7 of type int.*valid string"),
        ({**TASK, "positive": "East bound"}, "'East bound'.*match pattern"),
        ({**TASK, "negative": "e(X) :- halt"}, "match pattern"),
        ({**TASK, "heldout_threshold": 0.75, "task_version": 1}, "task_version 1 of slr"),
        (
            {"validation_program": TRAINS, "heldout_threshold": 0.75},
            "'heldout_threshold'.*task_version 1 of slr",
        ),
    ],
)
def test_a_malformed_row_raises_instead_of_scoring_the_model(payload, message):
    with pytest.raises(ValueError, match=r"(?s)Row 1 can't be judged\. .*" + message):
        judge_batch("slr", [RED, RED], [TASK, payload])


def test_reward_functions_of_one_batch_judge_once(monkeypatch):
    calls = []
    original = logic_curriculum.rewards.slr.judge.read_rule

    def count(text, *names):
        calls.append(text)
        return original(text, *names)

    judge_of("slr")._judge_again.cache_clear()
    monkeypatch.setattr(logic_curriculum.rewards.slr.judge, "read_rule", count)
    batch = {"completions": [RED, NEVER], "verification": [FRESH_TASK, FRESH_TASK]}
    paid = [function(**batch) for function in (slr_reward, slr_partial_reward)]
    assert paid == [[1.0, 0.0], [1.0, 0.5]]
    assert calls == [RED, NEVER]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("coupled(train0_car, train1_car).", "is no value of a part"),
        (
            "has_car(train0, train1_car).",
            "not the one fact that gives an example a part of its own",
        ),
        ("heavy(train0_car).", "neither the one label of an example"),
        ("between(train0_car, red, blue).", "line 13, .*is no fact"),
        ("car_color(other, red).", "is no value of a part"),
        ("car_color(train0_car, 3).", "names and numbers"),
        ("westbound(train0).", "neither the one label of an example"),
    ],
)
def test_facts_of_another_shape_are_for_the_paper_s_reward(line, told):
    task = {**TASK, "validation_program": f"{TRAINS}\n{line}"}
    with pytest.raises(ValueError, match=rf"Row 0 .*{told}.*slr_paper_reward"):
        judge("slr", RED, task)


VOCABULARY = {
    "membership": "has_car",
    "parts": 1,
    "attributes": {"car_color": ["red", "blue", "green"]},
}


def test_vocabulary_and_caps_come_from_the_row():
    either = RED.replace("car_color(C, red)", "(car_color(C, red) ; car_color(C, white))")
    assert not judge("slr", either, TASK).solved  # no car shown is white
    white = {**VOCABULARY, "attributes": {"car_color": ["red", "blue", "green", "white"]}}
    assert judge("slr", either, {**TASK, "vocabulary": white}).solved
    capped = judge("slr", either, {**TASK, "vocabulary": white, "caps": {"values": 1}})
    assert (capped.reward, capped.metrics["outside"]) == (0.0, 1.0)
    assert "2 mentions of values and numbers (red, white), and a rule has at most 1" in (
        capped.explanation
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"vocabulary": {"membership": "has_car"}}, "no 'parts'"),
        (
            {"vocabulary": {**VOCABULARY, "attributes": {"car_color": []}}},
            "car_color.* is .*1 item",
        ),
        ({"caps": {"values": "many"}}, "'caps' is .*whole numbers"),
        ({"caps": {"words": 3}}, "'caps' is .*clauses, goals, names, values"),
    ],
)
def test_a_malformed_vocabulary_or_cap_raises(change, told):
    with pytest.raises(ValueError, match=rf"Row 0 .*{told}"):
        judge("slr", RED, {**TASK, **change})


def test_hostile_megabytes_get_a_verdict():
    hostile = ["[RULE]" * 170_000, "%" * 1_000_000, "p(" * 500_000, "\0", "eastbound(\ud800)."]
    assert slr_reward(hostile, verification=[TASK] * len(hostile)) == [0.0] * len(hostile)


BLUE = "eastbound(T) :- has_car(T, C), car_color(C, blue)."
TAGGED = f"[RULE]{RED}[/RULE]"
PADDING = "%\n" * 5_000
TWO = "eastbound(T) :- has_car(T, C), is_it(C).\nis_it(C) :- car_color(C, red)."


COPIED = ("", " ", *string.ascii_letters, *string.digits, "full", "railing", "solid_roof")


@pytest.mark.parametrize(
    "text",
    [
        f"{TAGGED}\n<reas¤ning>\n[RULE]{BLUE}[/RULE]",
        f"{TAGGED}\n[RUL¤]{BLUE}[/RULE]",
        f"{RED}\n\nAns¤er: {BLUE}",
        "[RULE]eastbound(T) :- \\+ h(T).\nh(T) :- has_car(T, C), car_color(C, blue).[/RULE]\n"
        "[RULE]e¤stbound(T) :- has_car(T, C), car_color(C, blue).[/RULE]",
        f'{TAGGED}\n[RUL¤]{{"rule": "eastbound(T) \\u003a- has_car(T, C)."}}[/RULE]',
        f'{{"rule": "{RED}", "¤nswer": "{BLUE}"}}',
        f"[/* x */RULE]{BLUE}[/RULE]\n%[RULE]\n{RED}\n%[ans¤er]\neastbound(T) :- fail %[/RULE]\n"
        "; has_car(T, C), car_color(C, blue). %[/answer]",
        f"[¤ULE]\n{RED}\n\n{BLUE}\n[/RULE]",
        f"{TAGGED}\n[RULE]¤* {BLUE}[/RULE]",
        f"{TAGGED}\n<RULE ¤=1>{BLUE}",
        f"{TAGGED}\n&l¤t;RULE>{BLUE}",
        f"\\boxed{{{RED}}}<x>\n\\box¤ed{{{BLUE}}}",
        f"\\boxed{{{RED}}}<x>\n¤oxed{{{BLUE}}}",
        f"{TAGGED}\n［RUL¤］{BLUE}［/RULE］",
        f"{RED}\n% <rule x={'y' * 99}¤>\n{BLUE}",
        f"[RULE]{RED} /* x *¤/\n{BLUE} /* y */[/RULE]",
        f"{TAGGED}\n[RULE]/* x *¤/ {BLUE}[/RULE]",
        f"The only one i¤: {RED[:-1]}, (q -> true ; fail). q :- fail.\nq :- true.",
        f"[RULE]?- x.¤\np(blue).\n{RED}[/RULE]",
        f"{TAGGED}\n<rule>eastbound(T) % <rule a=&¤t; ,>\n:- has_wall(T, full).</rule>",
        f"[RULE]eastbound(T) :- fail, T\n/**/ // T ; {BLUE[16:-1]}\n.[/RULE]\n"
        f"[RUL¤]eastbound(T) :- fail, T\n/**/ // T ; {RED[16:-1]}\n.[/RULE]\n\n"
        "eastbound(T) :- fail, T.",
        f"{TAGGED}\n[RULE]eastbound(T) :¤- has_car(T, C), car_color(C, blue).[/RULE]",
        f"{RED} /* x\n``¤`\n*/ {BLUE}",
        f"The only one i¤: {RED}\n¤ p(blue).",
        "[RULE]eastbound(T) :- has_car(T, C), car_num(C, N), N > 4 /¤* 2, N < 9. % */ .[/RULE]",
        f"<¤nswer>{RED}</¤nswer>\n:- t¤ble the answer is {BLUE}",
        "[RULE]eastbound(T) :- has_car(T, C), car_num(C, N), N = 2.[/RULE]\n"
        "[RULE]eastbound(T) :- has_car(T, C), car_num(C, N), N\n>= 2.[/RUL¤]",
        f"{TAGGED}\n<¤:think>\n[RULE]eastbound(T) % [¤]\n:- has_wall(T, full).[/RULE]",
        f"The only on¤ is: {RED[:-1]}, (q ; true). q :- 1 > 2.\nq.",
        f"[RULE]\n{RED}\n/* </ab:th¤nk>\n{BLUE}\n% x. */ % y.",
        f"[RULE]\n{RED}\n/* assistant\u200bfina¤\n{BLUE}\n% x. */ % y.",
        f"[RULE]\n{RED}\n/* <¤/think>\n{BLUE}\n% x. */ % y.",
        f"[RULE]{RED[:-1]} %x. <ab:th¤nk>\n, has_wall(C, full).",
        f"[RULE]{RED}[/RULE]\n[RUL¤]\neastbound(T)\n:- table, has_car(T, C), car_color(C, blue).\n"
        "table.\n[/RULE]",
        "[RULE]eastbound(T) :- has_car(T, C), car_num(C, N), N > 1.[/RULE]\n"
        "[RUL¤]eastbound(T) :- has_car(T, C), car_num(C, N), N > 1*2.[/RULE]",
        f"```\n{BLUE} ...\n```\n\n{RED}\n% the final correct final correct final answe¤\n{BLUE}",
        f"\\boxed{{{RED} %\\¤}} x.\np(blue).\n}}",
        f"/*%\n**Answer:**\n\n{RED}\n\n{BLUE} The ans¤er is\n\n{TWO}",
        f"{RED}\n{PADDING * 3}{BLUE}\n\n{'¤ ' * 11_230}",
        *(
            f"{RED} /* {mark} [a¤swer\n] {BLUE} % */ ."
            for mark in ("[¤]", "&¤;", "<a -¤>", "[¤x] ¤)")
        ),
        *(f"{RED} /* {mark} [a¤nswer\n] {BLUE} % */ ." for mark in ("*¤*", "##¤##")),
        f"{RED} /* [¤] [RULE ¤=1\n] {BLUE} % */ .",
        "> eastbound(T) :- has_car(T, C), (fail, T =\n> ¤// T ; true -> has_wall(C, full) ; "
        "fail, T\n> - T ; car_color(C, red)).",
        "[RULE]eastbound(T) :- \\+ westbound(T), (¤westbound(T) -> red(T) ; true) /* % */ .w"
        "estbound(T) :- fail .¤westbound(T) :- \\+¤eastbound(T).\n¤eastbound(T) :- fail.[/RULE]",
        "> [RULE]/* <rule ¤=1> /**/ eastbound(T) :- has_car(T, C), car_num(C, N), abs(N),\n"
        "¤> abs(N). abs(N) :- N > 1.</rule>",
        f"{RED} % [¤] the a¤swer is\n{BLUE}",
        "[RULE]eastbound(T) :- has_car(T, C), car_num(C, N), M is\n¤// 2, N > 3\n- 4.[/RULE]",
    ],
)
def test_no_copied_letter_chooses_between_two_rules(text):
    read = partial(read_rule, positive="eastbound", negative="westbound")
    texts = [text.replace("¤", letter) for letter in COPIED]
    assert len({read(each, strict=False).answer for each in texts}) > 1, "no attack"
    assert len({read(each).answer for each in texts} - {None}) <= 1


@pytest.mark.parametrize(
    "text",
    [
        f"{TAGGED}\nOr: {BLUE}",
        f"{TAGGED}\nwestbound(T) :- \\+ eastbound(T) ; has_car(T, C).",
        f"{TAGGED}<think>{BLUE}",
        f"{RED}\nwestbound(T) :- has_car(T, C), car_color(C, blue).",  # a copied label
        f"[RULE]{BLUE}[/RULE] or {BLUE[:-1]}, car_color(C, red).",
    ],
)
def test_no_other_rule_may_follow_the_answer(text):
    verdict = judge("slr", text, TASK)
    assert (verdict.reward, verdict.metrics["ambiguous"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    "text",
    [
        f"First {BLUE} That fails.\n[RULE]{BLUE}[/RULE]\nBetter: {TAGGED}",
        f"<think>{RED} or {BLUE}</think>{TAGGED}",
        f"{TAGGED}\nIn words: `{RED}`",
        f"[RULE]{TWO}[/RULE]\n\nIn one piece:\n```prolog\n{TWO}  % again\n```\nThis fits.",
        f"{TAGGED}\nSo eastbound(train0) holds, and 50% of the others don't: not (any colour).",
        f"## Rule\n# red\n{TAGGED}",
        "[RULE]eastbound(T) :- has_car(T, C), car_color(C, X), member(X, [red]).[/RULE]",
        f"[RULE]{BLUE}[/RULE] is wrong. I am 100% sure of {TAGGED}",
        f"{TAGGED}\n\nExplanation:\n- has_car(T, C) takes a car.",
        f"[RULE]% as for eastbound(train0), as red\n{RED}[/RULE]",
        f"[RULE]{RED}\nwestbound(T) :- \\+ eastbound(T).[/RULE]",
        f"{TAGGED}\n\nwestbound(T) :- \\+ eastbound(T).",
        json.dumps({"rule": RED}),
        f"{TAGGED}\n\n| train | class |\n|:---|:-:|\n| 0 | east |\n\nHere `:-` is if :-)",
        f"{TAGGED}\n\nFinal answer: {RED}",
        f"[RULE]\n% first: {BLUE}\n{RED}\nwestbound(T) :- not(eastbound(T)).\n[/RULE]",
        json.dumps({"rule": RED, "answer": RED}),
        "[RULE]\neastbound(T) :-\n    has_car(T, C),  % [a] car\n\n    car_color(C, red).\n[/RULE]",
    ],
)
def test_drafts_and_the_same_rule_again_do_no_harm(text):
    assert judge("slr", text, TASK).reward == 1.0
