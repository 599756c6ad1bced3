/*  The engine of the judge: loads its parts and prepares them.

    Two hosts load this file: confined workers (serving.pl) run what a language model wrote, and
    the Python process itself runs what a generator wrote (entailed/4).
*/
:- module(judge_engine, [entailed/4, describe/2, works/0]).
:- set_prolog_gc_thread(false).
:- set_prolog_flag(generate_debug_info, false).
:- use_module(library(lists)).
:- use_module(guards).
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

%   The first call of a library predicate costs inferences of its own, to resolve it. They are
%   spent here, so that every count is the same in a fresh worker and in an old one.

warm_up :-
    load_program(warm_up, [e(a), e(b)], [h(a, c), k(c, 1), k(c, 2)], loaded),
    programs([warm_up], Programs),
    forall(warm_up(Text),
           forall(between(1, 2, _), judge(Text, Programs, task(e/1, n, 100000, true),
                        [ok(_, _, _)], _))),
    drop_program(warm_up).

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
    once(h(T, _)), ignore(h(T, _)), call(h, T, _), dif(T, zz), succ(1, _), plus(1, 2, _), \c
    T @< zz, T == T.").
warm_up("e(T) :- h(T, C), C > 1.").

%!  describe(+Why, -Text) is det.
%
%   Text is Why in words, on one line of at most 200 characters.

describe(error(Formal, _), Text) :- !,
    describe(Formal, Text).
describe(Why, Text) :-
    (   compound(Why), Why =.. [Name|Arguments]
    ->  write_bounded(Arguments, Written),
        string_concat(Bare, "]", Written),
        string_concat("[", Listed, Bare),
        spaced(Name, Words),
        string_concat(Words, ": ", Start),
        string_concat(Start, Listed, Long)
    ;   write_bounded(Why, Written),
        spaced(Written, Long)
    ),
    ( string_length(Long, Length), Length > 200 -> sub_string(Long, 0, 200, _, Cut) ; Cut = Long ),
    split_string(Cut, "\n\r\t", "", Parts),
    atomic_list_concat(Parts, ' ', Text).

spaced(Name, Words) :-
    split_string(Name, "_", "", Parts),
    atomic_list_concat(Parts, ' ', Words).

write_bounded(Term, Text) :-
    with_output_to(string(Text),
                   write_term(Term, [quoted(true), max_depth(6), spacing(next_argument)])).

%!  entailed(+Rule, +Goals, +Facts, -Reply) is det.
%
%   Prove each of Goals from Facts and Rule. Reply is the text "ok BITS" or "STATUS WHY".

entailed(Rule, GoalsText, FactsText, Reply) :-
    catch(( text_to_list(GoalsText, Goals), text_to_list(FactsText, Facts) ), Error, true),
    (   nonvar(Error)
    ->  Status = facts, Why = Error
    ;   load_program(trusted, Goals, Facts, failed(Error))
    ->  Status = facts, Why = Error
    ;   Goals = [First|_],
        functor(First, Name, Arity),
        programs([trusted], Programs),
        judge(Rule, Programs, task(Name/Arity, '', 100000, false), [Run], _),
        drop_program(trusted),
        summary(Run, Status, Why)
    ),
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
