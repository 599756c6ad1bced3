"""No sentence of LogiNumSynth can be taken in two ways, however freely its grammar is read."""

from __future__ import annotations

import random

import pytest
from loginum_ambiguity import readings
from loginum_meanings import rule_meant

from logic_curriculum.generators.loginum.language import Speaker
from logic_curriculum.rewards.engines.numeric.syntax import parse_rule


def nested(rng: random.Random, depth: int) -> str:
    number, lookup = (
        rng.randint(-9, 9),
        f"{rng.choice(['?x', '?y'])}[{rng.choice(['cold', 'low'])}]",
    )
    kinds = [str(number), lookup, f"{rng.choice([number, 1])}*{lookup}{rng.randint(-3, 3):+d}"]
    if depth:
        left, right = (nested(rng, depth - 1) for _ in range(2))
        operator = rng.choice(["max", "min", "addition", "subtraction"])
        kinds = [f"{operator}({left}, {right})"]
    return rng.choice(kinds)


def test_what_no_preset_has_has_one_reading_too() -> None:
    rng = random.Random(2)
    for number in range(120):
        text = (
            "is(?x, legal, -3) & is(?y, brisk, 0) & abet(?y, ?y) "
            f"& abet(?x, ?y) -> is(?y, legal, {nested(rng, number % 3)})"
        )
        said = Speaker(rng).rule(parse_rule(text))
        assert readings(said) == {rule_meant(text)}, said


# Sentences with two readings

IF = "If entity_1 hampers entity_2, then entity_2's legal value"
COLD = "entity_1's cold value"
HAMPERS = "entity_1 hampers entity_2"


@pytest.mark.parametrize(("doubtful", "clear"), [
    (f"{IF} is 8 times {COLD} plus 10.", f"{IF} is (8 times {COLD}) plus 10."),
    (f"{IF} is 10 plus 8 times {COLD}.", f"{IF} is 10 plus (8 times {COLD})."),
    (f"{IF} is 8 times the value of entity_1's cold attribute minus 10.",
     f"{IF} is (8 times the value of entity_1's cold attribute) minus 10."),
    (f"{IF} is 10 less than 8 times {COLD}.", f"{IF} is 10 less than the product of 8 and {COLD}."),
    (f"{IF} is the result of adding 10 to 8 times {COLD}.",
     f"{IF} is the result of adding 10 to (8 times {COLD})."),
    (f"{IF} is {COLD} multiplied by 8 increased by 10.",
     f"{IF} is {COLD} multiplied by 8 and then increased by 10."),
    (f"{IF} is the sum of 1 and the product of 2 and {COLD} and 4.",
     f"{IF} is the sum of 1 and (the product of 2 and {COLD})."),
    (f"{IF} is the amount by which 70 exceeds 84.",
     f"{IF} is the difference that subtracting 84 from 70 gives."),
    (f"{IF} is the difference between 70 and 84.", f"{IF} is 70 minus 84."),
    (f"{IF} is the outcome of reducing -4 by -18.",
     f"{IF} is the outcome of deducting -18 from -4."),
    (f"{IF} is the smaller of -9 and 2.", f"{IF} is the lesser of -9 and 2."),
    (f"{IF} equals {COLD}.", f"{IF} is set to {COLD}."),
    (f"Entity_2's legal value is 10 more than {COLD} if {HAMPERS}.",
     f"That entity_2's legal value is 10 more than {COLD} is true if it is the case that "
     f"{HAMPERS}."),
    (f"Entity_2's legal value is set to {COLD} multiplied by 8 and then increased by 10, "
     f"provided that {HAMPERS}.",
     f"That entity_2's legal value is set to {COLD} multiplied by 8 and then increased by "
     f"10 is true, provided that {HAMPERS}."),
    (f"Entity_2 abets entity_1 whenever {HAMPERS} and {COLD} is 4.",
     f"Whenever {HAMPERS} and {COLD} is 4, it follows that entity_2 abets entity_1."),
    (f"That entity_2 abets entity_1 can be deduced from the premise that {HAMPERS} and "
     f"{COLD} is 4.",
     f"That entity_2 abets entity_1 can be deduced from the premise that {HAMPERS} and that "
     f"{COLD} is 4."),
    (f"Suppose that {HAMPERS} and {COLD} is 4; then entity_2 abets entity_1.",
     f"Suppose that {HAMPERS} and that {COLD} is 4; then entity_2 abets entity_1."),
    ("There is a connection called hamper between Ed and Kim.",
     "From Ed to Kim there is a link called hamper."),
])  # fmt: skip
def test_a_sentence_that_can_be_taken_in_two_ways_is_found(doubtful: str, clear: str) -> None:
    assert len(readings(doubtful)) >= 2
    assert len(readings(clear)) == 1


def test_different_trees_of_the_same_meaning_are_one_reading() -> None:
    said = f"{IF} is the sum of 1 and (3 times {COLD})."
    same = f"Entity_2's legal value is (3 times {COLD}) plus 1 if {HAMPERS}."
    assert readings(said) < readings(same)
    assert readings("What is Ed's cold value?") == readings(
        "Find the number given for Ed under cold."
    )


@pytest.mark.parametrize("sentence", ["Ed hampers.", "Ed's cold value is.", "If Ed hampers Kim."])
def test_what_is_no_sentence_has_no_reading(sentence: str) -> None:
    assert not readings(sentence)
