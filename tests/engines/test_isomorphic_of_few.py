"""The isomorphic copy of a program with too few examples for an order without pattern."""

from __future__ import annotations

import pytest
from sample_programs import trains

from logic_curriculum.rewards.engines.prolog import (
    Program,
    isomorphic_copy,
    judge_groups,
    whole_program,
)

POSITIONAL = [
    "eastbound(T) :- findall(X, has_car(X, _), L), list_to_set(L, S), nth0(I, S, T), 0 is I mod 2.",
    "eastbound(T) :- findall(X, has_car(X, _), L), sort(L, S), nth1(I, S, T), length(S, N), "
    "I =< N // 2.",
    "eastbound(T) :- \\+ (has_car(X, _), X @< T).",
]


@pytest.mark.parametrize("colors", [("red", "blue"), ("red", "blue", "red", "green")])
@pytest.mark.parametrize("rule", POSITIONAL)
def test_no_rule_about_order_is_right_by_luck(rule: str, colors: tuple[str, ...]) -> None:
    programs = [Program.parse(trains(colors) + f"extra(car0_1, {seed}).\n") for seed in range(20)]
    judged = judge_groups(
        [(whole_program(isomorphic_copy(program)), [rule]) for program in programs]
    )
    assert [execution.status for (execution,) in judged] == ["ok"] * 20
    assert not any(execution.solved for (execution,) in judged)


@pytest.mark.parametrize(
    ("colors", "size"), [(("red", "blue"), 6), (("red", "blue", "red"), 6), (("red",) * 6, 6)]
)
def test_the_examples_are_repeated_in_equal_parts(colors: tuple[str, ...], size: int) -> None:
    program = Program.parse(trains(colors))
    copy = isomorphic_copy(program)
    assert len(frozenset(copy.examples)) == len(copy.labels) == size
    assert sum(copy.labels) / size == sum(program.labels) / len(colors)


@pytest.mark.parametrize(
    "rule",
    [
        "eastbound(T) :- has_car(T, C), car_color(C, red).",
        "eastbound(T) :- has_car(T, C), car_color(C, blue).",
        "eastbound(T) :- has_car(T, C), has_car(T, D), C @< D, car_color(C, red).",
        "eastbound(_).",
    ],
)
def test_the_share_of_right_examples_stays_what_it_was(rule: str) -> None:
    program = Program.parse(trains(("red", "blue", "red", "green")))
    (original,), (copied,) = judge_groups(
        [(whole_program(item), [rule]) for item in (program, isomorphic_copy(program))]
    )
    assert copied.accuracy == original.accuracy


def test_quoted_names_and_facts_about_no_example_survive() -> None:
    text = (
        "eastbound('Big One').\nhas_car('Big One', c1).\ncar_color(c1, red).\n"
        "westbound(b).\nhas_car(b, c2).\ncar_color(c2, blue).\nwarmer(red, blue).\n"
    )
    rule = "eastbound(T) :- has_car(T, C), car_color(C, X), warmer(X, _)."
    copy = isomorphic_copy(Program.parse(text))
    ((execution,),) = judge_groups([(whole_program(copy), [rule])])
    assert execution.solved
    assert len(execution.labels) == 6
