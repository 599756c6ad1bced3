import random
import re

import pytest

from logic_curriculum.curriculum.models.loginum_pretraining import (
    arithmetic_exercise,
    copy_exercise,
    lookup_exercise,
    rule_reading_exercise,
    search_exercise,
)
from logic_curriculum.curriculum.models.loginum_search import (
    Search,
    World,
    bindings,
    gold_steps,
    try_rule,
    world_of,
)
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.loginum.language import parse_clause
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact

RULES = {
    1: parse_clause("is(?x, dark, 3) <- is(?x, bad, 5)"),
    2: parse_clause("is(?x, calm, 4) <- is(?x, bad, 6)"),
    3: parse_clause("is(?x, calm, 2*?y[bad]+1) <- ask(?y, ?x)"),
    4: parse_clause("is(?x, calm, ?x[wild]) <- is(?x, bad, 5)"),
}
FACTS = {7: parse_fact("is(Kim, bad, 5)"), 9: parse_fact("ask(Bo, Kim)")}
KIM_IS_CALM = AttributeFact("Kim", "calm", 0)


def made(level: int, seed: int, preset: str | None = "EL-EN") -> Task:
    return generate(
        "loginum", level, seed, preset=preset, language="clauses", style="compact", vocabulary=20
    )


def search_of(task: Task) -> Search:
    return Search(world_of(task), gold_steps(task))


def tried(number: int, *more: str) -> str:
    world = World(RULES, {**FACTS, **dict(enumerate(map(parse_fact, more), start=20))})
    return try_rule(world, number, bindings(RULES[number], KIM_IS_CALM)).text


def test_rules_are_read_to_the_first_that_concludes_what_is_wanted():
    world = World(RULES, FACTS)

    assert world.read_rules(KIM_IS_CALM, after=0) == (
        "rule_1: is(?x, dark … rule_2: is(?x, calm, 4) <- is(?x, bad, 6)",
        2,
    )
    assert world.read_rules(KIM_IS_CALM, after=4) == ("end", None)


def test_a_trial_ends_at_another_value_at_what_is_missing_or_with_the_conclusion():
    assert tried(2) == "if is(Kim, bad, 6): is(Kim, bad, 5) no"
    assert tried(3) == (
        "if ask(?y, Kim): ask(Bo, Kim) = fact_9 rule_3 & fact_9 if is(Bo, bad, ?): none open"
    )
    assert tried(3, "is(Bo, bad, 8)") == (
        "if ask(?y, Kim): ask(Bo, Kim) = fact_9 rule_3 & fact_9 "
        "if is(Bo, bad, ?): is(Bo, bad, 8) = fact_20 rule_3 & fact_9 & fact_20 "
        "so 2*8+1 -> 16+1 -> 17"
    )


@pytest.mark.parametrize(
    ("preset", "levels"), [("EL-EN", (1, 2, 3)), ("EL-HN", (1, 2, 3)), ("HL-HN", (4, 5, 6))]
)
def test_whatever_a_search_says_follows_from_the_world(preset: str, levels: tuple[int, ...]):
    for level in levels:
        for seed in range(20):
            task = made(level, seed, preset)
            facts = list(map(parse_fact, task.verification["facts"]))
            rules = list(map(parse_rule, task.verification["rules"]))
            search = search_of(task)

            follows = set(closure(facts, rules).facts)
            assert follows >= {step.conclusion for step in search.steps}
            assert search.steps[-1].conclusion == gold_steps(task)[-1].conclusion
            for line in search.lines:
                for text, name in _quoted(line):
                    kind, number = name.split("_")
                    found = facts if kind == "fact" else [step.conclusion for step in search.steps]
                    assert parse_fact(text) == found[int(number) - 1]


def _quoted(line: str) -> list[tuple[str, str]]:
    """Return what a line says is known, each with its name."""
    return re.findall(r"(\w+\([^()]*\))(?: yes)? = ((?:fact|int)_\d+)", line)


