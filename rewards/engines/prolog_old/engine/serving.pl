/*  The worker's end of the pipe: requests on standard input, replies on standard output.

    First it says version NUMBER (as the flag version has it: 90004 is 9.0.4), then, when the engine
    has shown that it works, ready. What goes wrong before that it tells on standard error.

    A request is a line that holds a term, and then the texts that it tells the lengths of:

      judge(Task, Size, Lengths, Next).   then a program of so many characters, see
                                          text_to_program/2, and hypotheses of these lengths. A line
                                          for each: STATUS INFERENCES BITS WHY; or failed WHY, and
                                          the end. Next is none, or next(Bits, Size2) with another
                                          program to follow, for the hypotheses that have these
                                          bits on the first: a line for each again, with a hyphen
                                          alone for the others.

    Lines with a full stop alone come before that while work goes on.

    Programs and hypotheses are cut out by their lengths before anything reads them, so that a
    damaged program can't wait for more. It ends the worker.

    A hypothesis has no way to write: the standard streams are detached before the first one is
    read, and the whitelist knows no predicate of input or output. Of what a hypothesis says a
    reply repeats WHY only, which is the rest of its line and has no newline in it.
*/
:- module(judge_serving, [serve/0]).
:- current_prolog_flag(version, Version),
   format(user_output, "version ~d~n", [Version]),
   flush_output(user_output).

:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module(engine).
:- use_module(describing).
:- use_module(judging).

:- initialization(serve, main).

%!  serve is det.
%
%   Answer requests until the host closes the pipe.

serve :-
    must_work,
    set_prolog_flag(autoload, false),
    detach(In, Out),
    warm_up,
    assertz((judge_judging:progress :- judge_serving:beat(Out))),
    format(Out, "ready~n", []),
    flush_output(Out),
    requests(In, Out),
    halt(0).

must_work :-
    works, !.
must_work :-
    format(user_error, "The engine does not judge its own examples right.~n", []),
    halt(1).

beat(Out) :-
    format(Out, ".~n", []),
    flush_output(Out).

detach(In, Out) :-
    stream_property(In, alias(user_input)),
    stream_property(Out, alias(user_output)),
    set_stream(In, encoding(utf8)),
    set_stream(In, newline(posix)),
    set_stream(In, buffer_size(65536)),
    set_stream(Out, encoding(utf8)),
    set_stream(Out, buffer(full)),
    set_stream(Out, buffer_size(65536)),
    open_null_stream(Null),
    set_stream(Null, alias(user_output)),
    set_stream(Null, alias(user_error)),
    open_string("", Empty),
    set_stream(Empty, alias(user_input)),
    set_input(Empty),
    set_output(Null).

requests(In, Out) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  true
    ;   term_string(Request, Line),
        \+ \+ answer(Request, In, Out),  % leaves nothing on the stacks
        requests(In, Out)
    ).

answer(judge(Task, Size, Lengths, Next), In, Out) :-
    receive(Size, In, Out, Program),
    read_texts(Lengths, In, Texts),
    judge(Texts, Program, Task, Runs),
    write_runs(Runs, Out),
    go_on(Next, Texts, Runs, Task, In, Out),
    flush_output(Out).

%   receive(+Size, +In, +Out, -Program): read a program of so many characters.

receive(Size, In, Out, Program) :-
    read_string(In, Size, Text),
    catch(text_to_program(Text, Program), Error, true),
    ( nonvar(Error) -> fail_with(Error, Out) ; true ).

%   go_on(+Next, +Texts, +Runs, +Task, +In, +Out): judge the hypotheses that did as Next asks.

go_on(none, _, _, _, _, _).
go_on(next(Bits, Size), Texts, Runs, Task, In, Out) :-
    atom_codes(Bits, Codes),
    those_with(Runs, Codes, Texts, Chosen),
    (   Chosen == []
    ->  read_string(In, Size, _),
        Runs2 = []
    ;   receive(Size, In, Out, Program),
        judge(Chosen, Program, Task, Runs2)
    ),
    write_next(Runs, Codes, Runs2, Out).

those_with([], _, [], []).
those_with([Run|Runs], Codes, [Text|Texts], Chosen) :-
    ( Run = ok(Codes, _, _) -> Chosen = [Text|Rest] ; Chosen = Rest ),
    those_with(Runs, Codes, Texts, Rest).

write_next([], _, _, _).
write_next([ok(Codes, _, _)|Runs], Codes, [Run2|Runs2], Out) :- !,
    write_run(Run2, Out),
    write_next(Runs, Codes, Runs2, Out).
write_next([_|Runs], Codes, Runs2, Out) :-
    format(Out, "-~n", []),
    write_next(Runs, Codes, Runs2, Out).

fail_with(Why, Out) :-
    describe(Why, Text),
    format(Out, "failed ~w~n", [Text]),
    halt(1).

read_texts([], _, []).
read_texts([Length|Lengths], In, [Text|Texts]) :-
    read_string(In, Length, Text),
    read_texts(Lengths, In, Texts).

write_runs([], _).
write_runs([Run|Runs], Out) :-
    write_run(Run, Out),
    write_runs(Runs, Out).

write_run(ok(Bits, Inferences, none), Out) :- !,
    format(Out, "ok ~d ~s~n", [Inferences, Bits]).
write_run(ok(Bits, Inferences, Text), Out) :-
    format(Out, "ok ~d ~s ~w~n", [Inferences, Bits, Text]).
write_run(limit(Why, Inferences), Out) :-
    describe(Why, Text),
    format(Out, "limit ~d - ~w~n", [Inferences, Text]).
write_run(syntax(Why), Out) :-
    describe(Why, Text),
    format(Out, "syntax 0 - ~w~n", [Text]).
write_run(rejected(Why), Out) :-
    describe(Why, Text),
    format(Out, "rejected 0 - ~w~n", [Text]).
