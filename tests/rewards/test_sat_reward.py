"""Answers on consistency: how they are read, and what verdicts and certificates earn."""

import json
import pickle
from itertools import pairwise

import pytest

from rewards import judge, judge_batch, sat_partial_reward, sat_reward, sat_verdict_reward
from rewards.sat.judge import ERRORS
from rewards.sat_answers import extract_assignment, extract_core, extract_verdict

CONSISTENT = [
    "<result>consistent</result>",
    "<RESULT> Consistent. </RESULT>",
    "<result>**consistent**</result>",
    "<result>yes</result>",
    "<result>The statements are not inconsistent</result>",
    "<result>consistent",  # the closing tag was cut off
    "<result>inconsistent</result> Wait, no. <result>consistent</result>",
    "<result>consistent</result> If 3 were added, the set would be inconsistent.",
    "<result>(consistent/inconsistent)</result> Answer: consistent",
    "<think>It is inconsistent.</think><result>consistent</result>",
    "<think>hm</think>The set is satisfiable.",
    "<answer>consistent</answer>",
    r"\boxed{\text{consistent}}",
    r"$\boxed{Yes}$",
    '{"result": "consistent"}',
    "Is the set inconsistent? No contradiction arises.\n\n**Answer:** consistent",
    "**Consistent**",
    "Yes",
    "Yes, all of them can be true at the same time.",
    "Answer: yes",
    "The final answer is: Yes.",
    "There is no contradiction, so the statements are logically consistent.",
    "They can all be true together.",
    "We must decide whether they are consistent or inconsistent.\nResult: consistent",
    "Statement 2 is inconsistent with v3 = true. Hence v3 is false. The statements are consistent.",
    "The statements do not contradict each other.",
    "Therefore, all statements can be true simultaneously.",
    "All six of them: all 6 statements can hold together.",
    "I don't think they are inconsistent.",
    "With v2 false the statements are consistent.",
    "SAT",
    "The set isn't inconsistent.",
    "<certificate>v1=true</certificate>\nSo the statements are consistent.",
]
INCONSISTENT = [
    "<result>inconsistent</result>",
    "<result>not consistent</result>",
    "<result>no</result>",
    "<result>The statements are contradictory.</result>",
    "<result>inconsistent</result>\n<certificate>2, 5</certificate>\nWithout 5 it is consistent.",
    "So the statements are not consistent.",
    "They aren't logically consistent.",
    "The statements cannot be consistent.",
    "The set cannot possibly be logically consistent.",
    "Therefore, they can't all be true at the same time.",
    "They cannot all be true.",
    "The statements contradict one another.",
    "unsatisfiable",
    "The formulas are not jointly satisfiable.",
    "UNSAT",
    "Final answer: **Inconsistent**",
    "No, they cannot all hold.",
    "Answer: no",
    r"\boxed{inconsistent}",
    '```json\n{"answer": "inconsistent"}\n```',
    "The statements are inconsistent. If statement 3 were dropped, the rest would be consistent.",
    "Answer: inconsistent\nNote that the remaining statements are consistent.",
    "I don't think the statements are consistent.",
    "It is not the case that the statements are consistent.",
    "Not all of them can be true at the same time.",
    "There's no way these statements can all be true.",
    "It is impossible for all of them to be true together.",
    "All of these statements cannot be true at the same time.",
    "No truth assignment can satisfy all the statements.",
    "non-consistent",
    "in-consistent",
]
NOTHING = [
    "",
    "I don't know.",
    "<result></result>",
    "<result>consistent or inconsistent</result>",
    "<result>consistent/inconsistent</result>",
    "<result>consistent and inconsistent</result>",
    "<result>consistent</result> or <result>inconsistent</result>",
    "<result>consistent</result> if all can be true, <result>inconsistent</result> if not.",
    "The question is whether all statements can be true together.",
    "Are the statements consistent?",
    "Let us check whether the statements are consistent or inconsistent.",
    "v1 is consistent with statement 4.",
    "The cat sat on the mat.",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, True) for text in CONSISTENT),
        *((text, False) for text in INCONSISTENT),
        *((text, None) for text in NOTHING),
    ],
)
def test_a_verdict_is_read_in_the_ways_that_models_write_it(text, expected):
    assert extract_verdict(text) is expected


def test_a_verdict_within_thoughts_counts_only_when_the_completion_ends_with_them():
    assert extract_verdict("<think>It is consistent.</think>") is True
    assert extract_verdict("<think>It is consistent.</think>I can't say.") is None
    assert extract_verdict("<think>It is consistent.") is None


NAMES = ["v1", "v2", "v3"]
RIGHT = {"v1": True, "v2": False, "v3": True}


