/*  Reading a hypothesis: text to clauses, as data.

    Nothing is consulted. Operators and flags of other modules play no part, and a clause that
    would change how the next one is read (op/3, term_expansion/2) is just a term here.
*/
:- module(judge_reading, [read_hypothesis/2, reject/1]).
:- use_module(library(lists)).

max_characters(20000).
max_clauses(64).

%   A text of fewer characters has no name or number that is worth a look.

short(400).
max_name(128).

%!  reject(+Why) is failure.
%
%   Refuse the hypothesis: it can be read, and may not be run.

reject(Why) :-
    throw(rejected(Why)).

%!  read_hypothesis(+Text, -Clauses) is det.
%
%   Read Text as a list of terms Head-Body.
%
%   Throws a syntax error when any clause can't be read, and rejected(Why) for directives,
%   grammar rules, single-sided rules and over-long texts. Declarations and imports that a
%   program commonly starts with are left out: they have no effect on a hypothesis.

read_hypothesis(Text, Clauses) :-
    string_length(Text, Length),
    max_characters(Max),
    ( Length > Max -> reject(longer_than(Max, characters)) ; true ),
    open_string(Text, In),
    catch(read_terms(In, 0, Terms), Error, true),
    close(In),
    (   var(Error)
    ->  clauses(Terms, Clauses)
    ;   Error = error(resource_error(_), _)  % of the reader's own stack
    ->  throw(error(syntax_error(nested_too_deeply), _))
    ;   throw(Error)
    ),
    short(Short),
    ( Length > Short -> check_names(Clauses) ; true ).

%   check_names(+Term): comparing long names, and copying long numbers, is work that nobody counts.

check_names(X) :- var(X), !.
check_names(X) :- atom(X), !,
    atom_length(X, Length),
    max_name(Max),
    ( Length > Max -> reject(name_longer_than(Max, characters)) ; true ).
check_names(X) :- integer(X), !,
    ( abs(X) < 4611686018427387904 -> true ; reject(integer_beyond_62_bits) ).
check_names([X|Xs]) :- !,
    check_names(X),
    check_names(Xs).
check_names(X) :- compound(X), !,
    compound_name_arguments(X, Name, Arguments),
    check_names(Name),
    check_names(Arguments).
check_names(X) :-
    ( rational(X) -> reject(rational_number) ; true ).

read_terms(In, Count, Terms) :-
    read_term(In, Term, [ module(judge_syntax), syntax_errors(error), cycles(false),
                          double_quotes(codes), quasi_quotations(Quotations) ]),
    ( Quotations == [] -> true ; reject(quasi_quotation) ),
    (   Term == end_of_file
    ->  (   at_end_of_stream(In)
        ->  true
        ;   read_terms(In, Count, [_|_])  % or it throws
        ->  throw(error(syntax_error(text_after_end_of_file), _))
        ;   true
        ),
        Terms = []
    ;   max_clauses(Max),
        ( Count >= Max -> reject(more_than(Max, clauses)) ; true ),
        Terms = [Term|Rest],
        Count1 is Count+1,
        read_terms(In, Count1, Rest)
    ).

clauses([], []).
clauses([Term|Terms], Clauses) :-
    (   var(Term)
    ->  reject(variable_clause)
    ;   clause(Term, Head, Body)
    ->  Clauses = [Head-Body|Rest]
    ;   Clauses = Rest
    ),
    clauses(Terms, Rest).

clause((:- Directive), _, _) :- !,
    ( harmless(Directive) -> fail ; reject(directive) ).
clause((?- _), _, _) :- !, reject(directive).
clause((_ --> _), _, _) :- !, reject(grammar_rule).
clause((_ => _), _, _) :- !, reject(single_sided_rule).
clause((Head :- Body), Head, Body) :- !.
clause(Fact, Fact, true).

harmless(Directive) :-
    nonvar(Directive),
    declaration(Directive).

declaration((A, B))                   :- harmless(A), harmless(B).
declaration(use_module(Libraries))    :- libraries(Libraries).
declaration(use_module(Libraries, _)) :- libraries(Libraries).
declaration(ensure_loaded(Libraries)) :- libraries(Libraries).
declaration(module(_, _)).
declaration(multifile(_)).
declaration(dynamic(_)).
declaration(discontiguous(_)).
declaration(style_check(_)).

libraries(Library) :- nonvar(Library), Library = library(_), !.
libraries(Libraries) :- is_list(Libraries), forall(member(Library, Libraries), libraries(Library)).

:- set_module(judge_syntax:base(system)).
