"""The judge of countermodels, by cases whose verdict is known beforehand."""

import pytest

from rewards import countermodel_partial_reward, countermodel_reward, judge, judge_batch

# Every F is a G; a is a G; somebody P somebody; so a is an F.
TASK = {"premises": ["∀x(Fx→Gx)", "Ga", "∃x∃yPxy"], "conclusion": "Fa", "domain": [0, 1]}
GOOD = "Domain: [0, 1]\na: 1\nF: [0]\nG: [0, 1]\nP: [[0, 1]]"


@pytest.mark.parametrize(
    "completion",
    [
        GOOD,
        "a=1 F={} G={1} P={(0,0)}",
        '{"a": 1, "F": [0], "G": [0, 1], "P": [[1, 0]], "b": null, "H": [0]}',
        "$a = 1$, $F = \\emptyset$, $G = \\{1\\}$, $P = \\{\\langle 1, 1 \\rangle\\}$",
        GOOD.replace("[0, 1]", '["0", "1"]', 1),
        GOOD.replace("Domain: [0, 1]\n", ""),
        "The argument is not valid:\n" + GOOD,
        "The argument isn't valid. For example:\n\n" + GOOD,
        "There is no proof. Here is a countermodel:\n" + GOOD,
        GOOD + "\n\nSo this is not a valid argument.",
        GOOD.replace("F: [0]", "F: [1]") + "\nThis is not a countermodel. Instead:\n" + GOOD,
        GOOD.replace("F: [0]", "F: [1]") + "\nWait, that is wrong. Let F = [0].",
    ],
)
def test_any_structure_that_refutes_the_argument_is_right(completion):
    verdict = judge("countermodel", completion, TASK)
    assert (verdict.solved, verdict.reward, verdict.syntax, verdict.partial) == (
        True,
        1.0,
        True,
        1.0,
    )
    assert not any(verdict.metrics.values())


WRONG = [
    ("The argument is invalid.", {"no_answer"}, "no structure"),
    (GOOD.replace("[0, 1]", "[0, 1, 2]", 1), {"wrong_domain"}, "the domain is"),
    (GOOD.replace("[0, 1]", '[0, 1, "x"]', 1), {"wrong_domain"}, "no list of whole numbers"),
    (GOOD.replace("[0, 1]", "[0, 0, 1]", 1), {"wrong_domain"}, "lists an element twice"),
    (GOOD.replace("[0, 1]", '"{0, 1}"', 1), {"wrong_domain"}, "no list of whole numbers"),
    ("This is not a countermodel:\n" + GOOD, {"no_answer"}, "no structure"),
    ("There is no countermodel. If there were: " + GOOD, {"no_answer"}, "no structure"),
    ("An incorrect answer:\n" + GOOD, {"no_answer"}, "no structure"),
    (GOOD + "\n\nWait, this is wrong.", {"no_answer"}, "no structure"),
    (GOOD + "\n\nThis is not a countermodel.", {"no_answer"}, "no structure"),
    (GOOD + "\nActually F = {1}.", {"not_countermodel", "conclusion_true"}, "Fa is true"),
    (GOOD.replace("a: 1\n", ""), {"missing_interpretation"}, "no interpretation of a"),
    (GOOD.replace("P: [[0, 1]]", ""), {"missing_interpretation"}, "no interpretation of P"),
    (GOOD.replace("a: 1", "a: [1]"), {"malformed"}, "constant a is"),
    (GOOD.replace("F: [0]", '"F": 0'), {"malformed"}, "predicate F is 0"),
    (GOOD.replace("F: [0]", "F: [true]"), {"malformed"}, "no element"),
    (GOOD.replace("F: [0]", "F: [[0, 1]]"), {"arity"}, "F is monadic"),
    (GOOD.replace("P: [[0, 1]]", "P: [0, 1]"), {"arity"}, "P is binary"),
    (GOOD.replace("P: [[0, 1]]", "P: [[0, 1, 1]]"), {"arity"}, "P is binary"),
    (GOOD.replace("a: 1", "a: 2"), {"out_of_domain"}, "a speaks of 2"),
    (GOOD.replace("G: [0, 1]", "G: [1]"), {"not_countermodel", "premise_false"}, "2 of 3 premises"),
    (GOOD.replace("F: [0]", "F: [1]"), {"not_countermodel", "conclusion_true"}, "Fa is true"),
]


@pytest.mark.parametrize(("completion", "raised", "message"), WRONG)
def test_a_wrong_answer_says_what_is_wrong(completion, raised, message):
    verdict = judge("countermodel", completion, TASK)
    assert (verdict.solved, verdict.reward) == (False, 0.0)
    assert {name for name, value in verdict.metrics.items() if value} == raised
    assert message in verdict.explanation


def test_partial_score_is_the_share_of_premises_and_conclusion_as_wanted():
    # a = 0, F = {0}, G = {}, P = {}: no premise is true, the conclusion is: 0 of 4.
    # a = 1, F = {0}, G = {}, P = {}: no premise is true, the conclusion is false: 1 of 4.
    answers = ["a=0 F={0} G={} P={}", "a=1 F={0} G={} P={}", GOOD, "a=1 F={0}"]
    rows = [TASK] * 4
    assert countermodel_partial_reward(answers, verification=rows) == [0.0, 0.25, 1.0, 0.0]
    assert countermodel_reward(answers, verification=rows) == [0.0, 0.0, 1.0, 0.0]


def test_a_published_row_is_judged_as_it_stands():
    row = {**TASK, "domain": "∃xFx", "required_domain": [0, 1]}
    answers = [GOOD, "a=1 F={} G={1} P={(0,0)}"]
    assert countermodel_reward(answers, verification=[row] * 2) == [1.0, 0.0]


def test_all_metrics_are_always_there_so_that_means_are_rates():
    verdicts = judge_batch("countermodel", ["", GOOD, "a=1"], [TASK] * 3)
    assert len({tuple(verdict.metrics) for verdict in verdicts}) == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"premises": ["Fa"]}, r"Row 0 .* no 'conclusion'"),
        ({**TASK, "premises": "Fa"}, "Row 0 .* premises is 'Fa'"),
        ({**TASK, "premises": {"1": "Fa"}}, "premises is"),
        ({**TASK, "premises": [1]}, "premises is"),
        ({**TASK, "domain": []}, "domain is"),
        ({**TASK, "domain": ["0"]}, "domain is"),
        ({**TASK, "premises": ["Fa", "Fab"]}, "Row 0 can't be judged"),
        ({**TASK, "conclusion": "Fx"}, "leaves x free"),
    ],
)
def test_a_broken_row_is_named_and_never_scored(row, message):
    with pytest.raises(ValueError, match=message):
        countermodel_reward([GOOD], verification=[row])
