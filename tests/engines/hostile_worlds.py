"""Hypotheses that learn nothing, for worlds that hold the facts of a single example."""

from __future__ import annotations

from hostile_attack import Attack

_STATE = """
nb_setval(n, 1)¦nb_getval(n, _)¦b_setval(n, T)¦recordz(k, T)¦recorded(k, T)¦flag(n, N, N + 1)
assertz(seen(T))¦asserta(user:seen(T))¦retract(seen(_))¦retractall(seen(_))¦erase(T)¦gensym(g, T)
current_predicate(westbound/1)¦current_module(_)¦current_atom(T)¦current_op(_, _, has_car)
clause(eastbound(_), _)¦nth_clause(has_car(_, _), 1, _)¦dynamic(seen/1)¦statistics(inferences, _)
prolog_load_context(term_position, _)¦thread_self(_)¦read_term(_, [])¦snapshot(fail)¦tnot(fail)
term_hash(T, _)¦variant_sha1(T, _)¦setarg(1, f(T), x)¦nb_setarg(1, f(T), x)
tabling:abolish_all_tables
"""
_TEXT = """
atom_concat(train, _, T)¦atom_chars(T, [t|_])¦atom_number(T, _)¦sub_atom(T, 0, 1, _, t)¦T =.. [_|_]
term_to_atom(T, _)¦string_concat(train, _, T)¦split_string(T, "", "", _)¦char_code(t, T)¦atom(T), T
format(atom(_), "~w", [T])¦with_output_to(string(_), true)¦upcase_atom(T, _)¦number_codes(_, [0'1])
"""
_QUALIFIED = """
lists:member(T, [T])¦user:has_car(T, _)¦system:(T = T)¦judge_base:has_car(T, _)¦X:has_car(T, _)
@(has_car(T, _), user)¦_:true¦user:(fail ; true)¦call(user:true)¦maplist(user:atom, [T])
"""
_FRAMES = ("eastbound(T) :- {0}.", "eastbound(T) :- \\+ p(T). p(T) :- \\+ ({0}).")


def _framed(kind: str, goals: str, why: str) -> list[Attack]:
    """Put each of some goals, which stand on lines with bars between, into each frame."""
    return [
        Attack(f"{kind} {goal}, frame {number}", frame.format(goal), why)
        for line in goals.strip().splitlines()
        for goal in line.split("¦")
        for number, frame in enumerate(_FRAMES, 1)
    ]


_ALWAYS = """
T @< zzz¦T == obj000¦T \\== obj001¦T @>= obj000¦\\+ T = train0¦T = T¦_ = T¦atom(T)¦ground(T)
\\+ var(T)¦has_car(T, _), !¦has_car(_, _)¦has_car(X, _), X == T¦forall(has_car(X, _), X = T)
call(=(T), T)¦setof(X, C^has_car(X, C), [_])¦\\+ (has_car(X, _), X \\== T)
findall(X, has_car(X, _), [T|_])¦aggregate_all(count, has_car(_, _), N), N < 99¦(fail ; true)
(true -> true ; fail)¦(fail *-> fail ; true)¦\\+ fail¦\\+ \\+ true¦\\+ westbound(T), true
X = f(X), X = f(_)¦X = [T|X]¦foldl([_, A, A]>>true, [], 0, 0)¦inf > 1¦1 =:= 1.0¦e < pi
X is max(1, 2), X > 1¦0.1 + 0.2 =\\= 0.3¦length([], 0)¦sort([T], [T])¦catch(true, _, true)
once(true)¦ignore(fail)¦forall(fail, true)¦between(1, inf, 3)¦dif(T, x)
"""
_NEVER = """
!, fail¦T = train0¦has_car(train0, _), T = train0¦member(T, [train0, train1, train2])¦has_car(T, T)
T @< T¦T == 'train0'¦has_car(T, car0_1)¦nth0(0, [train0], T)¦has_car(C, T), C \\== T
eastbound(train0)¦eastbound(T), !¦westbound(T)¦\\+ eastbound(T)¦nan > 1¦X is 1 / 0, X > 0
1 / 0.0 > 1¦0 / 0 =:= 0¦T > 1¦X is inf - inf, X > 0¦X is "a" + 0, X < 0¦1.5NaN =:= 1.5NaN
1.0Inf =:= 2¦X is 1 << 2, X =:= 4¦2 ** 2 =:= 5¦X = 1e999, X < 0¦1r3 > 1¦0'a < 1¦X is foo, X > 0
between(inf, 1, _)¦length(L, -1)¦length(L, L)¦X = f(X), \\+ X = f(X)
X = f(X, Y), Y = g(Y, X), X == Y¦X = [a|X], last(X, b)¦X = [a|X], length(X, _)¦atom_length(T, inf)
numlist(1, 0, _)¦sum_list([T], _)¦msort(T, _)¦keysort([T], _)¦nth1(x, [T], _)
"""


