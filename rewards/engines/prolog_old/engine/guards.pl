/*  Counted versions of predicates whose work the inference counter does not see.

    A call of sort/2 or ==/2 is one inference however large its arguments are. The versions here
    first walk the arguments, one inference for each node, so that the budget bounds the real work
    and a verdict does not depend on the speed of the machine. Terms that share structure
    (doubling X = f(Y, Y)) cost their full size as trees, which is what C would spend on them.

    The predicates are defined in judge_base, the module that the facts of every program inherit;
    their names start with $, which no hypothesis may write.
*/
:- module(judge_guards, [define_guards/0]).
:- use_module(whitelist).

%!  define_guards is det.
%
%   Fill judge_base with the libraries a hypothesis may use and with the guarded predicates.

define_guards :-
    set_module(judge_base:base(system)),
    forall(member(Library, [lists, apply, aggregate, pairs, ordsets, sort]),
           judge_base:use_module(library(Library))),
    forall(charged(Name/Arity), define_charged(Name, Arity)),
    forall(comparison(Name, Guarded), define_comparison(Name, Guarded)),
    forall(definition(Clause), add(Clause)),
    compile_guards.

add(Clause) :-
    judge_base:assertz(Clause).

define_charged(Name, Arity) :-
    functor(Goal, Name, Arity),
    Goal =.. [Name|Arguments],
    atom_concat($, Name, Guarded),
    Head =.. [Guarded|Arguments],
    charges(Arguments, Goal, Body),
    add((Head :- Body)).

charges([], Goal, Goal).
charges([Argument|Arguments], Goal, ('$charge'(Argument), Body)) :-
    charges(Arguments, Goal, Body).

define_comparison(Name, Guarded) :-
    Head =.. [Guarded, X, Y],
    Goal =.. [Name, X, Y],
    add((Head :- '$number'(X), '$number'(Y), Goal)).

compile_guards :-
    findall(Name/Arity,
            ( judge_base:current_predicate(Name/Arity),
              sub_atom(Name, 0, 1, _, $),
              functor(Head, Name, Arity),
              predicate_property(judge_base:Head, dynamic),
              \+ predicate_property(judge_base:Head, imported_from(_)) ),
            Guards),
    judge_base:compile_predicates(Guards).

%!  definition(-Clause) is nondet.
%
%   The clauses of judge_base.

% '$step': spend one inference.
definition('$step').

% '$spend'(+Count): spend so many.
definition(('$spend'(N) :- N > 0, !, M is N-1, '$spend'(M))).
definition('$spend'(_)).

% '$charge'(+Term): spend one inference for each compound subterm.
definition(('$charge'(X) :-
    (   compound(X)
    ->  (   X = [H|T]
        ->  ( compound(H) -> '$charge'(H) ; true ),
            '$charge'(T)
        ;   functor(X, _, Arity),
            '$charge_arguments'(1, Arity, X)
        )
    ;   true
    ))).
definition(('$charge_arguments'(I, Arity, X) :-
    (   I =< Arity
    ->  arg(I, X, Argument),
        ( compound(Argument) -> '$charge'(Argument) ; true ),
        I1 is I+1,
        '$charge_arguments'(I1, Arity, X)
    ;   true
    ))).

% '$witness'(+Terms): bagof/3 sorts solutions by the variables that are free in its goal. Terms with
% variables inside become chains there that are longer with each solution.
definition(('$witness'(X) :- '$charge'(X), functor(X, _, Arity), '$witness'(Arity, X))).
definition(('$witness'(0, _) :- !)).
definition(('$witness'(I, X) :-
    arg(I, X, Y),
    ( compound(Y), \+ ground(Y) -> throw(error(instantiation_error, _)) ; true ),
    I1 is I-1,
    '$witness'(I1, X))).

% '$number'(+Term): arithmetic on variables takes numbers; a term would be evaluated in C.
definition(('$number'(X) :- number(X), !)).
definition(('$number'(X) :- var(X), !, throw(error(instantiation_error, _)))).
definition(('$number'(X) :- throw(error(type_error(number, X), _)))).
definition(('$numbers'([]) :- !)).
definition(('$numbers'([X|Xs]) :- !, '$number'(X), '$numbers'(Xs))).
definition(('$numbers'(X) :- throw(error(type_error(list, X), _)))).

