"""The outcome on an example depends on its own facts: no other example plays a part."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hostile_table import ATTACKS
from perturbed_programs import check_company_plays_no_part, outcomes_alone
from sample_programs import one_car_trains, trains
from test_judging import RULES

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.language import Language
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.rules import (
    RuleSource,
    RuleUnavailableError,
    draw_schema_rule,
    draw_uniform_rule,
)
from logic_curriculum.rewards.engines.prolog_old import (
    Program,
    judge_groups,
    own_facts,
    whole_program,
)

SOURCES: list[RuleSource] = [draw_uniform_rule, draw_schema_rule]


def looking_around(language: Language, attribute: str) -> list[str]:
    """Return rules about other examples, for an attribute of the parts."""
    head, has = language.positive, language.membership
    holders = f"findall(X, ({has}(X, D), {attribute}(D, V)), M0), sort(M0, M), length(M, K)"
    everyone = f"findall(X, {has}(X, _), L0), sort(L0, L), length(L, N)"
    return [
        f"{head}(T) :- {everyone}, {has}(T, C), {attribute}(C, V), {holders}, N =:= 2*K.",
        f"{head}(T) :- {everyone}, {has}(T, C), {attribute}(C, V), {holders}, K > 1, N > K.",
        f"{head}(T) :- {has}(T, C), {attribute}(C, V), {has}(X, D), X \\== T, {attribute}(D, V).",
        f"{head}(T) :- \\+ ({attribute}(C, V), {attribute}(D, V), C \\== D), {has}(T, _).",
        f"{head}(T) :- findall(V, {attribute}(_, V), L), nth1(4, L, V), {has}(T, C), "
        f"{attribute}(C, V).",
        f"{head}(T) :- findall(X, {has}(X, _), L), list_to_set(L, S), nth1(I, S, T), 1 is I mod 2.",
        f"{head}(T) :- {has}(X, _), {has}(T, _), X @< T.",
        f"{head}(T) :- setof(C, X^{has}(X, C), [F|_]), {has}(T, F), {attribute}(F, _).",
        f"{head}(T) :- aggregate_all(count, {has}(_, _), N), {has}(T, _), N > 3.",
    ]


def drawn_rules(language: Language, level: int, count: int, draw: random.Random) -> list[str]:
    """Draw rules of a level from both sources, in turn; the lowest levels have no schemata."""
    row, rules = level_of(level), []
    for number in range(count):
        try:
            rules.append(SOURCES[number % 2](language, row, draw).text)
        except RuleUnavailableError:
            rules.append(draw_uniform_rule(language, row, draw).text)
    return rules


def check_level(level: int, seed: int, count: int, name: str = "trains") -> int:
    """Check the property for drawn rules and those that look around; return their number."""
    draw, language = random.Random(f"{name} {level} {seed}"), load_language(name)
    program = generate("slr", level, seed, language=name).verification["validation_program"]
    attribute = draw.choice(language.vocabulary(level_of(level).predicates)).predicate
    rules = drawn_rules(language, level, count, draw) + looking_around(language, attribute)
    labels = {language.positive: "eastbound", language.negative: "westbound"}
    for own, shared in labels.items():
        program = re.sub(rf"\b{own}\(", f"{shared}(", program)
        rules = [re.sub(rf"\b{own}\(", f"{shared}(", rule) for rule in rules]
    check_company_plays_no_part(program, rules, draw)
    return len(rules)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(one_car_trains(("red", "blue", "red")), id="one car"),
        pytest.param(trains(), id="two cars", marks=pytest.mark.slow),
    ],
)
def test_hostile_hypotheses_do_on_an_example_what_they_do_on_it_alone(
    text: str, tmp_path: Path
) -> None:
    hypotheses = [
        attack.hypothesis.replace("{path}", str(tmp_path / "touched")).replace("{bits}", "1" * 8)
        for attack in ATTACKS
    ]
    check_company_plays_no_part(text, hypotheses, random.Random(0))


def test_every_construct_does_on_an_example_what_it_does_on_it_alone() -> None:
    check_company_plays_no_part(trains(), [rule for rule, _ in RULES], random.Random(0))


@pytest.mark.parametrize("level", range(1, 21, 3))
def test_rules_of_a_level_do_on_an_example_what_they_do_on_it_alone(level: int) -> None:
    check_level(level, seed=0, count=12)


def test_rules_of_another_language_do_on_an_example_what_they_do_on_it_alone() -> None:
    for level in (3, 9, 15):
        check_level(level, seed=0, count=12, name="houses")


@pytest.mark.slow
def test_thousands_of_rules_do_on_an_example_what_they_do_on_it_alone() -> None:
    counts = [
        check_level(level, seed, 60, name)
        for level in range(1, 21)
        for seed in (1, 2)
        for name in ("trains", "houses")
    ]
    assert sum(counts) > 5000


@pytest.mark.parametrize("level", [2, 8, 16])
def test_rules_that_look_around_would_be_told_from_others_by_company(level: int) -> None:
    # in one program with all examples they do see the others, so the property can fail
    language = load_language("trains")
    text = generate("slr", level, 0).verification["validation_program"]
    rules = looking_around(language, "car_color")
    judged = judge_groups([(whole_program(Program.parse(text)), rules)])[0]
    alone = list(outcomes_alone(text, rules).values())
    together = [[outcomes[index][1] for outcomes in alone] for index in range(len(rules))]
    differ = [list(e.outcomes) != bits for e, bits in zip(judged, together, strict=True)]
    assert sum(differ) >= 4


def test_names_of_the_judge_are_the_same_in_every_case() -> None:
    rules = [
        "eastbound(obj000).",
        "eastbound(T) :- T == obj000, has_car(T, obj001), has_car(T, obj002).",
        "eastbound(T) :- findall(C, has_car(T, C), [obj001, obj002]).",
    ]
    for execution in judge_groups([(own_facts(trains()), rules)])[0]:
        assert execution.outcomes == (True,) * 8
