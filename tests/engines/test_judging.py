"""What a hypothesis means to the judge, and that both hosts agree on it."""

from __future__ import annotations

import pytest
from sample_programs import trains

from logic_curriculum.rewards.engines.prolog import Execution, Program, entailed, judge_programs

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

TWO_TRAINS = Program.parse(trains(("red", "blue")))
BITS = {"1": True, "0": False, "e": None}


def _judge(rule: str, program: Program = TWO_TRAINS) -> Execution:
    return judge_programs([(program, [rule])])[0][0]


def test_constructs_of_appendix_e_mean_what_they_mean_in_prolog() -> None:
    (executions,) = judge_programs([(TWO_TRAINS, [rule for rule, _ in RULES])])
    for execution, (rule, expected) in zip(executions, RULES, strict=True):
        assert execution.status == "ok", (rule, execution.detail)
        assert execution.outcomes == tuple(BITS[bit] for bit in expected), rule


def test_the_trusted_host_agrees_where_a_rule_is_about_its_own_example() -> None:
    for rule, expected in RULES:
        assert entailed(rule, TWO_TRAINS) == [BITS[bit] for bit in expected], rule


@pytest.mark.parametrize(
    ("hypothesis", "status", "detail"),
    [
        ("eastbound(T) :- has_car(T, C)", "syntax", "end_of_file"),
        ("eastbound(T) :- has_car(T, C), .", "syntax", ""),
        ("If a car is red then east.", "syntax", "operator_expected"),
        ("eastbound(T) :- has_car(T, C). and so on", "syntax", ""),
        ("westbound(T) :- has_car(T, C).", "rejected", "no_clause_for(eastbound/1)"),
        ("eastbound(T, _) :- has_car(T, C).", "rejected", "no_clause_for(eastbound/1)"),
        ("eastbound(T) :- shell(ls).", "rejected", "permission_error(call,sandboxed,shell"),
        ("eastbound(T). has_car(_, _).", "rejected", "modify,static_procedure,program:has_car/2"),
        (f"eastbound(T). % {'x' * 20_000}", "rejected", "over 20,000 characters"),
        ("", "rejected", "no_clause_for(eastbound/1)"),
        ("eastbound(T) :- eastbound(T).", "limit", "inferences"),
        ("eastbound(T) :- length(L, 99999999).", "limit", "stack"),
    ],
)
def test_status_says_how_far_a_hypothesis_got(hypothesis: str, status: str, detail: str) -> None:
    execution = _judge(hypothesis)
    assert (execution.status, execution.outcomes, execution.accuracy) == (status, (), 0.0)
    assert detail in execution.detail
    assert not execution.solved


@pytest.mark.parametrize(
    "rule",
    [
        "eastbound(T) :- has_car(T).",
        "eastbound(T) :- big(T).",
        "eastbound(T) :- \\+ big(T).",
        "eastbound(T) :- assertz(big(T)), big(T).",
        "eastbound(T) :- westbound(T).",
    ],
)
def test_what_is_not_defined_raises_when_it_is_called(rule: str) -> None:
    assert _judge(rule).outcomes == (None, None)
    assert _judge(rule).accuracy == 0.5  # of the negative example, which is not entailed
    assert _judge(f"{rule} eastbound(T) :- has_car(T, _).").outcomes == (None, None)
    assert _judge(f"eastbound(T) :- has_car(T, _). {rule}").outcomes == (True, True)


def test_only_what_is_entailed_counts_for_positive_and_against_negative_examples() -> None:
    late = _judge("eastbound(T) :- has_car(T, C), (car_color(C, red) ; C > 1).")
    assert (late.outcomes, late.accuracy, late.solved) == ((True, None), 1.0, True)
    early = _judge("eastbound(T) :- has_car(T, C), (car_color(C, blue) ; C > 1).")
    assert (early.outcomes, early.accuracy, early.wrong) == ((None, True), 0.0, [0, 1])
    assert "type_error" in early.detail


@pytest.mark.parametrize(
    "addition",
    [
        ":- use_module(library(lists)).\n:- dynamic helper/1.\n",
        ":- halt.\n",
        "?- shell(ls).\n",
        "colors --> [red], colors ; [].\n",
        "member(_, []).\n",
    ],
)
def test_directives_grammar_rules_and_helpers_of_any_name_are_welcome(addition: str) -> None:
    assert _judge(f"{addition}eastbound(T) :- has_car(T, C), car_color(C, red).").solved


def test_other_label_predicates_and_odd_names_are_possible() -> None:
    text = "'on sale'(née).\nsold('it''s').\nprice(née, 3).\nprice('it''s', 5).\n"
    program = Program.parse(text.replace("née", "'née'"), "'on sale'", "sold")
    rule = "'on sale'(X) :- price(X, N), N < 4, X = 'née'."
    assert _judge(rule, program).solved
    assert entailed(rule, program) == [True, False]


def test_no_group_and_no_hypotheses_are_judged_as_nothing(program: Program) -> None:
    assert judge_programs([]) == []
    assert judge_programs([(program, [])]) == [[]]


def test_what_one_hypothesis_does_changes_nothing_for_others(program: Program) -> None:
    rules = [rule for rule, _ in RULES] + ["eastbound(T) :- gensym(a, a1)."] * 2
    rules += ["eastbound(T) :- eastbound(T).", "eastbound(T) :- abort.", "eastbound(T"]
    (in_order,) = judge_programs([(program, rules)])
    (reversed_order,) = judge_programs([(program, rules[::-1])])
    assert in_order == reversed_order[::-1]
    assert [_judge(rule, program) for rule in rules] == in_order