% '$small'(+Number): integers beyond 62 bits would make the cost of one inference unbounded.
definition(('$small'(X) :-
    (   integer(X)
    ->  (   X > -4611686018427387904, X < 4611686018427387904
        ->  true
        ;   throw(error(resource_error(integer_size), _))
        )
    ;   rational(X)
    ->  throw(error(resource_error(rational), _))
    ;   true
    ))).

definition(('$is'(X, E) :- V is E, '$small'(V), X = V)).
definition(('$succ'(X, Y) :- '$charge'(X), '$charge'(Y), succ(X, Y), '$small'(Y))).
definition(('$plus'(X, Y, Z) :- plus(X, Y, Z), '$small'(X), '$small'(Y), '$small'(Z))).
definition(('$sum_list'(L, S) :- '$numbers'(L), sum_list(L, V), '$small'(V), S = V)).
definition(('$max_list'(L, M) :- '$numbers'(L), max_list(L, M))).
definition(('$min_list'(L, M) :- '$numbers'(L), min_list(L, M))).

% Backtracking into between/3 is not counted; here every solution costs inferences.
definition(('$between'(L, H, X) :- integer(X), !, between(L, H, X))).
definition(('$between'(L, H, X) :-
    var(X), integer(L), '$upper'(H), !, L =< H, '$count_up'(L, H, X))).
definition(('$between'(L, H, X) :- between(L, H, X))).
definition(('$upper'(H) :- integer(H), !)).
definition(('$upper'(H) :- H == inf)).
definition(('$upper'(H) :- H == infinite)).
definition(('$count_up'(L, H, X) :- L == H, !, X = L)).
definition(('$count_up'(L, _, L))).
definition(('$count_up'(L, H, X) :- L1 is L+1, '$count_up'(L1, H, X))).