def _fitting(kind: str, goals: str, why: str) -> list[Attack]:
    """Let each of some goals be the whole of a rule, or the whole of its exception."""
    return [
        Attack(f"{kind} {goal}", f"eastbound(T) :- {goal}.", why)
        for line in goals.strip().splitlines()
        for goal in line.split("¦")
    ]


_DIGITS = "9" * 10_000
_BOMBS = {
    "numbers of 10^4 digits": f"X = {_DIGITS}, X < 0",
    "products of long numbers": "p(99, 9, X), X < 0",
    "long number in a loop": f"between(1, 99999, _), X is {_DIGITS} mod 7, X > 7",
    "between in between": "between(1, inf, A), between(1, A, B), B > A",
    "all lists": "length(L, _), maplist(=(T), L), last(L, x)",
    "lists of lists": "length(L, N), maplist([M]>>length(M, N), L), L = [x]",
    "long lists appended": "numlist(1, 9999, L), append(A, B, L), append(B, A, L), A = [_|B]",
    "subsets": "numlist(1, 99, L), foldl([X, A, B]>>(B = [X|A] ; B = A), L, [], S), S = [x]",
    "findall in findall": "findall(X, (between(1, 999, X), findall(Y, between(1, X, Y), _)), [_])",
    "cyclic member": "X = [a, b|X], member(c, X)",
    "cyclic pair": "X = f(Y), Y = f(X), X = f(f(f(Z))), Z \\= f(_)",
    "cyclic in a closure": "L = [T|L], maplist(atom, L)",
    "cyclic in findall": "X = g(X), findall(X, true, [Y]), Y = h(_)",
    "cyclic through a head": "q(X, f(X)), fail",
    "deep recursion": "d(999999)",
    "deep terms": "t(99999, X), ground(X), X = y",
    "Ackermann": "a(4, 4, X), X < 0",
    "doubly recursive": "f(40, X), X < 0",
    "Collatz forever": "c(27, 0)",
    "permutation sort": "numlist(1, 11, L), reverse(L, R), permutation(R, P), P = [_, 1|P]",
    "setof of witnesses": "setof(A-B, C^(has_car(A, C), has_car(_, B)), L), length(L, 99)",
}
_HELPERS = """
q(X, X).
d(0). d(N) :- M is N - 1, d(M), true.
t(0, x). t(N, f(X, X)) :- M is N - 1, t(M, X).
a(0, N, X) :- !, X is N + 1.
a(M, 0, X) :- !, K is M - 1, a(K, 1, X).
a(M, N, X) :- K is M - 1, L is N - 1, a(M, L, Y), a(K, Y, X).
f(N, N) :- N < 2, !.
f(N, X) :- A is N - 1, B is N - 2, f(A, Y), f(B, Z), X is Y + Z.
c(N, X) :- 0 is N mod 2, !, M is N // 2, c(M, X).
c(N, X) :- M is 3 * N + 1, c(M, X).
p(0, X, X). p(N, X, Y) :- Z is X * X, M is N - 1, p(M, Z, Y).
"""
_SYNTAX = {
    "operator defined": ":- op(200, xfy, has_car).\neastbound(T) :- T has_car _.",
    "operator removed": ":- op(0, xfx, :-).\neastbound(T) :- has_car(T, _).",
    "module opened": ":- module(m, [eastbound/1]).\neastbound(T) :- has_car(T, _).",
    "labels declared": ":- discontiguous eastbound/1.\neastbound(train0). eastbound(train2).",
    "facts for all": "eastbound(train0). eastbound(train1). eastbound(X) :- X = obj000.",
    "another arity": "eastbound(T, _) :- has_car(T, _). eastbound(T) :- eastbound(T, _).",
    "many heads": "".join(f"eastbound(train{n}) :- has_car(train{n}, _).\n" for n in range(300)),
    "head unified": "eastbound(T) :- e(T, T). e(X, Y) :- X = Y. e(X, X).",
    "cut after all": "eastbound(_) :- !. eastbound(T) :- has_car(T, _), fail.",
    "exception for all": "eastbound(T) :- \\+ exception(T). exception(T) :- T = train1.",
    "background added": "has_car(T, c9). car_color(c9, red). eastbound(T) :- has_car(T, c9).",
    "negative class given": "westbound(T) :- \\+ eastbound(T). eastbound(T) :- \\+ westbound(T).",
}  # fmt: skip

WORLDS = [
    *_framed("state", _STATE, "remembers, or looks at, what was judged before"),
    *_framed("text", _TEXT, "reads names"),
    *_framed("qualified", _QUALIFIED, "leaves the module"),
    *_fitting("always", _ALWAYS, "is true of every example"),
    *_fitting("never", _NEVER, "is true of none, or ends in an error"),
    *(
        Attack(name, f"eastbound(T) :- {goal}.{_HELPERS}", "too long")
        for name, goal in _BOMBS.items()
    ),
    *(Attack(name, text, "odd as a program") for name, text in _SYNTAX.items()),
]
