/*  What a rule entails. A rule is a Prolog program that defines a predicate Name/1. It is asserted into
    a module that holds the facts, as static clauses: assert/1, which the sandbox lets pass, changes none.
*/
:- module(judge, [define/2, refusal/3, verdict/6, decided/5]).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(modules)).
:- use_module(library(occurs)).
:- use_module(library(sandbox)).

%!  verdict(+Module, +Name, +Examples, +Limit, +Text, -Line) is det.
%
%   Run a rule of unknown origin with the facts in Module, at most Limit inferences for each example.
%   Line is its status, if that is ok for each example 1 (proved), 0 (not) or e (the proof raised), and
%   what went wrong.

verdict(Module, Name, Examples, Limit, Text, Line) :-
    catch(run(Module, Name, Examples, Limit, Text, Bits, Why), Error, true),
    ( var(Error) -> Status = ok ; Bits = '', refusal(Error, Status, Why) ),
    format(string(Line), "~w ~w ~w", [Status, Bits, Why]).

run(Module, Name, Examples, Limit, Text, Bits, Error) :-
    rules(Text, Module, Rules),
    forall(( sub_term(Part, Rules), forbidden(Part) ), throw(forbidden(Part))),
    define(Module, Rules),
    Goal =.. [Name, Example],
    (   predicate_property(Module:Goal, number_of_clauses(_))
    ->  check(Module, Goal)
    ;   throw(no_clause_for(Name/1))
    ),
    maplist(outcome(Module:Goal, Example, Limit), Examples, Codes, Errors),
    atomic_list_concat(Codes, Bits),
    ( member(Error, Errors), Error \== '' -> true ; Error = '' ).

%   refusal(+Error, -Status, -Why): Why is one line of at most 200 characters.

refusal(Error, Status, Why) :-
    status(Error, Status, Term),
    described(Term, Why).

status(error(syntax_error(Why), _), syntax, Why) :- !.
status(error(resource_error(What), _), limit, What) :- !.
status(limit(What), limit, What) :- !.
status(error(Formal, _), rejected, Formal) :- !.
status(Why, rejected, Why).

described(Term, Text) :-
    numbervars(Term, 0, _, [attvar(skip)]),
    format(atom(Long), "~W", [Term, [quoted(true), numbervars(true), max_depth(4)]]),
    ( sub_atom(Long, 0, 200, _, Text) -> true ; Text = Long ).

%   forbidden(@Term): the sandbox takes assert(Head => Body) for that of a fact, and messages for
%   texts, though they may hold goals to run.

forbidden(Term) :-
    ( compound(Term) -> compound_name_arity(Term, Name, _) ; Name = Term ),
    atom(Name),
    memberchk(Name, [=>, ?=>, print_message, message_to_string, message_to_codes]).

%   check(+Module, +Goal): Goal calls only what library(sandbox) takes for safe. What is not defined
%   raises when it is called, as in Prolog; here by a clause of its own.

check(Module, Goal) :-
    catch(safe_goal(Module:Goal), error(existence_error(procedure, Module:Unknown), _), true),
    (   var(Unknown)
    ->  true
    ;   functor(Unknown, Name, Arity),
        functor(Head, Name, Arity),
        define(Module, [(Head :- throw(error(existence_error(procedure, Name/Arity), _)))]),
        check(Module, Goal)
    ).

%   outcome(+Goal, +Variable, +Limit, +Example, -Code, -Error): prove Goal with Example for Variable.

outcome(Goal, Variable, Limit, Example, Code, Error) :-
    statistics(inferences, Before),
    (   catch(call_with_inference_limit(\+ \+ ( Variable = Example, Goal ), Limit, _), Raised, true)
    ->  ( var(Raised) -> Code = 1 ; Code = e )
    ;   Code = 0
    ),
    statistics(inferences, After),
    (   After-Before >= Limit  % even if the rule has caught the exception of the limit
    ->  throw(limit(inferences))
    ;   nonvar(Raised), Raised = error(resource_error(_), _)
    ->  throw(Raised)
    ;   Code == e
    ->  ( Raised = error(Formal, _) -> true ; Formal = Raised ),
        described(Formal, Error)
    ;   Error = ''
    ).

%   rules(+Text, +Module, -Rules): read clauses. Directives are left out.

rules(Text, Module, Rules) :-
    setup_call_cleanup(open_string(Text, In), read_rules(In, Module, Rules), close(In)).

read_rules(In, Module, Rules) :-
    read_term(In, Term, [module(Module), syntax_errors(error), quasi_quotations(Quoted)]),
    (   Quoted \== []
    ->  throw(quasi_quotation)
    ;   Term == end_of_file
    ->  Rules = []
    ;   rule(Term, Rules, Rest),
        read_rules(In, Module, Rest)
    ).

rule(Term, _, _) :- var(Term), !, throw(variable_as_a_clause).
rule((:- _), Rules, Rules) :- !.
rule((?- _), Rules, Rules) :- !.
rule((Head --> Body), [Rule|Rules], Rules) :- !, dcg_translate_rule((Head --> Body), Rule).
rule(Rule, [Rule|Rules], Rules).

%!  define(+Module, +Clauses) is det.
%
%   Add static clauses to Module. It raises if Module has some of the same predicate.

define(Module, Clauses) :-
    findall(Module:Name/Arity, defines(Clauses, Name, Arity), All),
    sort(All, Predicates),
    forall(member(Clause, Clauses), assertz(Module:Clause)),
    compile_predicates(Predicates).

defines(Clauses, Name, Arity) :-
    member(Clause, Clauses),
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    must_be(callable, Head),
    ( Head = _:_ -> throw(clause_of_another_module) ; functor(Head, Name, Arity) ).

%!  decided(+Text, +Name, +Cases, -Status, -Answers) is det.
%
%   Ask a trusted rule about each of a list of cases Example-Facts, with the facts of this case only.
%   If Status is ok, Answers are codes as in verdict/6, else they say what is wrong.

decided(Text, Name, Cases, Status, Answers) :-
    catch(in_temporary_module(Module, true, decide(Module, Text, Name, Cases, Answers)), Error, true),
    ( var(Error) -> Status = ok ; refusal(Error, Status, Answers) ).

decide(Module, Text, Name, Cases, Bits) :-
    findall(F/A, ( member(_-Facts, Cases), member(Fact, Facts), functor(Fact, F, A) ), All),
    sort(All, Known),
    dynamic(Module:Known),
    rules(Text, Module, Rules),
    define(Module, Rules),
    Goal =.. [Name, Example],
    maplist(answer(Module, Goal, Example, Known), Cases, Codes),
    atomic_list_concat(Codes, Bits).

answer(Module, Goal, Variable, Known, Example-Facts, Code) :-
    forall(member(Fact, Facts), assertz(Module:Fact)),
    outcome(Module:Goal, Variable, 10 000 000, Example, Code, _),
    forall(( member(F/A, Known), functor(Head, F, A) ), retractall(Module:Head)).
