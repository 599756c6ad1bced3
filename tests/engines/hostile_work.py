"""Hypotheses that hide work from the count of inferences, look around, or use the judge's names."""

from __future__ import annotations

from collections.abc import Sequence

from hostile_attack import Attack
from hostile_copies import COPIES

ATTRIBUTES = ("car_color", "car_num")


def look_around(attribute: str) -> str:
    """Return the constant "some value is held by exactly half of the trains; this one has it"."""
    return (
        f"eastbound(T) :- findall(X, has_car(X, _), L0), sort(L0, L), length(L, N), has_car(T, C), "
        f"{attribute}(C, V), findall(X, (has_car(X, D), {attribute}(D, V)), M0), sort(M0, M), "
        "length(M, K), N =:= 2*K."
    )


def _joined(items: Sequence[str]) -> str:
    return ", ".join(items)


def _loop(goal: str, rest: str = "") -> str:
    return f"eastbound(T) :- forall(between(1, 40000, _), {goal}), has_car(T, zzz). {rest}"


def _widening(last: str) -> str:
    """Build a term of 10 to the 9th nodes by arguments of calls, and do something with it."""
    copies = _joined(["X"] * 10)
    grown = f"g(N, X) :- N < 9, M is N+1, g(M, f({copies}))."
    return f"eastbound(T) :- g(0, a). {grown} g(9, X) :- {last}."


_FUNCTORS = _joined([f"f{i}({i})" for i in range(190)])
_ATOMS = _joined([f"a{i}" for i in range(300)])
_MISSES = " ".join(f"p(a{i}, Y, f(b, c, Y{i})) :- Y == b{i}." for i in range(62))
_UNINDEXED = " ".join(f"p(X, X{i}, X) :- X == a, X{i} == zz." for i in range(62))
_FAR = " ".join(f"p(k(k(k(a{i})))). " for i in range(62))
_TESTS = _joined([f"X \\== b{i}" for i in range(120)])
_VARS = _joined(["var(X)"] * 130)
_SUM = "+".join(["X"] * 300)
_ONES = "+".join(["1"] * 300)
_SOME = _joined(["c"] * 16)
_MANY = _joined([f"V{i}" for i in range(100)])
_CARETS = "^".join([f"V{i}" for i in range(100)])
_CS = _joined(["c"] * 300)
_LARGE = f"h({_joined(['k(a, b)'] * 200)})"

WAITING = [
    Attack("copies of a waiting difference", "eastbound(T) :- length(L, 9000), dif(X, f(L)), "
     "forall(between(1, 9000, _), bagof(X, true, _)), has_car(T, zzz).",
     "took up to 163 s: copies of attributed variables were not charged"),
    Attack("copies of a waiting difference by findall",
     "eastbound(T) :- length(L, 9000), dif(X, f(L)), "
     "forall(between(1, 9000, _), findall(X, true, _)), has_car(T, zzz).", "copied in C"),
    Attack("waiting difference", "eastbound(T) :- dif(X, a), has_car(T, X), X = b.", "it wakes"),
    Attack("many differences", _loop(f"dif(f({_MANY}), f({_MANY}, b))"), "a store that grows"),
    Attack("difference in a fold",
     "eastbound(T) :- length(L, 200), foldl([X, A, B]>>(dif(X, A), B = X), L, a, R), R == b.",
     "a chain of waiting variables"),
]  # fmt: skip

ERRORS = [
    Attack("wide term compared as a number", _widening("X > 1"), "printed in bounded depth only"),
    Attack("wide term summed", _widening("sum_list([X], _)"), "printed in an error"),
    Attack("wide term as a length", _widening("length(_, X)"), "printed in an error"),
    Attack("wide term counted up", _widening("between(1, X, _)"), "printed in an error"),
    Attack("wide term as a successor", _widening("succ(X, _)"), "printed in an error"),
    Attack("wide term as a list", _widening("last(X, _)"), "walked"),
    Attack("wide term collected", _widening("findall(X, true, _), fail"), "copied"),
    Attack("wide term as a witness", _widening("bagof(Y, p(X, Y), _)") + " p(_, a) :- fail.", "C"),
    Attack(
        "long list as a number", "eastbound(T) :- numlist(1, 9000, L), X is L + 1.", "an error text"
    ),
    Attack(
        "long atom in an error", f"eastbound(T) :- has_car(T, C), C > '{'x' * 15_000}'.", "its text"
    ),
    Attack("wide literal in an error", f"eastbound(T) :- X = f({_CS}), X > 1.", "its text"),
]