% Making a list of given length is one call in C.
definition(('$length'(L, N) :- '$charge'(L), '$list_of'(L, N))).
definition(('$list_of'(L, N) :- integer(N), \+ is_list(L), !, '$new_list'(L, N))).
definition(('$list_of'(L, N) :- length(L, N))).
definition(('$new_list'(_, N) :- N > 10000, !, throw(error(resource_error(list), _)))).
definition(('$new_list'(L, N) :- Price is N//4, '$spend'(Price), length(L, N))).

% A difference that waits for its terms would be an attributed variable, whose copies are not
% counted.
definition(('$dif'(X, Y) :-
    '$charge'(X), '$charge'(Y),
    ( X \= Y -> true ; X == Y -> fail ; throw(error(instantiation_error, _)) ))).

% A list without an end is longer at each step, and C unifies all of it.
definition(('$reverse'(L, R) :-
    '$charge'(L), '$charge'(R),
    ( is_list(L) -> reverse(L, R) ; '$whole'(R), reverse(R, L) ))).
definition(('$flatten'(L, F) :- '$charge'(L), '$charge'(F), flatten(L, F))).
definition(('$same_length'(L, M) :- '$charge'(L), '$charge'(M), same_length(L, M))).
definition(('$whole'(L) :-
    '$charge'(L), ( is_list(L) -> true ; throw(error(type_error(list, L), _)) ))).

definition(('$='(X, Y) :- '$charge'(X), '$charge'(Y), X = Y)).
definition(('$memberchk'(X, L) :- '$any'(L, X), !)).
definition(('$any'([Y|_], X) :- '$='(X, Y))).
definition(('$any'([_|L], X) :- '$any'(L, X))).
definition(('$subset'([], _) :- !)).
definition(('$subset'([X|Xs], L) :- '$memberchk'(X, L), '$subset'(Xs, L))).
definition(('$subtract'([], _, []) :- !)).
definition(('$subtract'([X|Xs], L, Ys) :- '$memberchk'(X, L), !, '$subtract'(Xs, L, Ys))).
definition(('$subtract'([X|Xs], L, [X|Ys]) :- '$subtract'(Xs, L, Ys))).
definition(('$intersection'([], _, Is) :- !, Is = [])).
definition(('$intersection'([X|Xs], L, Is) :-
    '$memberchk'(X, L), !, Is = [X|Is1], '$intersection'(Xs, L, Is1))).
definition(('$intersection'([_|Xs], L, Is) :- '$intersection'(Xs, L, Is))).
definition(('$union'([], L, Us) :- !, Us = L)).
definition(('$union'([X|Xs], L, Us) :- '$memberchk'(X, L), !, '$union'(Xs, L, Us))).
definition(('$union'([X|Xs], L, [X|Us]) :- '$union'(Xs, L, Us))).

% What follows compares a rest of a list with another list at every step, and again after every
% failure; here each comparison pays, unless one side is a variable.
definition(('$rest'(X, Y) :- ( var(X) -> X = Y ; var(Y) -> X = Y ; '$='(X, Y) ))).
definition(('$append'(X, Y, Z) :-
    '$charge'(X), '$charge'(Y), '$charge'(Z), '$append_'(X, Y, Z))).
definition(('$append_'([], Y, Z) :- '$rest'(Y, Z))).
definition(('$append_'([H|X], Y, [H|Z]) :- '$append_'(X, Y, Z))).
definition(('$append'(Xs, Z) :- '$whole'(Xs), '$charge'(Z), '$append_all'(Xs, Z))).
definition(('$append_all'([], Z) :- Z = [])).
definition(('$append_all'([X|Xs], Z) :- '$append_part'(X, Y, Z), '$append_all'(Xs, Y))).
definition(('$append_part'([], Y, Y))).
definition(('$append_part'([H|X], Y, [K|Z]) :- '$rest'(H, K), '$append_part'(X, Y, Z))).
definition(('$select'(X, L, R) :- '$charge'(X), '$charge'(L), '$charge'(R), '$select_'(L, X, R))).
definition(('$select_'([Y|T], X, R) :- X = Y, '$rest'(T, R))).
definition(('$select_'([H|T], X, [H|R]) :- '$select_'(T, X, R))).
definition(('$selectchk'(X, L, R) :- '$select'(X, L, R), !)).
definition(('$select'(X, L, Y, M) :-
    '$charge'(X), '$charge'(L), '$charge'(Y), '$charge'(M), '$select_'(L, X, Y, M))).
definition(('$select_'([X1|L], X, Y, [Y1|M]) :- X = X1, Y = Y1, '$rest'(L, M))).
definition(('$select_'([H|L], X, Y, [H|M]) :- '$select_'(L, X, Y, M))).
definition(('$nth0'(I, L, X, R) :- '$nth'(0, I, L, X, R))).
definition(('$nth1'(I, L, X, R) :- '$nth'(1, I, L, X, R))).
definition(('$nth'(Base, I, L, X, R) :-
    '$charge'(L), '$charge'(X), '$charge'(R),
    (   var(I)
    ->  '$nth_find'(L, X, R, Base, I)
    ;   Base =:= 0
    ->  nth0(I, L, X, R)
    ;   nth1(I, L, X, R)
    ))).
definition(('$nth_find'([Y|T], X, R, I, I) :- X = Y, '$rest'(T, R))).
definition(('$nth_find'([H|T], X, [H|R], I0, I) :- I1 is I0+1, '$nth_find'(T, X, R, I1, I))).
definition(('$permutation'(L, P) :-
    '$charge'(L), '$charge'(P),
    (   is_list(L)
    ->  length(L, N), '$list_of'(P, N)
    ;   '$whole'(P), length(P, N), '$list_of'(L, N)
    ),
    '$permute'(L, P))).
definition(('$permute'([], []))).
definition(('$permute'(L, [X|P]) :- '$pick'(L, X, R), '$permute'(R, P))).
definition(('$pick'([Y|T], X, T) :- '$rest'(X, Y))).
definition(('$pick'([H|T], X, [H|R]) :- '$pick'(T, X, R))).
