/*  Checking a hypothesis: every head and every goal against the whitelist.

    The result is a list of clauses that is safe to run. It differs from what was read where the
    inference counter needs help (guards.pl) and where a goal can be compiled once instead of at
    every call: forall/2 becomes a double negation, the goal of findall/3 a clause of its own.
*/
:- module(judge_checking, [check_hypothesis/3]).
:- use_module(library(lists)).
:- use_module(whitelist).
:- use_module(reading, [reject/1]).

max_costly(16).

%   What one clause may hold, so that one inference of it is a bounded amount of work: cells of
%   memory that it takes as a term (a goal of two arguments takes three, and three to join it to the
%   rest), and variables.

max_cells(1024).
max_variables(128).

%   Terms of more cells than this pay for being built and unified, an inference for each 8 cells.

light(12).

%   In clauses of more cells than this, each row that is found costs an inference: finding the next
%   one by backtracking costs none, and then all that follows in the clause is done once more.

small_clause(160).

%   Arguments that a closure may come with: each call of it builds a goal of them anew.

max_given(16).

%   Goals of bagof/3 with more cells of template and variables than this pay for each solution.

small_witness(8).

%   Predicates of more clauses than this pay for the search for a clause.

few_clauses(8).

%   builtin(?Name, ?Arity, ?RunAs): the table of data predicates, flat for quick access.

:- dynamic builtin/3.

fill_table :-
    retractall(builtin(_, _, _)),
    forall(data_predicate(Name, Arity, RunAs), assertz(builtin(Name, Arity, RunAs))),
    compile_predicates([builtin/3]).

:- initialization(fill_table).

%!  check_hypothesis(+Clauses, +Task, -Checked) is det.
%
%   Task is task(Target, Negative, Vocabulary): the predicate Name/Arity that the hypothesis is to
%   define, the name of the negative label predicate, and the background predicates, a list of
%   Name/Arity-View, where View is a clause that defines the predicate. Checked is a list of clauses
%   to assert. Throws rejected(Why).

check_hypothesis(Clauses, Task, Checked) :-
    Task = task(Target, _, Vocabulary),
    check_heads(Clauses, Task, Defined),
    ( memberchk(Target, Defined) -> true ; reject(no_clause_for(Target)) ),
    check_sizes(Clauses),
    check_clauses(Clauses, Vocabulary-Defined, Main0, s(0, []), s(_, Extra)),
    charge_search(Main0, [], Main),
    append(Main, Extra, All),
    charge_frames(All, Checked).

check_sizes([]).
check_sizes([Clause|Clauses]) :-
    term_size(Clause, Cells),
    max_cells(MaxCells),
    ( Cells > MaxCells -> reject(more_than(MaxCells, cells_in_a_clause)) ; true ),
    term_variables(Clause, Variables),
    length(Variables, Count),
    max_variables(MaxVariables),
    ( Count > MaxVariables -> reject(more_than(MaxVariables, variables_in_a_clause)) ; true ),
    check_sizes(Clauses).

%   charge_frames(+Clauses, -Charged): a large clause pays when it is entered for what it takes on the
%   stack, which is at most a place for each of its cells.

charge_frames([], []).
charge_frames([Clause|Clauses], [Charged|Rest]) :-
    term_size(Clause, Cells),
    small_clause(Small),
    (   Cells > Small, Clause = (Head :- Body)
    ->  Price is Cells//32,
        Charged = (Head :- '$spend'(Price), Body)
    ;   Charged = Clause
    ),
    charge_frames(Clauses, Rest).

%   charge_search(+Clauses, +Seen, -Charged): backtracking into the next clause of a predicate costs
%   no inference in Prolog, and neither does passing over clauses whose heads do not match. Here each
%   clause but the first costs one when it is entered, and a predicate of many clauses starts with
%   one that fails after it has paid for the search. Seen has the predicates of clauses so far.

charge_search([], _, []).
charge_search([Clause|Clauses], Seen, Charged) :-
    ( Clause = (Head :- Body) -> true ; Head = Clause, Body = true ),
    functor(Head, Name, Arity),
    (   memberchk(Name/Arity, Seen)
    ->  Charged = [(Head :- '$step', Body)|Rest],
        Seen1 = Seen
    ;   Seen1 = [Name/Arity|Seen],
        clauses_of(Clauses, Name, Arity, 1, Count),
        few_clauses(Few),
        (   Count > Few
        ->  functor(General, Name, Arity),
            Price is Count//4,
            Charged = [(General :- '$spend'(Price), fail), Clause|Rest]
        ;   Charged = [Clause|Rest]
        )
    ),
    charge_search(Clauses, Seen1, Rest).

