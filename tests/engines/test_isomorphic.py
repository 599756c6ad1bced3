"""The isomorphic copy keeps logic and drops everything else, for few examples too."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sample_programs import trains

from logic_curriculum.rewards.engines.prolog import Program, isomorphic_copy, judge_programs

HONEST = [
    "eastbound(T) :- has_car(T, C), car_color(C, red).",
    "eastbound(T) :- \\+ (has_car(T, C), car_color(C, X), X \\= red, X \\= yellow).",
    "eastbound(T) :- findall(C, has_car(T, C), [First|_]), car_color(First, red).",
    "eastbound(T) :- findall(C, has_car(T, C), L), sort(L, [First|_]), car_color(First, red).",
    "eastbound(T) :- has_car(T, C), !, car_color(C, red).",
    "eastbound(T) :- has_car(T, C), has_car(T, D), C @< D, car_color(C, red).",
]
SHORTCUTS = [
    "eastbound(train0). eastbound(train2). eastbound(train4). eastbound(train6).",
    "eastbound(T) :- member(T, [train0, train2, train4, train6]).",
    "eastbound(T) :- has_car(T, car0_1) ; has_car(T, car2_1) ; has_car(T, car4_1) ; "
    "has_car(T, car6_1).",
    "eastbound(T) :- findall(X, has_car(X, _), L), nth0(N, L, T), M is N mod 4, M < 2.",
    "eastbound(T) :- findall(X, car_num(X, 1), L), has_car(T, C), nth0(N, L, C), 0 is N mod 2.",
]


@pytest.mark.parametrize("rule", [*HONEST, *SHORTCUTS])
def test_an_honest_rule_solves_the_copy_too_and_a_shortcut_does_not(
    rule: str, program: Program
) -> None:
    (original,), (copied,) = judge_programs(
        [(item, [rule]) for item in (program, isomorphic_copy(program))]
    )
    assert original.solved
    assert copied.solved is (rule in HONEST)


def test_the_copy_depends_on_the_text_alone(program: Program) -> None:
    script = (
        "import sys; from logic_curriculum.rewards.engines.prolog import Program, isomorphic_copy\n"
        "sys.stdout.write(isomorphic_copy(Program.parse(sys.stdin.read())).text)"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", script],
            input=program.text,
            text=True,
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts == [isomorphic_copy(program).text] * 2


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
    judged = judge_programs([(isomorphic_copy(program), [rule]) for program in programs])
    assert [execution.status for (execution,) in judged] == ["ok"] * 20
    assert not any(execution.solved for (execution,) in judged)


def test_quoted_names_and_facts_about_no_example_survive() -> None:
    text = (
        "eastbound('Big One').\nhas_car('Big One', c1).\ncar_color(c1, red).\n"
        "westbound(b).\nhas_car(b, c2).\ncar_color(c2, blue).\nwarmer(red, blue).\n"
    )
    rule = "eastbound(T) :- has_car(T, C), car_color(C, X), warmer(X, _)."
    copy = isomorphic_copy(Program.parse(text))
    ((execution,),) = judge_programs([(copy, [rule])])
    assert execution.solved
    assert len(execution.labels) == 6
