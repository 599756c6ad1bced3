/*  A process that runs rules of unknown origin, one after the other.

    On standard output it says version NUMBER (90004 is 9.0.4), then ready, when it has judged a rule
    of its own. A request on standard input is a line

      judge(Name, Limit, Size, Lengths).

    and then a program of Size characters and a rule of each of the Lengths. The program is a term
    Examples-Facts; for the rest see verdict/6 in judge.pl. The reply is the line loaded, and a line
    for each rule: how its process ended, and what that said.

    Each rule runs in a process of its own, forked from this one, and can do nothing to this one or to
    other rules. That process can open no file and start no other, and has a few seconds of CPU time.
*/
:- module(worker, []).
:- current_prolog_flag(version, Version),
   format("version ~d~n", [Version]),
   flush_output.

:- set_prolog_gc_thread(false).
:- set_prolog_flag(generate_debug_info, false).
:- use_module(library(apply)).
:- use_module(library(modules)).
:- use_module(library(readutil)).
:- use_module(library(rlimit)).
:- use_module(library(sandbox)).
:- use_module(library(unix)).
:- use_module(judge).

%   What a rule may use beside the built-in predicates: libraries that only compute. They are loaded
%   here, since a rule's process can't open files.

:- user:use_module(library(aggregate)).
:- user:use_module(library(apply)).
:- user:use_module(library(assoc)).
:- user:use_module(library(dcg/basics)).
:- user:use_module(library(dcg/high_order)).
:- user:use_module(library(dif)).
:- user:use_module(library(error)).
:- user:use_module(library(gensym)).
:- user:use_module(library(lists)).
:- user:use_module(library(option)).
:- user:use_module(library(ordsets)).
:- user:use_module(library(pairs)).
:- user:use_module(library(random)).
:- user:use_module(library(rbtrees)).
:- user:use_module(library(solution_sequences)).
:- user:use_module(library(terms)).
:- user:use_module(library(ugraphs)).
:- user:use_module(library(when)).
:- user:use_module(library(yall)).

:- initialization(serve, main).

cpu_seconds(5).

serve :-
    detach(In, Out),
    load_all,
    in_temporary_module(program, define(program, [q(a), q(b)]),
        run(program, e, [a, b], 1000, Out, "e(X) :- forall(q(Y), Y @>= X) ; p(X).", Ending, Line)),
    (   Ending-Line == exited(0)-"ok 1e existence_error(procedure,p/1)"
    ->  say(Out, "ready")
    ;   format(user_error, "The engine judges a rule of its own ~w, ~s.~n", [Ending, Line]),
        halt(1)
    ),
    open_null_stream(Null),
    set_stream(Null, alias(user_error)),
    requests(In, Out),
    halt.

%   load_all: load what the libraries load when it is needed, and the index of libraries.

load_all :-
    forall(predicate_property(user:Head, imported_from(_)),
        catch(ignore(safe_goal(user:Head)), _, true)),
    set_prolog_flag(autoload, false).

detach(In, Out) :-
    stream_property(In, alias(user_input)),
    stream_property(Out, alias(user_output)),
    maplist(utf8, [In, Out]),
    open_null_stream(Null),
    set_stream(Null, alias(user_output)),
    set_output(Null),
    open_string("", Empty),
    set_stream(Empty, alias(user_input)),
    set_input(Empty).

utf8(Stream) :-
    set_stream(Stream, encoding(utf8)),
    set_stream(Stream, newline(posix)).

say(Out, Line) :-
    format(Out, "~s~n", [Line]),
    flush_output(Out).

requests(In, Out) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  true
    ;   term_string(judge(Name, Limit, Size, Lengths), Line),
        maplist(read_string(In), [Size|Lengths], [Program|Texts]),
        in_temporary_module(program, load(Program, Out, Examples),
            forall(member(Text, Texts),
                ( run(program, Name, Examples, Limit, Out, Text, Ending, Said),
                  format(string(Reply), "~w ~s", [Ending, Said]), say(Out, Reply) ))),
        requests(In, Out)
    ).

load(Text, Out, Examples) :-
    term_string(Examples-Facts, Text),
    define(program, Facts),
    say(Out, "loaded").

%   run(+Module, +Name, +Examples, +Limit, +Out, +Text, -Ending, -Line): run a rule in a process of
%   its own, whose standard streams are a pipe.

run(Module, Name, Examples, Limit, Out, Text, Ending, Line) :-
    pipe(Read, Write),
    maplist(utf8, [Read, Write]),
    fork(Process),
    (   Process == child
    ->  catch(ignore(alone(Read, Write, verdict(Module, Name, Examples, Limit, Text), Out)), _, true),
        halt(1)
    ;   close(Write),
        read_string(Read, 1000000, Said),
        close(Read),
        wait(Process, Ending),
        ( split_string(Said, "\n", "", [Line, ""]) -> true ; Line = "" )
    ).

alone(Read, Write, Verdict, Out) :-
    dup(Read, 0),
    dup(Write, 1),
    close(Read),
    close(Write),
    cpu_seconds(Seconds),
    rlimit(cpu, _, Seconds),
    rlimit(nofile, _, 0),
    rlimit(nproc, _, 0),
    call(Verdict, Line),
    say(Out, Line),
    halt(0).