clauses_of([], _, _, Count, Count).
clauses_of([Clause|Clauses], Name, Arity, Count0, Count) :-
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    ( functor(Head, Name, Arity) -> Count1 is Count0+1 ; Count1 = Count0 ),
    clauses_of(Clauses, Name, Arity, Count1, Count).

% ------------------------------------------------------------------------------------- heads

check_heads([], _, []).
check_heads([Head-_|Clauses], Task, Defined) :-
    ( callable(Head) -> true ; reject(not_a_head) ),
    has_arguments(Head),
    functor(Head, Name, Arity),
    Predicate = Name/Arity,
    (   Task = task(Predicate, _, _)
    ->  true
    ;   redefines(Predicate, Task)
    ->  reject(redefines(Predicate))
    ;   true
    ),
    check_heads(Clauses, Task, Rest),
    ( memberchk(Predicate, Rest) -> Defined = Rest ; Defined = [Predicate|Rest] ).

%   redefines(+Predicate, +Task): a helper may not have a name that is more than a name. Names are
%   plain words, since clause and module operators mean something where a clause is asserted or a
%   closure is called; `call` has every arity, defined or not.

redefines(Predicate, task(_, _, Vocabulary)) :- memberchk(Predicate-_, Vocabulary).
redefines(Negative/1, task(_, Negative, _)).
redefines(Name/_, _)           :- \+ plain_word(Name).
redefines(Name/Arity, _)       :- functor(Head, Name, Arity), '$c_current_predicate'(_, system:Head).
redefines(Name/Arity, _)       :- meta(Name, Arity, _).
redefines(aggregate_all/_, _).
redefines(call/_, _).

plain_word(Name) :-
    atom_codes(Name, [First|Rest]),
    code_type(First, lower),
    word_codes(Rest).

word_codes([]).
word_codes([Code|Codes]) :-
    code_type(Code, csym),
    word_codes(Codes).

check_clauses([], _, [], S, S).
check_clauses([Head-Body|Clauses], Known, [Clause|Checked], S0, S) :-
    Known = Vocabulary-Defined,
    term_size(Head-Body, Cells),
    small_clause(Small),
    ( Cells > Small -> Steps = true ; Steps = false ),
    Context = context(Vocabulary, Defined, Steps),
    linear(Head, Head1, Equations),
    check_goal(Body, Context, Body1, S0, S1),
    conjunction(Equations, Body1, Body2),
    ( Body2 == true -> Clause = Head1 ; Clause = (Head1 :- Body2) ),
    check_clauses(Clauses, Known, Checked, S1, S).

%   linear(+Head, -Linear, -Equations): where a variable occurs twice in a head, or a large term
%   stands there, C unifies them, uncounted; Equations does so by '$='.

linear(Head, Head, true) :-
    \+ heavy(Head, _),
    term_variables(Head, Variables),
    term_singletons(Head, Variables), !.
linear(Head, Linear, Equations) :-
    Head =.. [Name|Arguments],
    linear_arguments(Arguments, [], Arguments1, Equations),
    Linear =.. [Name|Arguments1].

linear_arguments([], _, [], true).
linear_arguments([X|Xs], Seen, [Y|Ys], Equations) :-
    term_variables(X, Variables),
    (   ( heavy(X, _) ; shares(Variables, Seen) ; \+ term_singletons(X, Variables) )
    ->  Equations = ('$='(X, Y), Rest),
        Seen1 = Seen
    ;   Y = X,
        Equations = Rest,
        append(Variables, Seen, Seen1)
    ),
    linear_arguments(Xs, Seen1, Ys, Rest).

shares([X|Xs], Seen) :-
    (   identical_member(X, Seen)
    ->  true
    ;   shares(Xs, Seen)
    ).

identical_member(X, [Y|Ys]) :-
    ( X == Y -> true ; identical_member(X, Ys) ).

% ------------------------------------------------------------------------------------- goals

%   check_goal(+Goal, +Context, -Checked, +S0, -S): S is s(Count, Clauses), the clauses that were
%   made for the goals of findall/3 and its like. A disjunction, condition or negation leaves a place
%   to come back to, which costs memory and time but no inference, so each pays one when it is
%   entered.

