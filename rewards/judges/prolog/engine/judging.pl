/*  Judging: programs of facts, and hypotheses run over them.

    A program is loaded once, into a module of its own that inherits judge_base. A hypothesis is
    asserted in a throw-away module that inherits the program's, asked for every example, and
    dropped with its module. Budgets are counted in inferences, so that an outcome is the same on
    every machine.
*/
:- module(judge_judging, [ load_program/4, drop_program/1, programs/2, judge/5,
                           read_list/2, text_to_list/2 ]).
:- use_module(library(lists)).
:- use_module(reading).
:- use_module(checking).
:- use_module(invariance).

%!  loaded(?Key, ?Program) is nondet.
%
%   The loaded programs, as program(Module, Goals, Vocabulary): the module with the facts, a goal
%   for each example in the program's order, and the background predicates as a list of
%   Name/Arity.

:- dynamic loaded/2.

%   The sum for all examples up to which they run under one limit. Rules in use stay far below;
%   beyond it, and when a proof raises, each example is run again under a limit of its own.

shared_limit(20000).

% ---------------------------------------------------------------------------------- programs

%!  load_program(+Key, +Goals, +Facts, -Reply) is det.
%
%   Load a program under Key, a text without special characters. Goals is a list of atoms to prove,
%   Facts one of ground facts. Reply is loaded or failed(Error).

load_program(Key, Goals, Facts, Reply) :-
    atom_concat(judge_program_, Key, Module),
    catch(load(Key, Module, Goals, Facts), Error, true),
    (   var(Error)
    ->  Reply = loaded
    ;   '$destroy_module'(Module),
        Reply = failed(Error)
    ).

load(Key, Module, Goals, Facts) :-
    new_module(Module, judge_base),
    store(Facts, Module),
    qualify(Goals, Qualified),
    findall(Predicate, background(Module, Predicate), Vocabulary),
    assertz(loaded(Key, program(Module, Qualified, Vocabulary))).

%!  read_list(+Stream, -List) is det.
%
%   Read a term that must be a list without variables.

read_list(Stream, List) :-
    read_term(Stream, List, [module(judge_syntax), variables(Variables)]),
    ( is_list(List), Variables == [] -> true ; throw(error(type_error(list_of_ground_facts, List), _)) ).

%!  text_to_list(+Text, -List) is det.
%
%   As read_list/2, from text without full stop.

text_to_list(Text, List) :-
    string_concat(Text, " .", Stopped),
    setup_call_cleanup(open_string(Stopped, In), read_list(In, List), close(In)).

store([], _).
store([Fact|Facts], Module) :-
    ( no_fact(Fact) -> throw(error(type_error(ground_fact, Fact), _)) ; true ),
    assertz(Module:Fact),
    store(Facts, Module).

%   Terms that assertz/1 takes for something else.

no_fact((_ :- _)).
no_fact((:- _)).
no_fact((_ --> _)).
no_fact(_:_).

qualify([], []).
qualify([Goal|Goals], [judge_hypothesis:Goal|Qualified]) :-
    qualify(Goals, Qualified).

background(Module, Name/Arity) :-
    current_predicate(_, Module:Head),
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, imported_from(_)),
    functor(Head, Name, Arity).

%!  drop_program(+Key) is det.

drop_program(Key) :-
    (   retract(loaded(Key, program(Module, _, _)))
    ->  forget_kinds(Module),
        '$destroy_module'(Module)
    ;   true
    ).

%!  programs(+Keys, -Programs) is semidet.
%
%   Fails when one is not loaded.

programs([], []).
programs([Key|Keys], [Program|Programs]) :-
    loaded(Key, Program),
    programs(Keys, Programs).

new_module(Module, Base) :-
    set_module(Module:class(temporary)),
    set_module(Module:base(Base)),
    set_prolog_flag(Module:unknown, fail).

% ---------------------------------------------------------------------------------- judging

%!  judge(+Text, +Programs, +Task, -Runs, -Invariance) is det.
%
%   Run the hypothesis Text over each of Programs. It may use the background predicates of the
%   first. Task is task(Target, Negative, Limit, Prove): the predicate Name/Arity to define, the
%   negative label predicate, inferences for each example, and whether to look for a proof of
%   invariance. Runs has a term for each program:
%
%     - ok(Bits, Inferences, Error): Bits is a list of codes, 1 for an example that was proved, 0
%       for one that was not and e for one whose proof raised; Error is the first that was
%       raised, or none.
%     - limit(Why, Inferences): a budget was exceeded.
%     - syntax(Why), rejected(Why): nothing was run.
%
%   Invariance is invariant(Constants), see invariant/4, or unknown.

