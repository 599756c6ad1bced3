"""What a hypothesis leaves to come back to is paid for, in time and in memory."""

from __future__ import annotations

import time

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards.engines.prolog_old import Cases, judge_further, judge_groups
from logic_curriculum.rewards.registry import judge_of
from logic_curriculum.rewards.slr.judge import load_task

LONGEST_S = 20.0
LARGEST = generate("slr", level=20, seed=5)
OTHERS = [f"eastbound(T) :- has_car(T, C). % {'日' * 19_000}{i}" for i in range(31)]


def _over(clause: str, goal: str, times: int) -> str:
    """Enter a goal for each of many elements of a list."""
    return (
        f"slow :- length(L, {times}), {clause}(L), fail.\n{clause}([_|M]) :- {goal}.\n{clause}([])."
    )


def _nested(depth: int) -> str:
    return "(" * depth + "p(M)" + " ; fail)" * depth


ZEROS = "findall(0, between(1, {n}, _), L), append(L, [1], Y)"
SLOW = {
    "permutations of long lists": (
        "slow :- numlist(1, {n}, X), numlist(1, {n}, Y), M is {n} - 1, numlist(1, M, A), "
        "append(A, [z], Z), permutation([X, X, X, X, X, X, X, X, X], [Y, Y, Y, Y, Z|_]), fail."
    ),
    "rests selected": f"slow :- {ZEROS}, select(0, L, Y), fail.",
    "rests selected in two lists": f"slow :- {ZEROS}, select(0, L, 0, Y), fail.",
    "rests appended": f"slow :- {ZEROS}, append(_, Y, L), fail.",
    "rests of lists appended": f"slow :- {ZEROS}, append([_, Y], L), fail.",
    "rests counted": f"slow :- {ZEROS}, nth0(_, L, 0, Y), fail.",
    "rests counted from one": f"slow :- {ZEROS}, nth1(_, L, 0, Y), fail.",
    "large elements in many splits": (
        "slow :- length(E, {n}), append([V, W, X, Y, Z, [[_|E]], _], "
        "[E, E, E, E, E, E, E, E, E, E, E]), fail."
    ),
    "witnesses with variables inside": (
        "slow :- setof(X, p(X, B, A), _), fail.\np(X, B, A) :- length(A, 105), between(1, {n}, X)."
    ),
}
SIZES = (60, 600, 2400)
DEEP = {
    "disjunctions in disjunctions": _nested(330),
    "few disjunctions in disjunctions": _nested(50),
    "negations": ", ".join(["\\+ fail"] * 200) + ", p(M)",
    "few negations": ", ".join(["\\+ fail"] * 25) + ", p(M)",
    "conditions": ", ".join(["(true -> true ; fail)"] * 100) + ", p(M)",
    "soft conditions": ", ".join(["(true *-> true ; fail)"] * 100) + ", p(M)",
    "double negations around the rest": "\\+ " * 50 + "p(M)",
}
LENGTHS = (80, 900, 8500)