@pytest.mark.parametrize(
    "text",
    [
        "<certificate>v1=true, v2=false, v3=true</certificate>",
        "<certificate>v1 = True; v2 = False; v3 = True</certificate>",
        "<certificate>v1: T, v2: F, v3: T</certificate>",
        "<certificate>v1=1, v2=0, v3=1</certificate>",
        "<certificate>1=true, 2=false, 3=true</certificate>",
        "<certificate>a1=true, a2=false, a3=true</certificate>",
        '<certificate>{"v1": true, "v2": false, "v3": true}</certificate>',
        "<certificate>v1 ✓, v2 ✗, v3 ✓</certificate>",
        "<certificate>v1, ¬v2, v3</certificate>",
        "<certificate>true: v1, v3\nfalse: v2</certificate>",
        "<certificate>v1 and v3 are true, v2 is false</certificate>",
        "<certificate>v1 is true, v2 is not true, v3 is true</certificate>",
        "<certificate>v1=false, v2=false, v3=true, v1=true</certificate>",  # the last one counts
        "<certificate>v1=false</certificate><certificate>v1=true, v2=false, v3=true</certificate>",
        "<certificate>v1=true, v2=false, v3=true",
        "<certificate>$v_1 = true$, $v_{2} = false$, $v_3 = true$</certificate>",
        "<certificate>\n- v1: **true**\n- v2: **false**\n- v3: **true**\n</certificate>",
        "<certificate>(v1, v2, v3) = (true, false, true)</certificate>",
        "<certificate>v1, v2, v3: 1, 0, 1</certificate>",
        "| v1 | v2 | v3 |\n|---|---|---|\n| T | F | T |\n<result>consistent</result>",
        "<result>consistent</result>\nv1=true, v2=false, v3=true",
        "v1=false fails. Take v1=true, v2=false, v3=true.\n<result>consistent</result>",
        "| v1 | true |\n| v2 | false |\n| v3 | true |\n<result>consistent</result>",
    ],
)
def test_an_assignment_is_read_in_the_ways_that_models_write_it(text):
    assert extract_assignment(text, NAMES) == RIGHT


def test_an_assignment_says_nothing_of_variables_left_out():
    assert extract_assignment("<certificate>v1=true</certificate>", NAMES) == {"v1": True}
    assert extract_assignment("<certificate>v9=true</certificate>", NAMES) == {}
    assert extract_assignment("no idea", NAMES) == {}


def test_variables_may_have_names_of_any_kind():
    text = "<certificate>rain=true, Wind=false</certificate>"
    assert extract_assignment(text, ["rain", "wind"]) == {"rain": True, "wind": False}


@pytest.mark.parametrize(
    "text",
    [
        "<certificate>2, 5, 7</certificate>",
        "<certificate>[2, 5, 7]</certificate>",
        "<certificate>statements 2, 5 and 7</certificate>",
        "<certificate>Statements #2, #5, and #7 (v1 must be true)</certificate>",
        "<certificate>7 5 2 2</certificate>",
        "<certificate>S2, S5, S7</certificate>",
        "<certificate>statement2, statement_5, #7 (v1=true)</certificate>",
        "<result>inconsistent</result>\n**Certificate:** 2, 5, 7",
        "<certificate>1, 2</certificate> No: <certificate>2, 5, 7</certificate>",
        "<result>inconsistent</result>\nStatements 2, 5 and 7 contradict each other.",
        "Statements 2, 5, and 7 contradict each other.\n<result>inconsistent</result>",
        "<result>inconsistent</result>\nCore: {2, 5, 7}",
    ],
)
def test_a_core_is_read_in_the_ways_that_models_write_it(text):
    assert extract_core(text) == {2, 5, 7}


def test_a_range_names_all_of_its_numbers():
    assert extract_core("<certificate>2-4, 7</certificate>") == {2, 3, 4, 7}
    assert extract_core("<certificate>1-9999</certificate>") == {1}  # no core is so long
    assert extract_core("no idea") is None


SAT = {"formulas": ["(v1∨v2)", "(v1→v3)", "¬v2"], "satisfiable": True, "certificate": True}
UNSAT = {
    "formulas": ["v1", "(v1→v2)", "¬v2", "(v2∨v3)"],
    "satisfiable": False,
    "certificate": True,
}


def answer(result, certificate=""):
    return f"<result>{result}</result>\n<certificate>{certificate}</certificate>"


