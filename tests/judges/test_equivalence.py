"""What is inferred from the isomorphic copy is what running the original gives."""

from __future__ import annotations

import pytest
from sample_programs import trains
from test_isomorphic import HONEST, SHORTCUTS
from test_judging import RULES

from generators import generate
from rewards.judges.prolog import (
    Execution,
    Program,
    equivalence,
    isomorphic_copy,
    judge_tasks,
)

MORE_RULES = [
    "eastbound(T) :- car_color(C, red).",
    "eastbound(T) :- findall(C, car_color(C, red), [_, _, D|_]), has_car(T, D).",
    "eastbound(T) :- has_car(X, C), X == T, car_color(C, red).",
    "eastbound(T) :- has_car(T, C), C @< train3.",
    "eastbound(T) :- has_car(T, C), C @< red.",
    "eastbound(T) :- T @< yellow.",
    "eastbound(T) :- findall(X, (has_car(T, C), (X = C ; car_color(C, X))), L), msort(L, [H|_]), "
    "car_color(H, _).",
    "eastbound(T) :- findall(X, (has_car(T, C), car_color(C, X)), L), sort(L, [red|_]).",
    "eastbound(T) :- findall(X-C, (has_car(T, C), car_color(C, X)), L), sort(L, [red-C|_]), "
    "car_len(C, long).",
    "eastbound(T) :- findall(X, has_car(X, _), L), msort(L, [T|_]).",
    "eastbound(T) :- setof(C, has_car(T, C), [C|_]), car_color(C, red).",
    "eastbound(T) :- setof(X, C^has_car(X, C), [T|_]).",
    "eastbound(T) :- aggregate_all(count, has_car(_, _), N), N > 8.",
    "eastbound(T) :- aggregate_all(max(N, C), (has_car(T, C), car_num(C, N)), max(_, D)), "
    "car_color(D, yellow).",
    "eastbound(T) :- X = train0, T = X.",
    "eastbound(T) :- T = 'train0'.",
    "eastbound(T) :- member(T, [train0, 'train2', 't\\x72\\ain4', train6]).",
    "eastbound(T) :- has_car(T, C), ( C = car0_1 ; C = car2_1 ).",
    "eastbound(train0). eastbound(T) :- has_car(T, C), car_color(C, white).",
    "eastbound(T) :- ( has_car(X, _), \\+ X = T -> true ; fail ).",
    "eastbound(T) :- has_car(T, C), !, car_color(C, red).",
    "eastbound(T) :- car_color(C, red), !, has_car(T, C).",
    "eastbound(T) :- \\+ \\+ car_num(_, 7).",
]


@pytest.fixture(autouse=True)
def _prove_for_small_programs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equivalence, "_WORTH_A_PROOF", 0)


def _programs() -> tuple[Program, Program]:
    original = Program.parse(trains())
    return isomorphic_copy(original), original


def _proved(programs: tuple[Program, ...], rules: list[str]) -> list[bool]:
    judged = judge_tasks([(programs, rules)])[0]
    return [execution.constants is not None for _, execution in judged]


@pytest.mark.parametrize(
    "rules", [[rule for rule, _ in RULES], HONEST, SHORTCUTS, MORE_RULES], ids=range(4)
)
def test_proofs_change_no_status_and_no_outcome(rules: list[str]) -> None:
    for colors in (("red", "blue"), ("red", "blue", "red", "green", "red", "white", "red", "blue")):
        original = Program.parse(trains(colors))
        programs = (isomorphic_copy(original), original)
        assert _seen(programs, rules, True) == _seen(programs, rules, False)


@pytest.mark.parametrize("level", [1, 4, 8, 14, 20])
def test_proofs_change_nothing_on_generated_tasks(level: int) -> None:
    tasks = [generate("slr", level=level, seed=seed) for seed in range(6)]
    rules = [task.solution.removeprefix("[RULE]").removesuffix("[/RULE]").strip() for task in tasks]
    for task in tasks[:3]:
        original = Program.parse(task.verification["validation_program"])
        programs = (isomorphic_copy(original), original)
        assert _seen(programs, rules, True) == _seen(programs, rules, False)


