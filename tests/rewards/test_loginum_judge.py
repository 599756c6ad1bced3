"""The judge of joint logical and numerical reasoning: printed cases, rewards, faulty rows."""

import json
import random

import pytest
from loginum_cases import CASES
from loginum_processes import TASKS, gold, lines_of, process, written

from logic_curriculum.rewards import (
    judge,
    judge_batch,
    loginum_process_reward,
    loginum_reward,
    loginum_verified_reward,
)
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import parse_fact, parse_rule
from logic_curriculum.rewards.loginum.judge import ERRORS


@pytest.mark.parametrize("number", CASES)
def test_the_printed_cases_come_out_as_printed(number):
    case = CASES[number]
    verdict = judge("loginum", case.completion, case.payload)
    assert verdict.partial == pytest.approx(case.process)
    assert verdict.solved == (case.given == case.answer)
    assert verdict.metrics["process_accuracy"] == verdict.partial
    assert verdict.metrics["paper_process_accuracy"] == verdict.partial  # no rival among them
    assert verdict.metrics["verified"] == float(number in (3, 4))


@pytest.mark.parametrize("number", CASES)
def test_the_worlds_of_the_printed_cases_yield_their_gold_processes(number):
    payload = CASES[number].payload
    known = closure(map(parse_fact, payload["facts"]), list(map(parse_rule, payload["rules"])))
    for step in payload["steps"]:
        fact = parse_fact(step["conclusion"])
        uses = {parse_fact(payload["facts"][place - 1]) for place in step["facts"]}
        uses |= {parse_fact(payload["steps"][place - 1]["conclusion"]) for place in step["steps"]}
        assert (step["rule"] - 1, frozenset(uses)) in known[fact]
    assert process(gold(payload), payload) == 1.0


@pytest.mark.parametrize(
    ("number", "error", "what"),
    [
        (1, "wrong_number", "int_4: wrong number"),
        (2, "wrong_number", "int_6: wrong number"),
        (5, "wrong_conclusion", "int_3: wrong conclusion"),
        (6, "misapplied_rule", "int_2: misapplied rule"),
        (7, "misapplied_rule", "int_3: misapplied rule"),
        (8, "wrong_conclusion", "int_1: wrong conclusion"),
        (9, "misapplied_rule", "int_1: misapplied rule"),  # rule_9, which the gold lacks
    ],
)
def test_what_is_wrong_is_told_by_the_first_faulty_step(number, error, what):
    verdict = judge("loginum", CASES[number].completion, CASES[number].payload)
    assert [name for name in ERRORS if verdict.metrics[name]] == [error]
    assert verdict.explanation.endswith(what)


def test_solutions_earn_everything():
    for payload in TASKS:
        verdict = judge("loginum", gold(payload), payload)
        assert (verdict.solved, verdict.reward, verdict.partial) == (True, 1.0, 1.0)
        assert verdict.metrics["verified"] == 1.0
        assert verdict.metrics["gold_steps_found"] == len(payload["steps"])
        assert not any(verdict.metrics[name] for name in ERRORS)


def test_the_share_counts_the_final_conclusion_and_not_the_answer():
    payload = CASES[6].payload
    assert process(written(lines_of(payload), 5), payload) == 1.0
    first, _ = lines_of(payload)
    verdict = judge("loginum", written([first], payload["answer"]), payload)
    assert (verdict.partial, verdict.solved, verdict.metrics["incomplete"]) == (0.5, True, 1.0)


SLIP = "rule_5 & fact_4 & fact_7 =>> int_3: Hetty's legal is 1"  # a wrong rival of step 1
STRAY = [f"rule_99 & fact_1 =>> int_{n}: Nobody's idle1 is {n}" for n in range(10, 18)]


@pytest.mark.parametrize(
    ("number", "kept", "more", "answer", "paper", "ours"),
    [
        # a right chain to the right answer, beside a wrong rival: full marks; ours drops int_1 and
        # what rests on it, 0 of 2
        (6, 2, [SLIP], -3197, 1.0, 0.0),
        # the same with a wrong answer: 2 of 2 conclusions
        (6, 2, [SLIP], 5, 1.0, 0.0),
        # step 1 alone and its rival: 1 of 2 conclusions
        (6, 1, [SLIP], -3197, 0.5, 0.0),
        # 3 of 4 conclusions; ours takes 8 wrong steps, more than 4 + 1, as guessing: 3/4 * 5/8
        (7, 3, STRAY, 1, 3 / 4, 15 / 32),
        # 3 of 4 conclusions and the right answer, which no step concludes
        (7, 3, [], 603, 3 / 4, 3 / 4),
        # the whole chain to the right answer, and 8 wrong steps beside it: 1 * 5/8
        (7, 4, STRAY, 603, 1.0, 5 / 8),
    ],
)
def test_the_paper_s_process_accuracy_knows_neither_rivals_nor_dilution(
    number, kept, more, answer, paper, ours
):
    payload = CASES[number].payload
    completion = written([*list(lines_of(payload))[:kept], *more], answer)
    metrics = judge("loginum", completion, payload).metrics
    assert metrics["paper_process_accuracy"] == pytest.approx(paper)
    assert metrics["process_accuracy"] == pytest.approx(ours)


