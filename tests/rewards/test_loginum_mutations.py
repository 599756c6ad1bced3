"""Changed processes of LogiNumSynth: which keep the score, which lower it, what guesses earn."""

import random
import re

import pytest
from loginum_cases import CASES
from loginum_processes import TASKS, lines_of, process, say, written

from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import parse_fact, parse_rule


def shuffled(lines, rng):
    return rng.sample(lines, len(lines))


def respelled(line, rng):
    basis, rest = line.split(" =>> ")
    basis = rng.choice((" & ", ", ", " and ")).join(shuffled(basis.split(" & "), rng))
    label, claim = rest.split(": ")
    claim = rng.choice((claim, claim.replace("'s", "’s"), f"**{claim}**", f"{claim}."))
    return (
        rng.choice(("", "- ", "1. ", "Step 2: "))
        + basis
        + rng.choice((" => ", " → ", r" \Rightarrow ", " -> "))
        + f"{label}: {claim}"
    ).replace("fact_", rng.choice(("fact_", "Fact ", "fact")))


def renumbered(lines, rng):
    names = {f"int_{n}": f"int_{m}" for n, m in enumerate(rng.sample(range(1, 30), len(lines)), 1)}
    return [re.sub(r"int_\d+", lambda found: names[found[0]], line) for line in lines]


@pytest.mark.parametrize("seed", range(5))
def test_order_numbering_and_spelling_change_no_score(seed):
    rng = random.Random(seed)
    for payload in TASKS:
        lines = list(lines_of(payload))
        if seed % 2:
            lines[rng.randrange(len(lines))] += "1"  # a wrong number or name
        score = process(written(lines, payload["answer"]), payload)
        assert process(written(shuffled(lines, rng), payload["answer"]), payload) == score
        assert process(written(renumbered(lines, rng), payload["answer"]), payload) == score
        respelling = [respelled(line, rng) for line in shuffled(lines, rng)]
        assert process(written(respelling, payload["answer"]), payload) == score


def mutations(line, payload, rng):
    """Yield the line with one thing changed, so that it is no longer right."""
    basis, rest = line.split(" =>> ")
    label, claim = rest.split(": ")
    parts = basis.split(" & ")
    for place in range(len(parts)):
        yield " & ".join(parts[:place] + parts[place + 1 :]) + " =>> " + rest
    unused = [n for n in range(1, len(payload["facts"]) + 1) if f"fact_{n}" not in parts]
    for number in rng.sample(unused, min(3, len(unused))):
        yield f"{basis} & fact_{number} =>> {rest}"
        yield basis.replace("fact_", f"fact_{number} & fact_", 1) + " =>> " + rest
    for number in rng.sample(range(1, len(payload["rules"]) + 1), 2):
        if f"rule_{number}" not in parts:
            yield re.sub(r"rule_\d+", f"rule_{number}", basis) + " =>> " + rest
    if " between " in claim:
        first, second = claim.split(" between ")[1].split(" and ")
        yield f"{basis} =>> {label}: {claim.split(' between ')[0]} between {second} and {first}"
        yield f"{basis} =>> {label}: {claim}x"
    else:
        number = int(claim.rsplit(" ", 1)[1])
        for wrong in (number + 1, number * 10, -number or 1):
            yield f"{basis} =>> {label}: {claim.rsplit(' ', 1)[0]} {wrong}"
        yield f"{basis} =>> {label}: X{claim}"
        yield f"{basis} =>> {label}: {claim.replace(' is', 'x is')}"


def test_mutating_a_step_never_raises_the_score_and_breaks_that_step():
    rng = random.Random(1)
    tried = 0
    for payload in TASKS:
        lines = list(lines_of(payload))
        for place, line in enumerate(lines):
            for mutated in mutations(line, payload, rng):
                changed = [*lines[:place], mutated, *lines[place + 1 :]]
                verdict = judge("loginum", written(changed, payload["answer"]), payload)
                assert verdict.partial <= 1 - 1 / len(lines) or is_right(payload, mutated)
                tried += 1
    assert tried > 700


def is_right(payload, line):
    """Return whether a changed line is right all the same, since its rule fires from its list."""
    facts = [parse_fact(fact) for fact in payload["facts"]]
    known = closure(facts, list(map(parse_rule, payload["rules"])))
    rules = [int(number) for number in re.findall(r"rule_(\d+)", line)]
    uses = {facts[int(n) - 1] for n in re.findall(r"fact_(\d+)", line.split(" =>> ")[0])}
    uses |= {
        parse_fact(payload["steps"][int(n) - 1]["conclusion"])
        for n in re.findall(r"int_(\d+)", line.split(" =>> ")[0])
    }
    claim = line.split(": ")[1]
    return any(
        ([rule + 1], used) == (rules, uses) and say(str(fact)) == claim
        for fact, ways in known.items()
        for rule, used in ways
    )


def test_guessing_a_number_earns_nothing_even_if_one_guess_is_right():
    payload = CASES[6].payload
    first, second = lines_of(payload)
    stem = first.rsplit(" ", 1)[0].replace("int_1", "int_{}")
    for guesses in ([-3151, 7], [7, -3151], range(-3160, -3140)):
        steps = [f"{stem.format(20 + place)} {guess}" for place, guess in enumerate(guesses)]
        assert process(written(steps, 0), payload) == 0.0
    relabelled = [first.replace("-3151", "7"), first]  # a correction: the last with a number counts
    assert process(written([*relabelled, second], -3197), payload) == 1.0
    assert process(written([*relabelled[::-1], second], -3197), payload) == 0.0


def test_guessing_what_a_conclusion_rests_on_earns_nothing():
    payload = CASES[6].payload
    first, second = lines_of(payload)
    guess = second.replace("fact_3", "fact_2").replace("=>> int_2", "=>> int_3")
    assert process(written([first, second, guess], -3197), payload) == 0.5
    assert process(written([first, guess, second], -3197), payload) == 0.5


def test_guessing_a_direction_earns_nothing():
    payload = CASES[9].payload
    first, *rest = lines_of(payload)
    turned = "rule_14 & fact_9 =>> int_8: unsettle exists between Clementia and Joscelin"
    assert process(written([first, turned, *rest], 7), payload) == pytest.approx(1 / 3)


def test_what_rests_on_a_guess_falls_with_it():
    payload = CASES[6].payload
    first, second = lines_of(payload)
    guess = first.replace("-3151", "7").replace("int_1", "int_9")
    assert process(written([first, guess, second], -3197), payload) == 0.0


def test_listing_every_conceivable_step_earns_next_to_nothing():
    rng = random.Random(4)
    for payload in TASKS[:12]:
        lines = list(lines_of(payload))
        count = len(payload["facts"])
        for size in (90, 30):
            spam = [
                f"rule_{rng.randint(1, len(payload['rules']))} & fact_{rng.randint(1, count)}"
                f" =>> int_{number}: Nobody{number}'s idle is {number}"
                for number in range(50, 50 + size)
            ]
            wrong, allowed = size, len(lines) + 1
            score = process(written(spam + lines, payload["answer"]), payload)
            assert score <= allowed / wrong + 1e-9
