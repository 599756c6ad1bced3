/*  Judging: hypotheses run over the cases of a program.

    A case is a set of facts and the objects to ask about. Usually it is one example with the facts
    about it, so that a hypothesis sees nothing else; all examples in one case are the published
    way of judging. Cases are stored one after the other, each hypothesis is asked about one, and
    then its facts are gone. Budgets are counted in inferences, so that an outcome is the same on
    every machine, and depends on hypothesis and case alone.
*/
:- module(judge_judging, [judge/4, text_to_program/2, progress/0]).
:- use_module(library(lists)).
:- use_module(reading).
:- use_module(checking).
:- use_module(describing).

%!  progress is semidet.
%
%   Called now and then; the host may define it, to hear that work goes on.

:- dynamic progress/0.

%   Inferences after which the host is told.

long_work(20000).

% ---------------------------------------------------------------------------------- programs

%!  text_to_program(+Text, -Program) is det.
%
%   Read program(Background, Cases) from two terms. Background is background(Views, Tables, Common):
%   a clause for each background predicate, Head :- Row, where Row is a row of a table; the tables
%   that the cases fill, as Name/Arity; and rows of others that every case has. Several predicates
%   may be views of one table, such as the attributes of an object, and share its rows. Cases is a
%   list of case(Objects, Rows): the objects asked about, and what is known.

text_to_program(Text, Program) :-
    setup_call_cleanup(open_string(Text, In), read_program(In, Program), close(In)).

read_program(Stream, program(Background, Cases)) :-
    read_term(Stream, Background, [module(judge_syntax)]),
    read_term(Stream, Cases, [module(judge_syntax), variables(Variables)]),
    read_term(Stream, End, [module(judge_syntax)]),
    (   Background = background(_, _, _), is_list(Cases), Variables == [], End == end_of_file
    ->  true
    ;   throw(error(type_error(program, Background), _))
    ).

%   prepare_program(+Program, -Vocabulary, -Tables): make the module judge_program. Vocabulary is a
%   list of Name/Arity-View for the background predicates, Tables heads that match the rows of a case.

prepare_program(program(background(Views, Tables, Common), _), Vocabulary, Heads) :-
    new_module(judge_program, judge_base),
    declare(Tables, Heads),
    define_views(Views, Vocabulary),
    store(Common).

declare([], []).
declare([Name/Arity|Tables], [judge_program:Head|Heads]) :-
    functor(Head, Name, Arity),
    '$set_predicate_attribute'(judge_program:Head, dynamic, true),
    declare(Tables, Heads).

define_views([], []).
define_views([View|Views], [Name/Arity-View|Vocabulary]) :-
    View = (Head :- Body),
    ( looks_up(Body) -> true ; throw(error(type_error(view, View), _)) ),
    functor(Head, Name, Arity),
    assertz(judge_program:View),
    define_views(Views, Vocabulary).

%   looks_up(+Body): all that a view may do, since a program comes with a dataset.

looks_up((A ; B)) :- !, looks_up(A), looks_up(B).
looks_up((_ = Object, Row)) :- !, atom(Object), looks_up(Row).
looks_up((Row, '$step')) :- !, looks_up(Row).
looks_up(Row) :-
    functor(Row, Table, _),
    atom_concat($, Digits, Table),
    atom_number(Digits, _).

store([]).
store([Row|Rows]) :-
    assertz(judge_program:Row),
    store(Rows).

clear([]).
clear([Head|Heads]) :-
    retractall(Head),
    clear(Heads).

new_module(Module, Base) :-
    set_module(Module:class(temporary)),
    set_module(Module:base(Base)),
    set_prolog_flag(Module:unknown, fail).

% ---------------------------------------------------------------------------------- judging

%!  judge(+Texts, +Program, +Task, -Runs) is det.
%
%   Run the hypotheses Texts over the cases of Program. Task is task(Target, Negative, Limit): the
%   predicate Name/1 to define, the negative label predicate, and inferences for each object asked
%   about. Runs has a term for each hypothesis:
%
%     - ok(Bits, Inferences, Error): Bits is a list of codes, 1 for an object that was proved, 0 for
%       one that was not and e for one whose proof raised; Error tells the first error, or is none.
%     - limit(Why, Inferences): a budget was exceeded.
%     - syntax(Why), rejected(Why): nothing was run.

judge(Texts, Program, Task, Runs) :-
    prepare_program(Program, Vocabulary, Tables),
    enter(Texts, 0, Vocabulary, Task, States0),
    Program = program(_, Cases),
    Task = task(_, _, Limit),
    run_cases(Cases, 0, Tables, Limit, States0, States),
    leave(States, 0, Runs),
    '$destroy_module'(judge_program).

%   A state is run(Goal, Object, Bits, Inferences, Error) while a hypothesis is asked on, where Goal
%   asks about Object and Bits are reversed, and done(Run) when it is not.

