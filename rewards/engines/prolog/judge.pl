/*  What a rule entails: reading it, checking it, asking about examples.

    A rule is a Prolog program that defines a predicate Name/1. It is asserted into a module that
    holds the facts. All clauses are static, so that assert/1, which the sandbox lets pass, changes
    none.
*/
:- module(judge, [define/2, verdict/6, decided/5]).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(modules)).
:- use_module(library(occurs)).
:- use_module(library(sandbox)).

%!  verdict(+Module, +Name, +Examples, +Limit, +Text, -Line) is det.
%
%   Run a rule of unknown origin with the facts in Module, at most Limit inferences for each example.
%   Line is its status, then for each example 1 (proved), 0 (not) or e (the proof raised), or a
%   hyphen if it was not run to the end, then what went wrong.

verdict(Module, Name, Examples, Limit, Text, Line) :-
    catch(run(Module, Name, Examples, Limit, Text, Bits, Error), Failure, true),
    (   var(Failure)
    ->  format(string(Line), "ok ~w ~w", [Bits, Error])
    ;   status(Failure, Status, Why),
        described(Why, Error),
        format(string(Line), "~w - ~w", [Status, Error])
    ).

status(error(syntax_error(Why), _), syntax, Why) :- !.
status(error(resource_error(What), _), limit, What) :- !.
status(limit(What), limit, What) :- !.
status(error(Formal, _), rejected, Formal) :- !.
status(Why, rejected, Why).

%   described(+Why, -Text): Text is one line, of at most 200 characters.

described(Why, Text) :-
    numbervars(Why, 0, _, [attvar(skip)]),
    format(string(Long), "~W", [Why, [quoted(true), numbervars(true), max_depth(4)]]),
    ( sub_string(Long, 0, 200, _, Text) -> true ; Text = Long ).

run(Module, Name, Examples, Limit, Text, Bits, Error) :-
    rules(Text, Module, Rules),
    forall(( sub_term(Part, Rules), forbidden(Part) ), throw(forbidden(Part))),
    define(Module, Rules),
    Goal =.. [Name, Example],
    (   predicate_property(Module:Goal, number_of_clauses(_))
    ->  true
    ;   throw(no_clause_for(Name/1))
    ),
    check(Module, Goal),
    maplist(outcome(Module:Goal, Example, Limit), Examples, Codes, Errors),
    atomic_list_concat(Codes, Bits),
    ( member(Error, Errors), Error \== "" -> true ; Error = "" ).

%   forbidden(@Term): the sandbox takes assert(Head => Body) for that of a fact, and messages for
%   texts, though they may hold goals to run.

forbidden(Term) :-
    ( compound(Term) -> compound_name_arity(Term, Name, _) ; Name = Term ),
    atom(Name),
    memberchk(Name, [=>, ?=>, print_message, message_to_string, message_to_codes]).

%   check(+Module, +Goal): Goal can call only what library(sandbox) takes for safe. What is not
%   defined raises when it is called, as it does in Prolog; here by a clause of its own.

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
    catch(proof(Goal, Variable, Example, Limit, Code), Raised, true),
    statistics(inferences, After),
    (   ( Code == limit ; After-Before >= Limit )  % a rule can catch its exception
    ->  throw(limit(inferences))
    ;   nonvar(Code)
    ->  Error = ""
    ;   Raised = error(resource_error(_), _)
    ->  throw(Raised)
    ;   Code = e,
        ( Raised = error(Why, _) -> true ; Why = Raised ),
        described(Why, Error)
    ).

proof(Goal, Variable, Example, Limit, Code) :-
    (   call_with_inference_limit(\+ \+ ( Variable = Example, Goal ), Limit, Result)
    ->  ( Result == inference_limit_exceeded -> Code = limit ; Code = 1 )
    ;   Code = 0
    ).

%!  rules(+Text, +Module, -Rules) is det.
%
%   Read a program as a list of clauses. Declarations are left out, other directives refused.

rules(Text, Module, Rules) :-
    setup_call_cleanup(open_string(Text, In), read_rules(In, Module, Rules), close(In)).

read_rules(In, Module, Rules) :-
    read_term(In, Term, [module(Module), syntax_errors(error), quasi_quotations(Quoted)]),
    (   Quoted \== []
    ->  throw(quasi_quotation)
    ;   Term == end_of_file
    ->  Rules = []
    ;   clauses(Term, Rules, Rest),
        read_rules(In, Module, Rest)
    ).

clauses(Term, _, _)            :- var(Term), !, throw(variable_as_a_clause).
clauses((:- Term), Rules, Rules) :- declares(Term), !.
clauses((:- _), _, _)          :- throw(directive).
clauses((?- _), _, _)          :- throw(directive).
clauses((Head --> Body), [Rule|Rules], Rules) :- !, dcg_translate_rule((Head --> Body), Rule).
clauses(Rule, [Rule|Rules], Rules).

declares((A, B)) :- !, declares(A), declares(B).
declares(Term) :-
    callable(Term),
    functor(Term, Name, _),
    memberchk(Name, [use_module, ensure_loaded, module, dynamic, discontiguous, style_check]).

%!  define(+Module, +Clauses) is det.
%
%   Add clauses to those of Module. A predicate that it has is not extended: that raises.

define(Module, Clauses) :-
    findall(Module:Name/Arity, defines(Clauses, Name, Arity), All),
    sort(All, Predicates),
    forall(member(Clause, Clauses), assertz(Module:Clause)),
    compile_predicates(Predicates).

defines(Clauses, Name, Arity) :-
    member(Clause, Clauses),
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    must_be(callable, Head),
    functor(Head, Name, Arity),
    ( Head = _:_ -> throw(clause_of_another_module) ; true ).

%!  decided(+Text, +Name, +CasesText, -Status, -Reply) is det.
%
%   Ask a trusted rule about each of a list of cases Example-Facts, with the facts of this case only.
%   Status is ok and Reply the answers, as in verdict/6, or Reply says why there are none.

decided(Text, Name, CasesText, Status, Reply) :-
    catch(in_temporary_module(Module, true, answers(Module, Text, Name, CasesText, Reply)),
          Error, true),
    (   var(Error)
    ->  Status = ok
    ;   status(Error, Status, Why),
        described(Why, Said),
        atom_string(Reply, Said)
    ).

answers(Module, Text, Name, CasesText, Bits) :-
    term_string(Cases, CasesText),
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
