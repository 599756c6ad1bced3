"""Hypotheses whose work grew with the size of terms, names or rows, and was once not charged."""

from __future__ import annotations

from hostile_attack import Attack


def _tree(leaf: str, depth: int, arguments: str = "") -> str:
    """Call a goal 2 to the depth times."""
    nodes = [
        f"a{i}{arguments} :- a{i + 1}{arguments}, a{i + 1}{arguments}.\n" for i in range(depth)
    ]
    return "".join(nodes) + f"a{depth}{arguments} :- {leaf}.\n"


_COLUMN = ", ".join(["a"] * 24)
_NAMES = ", ".join(f"V{i}" for i in range(26))
_BUILT = ", ".join(f"V{i} = f({_COLUMN})" for i in range(26))


def _fat(depth: int) -> str:
    """Build a term of 5 KB for each of 2 to the depth leaves: w0(x, X)."""
    nodes = "".join(f"w{i}(X, Z) :- w{i + 1}(X, Y), w{i + 1}(Y, Z).\n" for i in range(depth))
    leaf = f"w{depth}(X, Y) :- m({_NAMES}, X, Y).\n"
    return f"{nodes}{leaf}m({_NAMES}, X, Y) :- {_BUILT}, Y = g({_NAMES}, X).\n"


def _copied_by_a_lambda(depth: int, times: int) -> str:
    return (
        f"eastbound(_) :- numlist(1, {times}, L), w0(_, X), exclude([0]>>p(X), L, _).\np(_).\n"
        + _fat(depth)
    )


_WIDE = f"f({', '.join(['a'] * 900)})"
_NARROW_NAME = f"'{'a' * 9500}b'"
_OTHER_NAME = f"'{'a' * 9500}ā'"
_CARS = ", ".join(["has_car(T, _)"] * 4)
_CALLS = ", ".join(["p(X)"] * 190)
KEEPS_ITS_ERROR = "eastbound(_) :- w0(x, X), X > 1.\n" + _fat(8)
"""Ends in an error that holds a term of megabytes."""
NEEDS_THE_STACK = "eastbound(_) :- w0(x, _).\n" + _fat(9)

COPIES = [
    Attack("large term in a lambda", _copied_by_a_lambda(12, 2900), "copied at each call"),
    Attack("larger and fewer", _copied_by_a_lambda(10, 50), "copied at each call"),
    Attack("no arguments in brackets", "eastbound(_) :- foo().", "breaks functor/3"),
    Attack("no argument for the target", "eastbound().", "breaks functor/3"),
    Attack("no arguments for a closure", "eastbound(_) :- maplist(foo(), [a]).", "as above"),
    *(
        Attack(
            f"wide template of {name}",
            f"eastbound(T) :- {', '.join(['a(T)'] * 22)}.\na(T) :- {name}({_WIDE}, q(T), _).\n"
            f"q(T) :- {_CARS}.\n",
            "copied for each solution",
        )
        for name in ("setof", "bagof", "findall")
    ),
    Attack(
        "long names sorted",
        f"eastbound(_) :- k(A, B), l(3000, A, B, [], L), msort(L, _), msort(L, _), msort(L, _).\n"
        f"k({_NARROW_NAME}, {_OTHER_NAME}).\nl(0, _, _, L, L) :- !.\n"
        "l(N, A, B, L, M) :- K is N-1, l(K, A, B, [B, A|L], M).\n",
        "compared character by character",
    ),
    Attack(
        "long number copied",
        f"eastbound(T) :- k(X), a0(X), a0(X).\nk({'9' * 7000}).\n"
        f"a0(X) :- \\+ \\+ findall(X, between(1, 9999, _), _).\n",
        "it is atomic",
    ),
    Attack("long lists made", "eastbound(_) :- a0.\n" + _tree("length(_, 10000)", 12), "made in C"),
    Attack(
        "lambda of many goals",
        f"eastbound(T) :- numlist(1, 2500, L), maplist([X]>>(X \\== 0 ; {_CALLS}), L), fail. p(_).",
        "compiled at each call",
    ),
    Attack(
        "small terms after each fact",
        "eastbound(T) :- a0(T), a0(T), a0(T).\n"
        + _tree(f"m({_NAMES}, T)", 12, "(T)")
        + f"m({_NAMES}, T) :- \\+ (has_car(T, _), {_BUILT}, fail).\n",
        "backtracking into facts costs nothing",
    ),
    Attack(
        "tests after each fact",
        "eastbound(T) :- a0(T), a0(T), a0(T), fail.\n"
        + _tree(f"\\+ (has_car(T, _), {', '.join(['atom(T)'] * 150)}, fail)", 12, "(T)"),
        "backtracking into facts costs nothing",
    ),
    *(
        Attack(
            f"no arguments in data, {goal}", f"eastbound(_) :- {goal}, fail.", "breaks functor/3"
        )
        for goal in ("last(a, f())", "X = f(), X @< g()", "msort([f(), g()], L)", "X = f(), Y is X")
    ),
    *(
        Attack(f"endless {goal}", f"eastbound(_) :- {goal}, fail.", "a longer list at each step")
        for goal in (
            *("reverse(L, _)", "reverse([a|L], _)", "flatten(L, _)", "same_length(L, _)"),
            *(
                "append(_, _, _)",
                "append(L, [a], N), last(N, b)",
                "nth0(_, L, a)",
                "select(a, L, _)",
            ),
            *("permutation(L, _)", "maplist(=(a), L)", "foldl([X, A, B]>>(B = f(A, X)), L, a, _)"),
        )
    ),
]