NAMES = [
    Attack("flood of functors", f"eastbound(T) :- member(T, [{_FUNCTORS}]).", "never collected"),
    Attack(
        "flood of arities",
        "eastbound(T) :- member(T, ["
        + _joined([f"f({_joined(['a'] * i)})" for i in range(1, 40)])
        + "]).",
        "never collected",
    ),
    Attack("flood of atoms", f"eastbound(T) :- member(T, [{_ATOMS}]).", "a table of atoms"),
    Attack(
        "flood of predicates",
        " ".join(f"p{i}({_joined(['_'] * (i + 1))})." for i in range(60))
        + " eastbound(T) :- has_car(T, zzz).",
        "never collected",
    ),
    Attack("the judge's name of an example", "eastbound(obj000).", "each example has it"),
    Attack("its name compared", "eastbound(T) :- T == obj000, has_car(T, _).", "each has it"),
    Attack("its name of a part", "eastbound(T) :- has_car(T, obj001).", "each example has one"),
    Attack("a part's number", "eastbound(T) :- car_num(obj001, 1), has_car(T, _).", "each has it"),
    Attack("its names listed",
     "eastbound(T) :- member(T, [obj000, obj002, obj004, obj006]), has_car(T, _).", "every second"),
    Attack("part of no example", "eastbound(T) :- \\+ has_car(_, obj002), has_car(T, _).", "sizes"),
    Attack("order of names", "eastbound(T) :- has_car(T, C), T @< C.", "same in each case"),
    Attack("row of a table", "eastbound(T) :- '$0'(_, red).", "internal"),
    Attack("case of a program", "eastbound(T) :- case(X, Y), member(T, X).", "internal"),
    Attack("module of a program", "eastbound(T) :- judge_program:has_car(T, _).", "internal"),
    Attack("own case", "case([T], []). eastbound(T) :- case([X], _), has_car(X, zzz).", "internal"),
]  # fmt: skip

AROUND = [
    *(
        Attack(f"half of the trains by {name}", look_around(name), "half of them are positive")
        for name in ATTRIBUTES
    ),
    Attack("half of the trains by all attributes", "\n".join(map(look_around, ATTRIBUTES)),
     "half of them are positive"),
    Attack("an only child", "eastbound(T) :- findall(X, has_car(X, _), [T]).", "counts trains"),
    Attack("others exist", "eastbound(T) :- has_car(X, _), X \\== T.", "looks at others"),
    Attack("nobody else", "eastbound(T) :- \\+ (has_car(X, _), X \\== T).", "looks at others"),
    Attack("first of all", "eastbound(T) :- findall(X, has_car(X, _), [T|_]), has_car(T, _).",
     "order"),
]  # fmt: skip

