/*  A process that runs rules of unknown origin. On standard output it says ready, once it has judged a
    rule of its own, or which version it is, if that is too old. Requests on standard input are a line
    and a text of Size characters:

      program(Size).                       A term Examples-Facts. The reply is loaded.
      rule(Name, Limit, Seconds, Size).    See verdict/6. The reply is how its process ended, and what
                                           that said.

    Each rule runs in a process forked from this one, and can do nothing to this one or to other rules.
    It has some seconds of CPU time, and can open no file and start no process.
*/
:- module(worker, []).
:- current_prolog_flag(version, Version),
   (   Version >= 90004
   ->  true
   ;   Major is Version//10000, Minor is Version//100 mod 100, Patch is Version mod 100,
       format("is version ~w.~w.~w~n", [Major, Minor, Patch]),
       halt
   ).
:- set_prolog_gc_thread(false).
:- set_prolog_flag(generate_debug_info, false).
:- use_module(judge).
:- forall(member(Name, [apply, modules, readutil, rlimit, sandbox, unix]), use_module(library(Name))).

%   What a rule may use beside the built-in predicates: libraries that only compute. They are loaded
%   here, and what they load when it is needed, since a rule's process can open no file.

:- forall(member(Name, [ aggregate, apply, assoc, dcg/basics, dcg/high_order, dif, error, gensym, lists,
                         option, ordsets, pairs, random, rbtrees, solution_sequences, terms, ugraphs,
                         when, yall ]),
       user:use_module(library(Name))).
:- forall(predicate_property(user:Head, imported_from(_)),
       catch(ignore(safe_goal(user:Head)), _, true)).
:- set_prolog_flag(autoload, false).
:- initialization(serve, main).

serve :-
    stream_property(In, alias(user_input)),
    stream_property(Out, alias(user_output)),
    maplist(utf8, [In, Out]),
    open_null_stream(Null),
    open_string("", Empty),
    set_prolog_IO(Empty, Null, user_error),  % nothing but this program has the standard streams
    in_temporary_module(program, define(program, [q(a), q(b)]),
        run(Out, 5, verdict(program, e, [a, b], 1000, "e(X) :- forall(q(Y), Y @>= X) ; p(X)."), Reply)),
    (   Reply == "exited(0) ok 1e existence_error(procedure,p/1)"
    ->  say(Out, ready)
    ;   format(user_error, "The engine judges a rule of its own wrong: ~w.~n", [Reply]),
        halt(1)
    ),
    set_prolog_IO(Empty, Null, Null),
    request(In, Request),
    programs(Request, In, Out).

utf8(Stream) :-
    set_stream(Stream, encoding(utf8)),
    set_stream(Stream, newline(posix)).

say(Out, Line) :-
    format(Out, "~w~n", [Line]),
    flush_output(Out).

request(In, Request) :-
    read_line_to_string(In, Line),
    term_string(Request, Line).

programs(end_of_file, _, _) :- halt.
programs(program(Size), In, Out) :-
    read_string(In, Size, Text),
    term_string(Examples-Facts, Text),
    in_temporary_module(program, load(Facts, Out),
        ( request(In, Request), rules(Request, Examples, In, Out, Next) )),
    programs(Next, In, Out).

load(Facts, Out) :-
    catch(define(program, Facts), Error, ( refusal(Error, _, Why), say(Out, Why), halt(1) )),
    say(Out, loaded).

rules(rule(Name, Limit, Seconds, Size), Examples, In, Out, Next) :- !,
    read_string(In, Size, Text),
    run(Out, Seconds, verdict(program, Name, Examples, Limit, Text), Reply),
    say(Out, Reply),
    request(In, Request),
    rules(Request, Examples, In, Out, Next).
rules(Next, _, _, _, Next).

%   run(+Out, +Seconds, :Verdict, -Reply): call Verdict in a process whose standard streams are a pipe.

run(Out, Seconds, Verdict, Reply) :-
    pipe(Read, Write),
    maplist(utf8, [Read, Write]),
    fork(Process),
    (   Process == child
    ->  catch(ignore(alone(Read, Write, Seconds, Verdict, Out)), _, true),
        halt(1)
    ;   close(Write),
        read_string(Read, 1000000, Said),
        close(Read),
        wait(Process, Ending),
        ( split_string(Said, "\n", "", [Line, ""]) -> true ; Line = "" ),
        format(string(Reply), "~w ~s", [Ending, Line])
    ).

alone(Read, Write, Seconds, Verdict, Out) :-
    dup(Read, 0),
    dup(Write, 1),
    maplist(close, [Read, Write]),
    forall(member(Name-Most, [cpu-Seconds, nofile-0, nproc-0]), rlimit(Name, _, Most)),
    call(Verdict, Line),
    say(Out, Line),
    halt(0).