@pytest.mark.parametrize(
    ("task", "completion", "error", "partial"),
    [
        (SAT, answer("consistent", "v1=true, v2=false, v3=true"), None, 1.0),
        (SAT, answer("consistent", "v1=true, v2=true, v3=false"), "wrong_assignment", 0.5 / 3),
        (SAT, answer("consistent", "v1=true, v3=true"), "incomplete_assignment", 0.5 / 3),
        (SAT, answer("consistent"), "no_certificate", 0.0),
        (SAT, answer("inconsistent", "1, 2, 3"), "false_negative", 0.0),
        (SAT, "I give up", "no_answer", 0.0),
        (UNSAT, answer("inconsistent", "1, 2, 3"), None, 1.0),
        (UNSAT, answer("inconsistent", "1, 2, 3, 4"), "not_minimal", 0.5 * 3 / 4),
        (UNSAT, answer("inconsistent", "2, 3"), "not_unsatisfiable", 0.0),
        (UNSAT, answer("inconsistent", "1, 2, 3, 5"), "unknown_statement", 0.0),
        (UNSAT, answer("inconsistent", "0"), "unknown_statement", 0.0),
        (UNSAT, answer("inconsistent"), "no_certificate", 0.0),
        (UNSAT, answer("consistent", "v1=true, v2=true, v3=true"), "false_positive", 0.0),
    ],
)
def test_a_certificate_earns_all_or_nothing_and_its_error_is_named(
    task, completion, error, partial
):
    verdict = judge("sat", completion, task)
    assert (verdict.solved, verdict.reward) == (error is None, float(error is None))
    assert verdict.partial == pytest.approx(partial)
    assert {name for name in ERRORS if verdict.metrics[name]} == ({error} if error else set())


def test_without_a_certificate_the_verdict_is_all_that_counts():
    plain = {**SAT, "certificate": False}
    assert judge("sat", answer("consistent"), plain).reward == 1.0
    wrong = judge("sat", "<result>inconsistent</result>", plain)
    assert (wrong.reward, wrong.partial, wrong.metrics["false_negative"]) == (0.0, 0.0, 1.0)
    assert wrong.answer == "inconsistent"


def test_the_reward_functions_pay_the_whole_the_parts_and_the_verdict():
    columns = {"verification": [json.dumps(UNSAT)] * 2}
    answers = [answer("inconsistent", "1, 2, 3, 4"), answer("inconsistent", "3, 2, 1")]
    assert sat_reward(completions=answers, **columns) == [0.0, 1.0]
    assert sat_partial_reward(completions=answers, **columns) == [0.375, 1.0]
    assert sat_verdict_reward(completions=answers, **columns) == [1.0, 1.0]
    assert pickle.loads(pickle.dumps(sat_reward))(answers, **columns) == [0.0, 1.0]


def test_a_core_beyond_truth_tables_is_judged_by_the_solver():
    names = [f"v{number}" for number in range(30)]
    chain = [f"({a}→{b})" for a, b in pairwise(names)]
    task = {"formulas": [*chain, "v0", "¬v29"], "satisfiable": False, "certificate": True}
    whole = ", ".join(map(str, range(1, 32)))
    assert judge("sat", answer("inconsistent", whole), task).solved
    assert judge("sat", answer("inconsistent", "1-30"), task).metrics["not_unsatisfiable"] == 1.0


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"satisfiable": True}, "no 'formulas'"),
        ({"formulas": [], "satisfiable": True}, "one or more"),
        ({"formulas": ["v1"]}, "satisfiable is None"),
        ({"formulas": ["v1"], "satisfiable": "yes"}, "satisfiable is 'yes'"),
        ({"formulas": ["(v1"], "satisfiable": True, "certificate": True}, "expected ∧, ∨ or →"),
        ("no json", "no JSON"),
    ],
)
def test_a_malformed_row_is_named(row, named):
    with pytest.raises(ValueError, match=f"Row 1 .*{named}"):
        judge_batch("sat", ["yes"] * 2, [SAT, row])


@pytest.mark.parametrize(
    "piece",
    [
        "<result>",
        "</result>",
        "<certificate>",
        "consistent or ",
        "not ",
        "not not consistent ",
        "v1=true, ",
        "¬",
        "statements 1, ",
        "statement 1 and ",
        "1-",
        "can all be ",
        "yes ",
        "\\boxed{",
        "( ",
        '"',
        "\n",
        "answer: ",
        "no ",
        "cannot a b ",
        "not all of the ",
        "<result>consistent</result> or ",
        "v1 v2 v3\n\n\ntrue false ",
        "1 ",
    ],
)
def test_long_repetitions_are_read_in_linear_time(piece):
    # A quadratic scan of 200,000 characters would run into the timeout of the tests.
    text = piece * (200_000 // len(piece))
    for task in (SAT, UNSAT):
        judge("sat", text, task)
        judge("sat", f"<result>consistent</result>{text}", task)
        judge("sat", f"<result>inconsistent</result>{text}", task)
    assert extract_assignment("v1=true " + text, ["v9"]) == {}