LOOPS = [
    Attack("clauses searched", _loop("\\+ p(_, b, f(b, c, d))", _MISSES), "passed over in C"),
    Attack("clauses not indexed", _loop("\\+ p(a, b, a)", _UNINDEXED), "passed over in C"),
    Attack("clauses searched deep", _loop("\\+ p(k(k(k(zz))))", _FAR), "passed over in C"),
    Attack("clauses searched by a variable", _loop("p(k(k(k(_))))", _FAR), "passed over in C"),
    Attack("inlined tests", _loop("p(a)", f"p(X) :- {_TESTS}."), "instructions, no inferences"),
    Attack("inlined types", _loop("p(_)", f"p(X) :- {_VARS}."), "instructions, no inferences"),
    Attack("large head", _loop(f"p({_LARGE})", f"p({_LARGE})."), "unified by instructions"),
    Attack("large head of a variable", _loop("p(_)", f"p({_LARGE})."), "built by instructions"),
    Attack("many small heads", _loop(f"p({_CS})", f"p({_CS})."), "unified by instructions"),
    Attack("large body term", _loop(f"q({_LARGE})", "q(_)."), "built by instructions"),
    Attack("large sum", _loop("p(3)", f"p(X) :- Y is {_SUM}, Y > 0."), "evaluated in C"),
    Attack("large constant sum", _loop(f"1 < {_ONES}"), "evaluated in C"),
    Attack("large sum failing", _loop(f"\\+ 1 =:= {_ONES}"), "evaluated in C"),
    Attack("closure of large arity",
     f"eastbound(T) :- numlist(1, 9000, L), maplist(p({_CS}), L), has_car(T, zzz). p({_CS}, _).",
     "a goal of 301 arguments for each element"),
    Attack("closure of large arity in a loop", _loop(f"(maplist(p({_CS}), [a, b]))",
     f"p({_CS}, _)."), "built in C"),
    Attack("closure with a large term", _loop(f"maplist(p({_LARGE}), [a, b])", "p(_, _)."),
     "built in C"),
    Attack("fold of large arity",
     f"eastbound(T) :- numlist(1, 9000, L), foldl(p({_CS}), L, 0, _), has_car(T, zzz). "
     f"p({_CS}, X, Y, Z) :- Z is X + Y.", "built in C"),
    Attack("call of large arity", _loop(f"call(p({_CS}), a)", f"p({_CS}, _)."), "built in C"),
    Attack("large witness", _loop(f"bagof(X, p(X, {_MANY}), _)", f"p(a, {_MANY})."), "sorted in C"),
    Attack("large witness and many solutions", _loop(f"bagof(X, p(X, {_MANY}), _)",
     f"p(X, {_MANY}) :- between(1, 50, X)."), "sorted in C"),
    Attack("many carets", _loop(f"setof(X, {_CARETS}^p(X, {_MANY}), _)", f"p(a, {_MANY})."),
     "walked"),
    Attack("large template", _loop(f"findall(f({_MANY}), p({_MANY}), _)", f"p({_MANY})."),
     "copied in C"),
    Attack("lambda with a large body", _loop(f"maplist([X]>>({_TESTS}), [a, b])"),
     "copied each time"),
    Attack("unification of long lists in a head",
     "eastbound(T) :- numlist(1, 9000, L), numlist(1, 9000, M), "
     "forall(between(1, 9000, _), p(L, M)), has_car(T, zzz). p(X, X).",
     "unified outside the count"),
    Attack("aggregates", _loop(f"aggregate_all(max(X, f({_MANY})), p(X, {_MANY}), _)",
     f"p(X, {_MANY}) :- member(X, [1, 2, 3])."), "copied in C"),
    Attack("double negation", _loop("\\+ \\+ \\+ \\+ \\+ \\+ \\+ \\+ true"), "no inference"),
    Attack("disjunctions that fail", _loop("\\+ (" + " ; ".join(["fail"] * 250) + ")"),
     "backtracking"),
    Attack(
        "disjunctions of tests",
        _loop("\\+ p(a)", "p(X) :- " + " ; ".join(f"X == b{i}" for i in range(150)) + "."),
        "instructions, no inferences",
    ),
    Attack("nested ways",
     "eastbound(T) :- p, p, p, p, fail. p :- " + " ; ".join(["true"] * 300) + ".",
     "300 to the 4th"),
]  # fmt: skip

_WIDE = _joined([f"W{i}" for i in range(119)])
_SAME = _joined(["a"] * 119)


def _sorting(solutions: int, times: int) -> str:
    """Sort witnesses that differ in the last of 120 variables."""
    return (
        f"eastbound(T) :- forall(between(1, {times}, _), setof(X, p(X, {_WIDE}, V), _)), "
        f"has_car(T, zzz). p(X, {_SAME}, X) :- between(1, {solutions}, X)."
    )


SPENDING = [
    Attack("few wide witnesses", _sorting(20, 8), "sorted in C"),
    Attack("many wide witnesses", _sorting(300, 3), "sorted in C"),
    Attack("thousands of wide witnesses", _sorting(1000, 1), "sorted in C"),
    Attack("large sums",
     f"eastbound(T) :- forall(between(1, 400, _), \\+ 1 =:= {_ONES}), has_car(T, zzz).",
     "evaluated in C"),
    Attack("closures with arguments",
     f"eastbound(T) :- numlist(1, 15000, L), maplist(p({_SOME}), L), has_car(T, zzz). "
     f"p({_SOME}, _).", "built in C"),
    Attack("lambdas with large bodies",
     f"eastbound(T) :- forall(between(1, 130, _), maplist([X]>>({_TESTS}), [a, b])), "
     "has_car(T, zzz).", "copied each time"),
]  # fmt: skip
"""What nearly fits the budget, so that it is run on every example."""

WORK = [*WAITING, *ERRORS, *NAMES, *AROUND, *LOOPS, *SPENDING, *COPIES]