enter([], _, _, _, []).
enter([Text|Texts], Index, Vocabulary, Task, [State|States]) :-
    Task = task(Target, Negative, _),
    catch(prepare(Text, task(Target, Negative, Vocabulary), Clauses), Error, true),
    (   nonvar(Error)
    ->  refusal(Error, Run),
        State = done(Run)
    ;   module_of(Index, Module),
        set_module(Module:class(temporary)),
        set_module(Module:base(judge_program)),
        catch(assert_clauses(Clauses, Module), Failed, true),
        (   nonvar(Failed)
        ->  State = done(limit(Failed, 0))
        ;   Target = Name/1,
            Head =.. [Name, Object],
            State = run(Module:Head, Object, [], 0, none)
        )
    ),
    Index1 is Index+1,
    enter(Texts, Index1, Vocabulary, Task, States).

module_of(Index, Module) :-
    atom_concat(judge_hypothesis_, Index, Module).

prepare(Text, Task, Checked) :-
    read_hypothesis(Text, Clauses),
    check_hypothesis(Clauses, Task, Checked).

refusal(rejected(Why), rejected(Why)) :- !.
refusal(error(resource_error(What), _), limit(What, 0)) :- !.
refusal(error(syntax_error(What), _), syntax(What)) :- !.
refusal(error(What, _), syntax(What)).

assert_clauses([], _).
assert_clauses([Clause|Clauses], Module) :-
    assertz(Module:Clause),
    assert_clauses(Clauses, Module).

leave([], _, []).
leave([State|States], Index, [Run|Runs]) :-
    module_of(Index, Module),
    '$destroy_module'(Module),
    run_of(State, Run),
    Index1 is Index+1,
    leave(States, Index1, Runs).

run_of(done(Run), Run).
run_of(run(_, _, Reversed, Inferences, Error), ok(Bits, Inferences, Error)) :-
    reverse(Reversed, Bits).

%   Rows that were removed stay in the tables until they are collected, and lookups pass over them.

run_cases([], _, _, _, States, States).
run_cases([case(Objects, Rows)|Cases], Work0, Tables, Limit, States0, States) :-
    store(Rows),
    ask_all(Objects, Limit, Work0, Work, States0, States1),
    clear(Tables),
    garbage_collect_clauses,
    run_cases(Cases, Work, Tables, Limit, States1, States).

ask_all([], _, Work, Work, States, States).
ask_all([Object|Objects], Limit, Work0, Work, States0, States) :-
    ask_each(States0, Object, Limit, Work0, Work1, States1),
    ask_all(Objects, Limit, Work1, Work, States1, States).

%   Each hypothesis has a limit of its own, so that no count depends on the company. Work is what was
%   spent since the host was told of progress.

ask_each([], _, _, Work, Work, []).
ask_each([State0|States0], Object, Limit, Work0, Work, [State|States]) :-
    ask(State0, Object, Limit, Spent, State),
    Work1 is Work0+Spent,
    long_work(Long),
    (   Work1 < Long
    ->  Work2 = Work1
    ;   ( progress -> true ; true ),
        Work2 = 0
    ),
    ask_each(States0, Object, Limit, Work2, Work, States).

%   ask(+State0, +Object, +Limit, -Spent, -State): ask one hypothesis about one object.

ask(done(Run), _, _, 0, done(Run)).
ask(run(Goal, Variable, Bits, Inferences0, Error), Object, Limit, Spent, State) :-
    (   call_with_inference_limit(outcome(Goal, Variable, Object, Bit, Spent0), Limit, Result),
        Result \== inference_limit_exceeded
    ->  Spent = Spent0
    ;   Bit = limit(inferences),
        Spent = Limit
    ),
    Inferences is Inferences0+Spent,
    next_state(Bit, Goal, Variable, Bits, Inferences, Error, State).

next_state(limit(Why), _, _, _, Inferences, _, done(limit(Why, Inferences))).
next_state(error(Formal), Goal, Variable, Bits, Inferences, Error0, State) :-
    (   Formal = resource_error(What)
    ->  State = done(limit(What, Inferences))
    ;   ( Error0 == none -> describe(Formal, Error) ; Error = Error0 ),
        State = run(Goal, Variable, [0'e|Bits], Inferences, Error)
    ).
next_state(0'0, Goal, Variable, Bits, Inferences, Error,
           run(Goal, Variable, [0'0|Bits], Inferences, Error)).
next_state(0'1, Goal, Variable, Bits, Inferences, Error,
           run(Goal, Variable, [0'1|Bits], Inferences, Error)).

%   outcome(+Goal, +Variable, +Object, -Bit, -Inferences): prove Goal with Object for Variable.

outcome(Goal, Variable, Object, Bit, Inferences) :-
    statistics(inferences, Before),
    (   catch(proves(Goal, Variable, Object), error(Formal, _), true)
    ->  ( var(Formal) -> Bit = 0'1 ; Bit = error(Formal) )
    ;   Bit = 0'0
    ),
    statistics(inferences, After),
    Inferences is After-Before.

proves(Goal, Variable, Object) :-
    \+ \+ holds(Goal, Variable, Object).

holds(Goal, Object, Object) :-
    Goal.