def test_rules_that_start_from_their_example_are_proved() -> None:
    rules = [
        "eastbound(T) :- has_car(T, C), car_color(C, red).",
        "eastbound(T) :- \\+ (has_car(T, C), car_color(C, red)).",
        "eastbound(T) :- findall(X, (has_car(T, C), car_color(C, X)), L), sort(L, S), "
        "length(L, N), length(S, N).",
        "eastbound(T) :- forall(has_car(T, C), (car_color(C, X), (X = red ; X = yellow))).",
        "eastbound(T) :- has_car(T, A), car_num(A, N), M is N + 1, has_car(T, B), car_num(B, M).",
    ]
    assert _proved(_programs(), rules) == [True] * len(rules)


@pytest.mark.parametrize("rule", SHORTCUTS)
def test_no_shortcut_is_proved(rule: str) -> None:
    assert _proved(_programs(), [rule]) == [False]


def test_a_program_whose_examples_share_objects_carries_no_certificate() -> None:
    shared = Program.parse(trains() + "next_to(car0_1, car1_1).\n")
    assert "% copy of" in isomorphic_copy(Program.parse(trains())).text
    assert "% copy of" not in isomorphic_copy(shared).text


def test_a_copy_of_another_program_decides_nothing() -> None:
    copy, _ = _programs()
    other = Program.parse(trains(("blue", "red") * 4))
    rules = ["eastbound(T) :- has_car(T, C), car_color(C, red)."]
    ((_, execution),) = judge_tasks([((copy, other), rules)])[0]
    assert execution.accuracy == 1.0
    assert execution.labels == other.labels


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("train", "10", "eastbound(T) :- number(T)."),
        ("train", "10", "eastbound(T) :- atom(T)."),
        ("car0_1", "count", "eastbound(T) :- has_car(T, count)."),
        ("car0_1", "true", "eastbound(T) :- has_car(T, true)."),
        ("car0_1", "fail", "eastbound(T) :- has_car(T, C), \\+ C == fail."),
        ("car0_1", "false", "eastbound(T) :- \\+ has_car(T, false)."),
    ],
)
def test_objects_that_a_rule_can_tell_from_their_copies_are_run(
    old: str, new: str, rule: str
) -> None:
    original = Program.read(trains().replace(old, new))
    programs = (isomorphic_copy(original), original)
    assert _proved(programs, [rule]) == [False]
    assert _seen(programs, [rule], True) == _seen(programs, [rule], False)


@pytest.mark.parametrize(
    "order",
    [
        "",
        " ",
        "0",
        "0 0 0 0 0 0 0 0",
        "0 1 2 3 4 5 6 99",
        "0 1 2 3 4 5 6 7 0",
        "0  1 2 3 4 5 6 7",
        "\u0660 1 2 3 4 5 6 7",
        "1" * 5000,
        "reversed",
    ],
)
def test_a_wrong_certificate_proves_nothing(order: str) -> None:
    copy, original = _programs()
    head, _, right = copy.text.rstrip("\n").rpartition(" in order ")
    labels = [original.labels[int(index)] for index in right.split()]
    assert labels != labels[::-1]
    wrong = order.replace("reversed", " ".join(right.split()[::-1]))
    text = f"{head} in order {wrong}\n"
    programs = (Program.read(text), original)
    rules = ["eastbound(T) :- has_car(T, C), car_color(C, red)."]
    assert _proved(programs, rules) == [False]
    assert _seen(programs, rules, True) == _seen(programs, rules, False)


def _seen(programs: tuple[Program, ...], rules: list[str], use_proofs: bool) -> list[object]:
    judged: list[tuple[Execution, ...]] = judge_tasks([(programs, rules)], use_proofs)[0]
    return [[(e.status, e.outcomes, e.labels) for e in executions] for executions in judged]
