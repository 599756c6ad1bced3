"""Ways out of the whitelist that were open once: goals that nobody checked, and unpaid work."""

from __future__ import annotations

import time

import pytest

from logic_curriculum.rewards.engines.prolog_old import Execution, judge_groups, own_facts

CASES = own_facts(
    "eastbound(a).\nhas_car(a, c1).\ncar_color(c1, red).\ncar_num(c1, 1).\n"
    "has_car(a, c2).\ncar_color(c2, blue).\ncar_num(c2, 2).\n"
    "westbound(b).\nhas_car(b, c3).\ncar_color(c3, blue).\ncar_num(c3, 1).\n"
)
GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."

ESCAPES = {
    "clause as a head": "eastbound(T) :- fail.\n(eastbound(T) :- halt) :- true.",
    "single-sided rule as a head": "eastbound(T) :- fail.\n(eastbound(T) => halt) :- true.",
    "grammar rule as a head": "eastbound(T) :- fail.\n(eastbound --> {halt}) :- true.",
    "directive as a head": "eastbound(T) :- fail.\n(:- halt) :- true.",
    "module prefix as a helper": "':'(_, _, _).\neastbound(T) :- call(system:halt, 0).",
    "module prefix with more arguments": "':'(_, _, _, _).\neastbound(T) :- "
    "call(system:op, 0, xfx, a).",
    "sleeping": "':'(_, _, _).\neastbound(T) :- call(system:sleep, 20).",
    "background facts retracted": "':'(_, _, _).\neastbound(T) :- "
    "call(system:retractall, judge_program:has_car(_, _)).",
    "operator taken away": "':'(_, _, _, _, _).\neastbound(T) :- "
    "call(system:op, 0, xfx, judge_syntax:(:-)).",
    "call of an arity that has no definition": "call(_, _, _, _, _, _, _, _, _).\n"
    "eastbound(T) :- call(call, [_, _, _, _, _, _, _]>>halt, 1, 2, 3, 4, 5, 6, 7).",
    "helper without letters": "+(_, _).\neastbound(T) :- T + 1.",
}


def judge(*hypotheses: str) -> list[Execution]:
    (executions,) = judge_groups([(CASES, hypotheses)])
    return executions


@pytest.mark.parametrize("hypothesis", ESCAPES.values(), ids=ESCAPES)
def test_a_goal_that_was_not_checked_never_runs(hypothesis: str):
    before, escaped, after = judge(GOOD, hypothesis, GOOD + " ")

    assert escaped.status == "rejected"
    assert before.solved
    assert after.solved


COPIES = {
    "lambda over a long list": "eastbound(T) :- length(L, 9999), q(900, L).\n"
    "q(0, _) :- !, fail.\nq(N, L) :- call([M]>>(M = L), _), K is N - 1, q(K, L).",
    "free variables of bagof": "eastbound(T) :- numlist(1, 9999, L), q(5000, L).\n"
    "q(0, _) :- !, fail.\nq(N, L) :- bagof(X, p(X, L), _), K is N - 1, q(K, L).\np(1, _).",
}


@pytest.mark.parametrize("hypothesis", COPIES.values(), ids=COPIES)
def test_what_is_copied_in_c_is_paid_for_in_inferences(hypothesis: str):
    started = time.monotonic()
    copied, after = judge(hypothesis, GOOD)

    assert (copied.status, copied.detail) == ("limit", "inferences")
    assert after.solved
    assert time.monotonic() - started < 20  # hundreds of times what it takes


WRITTEN_BY_MODELS = {
    "predsort with a lambda": "eastbound(T) :- findall(C, has_car(T, C), Cs), "
    "predsort([O, A, B]>>(car_num(A, X), car_num(B, Y), compare(O, X, Y)), Cs, [F|_]), "
    "car_color(F, red).",
    "nextto": "eastbound(T) :- findall(C, has_car(T, C), Cs), nextto(A, B, Cs), "
    "car_color(A, red), car_color(B, blue).",
    "imports in one directive": ":- use_module(library(lists)), use_module(library(apply)).\n"
    + GOOD,
    "imports in one list": ":- use_module([library(lists), library(apply)]).\n" + GOOD,
    "a module header": ":- module(rule, [eastbound/1]).\n" + GOOD,
    "a helper in camel case": "eastbound(T) :- hasRed(T).\n"
    "hasRed(T) :- has_car(T, C), car_color(C, red).",
}


@pytest.mark.parametrize("hypothesis", WRITTEN_BY_MODELS.values(), ids=WRITTEN_BY_MODELS)
def test_what_models_write_is_judged_as_prolog_would(hypothesis: str):
    (execution,) = judge(hypothesis)

    assert execution.solved, execution