check_goal(Goal, _, _, _, _) :- var(Goal), !, reject(variable_goal).
check_goal((A, B), C, (A1, B1), S0, S) :- !, check_both(A, B, C, A1, B1, S0, S).
check_goal((A ; B), C, ('$step', Checked), S0, S) :- !, check_branches(A, B, C, Checked, S0, S).
check_goal('|'(A, B), C, Checked, S0, S) :- !, check_goal((A ; B), C, Checked, S0, S).
check_goal((A -> B), C, ('$step', (A1 -> B1)), S0, S) :- !, check_both(A, B, C, A1, B1, S0, S).
check_goal((A *-> B), C, ('$step', (A1 *-> B1)), S0, S) :- !, check_both(A, B, C, A1, B1, S0, S).
check_goal(\+ A, C, ('$step', \+ A1), S0, S) :- !, check_goal(A, C, A1, S0, S).
check_goal(not(A), C, ('$step', \+ A1), S0, S) :- !, check_goal(A, C, A1, S0, S).
check_goal(once(A), C, ('$step', (A1 -> true)), S0, S) :- !, check_goal(A, C, A1, S0, S).
check_goal(ignore(A), C, ('$step', (A1 -> true ; true)), S0, S) :- !, check_goal(A, C, A1, S0, S).
check_goal(forall(A, B), C, ('$step', \+ (A1, \+ B1)), S0, S) :- !,
    check_both(A, B, C, A1, B1, S0, S).
check_goal(call(A), C, A1, S0, S) :- !, check_called(A, C, A1, S0, S).
check_goal(Goal, C, Checked, S0, S) :-
    ( callable(Goal) -> true ; reject(not_a_goal) ),
    has_arguments(Goal),
    functor(Goal, Name, Arity),
    (   viewed(C, Name/Arity, Goal, Rows)
    ->  Paid = Rows,
        S = S0
    ;   known(C, Name, Arity)
    ->  Paid = Goal,
        S = S0
    ;   check_builtin(Name, Arity, Goal, C, Paid, S0, S)
    ),
    ( heavy(Goal, Price) -> Checked = ('$spend'(Price), Paid) ; Checked = Paid ).

%   has_arguments(+Term): it is not of the form name().

has_arguments(Term) :-
    (   compound(Term), compound_name_arity(Term, _, 0)
    ->  reject(empty_brackets)
    ;   true
    ).

%   heavy(+Term, -Price): building Term, or unifying with it, is more than one step.

heavy(Term, Price) :-
    term_size(Term, Cells),
    light(Light),
    Cells > Light,
    Price is Cells//8.

%   check_branches(+A, +B, +Context, -Checked, +S0, -S): check the disjunction of A and B.

check_branches(A, B, C, Checked, S0, S) :-
    (   nonvar(A), A = (If -> Then)
    ->  check_both(If, Then, C, If1, Then1, S0, S1),
        Checked = (If1 -> Then1 ; B1)
    ;   nonvar(A), A = (If *-> Then)
    ->  check_both(If, Then, C, If1, Then1, S0, S1),
        Checked = (If1 *-> Then1 ; B1)
    ;   check_goal(A, C, A1, S0, S1),
        Checked = (A1 ; B1)
    ),
    check_goal(B, C, B1, S1, S).

check_both(A, B, C, A1, B1, S0, S) :-
    check_goal(A, C, A1, S0, S1),
    check_goal(B, C, B1, S1, S).

known(context(Vocabulary, Defined, _), Name, Arity) :-
    Predicate = Name/Arity,
    ( memberchk(Predicate-_, Vocabulary) -> true ; memberchk(Predicate, Defined) ).

%   viewed(+Context, +Predicate, +Goal, -Rows): a background predicate is looked up in its table
%   without a call in between.

viewed(context(Vocabulary, _, Steps), Predicate, Goal, Rows) :-
    memberchk(Predicate-View, Vocabulary),
    copy_term(View, (Goal :- Rows0)),
    ( Steps == true -> Rows = (Rows0, '$step') ; Rows = Rows0 ).

check_builtin(Name, Arity, Goal, C, Checked, S0, S) :-
    meta(Name, Arity, Modes), !,
    check_meta(Name, Arity, Modes, Goal, C, Checked, S0, S).
