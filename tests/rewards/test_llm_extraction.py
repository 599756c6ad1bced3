"""What a language model makes of answers that the parser can't read, and when that counts."""

from __future__ import annotations

import pytest

from logic_curriculum.rewards import judge
from logic_curriculum.rewards.llm_extraction import judge_with_extractor

SYMBOLIZATION = {
    "formula": "(Fa∧¬Gc)",
    "abbreviations": {"F": "[1] ran", "G": "[1] fell", "a": "Al", "c": "Cy"},
}
COUNTERMODEL = {"premises": ["Fa"], "conclusion": "Ga", "domain": [0, 1]}
VALIDITY = {"correct": [3], "options": 6}
LOGINUM = {
    "facts": ["is(Ed, low, 5)", "hamper(Ed, Ann)"],
    "rules": ["hamper(?x, ?y) -> is(?y, humid, ?x[low])"],
    "query": "is(Ann, humid, ?)",
    "answer": 5,
    "steps": [{"rule": 1, "facts": [1, 2], "steps": [], "conclusion": "is(Ann, humid, 5)"}],
}
STEPS = "rule_1 & fact_1 & fact_2 =>> int_1: Ann's humid is 5\nAnswer: \\boxed{5}"

SAID = [
    ("symbolization", SYMBOLIZATION, "F holds of a, G fails of c: $\\mathsf{F}$…", "(Fa∧¬Gc)"),
    (
        "countermodel",
        COUNTERMODEL,
        "Let the domain be 0 and 1, a the object 0. F is true of it and G of none.",
        'Domain: [0, 1]\nConstants: "a": 0\nMonadic predicates: "F": [0], "G": []',
    ),
    ("validity", VALIDITY, "All things considered I'd go for the third, for sure!", "Answer: 3"),
    ("loginum", LOGINUM, "By rule 1 with facts 1 and 2, Ann has humid 5, thus 5 it is.", STEPS),
]


class Model:
    """Gives one answer to every question, and keeps the questions."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, questions):
        self.asked += questions
        return [self.answer for _ in questions]


def judged(family, completion, payload, answer):
    model = Model(answer)
    (verdict,) = judge_with_extractor(family, [completion], [payload], model)
    return verdict, model.asked


@pytest.mark.parametrize(("family", "payload", "said", "meant"), SAID)
def test_what_the_parser_cannot_read_is_judged_as_the_model_writes_it_out(
    family, payload, said, meant
):
    assert not judge(family, said, payload).solved
    verdict, (question,) = judged(family, said, payload, f"Well.\n<extract>{meant}</extract>")
    assert verdict.solved
    assert verdict.reward == 1.0
    assert verdict.metrics["extracted"] == 1.0
    assert said in question


@pytest.mark.parametrize(("family", "payload", "said", "meant"), SAID)
def test_the_model_never_sees_the_key(family, payload, said, meant):
    _, (question,) = judged(family, said, payload, None)
    for key in ("(Fa∧¬Gc)", "correct", "int_1: Ann", "is(Ann"):
        assert key not in question


@pytest.mark.parametrize(("family", "payload", "said", "meant"), SAID)
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "no answer came"),
        ("The answer is 3.", "no extract"),
        ("<extract></extract>", "no extract"),
        ("<extract>3", "no extract"),
        ("<extract>no idea?</extract>", "can't be read"),
    ],
)
def test_a_failure_of_the_extractor_is_not_graded(family, payload, said, meant, answer, why):
    verdict, _ = judged(family, said, payload, answer)
    assert verdict.reward is None
    assert not verdict.solved
    assert why in verdict.explanation


@pytest.mark.parametrize(
    ("family", "payload", "said", "invented"),
    [
        ("symbolization", SYMBOLIZATION, "It means that F is true of a.", "(Fa∧¬Gc)"),
        ("countermodel", COUNTERMODEL, "F is true of all.", 'Monadic predicates: "F": [7]'),
        ("validity", VALIDITY, "That is hard to tell.", "Answer: 3"),
        ("loginum", LOGINUM, "It must be rule 1 with fact 2.", STEPS),
    ],
)
def test_what_a_completion_does_not_say_is_no_extract_of_it(family, payload, said, invented):
    verdict, _ = judged(family, said, payload, f"<extract>{invented}</extract>")
    assert verdict.reward is None
    assert "claims what the completion does not" in verdict.explanation


@pytest.mark.parametrize(("family", "payload", "said", "meant"), SAID)
@pytest.mark.parametrize("silence", ["", "  \n", "<think>Hm. 3?"])
def test_nobody_is_asked_about_silence(family, payload, said, meant, silence):
    verdict, asked = judged(family, silence, payload, "<extract>3</extract>")
    assert not asked
    assert verdict.reward == 0.0


@pytest.mark.parametrize(("family", "payload", "said", "meant"), SAID)
def test_nobody_is_asked_about_what_the_parser_reads(family, payload, said, meant):
    verdict, asked = judged(family, meant, payload, "<extract>Answer: 1</extract>")
    assert not asked
    assert verdict.solved
    assert verdict.metrics["extracted"] == 0.0


def test_an_answer_that_was_read_stays_when_the_steps_are_extracted():
    said = "rule 1 takes facts 1 and 2 and gives humid 5, but 2 is better. Answer: \\boxed{2}"
    verdict, asked = judged("loginum", said, LOGINUM, f"<extract>{STEPS}</extract>")
    assert asked
    assert not verdict.solved
    assert verdict.metrics["extracted"] == 0.0


def test_verdicts_come_in_the_order_of_the_completions():
    said = ["Answer: 2", "I'd take the third!", "Answer: 3", "the third, of course!"]
    model = Model("<extract>Answer: 3</extract>")
    verdicts = judge_with_extractor("validity", said, [VALIDITY] * 4, model)
    assert [verdict.reward for verdict in verdicts] == [0.0, 1.0, 1.0, 1.0]
    assert len(model.asked) == 2
