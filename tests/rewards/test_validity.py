"""The judge of validity, by cases whose verdict is known beforehand."""

import json

import pytest

from logic_curriculum.rewards import REWARDS, judge, validity_f1_reward, validity_reward
from logic_curriculum.rewards.answers import STATUSES

TASK = {"correct": [3], "options": 6}
CASES = [
    ("3", [3], None),
    ("None of them", [], None),
    ("Statements 5 and 2 must be true.", [2, 5], None),
    ("2, 3", [3], "superset"),
    ("1, 2, 3, 4, 5, 6", [3], "superset"),
    ("2", [2, 5], "subset"),
    ("4", [3], "incorrect"),
    ("none", [3], "incorrect"),
    ("3", [], "incorrect"),
    ("7", [3], "incorrect"),
    ("I am not sure.", [3], "unreadable"),
    ("", [], "unreadable"),
    ("3 or 4", [3], "ambiguous"),
    ("<think>3", [3], "truncated"),
]


@pytest.mark.parametrize(("completion", "correct", "error"), CASES)
def test_exactly_the_right_set_of_statements_is_right(completion, correct, error):
    verdict = judge("validity", completion, {"correct": correct, "options": 6})
    assert verdict.reward == float(verdict.solved) == float(error is None)
    assert verdict.syntax is (error not in STATUSES)
    raised = {name for name, value in verdict.metrics.items() if value}
    assert raised == ({error} if error in STATUSES else {"answered", error} - {None})


def test_f1_rewards_overlap():
    # {2, 3} against {3}: precision 1/2, recall 1, so F1 = 2/3.
    answers = ["2, 3", "3", "4", "?"]
    assert validity_f1_reward(answers, verification=[TASK] * 4) == [2 / 3, 1.0, 0.0, 0.0]
    assert validity_reward(answers, verification=[TASK] * 4) == [0.0, 1.0, 0.0, 0.0]


def test_json_and_published_rows_are_judged_like_mappings():
    published = {"label": "3", "options": ["Fa"] * 6, "option_sentences": list("abcdef")}
    rows = [json.dumps(TASK), published, {**TASK, "texts": ["A."] * 2 + ["It is so."] + ["B."] * 3}]
    assert validity_reward(["3", "3", "It is so."], verification=rows) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"correct": [3]}, "Row 0 .* has no 'options'"),
        ({"correct": [7], "options": 6}, "numbers from 1 to 6"),
        ({"options": 6}, "has no 'correct'"),
        ({**TASK, "texts": ["A."]}, "'texts' is .* give all 6"),
        ({**TASK, "texts": "Al ran"}, "'texts' is 'Al ran'"),
        ({**TASK, "option_sentences": {"1": "Al ran."}}, "'texts' is"),
        ({**TASK, "options": {"1": "A"}}, "'options' is"),
        ({**TASK, "correct": 3}, "'correct' is 3"),
        ({**TASK, "correct": [True]}, "'correct.0' is"),
    ],
)
def test_a_broken_row_is_named_and_never_scored(row, message):
    with pytest.raises(ValueError, match=message):
        validity_reward(["3"], verification=[row])


ROWS = {
    "symbolization": ({"formula": "Fa", "abbreviations": {"F": "[1] ran", "a": "Al"}}, "Fa"),
    "countermodel": ({"premises": ["Fa"], "conclusion": "Fb", "domain": [0, 1]}, "a=0 b=1 F={0}"),
    "validity": (TASK, "3"),
}


def test_batches_of_several_families_keep_their_order():
    names = list(ROWS) * 2
    columns = {"family": names, "verification": [ROWS[name][0] for name in names]}
    answers = [ROWS[name][1] for name in names[:3]] + ["", "", ""]
    assert REWARDS["logic_reward"](answers, **columns) == [1.0] * 3 + [0.0] * 3
