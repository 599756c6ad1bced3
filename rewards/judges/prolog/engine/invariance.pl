/*  Proving that a hypothesis can't tell a program from its isomorphic copy.

    The copy renames the objects and reorders the blocks of facts that belong to different
    examples; inside a block everything keeps its order. So a hypothesis behaves alike on both if

      - every background literal is called with its first argument bound: it then sees the facts of
        one object, whose block is that of the example asked for;
      - terms are put in order only if their leaves are of one kind each, objects or values;
      - it names values only (the host checks that, by the constants reported here).

    This is an analysis of modes and kinds from left to right. What it does not understand it does
    not prove. A kind is object, value, list(Kind) or tuple(Kinds); an environment is a list of
    Variable-Kind for the variables that are bound.
*/
:- module(judge_invariance, [invariant/4, forget_kinds/1]).
:- use_module(library(lists)).

%   known_kind(?Module, ?Name, ?Arity, ?Position, ?Kind): kinds that were looked up before.

:- dynamic known_kind/5.

%!  forget_kinds(+Module) is det.
%
%   The program in Module is dropped.

forget_kinds(Module) :-
    retractall(known_kind(Module, _, _, _, _)).

%!  invariant(+Clauses, +Target, +Program, -Constants) is semidet.
%
%   True when the checked Clauses behave alike on isomorphic programs with independent examples.
%   Constants are the atoms that the clauses name. Nothing is proved of clauses that
%   name an atom other than a lower case letter and then ASCII letters, digits and underscores: the
%   host is told the constants, and what a model wrote must not pass for a part of the protocol.

invariant(Clauses, Target/1, program(Module, _, Vocabulary), Constants) :-
    context(Clauses, Target, Own, Goals),
    Context = context(Module, Vocabulary, Goals),
    all_invariant(Own, Context),
    constants(Clauses, [], Constants),
    all_plain(Constants).

%   context(+Clauses, +Target, -Own, -Goals): the clauses of the target, and those that were made
%   for goals of findall/3. A hypothesis with predicates of its own is left alone.

context([], _, [], []).
context([Clause|Clauses], Target, Own, Goals) :-
    ( Clause = (Head :- Body) -> true ; Head = Clause, Body = true ),
    functor(Head, Name, Arity),
    (   Name == Target, Arity =:= 1
    ->  Own = [Head-Body|Own1],
        Goals = Goals1
    ;   sub_atom(Name, 0, _, _, '$goal')
    ->  Own = Own1,
        Goals = [Head-Body|Goals1]
    ),
    context(Clauses, Target, Own1, Goals1).

all_invariant([], _).
all_invariant([Head-Body|Clauses], Context) :-
    arg(1, Head, Example),
    ( var(Example) -> Env = [Example-object] ; atom(Example), Env = [] ),
    goal(Body, Context, Env, _),
    all_invariant(Clauses, Context).

% ------------------------------------------------------------------------------------- goals

goal((A, B), C, E0, E) :- !, goal(A, C, E0, E1), goal(B, C, E1, E).
goal((If -> Then ; Else), C, E0, E) :- !,
    goal((If, Then), C, E0, E1), goal(Else, C, E0, E2), common(E1, E2, E).
goal((If *-> Then ; Else), C, E0, E) :- !,
    goal((If, Then), C, E0, E1), goal(Else, C, E0, E2), common(E1, E2, E).
goal((A ; B), C, E0, E) :- !, goal(A, C, E0, E1), goal(B, C, E0, E2), common(E1, E2, E).
goal((A -> B), C, E0, E) :- !, goal((A, B), C, E0, E).
goal((A *-> B), C, E0, E) :- !, goal((A, B), C, E0, E).
goal(\+ A, C, E, E) :- !, goal(A, C, E, _).
goal(X = Y, _, E0, E) :- !, unified(X, Y, E0, E).
goal('$='(X, Y), _, E0, E) :- !, unified(X, Y, E0, E).
goal('$is'(X, _), _, E0, E) :- !, bind(X, value, E0, E).
goal(findall(Template, Goal, List), C, E0, E) :- !,
    goal(Goal, C, E0, E1),
    kind(Template, E1, Kind),
    bind(List, list(Kind), E0, E).
goal(aggregate_all(Spec, Goal, Result), C, E0, E) :- !,
    goal(Goal, C, E0, E1),
    aggregate(Spec, E1, Kind),
    bind(Result, Kind, E0, E).
