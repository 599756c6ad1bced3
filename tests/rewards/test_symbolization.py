"""The judge of symbolization, by cases whose verdict is known beforehand."""

import json

import pytest

from logic_curriculum.rewards import judge, symbolization_reward

TASK = {
    "formula": "∀x(Ox→∃y(My∧Pxy))",
    "abbreviations": {"O": "[1] is a monkey", "M": "[1] is a donkey", "P": "[1] saw [2]",
     "c": "Al"},
}  # fmt: skip
SOLVED = [
    "∀x(Ox→∃y(My∧Pxy))",
    r"\\boxed{\forall z (O(z) \rightarrow \exists x (M(x) \land P(z,x)))}".replace("\\\\", "\\"),
    "¬∃x(Ox ∧ ¬∃y(My & Pxy))",
    "Formula: forall x (Ox -> exists y (My & Pxy)).",
]


@pytest.mark.parametrize("completion", SOLVED)
def test_equivalent_formulas_are_right_in_any_notation(completion):
    verdict = judge("symbolization", completion, TASK)
    assert (verdict.solved, verdict.reward, verdict.syntax, verdict.partial) == (
        True,
        1.0,
        True,
        1.0,
    )
    assert {name for name, value in verdict.metrics.items() if value} == {"answered"}


WRONG = [
    ("∀x(Ox→→Mx)", {"unparseable"}, False),
    ("∀x(Ox→Mx→Ox)", {"unparseable"}, False),
    ("∀x(Ox→∃yPx)", {"arity"}, True),
    ("∀x(Ox→∃yPxyc)", {"arity"}, False),
    ("∀x(Ox→∃y(Ny∧Pxy))", {"unknown_symbol"}, True),
    ("∀x(Ox→Pxb)", {"unknown_symbol"}, True),
    ("(Ox→∃y(My∧Pxy))", {"free_variables"}, True),
    ("∃y(My∧∀x(Ox→Pxy))", {"not_equivalent", "stronger"}, True),
    ("∀x(Ox→∃y(My∨Pxy))", {"not_equivalent", "weaker"}, True),
    ("∀x(Mx→∃y(Oy∧Pxy))", {"not_equivalent"}, True),
]


@pytest.mark.parametrize(("completion", "raised", "syntax"), WRONG)
def test_a_wrong_answer_says_what_is_wrong(completion, raised, syntax):
    verdict = judge("symbolization", completion, TASK)
    assert (verdict.solved, verdict.reward, verdict.syntax) == (False, 0.0, syntax)
    assert {name for name, value in verdict.metrics.items() if value} == {"answered", *raised}
    assert verdict.explanation


@pytest.mark.parametrize(
    ("completion", "status"),
    [
        ("", "unreadable"),
        ("No monkey saw Al.", "unreadable"),
        (f"{SOLVED[0]}\n∀x(Ox→Mx)", "ambiguous"),
        (f"<think>It is {SOLVED[0]}", "truncated"),
    ],
)
def test_no_or_several_answers_earn_nothing(completion, status):
    verdict = judge("symbolization", completion, TASK)
    assert (verdict.reward, verdict.syntax, verdict.answer) == (0.0, False, None)
    assert {name for name, value in verdict.metrics.items() if value} == {status}


def test_json_and_published_rows_are_judged_like_mappings():
    row = {"formula": TASK["formula"], "key": TASK["abbreviations"], "type": "quantified"}
    assert symbolization_reward(SOLVED[:1] * 2, verification=[json.dumps(TASK), row]) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"abbreviations": {}}, r"Row 1 .* no 'formula'"),
        ({"formula": 3}, "'formula' is 3"),
        ({"formula": "∀x(Ox"}, "Row 1 can't be judged"),
        ({"formula": "Ox"}, "x occurs free in [FO]x"),
        ({"formula": "Fa", "abbreviations": ["F"]}, "'abbreviations' is"),
        ({"formula": "Fa", "abbreviations": {"F": [1]}}, r"Row 1 .* 'abbreviations.F' is \[1\]"),
        ("{", "no JSON"),
        (7, "mapping or its JSON text"),
    ],
)
def test_a_broken_row_is_named_and_never_scored(row, message):
    with pytest.raises(ValueError, match=message):
        symbolization_reward(["Fa", "Fa"], verification=[TASK, row])