check_builtin(aggregate_all, 3, aggregate_all(Spec, Goal, R), C, Checked, S0, S) :- !,
    aggregation(Spec, Guard, Check, R),
    Checked = (aggregate_all(Spec, Goal1, R), Check),
    check_called(Goal, C, Guard, Goal1, S0, S).
check_builtin(aggregate_all, 4, aggregate_all(Spec, By, Goal, R), C, Checked, S0, S) :- !,
    aggregation(Spec, Guard, Check, R),
    charge(By, Charge),
    Checked = (aggregate_all(Spec, By, Goal1, R), Check),
    check_called(Goal, C, (Guard, Charge), Goal1, S0, S).
check_builtin(is, 2, X is E, _, Checked, S, S) :- !,
    check_expression(E, Guard),
    conjunction(Guard, '$is'(X, E), Checked).
check_builtin(Name, 2, Goal, _, Checked, S, S) :-
    comparison(Name, _), !,
    Goal =.. [_, X, Y],
    check_expression(X-Y, Guard),
    conjunction(Guard, Goal, Checked).
check_builtin(Name, Arity, Goal, _, Checked, S, S) :-
    builtin(Name, Arity, RunAs), !,
    (   RunAs == Name
    ->  Checked = Goal
    ;   Arity == 2, cheap_if_atomic(Name)
    ->  Goal =.. [_, X, Y],
        charge_unless_atomic(X, Y, Goal, Checked)
    ;   Goal =.. [_|Arguments],
        Checked =.. [RunAs|Arguments]
    ).
check_builtin(Name, Arity, Goal, _, _, _, _) :-
    (   ( predicate_property(system:Goal, defined) ; predicate_property(judge_base:Goal, defined) )
    ->  reject(forbidden(Name/Arity))
    ;   reject(unknown(Name/Arity))
    ).

% ------------------------------------------------------------------- comparison of two terms

cheap_if_atomic(=).     cheap_if_atomic(\=).    cheap_if_atomic(==).    cheap_if_atomic(\==).
cheap_if_atomic(@<).    cheap_if_atomic(@>).    cheap_if_atomic(@=<).   cheap_if_atomic(@>=).

%   Comparing with an atom, a number or a variable is one step; two compound terms are charged.

charge_unless_atomic(X, Y, Goal, Goal) :-
    ( atomic(X) ; atomic(Y) ), !.
charge_unless_atomic(X, Y, Goal, Checked) :-
    (   var(X)
    ->  Checked = ( ( compound(X) -> '$charge'(X), '$charge'(Y) ; true ), Goal )
    ;   var(Y)
    ->  Checked = ( ( compound(Y) -> '$charge'(X), '$charge'(Y) ; true ), Goal )
    ;   Checked = ( '$charge'(X), '$charge'(Y), Goal )
    ).

%   charge(+Template, -Guard): Guard pays for copying an instance of Template.

charge(Template, true) :- atomic(Template), !.
charge(Template, ( compound(Template) -> '$charge'(Template) ; true )) :- var(Template), !.
charge(Template, '$charge'(Template)).

%   charge_variables(+Term, -Guard): Guard pays for the terms that the variables of Term stand for:
%   bagof/3 and its like search them for free variables, lambdas copy them.

charge_variables(Term, Guard) :-
    term_variables(Term, Variables),
    charge_all(Variables, Guard).

%   charge_witness(+Template, +Goal, -Guard): the same for each solution of bagof/3, which copies
%   Template and a term of all variables that are free in Goal, and sorts by that.

charge_witness(Template, Goal, Guard) :-
    charge_variables(Template, Charge),
    bound_by(Goal, Template, Inner, Bound),
    term_variables(Bound, Own),
    term_variables(Own-Inner, All),
    append(Own, Free, All),
    Witness =.. [v|Free],
    ( Free == [] -> Check = true ; Check = '$witness'(Witness) ),
    conjunction_after(Charge, Check, Guard0),
    term_size(Template, Cells),
    term_variables(Template-Goal, Variables),
    length(Variables, Count),
    small_witness(Small),
    (   Cells+Count > Small
    ->  Price is (Cells+Count)//4,
        Guard = ('$spend'(Price), Guard0)
    ;   Guard = Guard0
    ).

%   bound_by(+Goal, +Template, -Inner, -Bound): Inner is Goal behind its prefixes Variable^; Bound
%   holds what they and Template bind.

bound_by(Goal, Bound, Inner, All) :-
    nonvar(Goal),
    Goal = V^Rest, !,
    bound_by(Rest, V-Bound, Inner, All).
