/*  A second opinion: what a trusted rule says of each example alone. It uses the parts of judge.pl. */
:- module(decided, [decided/5]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(modules)).

%!  decided(+Text, +Name, +Cases, -Status, -Answers) is det.
%
%   Ask a trusted rule about each of a list of cases Example-Facts, with the facts of this case only.
%   If Status is ok, Answers are codes as in verdict/6, else they say what is wrong.

decided(Text, Name, Cases, Status, Answers) :-
    catch(in_temporary_module(Module, true, decide(Module, Text, Name, Cases, Answers)), Error, true),
    ( var(Error) -> Status = ok ; judge:refusal(Error, Status, Answers) ).

decide(Module, Text, Name, Cases, Bits) :-
    findall(F/A, ( member(_-Facts, Cases), member(Fact, Facts), functor(Fact, F, A) ), All),
    sort(All, Known),
    dynamic(Module:Known),
    judge:rules(Text, Module, Rules),
    judge:define(Module, Rules),
    Goal =.. [Name, Example],
    maplist(answer(Module, Goal, Example, Known), Cases, Codes),
    atomic_list_concat(Codes, Bits).

answer(Module, Goal, Variable, Known, Example-Facts, Code) :-
    forall(member(Fact, Facts), assertz(Module:Fact)),
    judge:outcome(Module:Goal, Variable, 10 000 000, Example, Code, _),
    forall(( member(F/A, Known), functor(Head, F, A) ), retractall(Module:Head)).
