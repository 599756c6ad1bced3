:- module(judge_engine, []).
:- set_prolog_gc_thread(false).
:- set_module(judge_base:base(system)).
:- judge_base:use_module(library(lists)), judge_base:use_module(library(apply)),
   judge_base:use_module(library(aggregate)), judge_base:use_module(library(pairs)),
   judge_base:use_module(library(ordsets)), judge_base:use_module(library(yall)).

entailed(Rule, Facts, Queries, Reply) :-
    catch(entailed_(Rule, Facts, Queries, Reply), E, failure(E, Reply)).

entailed_(Rule, Facts, Queries, Reply) :-
    clauses(Facts, Fs), clauses(Rule, Rs), clauses(Queries, Qs),
    setup_call_cleanup(
        ( set_module(judge_trusted:class(temporary)), set_module(judge_trusted:base(judge_base)) ),
        ( add(Fs), add(Rs), ask(Qs, Bits) ),
        '$destroy_module'(judge_trusted)),
    format(string(Reply), "ok ~s", [Bits]).

failure(E, Reply) :- format(string(Reply), "error ~q", [E]).

clauses(Text, Cs) :- setup_call_cleanup(open_string(Text, In), read_all(In, Cs), close(In)).
read_all(In, Cs) :-
    read_term(In, C, [module(judge_base), syntax_errors(error)]),
    ( C == end_of_file -> Cs = [] ; Cs = [C|R], read_all(In, R) ).
add([]).
add([C|Cs]) :- assertz(judge_trusted:C), add(Cs).
ask([], []).
ask([Q|Qs], [B|Bs]) :-
    call_with_inference_limit(( judge_trusted:Q -> B = 0'1 ; B = 0'0 ), 100000, R),
    ( R == inference_limit_exceeded -> throw(inference_limit_exceeded(Q)) ; true ),
    ask(Qs, Bs).