bound_by(Goal, Bound, Goal, Bound).

charge_all([], true) :- !.
charge_all([X], Guard) :- !, charge(X, Guard).
charge_all(Xs, '$charge'(Term)) :- Term =.. [v|Xs].

conjunction(true, Goal, Goal) :- !.
conjunction(Guard, Goal, (Guard, Goal)).

% -------------------------------------------------------------------------------- arithmetic

%   check_expression(+Expression, -Guard): Guard makes sure that the variables hold numbers, so
%   that nothing is evaluated but what is written here, and small ones where that matters.

check_expression(Expression, Guard) :-
    evaluables(Expression, 0, Costly),
    max_costly(Max),
    ( Costly > Max -> reject(more_than(Max, multiplications)) ; true ),
    term_variables(Expression, Variables),
    numbers(Variables, Costly, Guard).

numbers([], _, true).
numbers([X|Xs], Costly, Guard) :-
    (   Costly =:= 0
    ->  Check = ( number(X) -> true ; '$number'(X) )
    ;   Check = ( '$number'(X), '$small'(X) )
    ),
    numbers(Xs, Costly, Rest),
    ( Rest == true -> Guard = Check ; Guard = (Check, Rest) ).

evaluables(X, N, N) :- var(X), !.
evaluables(X, N, N) :- number(X), !, check_number(X).
evaluables(X, N0, N) :-
    ( callable(X) -> true ; reject(not_evaluable(X)) ),
    functor(X, Name, Arity),
    (   evaluable(Name, Arity, Cost)
    ->  N1 is N0+Cost
    ;   reject(not_evaluable(Name/Arity))
    ),
    evaluables_in(Arity, X, N1, N).

evaluables_in(0, _, N, N) :- !.
evaluables_in(I, X, N0, N) :-
    arg(I, X, Y),
    evaluables(Y, N0, N1),
    I1 is I-1,
    evaluables_in(I1, X, N1, N).

check_number(X) :-
    (   integer(X)
    ->  ( abs(X) < 4611686018427387904 -> true ; reject(integer_beyond_62_bits) )
    ;   float(X)
    ->  true
    ;   reject(rational_number)
    ).

% ------------------------------------------------------------------------- goals as arguments

%   aggregation(+Spec, -Guard, -Check, +Result): Guard runs after each solution of the goal,
%   Check after the whole.

aggregation(Spec, _, _, _) :- var(Spec), !, reject(variable_goal).
aggregation(count, true, true, _) :- !.
aggregation(sum(E), Guard, '$small'(R), R) :- !, check_expression(E, Guard).
aggregation(max(E), Guard, '$small'(R), R) :- !, check_expression(E, Guard).
aggregation(min(E), Guard, '$small'(R), R) :- !, check_expression(E, Guard).
aggregation(max(E, W), Guard, true, _) :- !, extremal(E, W, Guard).
aggregation(min(E, W), Guard, true, _) :- !, extremal(E, W, Guard).
aggregation(bag(T), Guard, true, _) :- !, charge(T, Guard).
aggregation(set(T), Guard, true, _) :- !, charge(T, Guard).
aggregation(Spec, _, _, _) :- functor(Spec, Name, Arity), reject(forbidden(Name/Arity)).

extremal(E, W, (Guard, Charge)) :-
    check_expression(E, Guard),
    charge(W, Charge).

%   check_called(+Goal, +Context, +Guard, -Call, +S0, -S): Call is a call of a clause of its own
%   when Goal is more than one literal, so that it is compiled once. It has the variables that were
%   written: those of a row beyond them would be free variables to bagof/3.

check_called(Goal, C, Call, S0, S) :-
    check_called(Goal, C, true, Call, S0, S).

check_called(Goal, C, Guard, Call, S0, S) :-
    check_goal(Goal, C, Goal1, S0, s(N, Clauses)),
    (   Guard == true, \+ control(Goal1), \+ ( ground(Goal), \+ ground(Goal1) )
    ->  Call = Goal1,
        S = s(N, Clauses)
    ;   conjunction_after(Guard, Goal1, Body),
        term_variables(Goal-Guard, Variables),
        N1 is N+1,
        atom_concat('$goal', N1, Name),
        Call =.. [Name|Variables],
        S = s(N1, [(Call :- Body)|Clauses])
    ).