goal(Goal, _, E, E) :- test(Goal), !.
goal(Goal, _, E0, E) :- ordering(Goal, Terms), !, comparable(Terms, E0), E = E0.
goal(Goal, _, E0, E) :- function(Goal, Given, GivenKind, Found, FoundKind), !,
    kind(Given, E0, GivenKind),
    bind(Found, FoundKind, E0, E).
goal(Goal, context(Module, Vocabulary, _), E0, E) :-
    functor(Goal, Name, Arity),
    memberchk(Name/Arity, Vocabulary), !,
    arg(1, Goal, First),
    kind(First, E0, _),
    bind_arguments(2, Arity, Goal, Module, Vocabulary, E0, E).
goal(Goal, context(Module, Vocabulary, Goals), E0, E) :-
    member(Head-Body, Goals),
    Goal == Head, !,
    goal(Body, context(Module, Vocabulary, Goals), E0, E).

test(true).         test(fail).         test(false).        test(!).
test('$step').      test('$charge'(_)). test('$number'(_)). test('$small'(_)).
test(compound(_)).  test(number(_)).    test(atom(_)).      test(integer(_)).
test(_ \= _).       test(_ == _).       test(_ \== _).      test('$\\='(_, _)).
test('$=='(_, _)).  test('$\\=='(_, _)).
test(_ < _).        test(_ > _).        test(_ =< _).       test(_ >= _).
test(_ =:= _).      test(_ =\= _).

ordering(X @< Y, [X, Y]).               ordering(X @> Y, [X, Y]).
ordering(X @=< Y, [X, Y]).              ordering(X @>= Y, [X, Y]).
ordering('$@<'(X, Y), [X, Y]).          ordering('$@>'(X, Y), [X, Y]).
ordering('$@=<'(X, Y), [X, Y]).         ordering('$@>='(X, Y), [X, Y]).

comparable([X, Y], Env) :-
    kind(X, Env, Kind),
    kind(Y, Env, Kind).

%   function(+Goal, -Given, ?GivenKind, -Found, ?FoundKind): Goal needs Given and binds Found.

function('$length'(L, N), L, list(_), N, value).
function('$sum_list'(L, N), L, list(value), N, value).
function('$max_list'(L, N), L, list(value), N, value).
function('$min_list'(L, N), L, list(value), N, value).
function('$sort'(L, S), L, list(K), S, list(K)).
function('$msort'(L, S), L, list(K), S, list(K)).
function('$list_to_set'(L, S), L, list(K), S, list(K)).
function('$list_to_ord_set'(L, S), L, list(K), S, list(K)).
function('$memberchk'(X, L), L, list(K), X, K).
function('$member'(X, L), L, list(K), X, K).
function('$last'(L, X), L, list(K), X, K).
function(reverse(L, R), L, list(K), R, list(K)).
function('$nth0'(N, L, X), L, list(K), N-X, tuple([value, K])).
function('$nth1'(N, L, X), L, list(K), N-X, tuple([value, K])).
function('$between'(L, H, X), L-H, tuple([value, value]), X, value).

aggregate(Spec, _, value) :- Spec == count, !.
aggregate(sum(_), _, value).
aggregate(max(_), _, value).
aggregate(min(_), _, value).
aggregate(max(_, W), Env, tuple([value, Kind])) :- kind(W, Env, Kind).
aggregate(min(_, W), Env, tuple([value, Kind])) :- kind(W, Env, Kind).
aggregate(bag(T), Env, list(Kind)) :- kind(T, Env, Kind).
aggregate(set(T), Env, list(Kind)) :- kind(T, Env, Kind).

% ------------------------------------------------------------------------------------- kinds

%   kind(+Term, +Env, ?Kind): fails when some variable of Term may be unbound.

kind(X, Env, Kind) :- var(X), !, bound(Env, X, Kind).
kind(X, _, Kind) :- X == [], !, Kind = list(_).
kind(X, _, Kind) :- atomic(X), !, Kind = value.
kind([X|Xs], Env, Kind) :- !,
    Kind = list(Element),
    kind(X, Env, Element),
    kind(Xs, Env, list(Element)).
kind(X, Env, tuple(Kinds)) :-
    X =.. [_|Arguments],
    kinds(Arguments, Env, Kinds).

kinds([], _, []).
kinds([X|Xs], Env, [Kind|Kinds]) :-
    kind(X, Env, Kind),
    kinds(Xs, Env, Kinds).