judge(Text, Programs, Task, Runs, Invariance) :-
    Task = task(Target, Negative, Limit, Prove),
    Programs = [First|_],
    First = program(_, _, Vocabulary),
    catch(prepare(Text, task(Target, Negative, Vocabulary), Clauses), Error, true),
    (   var(Error)
    ->  run_over(Programs, Clauses, Limit, Runs),
        invariance(Prove, Runs, Clauses, Target, First, Invariance)
    ;   refusal(Error, Run),
        same_for(Programs, Run, Runs),
        Invariance = unknown
    ).

invariance(true, [ok(_, _, none)|_], Clauses, Target, Program, invariant(Constants)) :-
    invariant(Clauses, Target, Program, Constants), !.
invariance(_, _, _, _, _, unknown).

prepare(Text, Task, Checked) :-
    read_hypothesis(Text, Clauses),
    check_hypothesis(Clauses, Task, Checked).

refusal(rejected(Why), rejected(Why)) :- !.
refusal(error(resource_error(What), _), limit(What, 0)) :- !.
refusal(error(syntax_error(What), _), syntax(What)) :- !.
refusal(error(What, _), syntax(What)).

same_for([], _, []).
same_for([_|Programs], Run, [Run|Runs]) :-
    same_for(Programs, Run, Runs).

run_over([], _, _, []).
run_over([program(Module, Goals, _)|Programs], Clauses, Limit, [Run|Runs]) :-
    set_module(judge_hypothesis:class(temporary)),
    set_module(judge_hypothesis:base(Module)),
    catch(run(Clauses, Goals, Limit, Run0), Error, true),
    '$destroy_module'(judge_hypothesis),
    ( var(Error) -> Run = Run0 ; Run = limit(Error, 0) ),
    run_over(Programs, Clauses, Limit, Runs).

run(Clauses, Goals, Limit, Run) :-
    assert_clauses(Clauses),
    statistics(inferences, Before),
    shared_limit(Shared),
    catch(call_with_inference_limit(ask_all(Goals, Bits), Shared, Result), _, Result = raised),
    statistics(inferences, After),
    (   ( Result == inference_limit_exceeded ; Result == raised )
    ->  ask_each(Goals, Limit, 0, none, Run)
    ;   Inferences is After-Before,
        Run = ok(Bits, Inferences, none)
    ).

assert_clauses([]).
assert_clauses([Clause|Clauses]) :-
    assertz(judge_hypothesis:Clause),
    assert_clauses(Clauses).

ask_all([], []).
ask_all([Goal|Goals], [Bit|Bits]) :-
    ( call(Goal) -> Bit = 0'1 ; Bit = 0'0 ),
    ask_all(Goals, Bits).

ask_each(Goals, Limit, Inferences, Error, Run) :-
    ask_each(Goals, Limit, Inferences, Error, [], Run).

ask_each([], _, Inferences, Error, Reversed, ok(Bits, Inferences, Error)) :-
    reverse(Reversed, Bits).
ask_each([Goal|Goals], Limit, Inferences0, Error0, Reversed, Run) :-
    statistics(inferences, Before),
    ask(Goal, Limit, Outcome),
    statistics(inferences, After),
    Inferences is Inferences0+After-Before,
    (   Outcome = limit(Why)
    ->  Run = limit(Why, Inferences)
    ;   Outcome = raised(Raised)
    ->  ( Error0 == none -> Error = Raised ; Error = Error0 ),
        ask_each(Goals, Limit, Inferences, Error, [0'e|Reversed], Run)
    ;   ask_each(Goals, Limit, Inferences, Error0, [Outcome|Reversed], Run)
    ).

ask(Goal, Limit, Outcome) :-
    catch(ask_limited(Goal, Limit, Outcome), Error, raised(Error, Outcome)).

ask_limited(Goal, Limit, Outcome) :-
    (   call_with_inference_limit(Goal, Limit, Result)
    ->  ( Result == inference_limit_exceeded -> Outcome = limit(inferences) ; Outcome = 0'1 )
    ;   Outcome = 0'0
    ).

raised(error(Formal, _), limit(What)) :-
    nonvar(Formal),
    Formal = resource_error(What), !.
raised(Error, raised(Error)).