conjunction_after(true, Goal, Goal) :- !.
conjunction_after(Guard, Goal, (Goal, Guard)).

control((_, _)).    control((_ ; _)).    control((_ -> _)).    control((_ *-> _)).
control(\+ _).      control(!).

check_meta(Name, _, _, Goal, C, Checked, S0, S) :-
    collects(Name), !,
    Goal =.. [Name, Template, Inner|Results],
    ( Name == findall -> charge(Template, Guard) ; charge_witness(Template, Inner, Guard) ),
    peel(Name, Inner, Inner1, Inner2, Inner3),
    check_called(Inner1, C, Guard, Inner2, S0, S),
    Collected =.. [Name, Template, Inner3|Results],
    ( Name == findall -> Paid = true ; charge_variables(Template-Inner, Paid) ),
    conjunction(Paid, Collected, Checked).
check_meta(Name, Arity, Modes, Goal, C, Checked, S0, S) :-
    functor(Checked, Name, Arity),
    check_arguments(Modes, 1, Goal, C, Checked, S0, S).

collects(findall).      collects(bagof).        collects(setof).

%   peel(+Name, +Goal, -Inner, +NewInner, -NewGoal): look behind the prefix Variable^ of bagof/3.

peel(findall, Goal, Goal, New, New) :- !.
peel(_, Goal, Goal, New, New) :- var(Goal), !.
peel(Name, V^Goal, Inner, NewInner, V^New) :- !, peel(Name, Goal, Inner, NewInner, New).
peel(_, Goal, Goal, New, New).

check_arguments([], _, _, _, _, S, S).
check_arguments([Mode|Modes], I, Goal, C, Checked, S0, S) :-
    arg(I, Goal, X),
    arg(I, Checked, Y),
    (   Mode == (?)
    ->  Y = X,
        S1 = S0
    ;   check_closure(X, Mode, C, Y, S0, S1)
    ),
    I1 is I+1,
    check_arguments(Modes, I1, Goal, C, Checked, S1, S).

%   A closure is a data predicate or a lambda with all its parameters, never a meta predicate:
%   maplist(call, Goals) would run goals that were not checked. A lambda becomes two clauses: one
%   pays for what its variables stand for and copies it, as each call of a lambda does, but for the
%   variables that Free/Lambda shares; the other is the body, compiled once.

check_closure(X, _, _, _, _, _) :- \+ callable(X), !, reject(variable_goal).
check_closure(Parameters>>Body, Extra, C, Closure, S0, S) :- !,
    (   lambda_parameters(Parameters, Free, List), is_list(List), length(List, Extra)
    ->  true
    ;   reject(lambda_without(Extra, parameters))
    ),
    check_goal(Body, C, Body1, S0, s(N, Clauses)),
    term_variables(Free, Shared),
    term_variables(Shared-(List-Body), Variables),
    append(Shared, Copied, Variables),
    N1 is N+1,
    atom_concat('$lambda', N1, Lambda),
    atom_concat('$body', N1, Run),
    SharedTerm =.. [v|Shared],
    CopiedTerm =.. [v|Copied],
    Closure =.. [Lambda, SharedTerm, CopiedTerm],
    length(Arguments, Extra),
    Head =.. [Lambda, Given, Original|Arguments],
    Call =.. [Run, Given, Copy|Arguments],
    BodyHead0 =.. [Run, SharedTerm, CopiedTerm|List],
    linear(BodyHead0, BodyHead, Equations),
    conjunction(Equations, Body1, Body2),
    S = s(N1, [ (Head :- '$charge'(Original), copy_term_nat(Original, Copy), Call),
                (BodyHead :- Body2) | Clauses ]).
check_closure(X, Extra, C, Y, S, S) :-
    has_arguments(X),
    functor(X, Name, Given),
    max_given(MaxGiven),
    ( Given > MaxGiven -> reject(more_than(MaxGiven, arguments_of_a_closure)) ; true ),
    Arity is Given+Extra,
    (   known(C, Name, Arity)
    ->  Y = X
    ;   builtin(Name, Arity, RunAs)
    ->  X =.. [_|Arguments],
        Y =.. [RunAs|Arguments]
    ;   reject(forbidden(Name/Arity))
    ).

lambda_parameters(Parameters, Free, List) :-
    nonvar(Parameters),
    (   Parameters = Free/List
    ->  nonvar(Free)
    ;   Free = [],
        List = Parameters
    ).
