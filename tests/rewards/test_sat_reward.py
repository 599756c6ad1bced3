"""What verdicts on consistency and their certificates earn."""

import json
import pickle

import pytest

from logic_curriculum.rewards import (
    judge,
    judge_batch,
    sat_partial_reward,
    sat_reward,
    sat_verdict_reward,
)
from logic_curriculum.rewards.answers import STATUSES
from logic_curriculum.rewards.sat import SatJudge

SAT = {"formulas": ["(v1∨v2)", "(v1→v3)", "¬v2"], "satisfiable": True, "certificate": True}
NAMED = {**SAT, "formulas": ["is_red", "¬is_big", "P", "¬p"]}
UNSAT = {"formulas": ["v1", "(v1→v2)", "¬v2", "(v2∨v3)"], "satisfiable": False, "certificate": True}
LONG = [f"v{number}" for number in range(30)]


def answer(result, certificate=""):
    return f"<result>{result}</result>\n<certificate>{certificate}</certificate>"


def raised(verdict):
    return {name for name in (*SatJudge.errors, *STATUSES) if verdict.metrics[name]}


@pytest.mark.parametrize(
    ("task", "completion", "error", "partial"),
    [
        (SAT, answer("consistent", "v1=true, v2=false, v3=true"), None, 1.0),
        (SAT, answer("consistent", "v1=true, v2=true, v3=false"), "wrong_assignment", 0.5 / 3),
        (SAT, answer("consistent", "v1=true, v3=true"), "incomplete_assignment", 0.5 / 3),
        (NAMED, answer("consistent", "is_red=true, is_big=false, P=true, p=false"), None, 1.0),
        (NAMED, answer("consistent", '{"is_red": 1, "is_big": 0, "P": 1, "p": 0}'), None, 1.0),
        (SAT, answer("consistent"), "no_certificate", 0.0),
        (SAT, answer("consistent", "1, 2, 3"), "no_certificate", 0.0),
        (SAT, answer("inconsistent", "1, 2, 3"), "false_negative", 0.0),
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
    assert raised(verdict) == {"answered", *([error] if error else [])}


@pytest.mark.parametrize(
    ("completion", "metrics"),
    [
        ("I give up", {"unreadable"}),
        ("<think>They are <result>consistent</result>", {"truncated"}),
        (answer("consistent or inconsistent"), {"ambiguous"}),
        (answer("consistent", "v1=true, v1=false"), {"ambiguous", "no_certificate"}),
    ],
)
def test_no_or_several_answers_earn_nothing(completion, metrics):
    verdict = judge("sat", completion, SAT)
    assert (verdict.reward, verdict.partial) == (0.0, 0.0)
    assert raised(verdict) == metrics


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


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"satisfiable": True}, "no 'formulas'"),
        ({"formulas": [], "satisfiable": True}, "at least 1"),
        ({"formulas": ["v1"]}, "has no .satisfiable."),
        ({"formulas": ["v1"], "satisfiable": "yes"}, "'satisfiable' is 'yes'"),
        ({"formulas": ["(v1"], "satisfiable": True, "certificate": True}, "expected ∧, ∨ or →"),
        ({"formulas": LONG, "satisfiable": False, "certificate": True}, "30 variables.*up to 20"),
        ("no json", "no JSON"),
    ],
)
def test_a_malformed_row_is_named(row, named):
    with pytest.raises(ValueError, match=f"Row 1 .*{named}"):
        judge_batch("sat", ["yes"] * 2, [SAT, row])
