"""The judge of countermodels, by cases whose verdict is known beforehand."""

import pytest

from logic_curriculum.rewards import countermodel_partial_reward, countermodel_reward, judge

# Every F is a G; a is a G; somebody P somebody; so a is an F.
TASK = {"premises": ["∀x(Fx→Gx)", "Ga", "∃x∃yPxy"], "conclusion": "Fa", "domain": [0, 1]}
GOOD = "Domain: [0, 1]\na: 1\nF: [0]\nG: [0, 1]\nP: [[0, 1]]"


@pytest.mark.parametrize(
    "completion",
    [
        GOOD,
        "a=1 F={} G={1} P={(0,0)}",
        '{"a": 1, "F": [0], "G": [0, 1], "P": [[1, 0]], "b": null, "H": [0]}',
        GOOD.replace("[0, 1]", '["0", "1"]', 1),
        GOOD.replace("Domain: [0, 1]\n", ""),
        "The argument is not valid:\n\n" + GOOD + "\n\nSo it is.",
        f"<answer>{GOOD.replace('F: [0]', 'F: [1]')}</answer>\nNo:\n<answer>{GOOD}</answer>",
    ],
)
def test_any_structure_that_refutes_the_argument_is_right(completion):
    verdict = judge("countermodel", completion, TASK)
    assert (verdict.solved, verdict.reward, verdict.syntax) == (True, 1.0, True)
    assert verdict.partial == 1.0
    assert raised(verdict) == {"answered"}


def raised(verdict):
    return {name for name, value in verdict.metrics.items() if value}


WRONG = [
    (("[0, 1]", "[0, 1, 2]"), {"wrong_domain"}, "the domain is"),
    (("[0, 1]", "[]"), {"wrong_domain"}, "the domain is"),
    (("a: 1\n", ""), {"missing_interpretation"}, "no interpretation of a"),
    (("P: [[0, 1]]", ""), {"missing_interpretation"}, "no interpretation of P"),
    (("a: 1", "a: [1]"), {"malformed"}, "constant a is"),
    (("F: [0]", "F: [[0, 1]]"), {"arity"}, "F is [[0, 1]], not a list of elements"),
    (("P: [[0, 1]]", "P: [0, 1]"), {"arity"}, "not a list of pairs"),
    (("P: [[0, 1]]", "P: [[0, 1, 1]]"), {"arity"}, "not a list of pairs"),
    (("a: 1", "a: 2"), {"out_of_domain"}, "a speaks of 2"),
    (("G: [0, 1]", "G: [1]"), {"not_countermodel", "premise_false"}, "2 of 3 premises"),
    (("F: [0]", "F: [1]"), {"not_countermodel", "conclusion_true"}, "Fa is true"),
]


@pytest.mark.parametrize(("change", "errors", "message"), WRONG)
def test_a_wrong_answer_says_what_is_wrong(change, errors, message):
    verdict = judge("countermodel", f"<answer>{GOOD.replace(*change, 1)}</answer>", TASK)
    assert (verdict.solved, verdict.reward) == (False, 0.0)
    assert raised(verdict) == {"answered", *errors}
    assert message in verdict.explanation


@pytest.mark.parametrize("form", ["{}", "It is not valid:\n\n{}\n\nSo it is."])
@pytest.mark.parametrize(("change", "errors", "message"), WRONG)
def test_without_a_tag_the_kinds_of_errors_are_the_same(change, errors, message, form):
    verdict = judge("countermodel", form.format(GOOD.replace(*change, 1)), TASK)
    assert (verdict.solved, verdict.reward) == (False, 0.0)
    is_incomplete = errors == {"missing_interpretation"}  # which is no answer
    assert raised(verdict) == {"unreadable" if is_incomplete else "answered", *errors}


@pytest.mark.parametrize(
    ("completion", "status"),
    [
        ("The argument is invalid.", "unreadable"),
        (GOOD.replace("F: [0]", "F: [true]"), "unreadable"),
        ("Let a = 1, F = {0}.\n\nNow G has to hold of a.", "unreadable"),  # 2 of 4 symbols
        ("a=1 F={} G={1} P={}\nF={0}", "ambiguous"),
        (f"<answer>{GOOD[:-1]}", "truncated"),
    ],
)
def test_no_or_several_answers_earn_nothing(completion, status):
    verdict = judge("countermodel", completion, TASK)
    assert (verdict.reward, verdict.syntax, verdict.answer) == (0.0, False, None)
    assert raised(verdict) == {status}


def test_partial_score_is_the_share_of_premises_and_conclusion_as_wanted():
    # a = 0, F = {0}, G = {}, P = {}: no premise is true, the conclusion is: 0 of 4.
    # a = 1, F = {0}, G = {}, P = {}: no premise is true, the conclusion is false: 1 of 4.
    answers = ["a=0 F={0} G={} P={}", "a=1 F={0} G={} P={}", GOOD, "Answer: a=1 F={0}"]
    rows = [TASK] * 4
    assert countermodel_partial_reward(answers, verification=rows) == [0.0, 0.25, 1.0, 0.0]
    assert countermodel_reward(answers, verification=rows) == [0.0, 0.0, 1.0, 0.0]


def test_a_published_row_is_judged_as_it_stands():
    row = {**TASK, "domain": "∃xFx", "required_domain": [0, 1]}
    answers = [GOOD, "a=1 F={} G={1} P={(0,0)}"]
    assert countermodel_reward(answers, verification=[row] * 2) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"premises": ["Fa"]}, r"Row 0 .* no 'conclusion'"),
        ({**TASK, "premises": "Fa"}, "Row 0 .* 'premises' is 'Fa'"),
        ({**TASK, "premises": [1]}, "'premises.0' is 1"),
        ({**TASK, "domain": []}, "'domain' is"),
        ({**TASK, "domain": ["0"]}, "'domain.0' is"),
        ({**TASK, "premises": ["Fa", "Fab"]}, "Row 0 can't be judged"),
        ({**TASK, "conclusion": "Fx"}, "x occurs free in [FO]x"),
        ({**TASK, "conclusion": "∀x∀y∀z∀u(Pxy→Pzu)", "domain": [*range(100)]}, "Row 0 .* too many"),
    ],
)
def test_a_broken_row_is_named_and_never_scored(row, message):
    with pytest.raises(ValueError, match=message):
        countermodel_reward([GOOD], verification=[row])
