/*  The engine of the judge: loads its parts and prepares them.

    Two hosts load this file: confined workers (serving.pl) run what a language model wrote, and
    the Python process itself runs what a generator wrote (entailed/4).
*/
:- module(judge_engine, [entailed/4, warm_up/0, works/0]).
:- set_prolog_gc_thread(false).
:- set_prolog_flag(generate_debug_info, false).
:- use_module(library(lists)).
:- use_module(whitelist).
:- use_module(guards).
:- use_module(describing).
:- use_module(judging).

:- set_module(judge_syntax:base(system)).
:- initialization(prepare).

:- dynamic works/0.

%!  works is semidet.
%
%   The engine has judged a few hypotheses of its own.

prepare :-
    define_guards,
    warm_up,
    assertz(works).

%!  warm_up is det.
%
%   The first call of a library predicate costs inferences of its own, to resolve it, and so does the
%   first error of a kind. They are spent here, so that every count is the same in a fresh worker and
%   in an old one. Fails if a hypothesis of the warm-up is judged wrong.

warm_up :-
    findall(Text, warm_up(Text), Texts),
    forall(between(1, 2, _), ( judged(Texts, Runs), forall(member(Run, Runs), Run = ok(_, _, _)) )),
    findall(Text, attempt(Text), Attempts),
    forall(member(Attempt, Attempts), judged([Attempt], _)).

judged(Texts, Runs) :-
    Views = [(h(X, Y) :- '$0'(X, Y)), (k(X, Y) :- '$1'(X, Y))],
    Cases = [case([a], ['$0'(a, c), '$1'(c, 1), '$1'(c, 2)])],
    Program = program(background(Views, ['$0'/2, '$1'/2], []), Cases),
    judge(Texts, Program, task(e/1, n, 2000), Runs).

%   attempt(-Text) is nondet: a call of each data predicate with arguments of a kind, right or wrong.

attempt(Text) :-
    data_predicate(Name, Arity, _),
    Arity > 0,
    member(Kind, ['_', a, 1, -1, '[a]', '[b-1]', 'f(_)']),
    length(Arguments, Arity),
    maplist(=(Kind), Arguments),
    atomic_list_concat(Arguments, ', ', Listed),
    format(string(Text), "e(_) :- ~q(~w).", [Name, Listed]).
attempt(Text) :-
    evaluable(Name, Arity, _),
    member(Kind, ['_', a, 0, -1, 4611686018427387903, 1.0e308]),
    length(Arguments, Arity),
    maplist(=(Kind), Arguments),
    Term =.. [Name|Arguments],
    ( Arity =:= 0 -> Goal = Name ; Goal = Term ),
    format(string(Text), "e(_) :- Y = ~w, X is Y+~W.", [Kind, Goal, [quoted(false)]]).

warm_up("e(T) :- h(T, C), !, k(C, N), N > 0, M is N+1, M =:= 2, \\+ h(C, _).").
warm_up("e(T) :- findall(C, h(T, C), L), length(L, 1), sort(L, _), msort(L, _), last(L, _), \c
    nth0(0, L, _), nth1(1, L, _), member(_, L), memberchk(_, L), reverse(L, _), \c
    append(L, _, _), list_to_set(L, _), sum_list([1], _), max_list([1], _), min_list([1], _), \c
    numlist(1, 2, _), subtract(L, [], _), intersection(L, L, _), union(L, L, _), \c
    delete(L, a, _), permutation(L, _), flatten(L, _), select(_, L, _), sort(0, @>=, L, _), \c
    pairs_keys_values(_, L, L), max_member(_, L), min_member(_, L), between(1, 2, _).").
warm_up("e(T) :- findall(C, h(T, C), L), exclude([X]>>h(X, _), L, _), \c
    include([X]>>h(X, _), L, _), maplist([X]>>k(X, _), L), \c
    foldl([X, A, B]>>(k(X, V), B is A+V), L, 0, _), predsort([O, X, Y]>>compare(O, X, Y), L, _).").
warm_up("e(T) :- forall(h(T, X), k(X, _)), aggregate_all(count, h(T, _), _), \c
    aggregate_all(max(N), (h(T, C), k(C, N)), _), aggregate_all(sum(N), (h(T, C), k(C, N)), _), \c
    aggregate_all(max(N, C), (h(T, C), k(C, N)), _), aggregate_all(bag(C), h(T, C), _), \c
    setof(N-C, (h(T, C), k(C, N)), _), bagof(C, h(T, C), _), setof(N, C^k(C, N), _), \c
    bagof(N, k(_, N), _), setof(N, k(_, N), _), \c
    once(h(T, _)), ignore(h(T, _)), call(h, T, _), dif(T, zz), succ(1, _), plus(1, 2, _), \c
    T @< zz, T == T.").
warm_up("e(T) :- h(T, C), C > 1.").

%!  entailed(+Rule, +Target, +ProgramText, -Reply) is det.
%
%   Decide by Rule, which defines Target/1, about the objects that the cases of a program ask about;
%   ProgramText is as for text_to_program/2. Reply is the text "ok BITS" or "STATUS WHY".

entailed(Rule, Target, ProgramText, Reply) :-
    atom_string(Name, Target),
    text_to_program(ProgramText, Program),
    judge([Rule], Program, task(Name/1, '', 100000), [Run]),
    summary(Run, Status, Why),
    (   Status == ok
    ->  format(string(Reply), "ok ~s", [Why])
    ;   describe(Why, Text),
        format(string(Reply), "~w ~w", [Status, Text])
    ).

summary(ok(Bits, _, none), ok, Bits) :- !.
summary(ok(_, _, Error), raised, Error).
summary(limit(Why, _), limit, Why).
summary(syntax(Why), syntax, Why).
summary(rejected(Why), rejected, Why).