@pytest.mark.parametrize(
    "line",
    [
        "rule_5 & fact_4 & fact_7 & rule_6 =>> int_1: Hetty's legal is -3151",  # two rules
        "rule_5 & fact_4 & fact_99 =>> int_1: Hetty's legal is -3151",
        "rule_0 & fact_4 & fact_7 =>> int_1: Hetty's legal is -3151",
        "rule_5 & fact_4 & fact_7 & int_1 =>> int_1: Hetty's legal is -3151",  # itself
        "rule_5 & fact_4 & fact_7 & int_2 =>> int_1: Hetty's legal is -3151",  # in a circle
        "fact_4 & fact_7 =>> int_1: Hetty's legal is -3151",  # no rule
        "rule_5 & fact_4 & fact_7 =>> int_1: Hetty's legal is -3151 or -3152",
        "rule_5 & fact_4 & fact_7 =>> int_1:",
    ],
)
def test_a_faulty_step_and_what_rests_on_it_earn_nothing(line):
    payload = CASES[6].payload
    second = list(lines_of(payload))[1]
    assert process(written([line, second], payload["answer"]), payload) == 0.0


def test_saying_a_fact_or_a_conclusion_again_does_no_harm_and_no_good():
    payload = CASES[6].payload
    first, second = lines_of(payload)
    given = "fact_3 =>> int_7: praise exists between Al and Hetty"
    again = "int_2 =>> int_8: Hetty's willing is -3197"
    through = second.replace("fact_3", "int_7")
    assert process(written([given, first, through, again], -3197), payload) == 1.0
    assert process(written([given, first], -3197), payload) == 0.5
    assert process(written([given], -3197), payload) == 0.0


def test_rewards_pay_the_answer_the_process_or_both():
    payload = CASES[1].payload
    right, lucky = gold(payload), CASES[1].completion
    answer_only = f"Answer: {payload['answer']}"
    wrong = written(lines_of(payload), 0)
    completions = [right, lucky, answer_only, wrong, ""]
    rows = [json.dumps(payload)] * 5
    assert loginum_reward(completions, verification=rows) == [1.0, 1.0, 1.0, 0.0, 0.0]
    assert loginum_process_reward(completions, verification=rows) == [1.0, 0.6, 0.0, 1.0, 0.0]
    assert loginum_verified_reward(completions, verification=rows) == [1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"facts": None}, "no 'facts'"),
        ({"facts": "like(Ann, Bo)"}, "'facts' is 'like"),
        ({"facts": ["like(Ann)"]}, "character"),
        ({"rules": ["like(?x, ?y) -> push(?x, ?z)"]}, "in no condition"),
        ({"query": "is(Ann, cold, 3)"}, "no query"),
        ({"answer": "7"}, "valid integer"),
        ({"answer": True}, "valid integer"),
        ({"steps": []}, "at least 1"),
        ({"steps": ["is(Ann, cold, 3)"]}, "steps.0"),
        ({"steps": [{"rule": 3}]}, "no 'steps.0.conclusion'"),
        ({"steps": [{"conclusion": "cold"}]}, "character"),
    ],
)
def test_a_malformed_row_is_named(change, message):
    good, bad = CASES[6].payload, {**CASES[6].payload, **change}
    with pytest.raises(ValueError, match=rf"Row 1 can't be judged\. .*{message}"):
        judge_batch("loginum", ["", ""], [good, bad])


def test_a_step_too_laborious_to_verify_is_not_verified():
    facts = [f"push(Ann{number}, Bo{number})" for number in range(8)]
    rule = " & ".join(f"push(?x{n}, ?y{n})" for n in range(8)) + " -> is(?x0, odd, 1)"
    payload = {"facts": facts, "rules": [rule], "query": "is(Ann0, odd, ?)", "answer": 1}
    payload["steps"] = [{"conclusion": "is(Ann0, odd, 1)"}]
    basis = " & ".join(f"fact_{number}" for number in range(1, 9))
    line = f"rule_1 & {basis} =>> int_1: Ann0's odd is 1"
    verdict = judge("loginum", written([line], 1), payload)
    assert (verdict.reward, verdict.metrics["misapplied_rule"]) == (1.0, 1.0)


def test_a_step_that_uses_two_values_of_an_attribute_is_not_verified():
    payload = CASES[6].payload
    payload["facts"][1] = "is(Hetty, calm, 6)"
    line = "rule_5 & fact_2 & fact_4 & fact_7 =>> int_1: Hetty's legal is -3151"
    verdict = judge("loginum", written([line], -3197), payload)
    assert (verdict.reward, verdict.metrics["verified_steps"]) == (1.0, 0.0)
    assert "int_1: misapplied rule" in verdict.explanation


def test_no_text_makes_the_judge_fail():
    rng = random.Random(6)
    pieces = [
        *("rule_5", "fact_4", "int_1", "I1", "R5", "=>>", "→", ":", " & ", "Hetty's", "legal"),
        *("is", "-3151", "=", "(", ")", "[", "{", "}", "\\boxed{", "\n", " ", "Answer:"),
        *("Reasoning:", "exists between", "and", "9" * 5000, "\\text{", "<think>", "</think>"),
        *("\u200b", "٣", "²"),
    ]
    payload = json.dumps(CASES[6].payload)
    texts = ["".join(rng.choices(pieces, k=rng.randint(1, 60))) for _ in range(600)]
    for verdict in judge_batch("loginum", texts, [payload] * len(texts)):
        assert 0 <= verdict.partial <= 1
