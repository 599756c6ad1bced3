"""What a hypothesis means to the judge, and that both hosts agree on it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_copies import KEEPS_ITS_ERROR, NEEDS_THE_STACK
from sample_programs import trains

from logic_curriculum.rewards.engines import prolog_old as prolog
from logic_curriculum.rewards.engines.prolog_old import (
    Cases,
    Execution,
    Program,
    entailed,
    judge_further,
    judge_groups,
    own_facts,
    whole_program,
)
from logic_curriculum.rewards.engines.prolog_old.pool import Job, Supervisor

# (rule, outcomes for a train whose first car is red and for one whose first car is blue;
#  the second car of each is yellow; cars are numbered 1 and 2, long and short)
RULES = [
    ("eastbound(T) :- has_car(T, C), car_color(C, red), car_len(C, long).", "10"),
    ("eastbound(T) :- has_car(T, C), (car_color(C, white) ; car_color(C, red)).", "10"),
    ("eastbound(T) :- \\+ (has_car(T, C), car_color(C, red)).", "01"),
    ("eastbound(T) :- not((has_car(T, C), car_color(C, red))).", "01"),
    ("eastbound(T) :- has_car(T, A), has_car(T, B), A \\= B, car_color(A, X), car_color(B, Y), "
     "X \\= Y.", "11"),
    ("eastbound(T) :- findall(C, (has_car(T, C), car_color(C, red)), R), "
     "findall(C, (has_car(T, C), car_color(C, blue)), B), length(R, N), length(B, M), N > M.",
     "10"),
    ("eastbound(T) :- findall(C, (has_car(T, C), car_color(C, red)), [Red]), "
     "forall((has_car(T, C), C \\= Red), (car_color(C, X), X \\= red)).", "10"),
    ("eastbound(T) :- findall(X, (has_car(T, C), car_color(C, X)), L), sort(L, S), "
     "length(L, N), length(S, N).", "11"),
    ("eastbound(T) :- findall(C, has_car(T, C), Cs), length(Cs, 2).", "11"),
    ("eastbound(T) :- forall((has_car(T, C), car_len(C, long)), car_color(C, red)).", "10"),
    ("eastbound(T) :- forall((has_car(T, C), car_len(C, long)), "
     "(car_color(C, X), (X = red ; X = blue))).", "11"),
    ("eastbound(T) :- has_car(T, A), has_car(T, B), A \\= B, car_num(A, N), car_num(B, M), "
     "(M =:= N + 1 ; M =:= N - 1), car_color(A, red), car_color(B, yellow).", "10"),
    ("eastbound([Car|Cars]) :- car_len(Car, long) ; eastbound(Cars).", "00"),
    ("eastbound(T) :- has_car(T, A), car_num(A, N), car_color(A, red), M is N + 1, "
     "has_car(T, B), car_num(B, M), car_len(B, short).", "10"),
    ("eastbound(T) :- findall(N, (has_car(T, C), car_num(C, N)), L), max_list(L, M), "
     "has_car(T, C), car_num(C, M), car_color(C, yellow).", "11"),
    ("eastbound(T) :- forall((has_car(T, C), car_color(C, red)), (car_num(C, N), N =< 1)).", "11"),
    ("eastbound(T) :- has_car(T, C), first(C), car_color(C, red). first(C) :- car_num(C, 1).",
     "10"),
    ("eastbound(T) :- findall(C, has_car(T, C), Cs), some_red(Cs). "
     "some_red([C|_]) :- car_color(C, red). some_red([_|Cs]) :- some_red(Cs).", "10"),
    ("eastbound(T) :- aggregate_all(count, (has_car(T, C), car_color(C, red)), 1).", "10"),
    ("eastbound(T) :- aggregate_all(sum(N), (has_car(T, C), car_num(C, N)), S), S =:= 3.", "11"),
    ("eastbound(T) :- aggregate_all(max(N, C), (has_car(T, C), car_num(C, N)), max(2, D)), "
     "car_color(D, yellow).", "11"),
    ("eastbound(T) :- setof(N-C, (has_car(T, C), car_num(C, N)), [1-F|_]), car_color(F, red).",
     "10"),
    ("eastbound(T) :- setof(X, C^(has_car(T, C), car_color(C, X)), [red, yellow]).", "10"),
    ("eastbound(T) :- setof(C, has_car(T, C), [_, _]).", "11"),
    ("eastbound(T) :- bagof(X, car_color(C, X), L), has_car(T, C), L = [red].", "10"),
    ("eastbound(T) :- has_car(T, C), bagof(x, car_color(C, red), [x]).", "10"),
    ("eastbound(T) :- has_car(T, C), bagof(N, (car_num(C, N), car_len(C, long)), [1]).", "11"),
    ("eastbound(T) :- (has_car(T, C), car_color(C, red) -> true ; fail).", "10"),
    ("eastbound(T) :- has_car(T, C), !, car_color(C, yellow).", "00"),
    ("eastbound(T) :- once((has_car(T, C), car_len(C, short))), car_color(C, yellow).", "11"),
    ("eastbound(T) :- findall(C, has_car(T, C), L), include([C]>>car_color(C, red), L, [_]).",
     "10"),
    ("eastbound(T) :- findall(C, has_car(T, C), L), maplist(car_num, L, [1, 2]).", "11"),
    ("eastbound(T) :- findall(C, has_car(T, C), L), "
     "foldl([C, A, B]>>(car_num(C, N), B is A + N), L, 0, 3).", "11"),
    ("eastbound(T) :- findall(N, (has_car(T, C), car_num(C, N)), L), sum_list(L, 3), "
     "min_list(L, 1), last(L, 2), nth1(1, L, 1), memberchk(2, L).", "11"),
    (":- use_module(library(lists)).\n% the rule\neastbound(T) :- has_car(T, C), "
     "car_color(C, red).", "10"),
    (":- dynamic helper/1.\neastbound(T) :- has_car(T, C), helper(C).\nhelper(C) :- "
     "car_color(C, red).", "10"),
    ("eastbound(T) :- has_car(T, C), member(X, [red, green]), car_color(C, X).", "10"),
    ("eastbound(T) :- has_car(T, C), car_num(C, N), between(1, 1, N), car_color(C, red).", "10"),
    ("eastbound(T) :- call((has_car(T, C), !)), car_color(C, red).", "10"),
    ("eastbound(_).", "11"),
    ("eastbound(T) :- has_car(T, purple).", "00"),
    ("eastbound(T) :- has_car(T, C), car_color(C, X), X > 3.", "ee"),
]  # fmt: skip


ENGINE = Path(prolog.__file__).parent / "engine"
TWO_TRAINS = trains(("red", "blue"))
KINDS = {
    "own facts": own_facts(TWO_TRAINS),
    "whole program": whole_program(Program.parse(TWO_TRAINS)),
}


def _judge(rule: str, cases: Cases = KINDS["own facts"]) -> Execution:
    return judge_groups([(cases, [rule])])[0][0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rule", "expected"), RULES, ids=range(len(RULES)))
def test_constructs_of_appendix_e_mean_what_they_mean_in_prolog(
    rule: str, expected: str, kind: str
) -> None:
    execution = _judge(rule, KINDS[kind])
    assert execution.status == "ok", execution.detail
    assert execution.outcomes == tuple({"1": True, "0": False, "e": None}[bit] for bit in expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rule", "expected"), RULES, ids=range(len(RULES)))
def test_both_hosts_agree(rule: str, expected: str, kind: str) -> None:
    if "e" in expected:
        with pytest.raises(ValueError, match="type error"):
            entailed(rule, KINDS[kind])
    else:
        assert tuple(entailed(rule, KINDS[kind])) == _judge(rule, KINDS[kind]).outcomes


@pytest.mark.parametrize(
    ("hypothesis", "status"),
    [
        ("eastbound(T) :- has_car(T, C)", "syntax"),
        ("eastbound(T) :- has_car(T, C), .", "syntax"),
        ("If a car is red then east.", "syntax"),
        ("eastbound(T) :- has_car(T, C). and so on", "syntax"),
        ("eastbound(T) :- big_car(T).", "rejected"),
        ("eastbound(T) :- \\+ big_car(T).", "rejected"),
        ("eastbound(T) :- has_car(T).", "rejected"),
        ("westbound(T) :- has_car(T, C).", "rejected"),
        ("east(T) :- has_car(T, C).", "rejected"),
        ("eastbound(T) :- shell(ls).", "rejected"),
        ("", "rejected"),
        ("eastbound(T) :- eastbound(T).", "limit"),
        ("eastbound(T) :- length(L, 99999999).", "limit"),
    ],
)
def test_status_says_how_far_a_hypothesis_got(hypothesis: str, status: str) -> None:
    execution = _judge(hypothesis)
    assert execution.status == status
    assert execution.detail
    assert execution.accuracy == 0.0


def test_every_predicate_of_the_whitelist_exists() -> None:
    names = subprocess.run(
        [
            *("swipl", "-q", "-f", "none", "-g"),
            "use_module(engine), use_module(whitelist), forall((judge_whitelist:unguarded(N/A) ; "
            "judge_whitelist:charged(N/A) ; judge_whitelist:meta(N, A, _) ; "
            "judge_whitelist:guarded(_/A, N)), (functor(H, N, A), "
            "(predicate_property(judge_base:H, defined) -> true ; writeln(N/A))))",
            *("-t", "halt"),
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=ENGINE,
    )
    assert names.stdout + names.stderr == ""


def test_an_example_whose_proof_raises_is_never_right() -> None:
    # the blue train raises, the red one is proved before the comparison
    execution = _judge("eastbound(T) :- has_car(T, C), (car_color(C, red) ; C > 1).")
    assert execution.outcomes == (True, None)
    assert execution.accuracy == 0.5


def test_accuracy_is_the_share_of_right_examples(cases: Cases) -> None:
    # 4 of 8 trains are red; the rule fires on all, so that 4 of 8 are right
    execution = _judge("eastbound(T) :- has_car(T, _).", cases)
    assert execution.accuracy == 0.5
    assert not execution.solved


def test_other_label_predicates_are_possible() -> None:
    text = "'on sale'(a).\nsold(b).\nprice(a, 3).\nprice(b, 5).\n"
    cases = own_facts(text, "'on sale'", "sold")
    ((execution,),) = judge_groups([(cases, ["'on sale'(X) :- price(X, N), N < 4."])])
    assert execution.solved


@pytest.mark.parametrize("kind", ["cases", "whole"])
def test_a_verdict_does_not_depend_on_company(kind: str, request: pytest.FixtureRequest) -> None:
    cases: Cases = request.getfixturevalue(kind)
    rules = [rule for rule, _ in RULES] + ["eastbound(T) :- eastbound(T)."]
    in_order = judge_groups([(cases, rules)])[0]
    shuffled = random.Random(0).sample(range(len(rules)), len(rules))
    out_of_order = judge_groups([(cases, [rules[i] for i in shuffled])])[0]
    assert [in_order[i] for i in shuffled] == out_of_order
    assert [_judge(rule, cases) for rule in rules] == in_order


def test_an_error_of_one_hypothesis_leaves_its_memory_to_the_others(cases: Cases) -> None:
    alone = _judge(NEEDS_THE_STACK, cases)
    company = judge_groups([(cases, [KEEPS_ITS_ERROR] * 20 + [NEEDS_THE_STACK])])[0]
    assert company[-1] == alone


SAMPLES = [  # each predicate, and some of its errors
    *("msort([b, a], _)", "nth0(0, [a], _, _)", "nth1(1, [a], _, _)", "nth0(a, [b], _)"),
    *("length(_, a)", "length(a, _)", "between(a, 1, _)", "succ(_, 0)", "plus(a, 1, _)"),
    *("sum_list([a], _)", "max_list([a], _)", "keysort([a], _)", "numlist(a, 3, _)"),
    *("X < 1", "X is 1 / 0", "X is sqrt(-1)", "dif(_, x)", "1 < 2"),
    *("aggregate_all(max(X), has_car(T, X), _)", "aggregate_all(max(X), fail, _)"),
    *("bagof(X - Y, has_car(Y, X), _)", "foldl([A, B, C]>>(C is A + B), [1, 2], 0, _)"),
]


def test_counts_are_those_of_a_fresh_worker(cases: Cases) -> None:
    job = Job(cases, tuple(f"eastbound(T) :- {sample}." for sample in SAMPLES))
    used = Supervisor()
    found = used.run(job)
    assert used.run(job) == found
    used.close()
    for number in range(0, len(SAMPLES), 6):
        fresh = Supervisor()
        assert fresh.run(Job(cases, job.hypotheses[number : number + 1])) == [found[number]]
        fresh.close()


@pytest.mark.parametrize("kind", ["cases", "whole"])
def test_what_is_right_goes_on_to_further_cases_and_does_there_what_it_does_alone(
    kind: str, request: pytest.FixtureRequest
) -> None:
    cases: Cases = request.getfixturevalue(kind)
    further = own_facts(f"{trains(['blue', 'red'])}note('n\u00e9e', 1).\n")
    rules = [rule for rule, _ in RULES] + ["eastbound(T) :- halt.", "eastbound(T"]
    (judged,) = judge_further([(cases, further, rules)])
    first, second = judge_groups([(cases, rules), (further, rules)])
    assert [execution for execution, _ in judged] == first
    assert [execution for _, execution in judged] == [
        there if here.solved else None for here, there in zip(first, second, strict=True)
    ]
    assert {here.solved for here in first} == {True, False}
    wrong = ["eastbound(T) :- has_car(T, C), car_color(C, pink).", "eastbound(T"]
    (none_right,) = judge_further([(cases, further, wrong)])
    assert [execution for _, execution in none_right] == [None, None]
    assert judge_groups([(cases, rules)])[0] == first  # the pipe is in step


@pytest.mark.parametrize("kind", ["cases", "whole"])
def test_an_execution_does_not_depend_on_the_process(
    kind: str, request: pytest.FixtureRequest
) -> None:
    cases: Cases = request.getfixturevalue(kind)
    rules = [rule for rule, _ in RULES] + ["eastbound(T) :- eastbound(T)."]
    here = judge_groups([(cases, rules)])[0]
    assert judge_groups([(cases, rules)])[0] == here
    script = (
        "import sys, json\n"
        "from logic_curriculum.rewards.engines.prolog_old import Cases, judge_groups\n"
        "fields, rules = json.load(sys.stdin)\n"
        "print([(e.status, e.outcomes, e.inferences, e.detail) for e in "
        "judge_groups([(Cases(**fields), rules)])[0]])"
    )
    fresh = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([vars(cases), rules]),
        text=True,
        capture_output=True,
        check=True,
    ).stdout
    assert fresh.strip() == str([(e.status, e.outcomes, e.inferences, e.detail) for e in here])


def test_text_after_the_end_of_a_program_is_a_syntax_error(cases: Cases) -> None:
    good = "eastbound(T) :- has_car(T, C), car_color(C, red).\nend_of_file.\n"
    assert _judge(good, cases).solved
    for more in (")))( nonsense '", "eastbound(T)."):
        assert _judge(good + more, cases).status == "syntax"


def test_a_group_of_no_hypotheses_is_judged_as_nothing(cases: Cases) -> None:
    good = "eastbound(T) :- has_car(T, C), car_color(C, red)."
    none, one = judge_groups([(cases, []), (cases, [good])])
    assert none == []
    assert one[0].solved
