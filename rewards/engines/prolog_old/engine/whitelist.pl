/*  What a hypothesis may call.

    Everything that is not named here, not a background predicate and not defined by the
    hypothesis itself is refused before anything runs. The tables cover the constructs of the
    twenty rule styles in appendix E of the SLR paper: negation, disjunction, quantification,
    counting, aggregation, arithmetic, comparison, lists and recursion.
*/
:- module(judge_whitelist,
    [data_predicate/3, guarded/2, charged/1, meta/3, comparison/2, evaluable/3]).

%!  data_predicate(?Name, ?Arity, ?RunAs) is nondet.
%
%   A predicate whose arguments are data, and the name it is run under: its own, or that of a
%   guarded version from guards.pl, which pays in inferences for work done in C.

data_predicate(Name, Arity, Name)  :- unguarded(Name/Arity).
data_predicate(Name, Arity, RunAs) :- guarded(Name/Arity, RunAs).
data_predicate(Name, Arity, RunAs) :- charged(Name/Arity), atom_concat($, Name, RunAs).

% Constant work for each call, or work that is counted because it is written in Prolog.
unguarded(true/0).         unguarded(fail/0).         unguarded(false/0).
unguarded(!/0).            unguarded(var/1).          unguarded(nonvar/1).
unguarded(integer/1).      unguarded(float/1).        unguarded(number/1).
unguarded(atom/1).         unguarded(atomic/1).       unguarded(compound/1).
unguarded(callable/1).     unguarded(numlist/3).

% Terms are compared, unified or copied by C: run after a walk over the arguments, one inference
% a node.
charged((\=)/2).           charged((==)/2).           charged((\==)/2).
charged((@<)/2).           charged((@>)/2).           charged((@=<)/2).
charged((@>=)/2).          charged(compare/3).        charged((?=)/2).
charged(unify_with_occurs_check/2).
charged(ground/1).         charged(is_list/1).        charged(proper_length/2).
charged(sort/2).           charged(sort/4).           charged(msort/2).
charged(keysort/2).        charged(list_to_set/2).    charged(list_to_ord_set/2).
charged(is_set/1).         charged(max_member/2).     charged(min_member/2).
charged(clumped/2).        charged(delete/3).         charged(member/2).
charged(prefix/2).         charged(last/2).           charged(nth0/3).
charged(nth1/3).           charged(pairs_keys/2).     charged(pairs_values/2).
charged(pairs_keys_values/3).                         charged(ord_subtract/3).
charged(ord_memberchk/2).  charged(ord_union/3).      charged(ord_subset/2).
charged(nextto/3).

% Defined anew in guards.pl.
guarded((=)/2, '$=').                       guarded(length/2, '$length').
guarded(dif/2, '$dif').                     guarded(reverse/2, '$reverse').
guarded(flatten/2, '$flatten').             guarded(same_length/2, '$same_length').
guarded(memberchk/2, '$memberchk').         guarded(subtract/3, '$subtract').
guarded(intersection/3, '$intersection').   guarded(union/3, '$union').
guarded(subset/2, '$subset').               guarded(between/3, '$between').
guarded(append/3, '$append').               guarded(append/2, '$append').
guarded(select/3, '$select').               guarded(select/4, '$select').
guarded(selectchk/3, '$selectchk').         guarded(permutation/2, '$permutation').
guarded(nth0/4, '$nth0').                   guarded(nth1/4, '$nth1').
guarded(sum_list/2, '$sum_list').           guarded(sumlist/2, '$sum_list').
guarded(max_list/2, '$max_list').           guarded(min_list/2, '$min_list').
guarded(succ/2, '$succ').                   guarded(plus/3, '$plus').
guarded(Name/2, RunAs) :- comparison(Name, RunAs).

%!  comparison(?Name, ?RunAs) is nondet.
%
%   Arithmetic comparison, and the version for closures, which compares numbers only.

comparison(=:=, '$=:=').   comparison(=\=, '$=\\=').   comparison(<, '$<').
comparison(>, '$>').       comparison(=<, '$=<').      comparison(>=, '$>=').

%!  meta(?Name, ?Arity, ?Modes) is nondet.
%
%   A predicate that calls its arguments. Modes has a letter for each argument: 0 is a goal, ^ a
%   goal that may carry the prefix Variable^, a positive number is a closure called with that many
%   further arguments, ? is data.

meta(findall, 3, [?, 0, ?]).          meta(findall, 4, [?, 0, ?, ?]).
meta(bagof, 3, [?, ^, ?]).            meta(setof, 3, [?, ^, ?]).
meta(call, 2, [1, ?]).                meta(call, 3, [2, ?, ?]).
meta(call, 4, [3, ?, ?, ?]).          meta(maplist, 2, [1, ?]).
meta(maplist, 3, [2, ?, ?]).          meta(maplist, 4, [3, ?, ?, ?]).
meta(foldl, 4, [3, ?, ?, ?]).         meta(foldl, 5, [4, ?, ?, ?, ?]).
meta(include, 3, [1, ?, ?]).          meta(exclude, 3, [1, ?, ?]).
meta(partition, 4, [1, ?, ?, ?]).     meta(predsort, 3, [3, ?, ?]).

%!  evaluable(?Name, ?Arity, ?Cost) is nondet.
%
%   Functions of arithmetic. Cost is 1 where the time grows faster than the length of the numbers:
%   those take small ones only. Exponentiation and shifts are left out, since one step of theirs
%   can build a number that fills the memory; so are random numbers and clocks, since a verdict
%   must repeat.

evaluable(+, 1, 0).         evaluable(-, 1, 0).         evaluable(+, 2, 0).
evaluable(-, 2, 0).         evaluable(min, 2, 0).       evaluable(max, 2, 0).
evaluable(abs, 1, 0).       evaluable(sign, 1, 0).      evaluable(succ, 1, 0).
evaluable(*, 2, 1).         evaluable(/, 2, 1).         evaluable(//, 2, 1).
evaluable(div, 2, 1).       evaluable(mod, 2, 1).       evaluable(rem, 2, 1).
evaluable(gcd, 2, 1).       evaluable(sqrt, 1, 1).      evaluable(truncate, 1, 1).
evaluable(round, 1, 1).     evaluable(ceiling, 1, 1).   evaluable(floor, 1, 1).
evaluable(integer, 1, 1).   evaluable(float, 1, 1).     evaluable(pi, 0, 0).
evaluable(e, 0, 0).         evaluable(inf, 0, 0).
