/*  The worker's end of the pipe: requests on standard input, replies on standard output.

    First it says version NUMBER (as the flag version has it: 90004 is 9.0.4), then, when the engine
    has shown that it works, ready. What goes wrong before that it tells on standard error.

    A request is a line that holds a term; two of them are followed by text:

      load(Key, Bytes).                   then two lists with their full stops and a newline, goals
                                          and facts. One reply, loaded; or failed WHY, and the end.
      judge(Keys, Task, Lengths).         then hypotheses of these lengths in characters. A reply
                                          for each and each key: STATUS INFERENCES BITS WHY. The
                                          first of a hypothesis starts with =CONSTANT,... and a
                                          space if judge/5 proved it invariant.
      drop(Key).                          no reply.

    A program is read right from the pipe, since it comes from a dataset; one that is not what its
    length says ends the worker. A hypothesis is cut out by its length before anything reads it.

    A hypothesis has no way to write: the standard streams are detached before the first one is
    read, and the whitelist knows no predicate of input or output. Of what a hypothesis says a
    reply repeats two things, neither of which can pass for another part of the protocol: CONSTANTs,
    which are names of ASCII letters, digits and underscores (invariant/4 proves nothing of others),
    and WHY, which is the rest of its line and has no newline in it.
*/
:- module(judge_serving, [serve/0]).
:- current_prolog_flag(version, Version),
   format(user_output, "version ~d~n", [Version]),
   flush_output(user_output).

:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module(engine).
:- use_module(judging).

:- initialization(serve, main).

%   Replies are sent at the end of a request, and earlier after a hypothesis that took longer than
%   this, so that the host sees progress.

heavy(50000).

%!  serve is det.
%
%   Answer requests until the host closes the pipe.

serve :-
    must_work,
    set_prolog_flag(autoload, false),
    detach(In, Out),
    format(Out, "ready~n", []),
    flush_output(Out),
    requests(In, Out),
    halt(0).

must_work :-
    works, !.
must_work :-
    format(user_error, "The engine does not judge its own examples right.~n", []),
    halt(1).

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
        answer(Request, In, Out),
        requests(In, Out)
    ).

answer(load(Key, Bytes), In, Out) :-
    byte_count(In, Before),
    catch(read_program(In, Goals, Facts), Error, true),
    byte_count(In, After),
    (   var(Error), After-Before =:= Bytes
    ->  load_program(Key, Goals, Facts, Reply)
    ;   var(Error)
    ->  Reply = failed(length)
    ;   Reply = failed(Error)
    ),
    (   Reply = failed(Why)
    ->  describe(Why, Text),
        format(Out, "failed ~w~n", [Text]),
        halt(1)
    ;   format(Out, "loaded~n", [])
    ).
answer(drop(Key), _, _) :-
    drop_program(Key).
answer(judge(Keys, Task, Lengths), In, Out) :-
    read_texts(Lengths, In, Texts),
    (   programs(Keys, Programs)
    ->  judge_texts(Texts, Programs, Task, Out)
    ;   refuse_texts(Texts, Keys, Out)
    ),
    flush_output(Out).

read_program(In, Goals, Facts) :-
    read_list(In, Goals),
    read_list(In, Facts),
    get_char(In, '\n').

read_texts([], _, []).
read_texts([Length|Lengths], In, [Text|Texts]) :-
    read_string(In, Length, Text),
    read_texts(Lengths, In, Texts).

judge_texts([], _, _, _).
judge_texts([Text|Texts], Programs, Task, Out) :-
    statistics(inferences, Before),
    judge(Text, Programs, Task, Runs, Invariance),
    write_invariance(Invariance, Out),
    write_runs(Runs, Out),
    statistics(inferences, After),
    heavy(Heavy),
    ( After-Before > Heavy -> flush_output(Out) ; true ),
    judge_texts(Texts, Programs, Task, Out).

refuse_texts(Texts, Keys, Out) :-
    forall(( member(_, Texts), member(_, Keys) ),
           format(Out, "lost 0 - a program is not loaded~n", [])).

write_invariance(unknown, _).
write_invariance(invariant(Constants), Out) :-
    atomic_list_concat(Constants, ',', Listed),
    format(Out, "=~w ", [Listed]).

write_runs([], _).
write_runs([Run|Runs], Out) :-
    write_run(Run, Out),
    write_runs(Runs, Out).

write_run(ok(Bits, Inferences, none), Out) :- !,
    format(Out, "ok ~d ~s~n", [Inferences, Bits]).
write_run(ok(Bits, Inferences, Error), Out) :-
    describe(Error, Text),
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