def _on_the_largest(slow: str) -> None:
    task = load_task(judge_of("slr").read_payload(LARGEST.verification))
    truth = LARGEST.metadata["rule"].replace("eastbound(T)", "good(T)")
    hypothesis = f"eastbound(T) :- \\+ slow, good(T).\n{truth}\n{slow}"
    judge_groups([(task.shown, ["eastbound(_)."])])
    started = time.monotonic()
    ((shown, fresh),) = judge_further([(task.shown, task.fresh, [hypothesis])])[0]
    assert time.monotonic() - started < LONGEST_S
    assert shown.status in ("ok", "limit")
    assert not shown.solved or (fresh is not None and fresh.status in ("ok", "limit"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("slow", SLOW.values(), ids=SLOW)
def test_comparing_again_after_each_failure_is_paid_for(slow: str, size: int) -> None:
    _on_the_largest(slow.replace("{n}", str(size)))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("goal", DEEP.values(), ids=DEEP)
def test_places_to_come_back_to_are_paid_for(goal: str, length: int) -> None:
    _on_the_largest(_over("p", goal, length))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("goal", DEEP.values(), ids=DEEP)
def test_no_verdict_depends_on_what_else_is_in_memory(goal: str, length: int, cases: Cases) -> None:
    text = (
        f"eastbound(T) :- once(p0).\np0 :- length(L, {length}), p(L).\np([_|M]) :- {goal}.\np([])."
    )
    (alone,) = judge_groups([(cases, [text])])[0]
    company = judge_groups([(cases, [*OTHERS, text])])[0]
    assert company[-1] == alone


VARIABLES = ", ".join(f"V{i}" for i in range(100))


@pytest.mark.parametrize("length", [4000, 7966, 8266, 9000])
def test_large_frames_fit_the_stack_or_are_paid_for(length: int, cases: Cases) -> None:
    names = ", ".join(f"V{i}" for i in range(110))
    bagofs = ", ".join([f"bagof(A, w({names}), A)"] * 8)
    text = (
        f"eastbound(_) :- length(L, {length}), \\+ \\+ d(L, [L, L, L]).\n"
        f"d([_|M], K) :- d(M, K), {bagofs}.\nd([], [L|K]) :- d(L, K).\nd([], []) :- true, fail.\n"
        f"w({names})."
    )
    (alone,) = judge_groups([(cases, [text])])[0]
    assert judge_groups([(cases, [*OTHERS, text])])[0][-1] == alone


@pytest.mark.parametrize("length", [2000, 5000, 9900])
def test_frames_of_many_variables_fit_the_stack(length: int, cases: Cases) -> None:
    wide = f"d([_|M]) :- d(M), w({VARIABLES}).\nw({VARIABLES})."
    text = f"eastbound(_) :- length(L, {length}), d(L).\nd([]).\n{wide}"
    (execution,) = judge_groups([(cases, [text])])[0]
    assert execution.status == "ok" or execution.detail == "inferences"


def test_selecting_and_appending_mean_what_they_do_in_prolog(cases: Cases) -> None:
    goals = [
        "findall(X-R, select(X, [a, b, c], R), [a-[b, c], b-[a, c], c-[a, b]])",
        "findall(L, select(x, L, [a, b]), [[x, a, b], [a, x, b], [a, b, x]])",
        "findall(M, select(a, [a, b, a], z, M), [[z, b, a], [a, b, z]])",
        "findall(R, selectchk(a, [b, a, c, a], R), [[b, c, a]])",
        "findall(A-B, append(A, B, [a, b]), [[]-[a, b], [a]-[b], [a, b]-[]])",
        "append([[a], [], [b, c]], [a, b, c])",
        "findall(A-B, append([A, [x], B], [a, x, b, x]), [[a]-[b, x], [a, x, b]-[]])",
        "findall(I-X-R, nth0(I, [a, b], X, R), [0-a-[b], 1-b-[a]])",
        "findall(I-X-R, nth1(I, [a, b], X, R), [1-a-[b], 2-b-[a]])",
        "nth0(1, [a, b, c], b, [a, c])",
        "nth1(1, L, x, [a]), L = [x, a]",
        "findall(P, permutation([a, b, c], P), [[a, b, c], [a, c, b], [b, a, c], [b, c, a], "
        "[c, a, b], [c, b, a]])",
        "permutation([a, b], [b, a])",
        "permutation(P, [a, b]), P = [b, a]",
        "findall(P, permutation(P, [a, b, c]), L), nth1(4, L, X), X == [c, a, b]",
        "reverse(L, [a, b]), L == [b, a]",
        "reverse([a, b], L), L == [b, a]",
        "(fail | true)",
        "numlist(1, 10001, L), length(L, 10001)",
        "length(L, 3), length(L, N), N =:= 3",
        "L = [], \\+ max_list(L, _)",
        "bagof(X-Y, member(X-Y, [1-f(a), 2-f(b)]), L), L == [1-f(a), 2-f(b)]",
        "findall(Y-L, bagof(X, member(X-Y, [1-b, 2-a, 3-b]), L), [a-[2], b-[1, 3]])",
        "findall(L, setof(X, Y^member(X-Y, [2-_, 1-g(_)]), L), [[1, 2]])",
        "\\+ permutation([a, b], [b, a, c])",
        "(fail ; true)",
        "(fail -> fail ; true)",
        "findall(X, (member(X, [a, b]) *-> true ; X = c), [a, b])",
        "findall(X, (fail *-> true ; X = c), [c])",
    ]
    judged = judge_groups([(cases, [f"eastbound(_) :- {goal}." for goal in goals])])[0]
    assert [set(execution.outcomes) for execution in judged] == [{True}] * len(goals)