bound([X-Kind0|Env], Y, Kind) :-
    ( X == Y -> Kind = Kind0 ; bound(Env, Y, Kind) ).

%   bind(+Term, +Kind, +Env0, -Env): Term is unified with a ground term of Kind.

bind(X, Kind, Env0, Env) :- var(X), !,
    (   bound(Env0, X, Known)
    ->  Known = Kind,
        Env = Env0
    ;   Env = [X-Kind|Env0]
    ).
bind(X, _, Env, Env) :- atomic(X), !.
bind([X|Xs], list(Kind), Env0, Env) :- !,
    bind(X, Kind, Env0, Env1),
    bind(Xs, list(Kind), Env1, Env).
bind(X, tuple(Kinds), Env0, Env) :-
    X =.. [_|Arguments],
    bind_each(Arguments, Kinds, Env0, Env).

bind_each([], [], Env, Env).
bind_each([X|Xs], [Kind|Kinds], Env0, Env) :-
    bind(X, Kind, Env0, Env1),
    bind_each(Xs, Kinds, Env1, Env).

unified(X, Y, Env0, Env) :- kind(X, Env0, Kind), !, bind(Y, Kind, Env0, Env).
unified(X, Y, Env0, Env) :- kind(Y, Env0, Kind), bind(X, Kind, Env0, Env).

bind_arguments(I, Arity, _, _, _, Env, Env) :- I > Arity, !.
bind_arguments(I, Arity, Goal, Module, Vocabulary, Env0, Env) :-
    arg(I, Goal, X),
    (   ( atomic(X) ; bound(Env0, X, _) )
    ->  Env1 = Env0
    ;   var(X),
        position_kind(I, Goal, Module, Vocabulary, Kind),
        Env1 = [X-Kind|Env0]
    ),
    I1 is I+1,
    bind_arguments(I1, Arity, Goal, Module, Vocabulary, Env1, Env).

%   All constants of one argument position are of one kind, so that the first fact tells which. An
%   object is what some fact is about.

position_kind(I, Goal, Module, Vocabulary, Kind) :-
    functor(Goal, Name, Arity),
    (   known_kind(Module, Name, Arity, I, Known)
    ->  Kind = Known
    ;   find_kind(I, Name, Arity, Module, Vocabulary, Kind),
        assertz(known_kind(Module, Name, Arity, I, Kind))
    ).

find_kind(I, Name, Arity, Module, Vocabulary, Kind) :-
    functor(Fact, Name, Arity),
    once(Module:Fact),
    arg(I, Fact, Constant),
    (   atom(Constant),
        member(About/AboutArity, Vocabulary),
        functor(Other, About, AboutArity),
        arg(1, Other, Constant),
        \+ \+ Module:Other
    ->  Kind = object
    ;   Kind = value
    ).

common([], _, []).
common([X-Kind|Env], Other, Common) :-
    (   bound(Other, X, Kind0), Kind0 = Kind
    ->  Common = [X-Kind|Common1]
    ;   Common = Common1
    ),
    common(Env, Other, Common1).

% --------------------------------------------------------------------------------- constants

constants(X, Cs, Cs) :- var(X), !.
constants(X, Cs0, Cs) :- atom(X), !, ( structural(X) -> Cs = Cs0 ; Cs = [X|Cs0] ).
constants(X, Cs, Cs) :- atomic(X), !.
constants(X, Cs0, Cs) :-
    X =.. [_|Arguments],
    all_constants(Arguments, Cs0, Cs).

all_constants([], Cs, Cs).
all_constants([X|Xs], Cs0, Cs) :-
    constants(X, Cs0, Cs1),
    all_constants(Xs, Cs1, Cs).

all_plain([]).
all_plain([Constant|Constants]) :-
    atom_codes(Constant, [First|Codes]),
    between(0'a, 0'z, First),
    all_word(Codes),
    all_plain(Constants).

all_word([]).
all_word([Code|Codes]) :-
    word(Code), !,
    all_word(Codes).

word(Code) :- Code >= 0'a, Code =< 0'z.
word(Code) :- Code >= 0'0, Code =< 0'9.
word(0'_).
word(Code) :- Code >= 0'A, Code =< 0'Z.

%   structural(?Atom): no constant where it is written. A program with an object of this name gets no
%   copy that vouches for it (isomorphic.py).

structural(true).   structural(fail).   structural(false).   structural(!).
structural(count).  structural('$step').  structural([]).