def test_at_depth_one_the_rules_that_fail_come_before_the_one_that_fires():
    for seed in range(20):
        *failed, fired = search_of(made(1, seed)).lines

        assert all(line.endswith((" open", " no", " end")) for line in failed)
        assert fired.endswith(" = int_1")


def test_what_is_missing_is_wanted_and_then_the_rule_applied():
    lines = search_of(made(2, 0)).lines
    first = [line.split()[0] for line in lines]

    assert first.count("want") == 2
    assert first[-1] == "now"
    assert next(line for line in lines if line.endswith(" end"))


def test_copying_says_a_few_facts_and_half_as_many_rules_again():
    task = made(2, 0)
    exercise = copy_exercise(task, 4, random.Random(0))
    lines = exercise.prompt.splitlines()

    assert set(lines) <= set(task.prompt.splitlines())
    assert [line.startswith("fact_") for line in lines] == [True] * 4 + [False] * 2
    said = [
        line if line.startswith("rule_") else ": ".join(reversed(line.split(" = ")))
        for line in exercise.solution.splitlines()
    ]
    assert sorted(said) == sorted(lines)
    assert exercise != copy_exercise(task, 4, random.Random(1))


def test_what_is_looked_up_is_found_among_the_facts_or_not_at_all():
    answers = []
    for seed in range(20):
        exercise = lookup_exercise(made(2, seed), 3, random.Random(seed))
        kept = exercise.prompt.splitlines()

        assert [line.split("_")[0] for line in kept] == ["fact"] * 3
        lines = exercise.solution.splitlines()
        assert len(lines) == 6
        for line in lines:
            asked, _, answer = line.removeprefix("if ").partition(": ")
            found, _, name = answer.replace(" yes", "").partition(" = ")
            if answer != "none" and not answer.endswith(" no"):
                assert f"{name}: {found}" in kept
            if "?" not in asked and answer != "none":
                assert (found == asked) == (" yes " in answer)
            answers += answer.split()
    assert {"none", "yes", "no"} < set(answers)


def test_rules_are_read_for_goals():
    for seed in range(20):
        exercise = rule_reading_exercise(made(2, seed), 3, random.Random(seed))
        kept = exercise.prompt.splitlines()
        lines = exercise.solution.splitlines()

        assert [line.split("_")[0] for line in kept] == ["rule"] * 3
        assert len(lines) == 3
        for line in lines:
            assert line.endswith(" end") or f"rule_{line.rpartition(' rule_')[2]}" in kept


def test_calculations_and_comparisons_are_right():
    lines = arithmetic_exercise(made(1, 0), 50, random.Random(0)).solution.splitlines()
    calculated = [line.removeprefix("so ") for line in lines if line.startswith("so ")]
    compared = [line.removeprefix("if ") for line in lines if line.startswith("if ")]

    assert len(calculated) == len(compared) == 50
    for line in calculated:
        worked, _, result = line.rpartition(" -> ")
        assert {eval(text) for text in worked.split(" -> ")} == {int(result)}
    for line in compared:
        asked, _, found = line.rpartition(" ")[0].partition(": ")
        assert line.endswith(" yes" if asked == found else " no")


def test_solving_is_a_right_solution_in_a_world_that_keeps_what_it_uses():
    for seed in range(20):
        task = made(1, seed)
        exercise = search_exercise(task, 3, random.Random(seed))
        *world, query, form = exercise.prompt.splitlines()

        assert len(world) == 6
        assert query == task.verification["query"]
        assert form == task.prompt.splitlines()[-1]
        (step,) = gold_steps(task)
        used = [f"rule_{step.rule}", *(f"fact_{number}" for number in step.facts)]
        assert {line.split(":")[0] for line in world} >= set(used)
        assert judge("loginum", exercise.solution, task.verification).partial == 1.0
