/*  Saying what is wrong with a hypothesis, in a bounded number of words. */
:- module(judge_describing, [describe/2]).
:- use_module(library(lists)).

%!  describe(+Why, -Text) is det.
%
%   Text is Why in words, on one line of at most 200 characters. Of what a hypothesis built it shows
%   atoms, numbers and the names of compound terms, whose arguments may be of any size.

describe(error(Formal, _), Text) :- !,
    describe(Formal, Text).
describe(Why, Text) :-
    (   compound(Why)
    ->  compound_name_arguments(Why, Name, Arguments),
        spaced(Name, Words),
        shown_each(Arguments, Shown),
        atomic_list_concat(Shown, ', ', Listed),
        atomic_list_concat([Words, ': ', Listed], Long)
    ;   shown(Why, Written),
        spaced(Written, Long)
    ),
    cut(Long, 200, Cut),
    split_string(Cut, "\n\r\t", "", Parts),
    atomic_list_concat(Parts, ' ', Text).

spaced(Name, Words) :-
    split_string(Name, "_", "", Parts),
    atomic_list_concat(Parts, ' ', Words).

shown_each(Terms, Texts) :-
    length(Terms, Count),
    (   Count =< 3
    ->  findall(Text, ( member(Term, Terms), shown(Term, Text) ), Texts)
    ;   Texts = ['...']
    ).

shown(Term, Text) :-
    (   var(Term)   % whose number differs from run to run
    ->  Long = "_"
    ;   Term = Name/Arity, atom(Name), integer(Arity)
    ->  format(string(Long), "~q/~d", [Name, Arity])
    ;   compound(Term)
    ->  compound_name_arity(Term, Name, Arity),
        format(string(Long), "~q/~d", [Name, Arity])
    ;   format(string(Long), "~q", [Term])
    ),
    cut(Long, 80, Text).

cut(Long, Most, Text) :-
    string_length(Long, Length),
    ( Length > Most -> sub_string(Long, 0, Most, _, Text) ; Text = Long ).
