"""Rules compiled to operations on rows, once for a vocabulary and then run on any examples.

Which variables have a value at a goal is known before anything runs, and so are all types: a goal
can't raise an error. Where only truth counts (a clause's body, what is negated), rows that agree in
all variables that are still needed become one. In ``findall/3`` and its like they stay apart.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from typing import Any

from logic_curriculum.rewards.engines.rules import language
from logic_curriculum.rewards.engines.rules.examples import Examples
from logic_curriculum.rewards.engines.rules.language import Caps, Vocabulary
from logic_curriculum.rewards.engines.rules.rows import (
    Clause,
    Compiled,
    Goal,
    Helper,
    Known,
    Rows,
    Run,
    Scope,
    Solutions,
    Values,
    fail,
    first,
    inputs_of,
    lists_of,
    merged,
    merging,
    picker,
    sequence,
    sort_by_key,
    test,
    together,
)
from logic_curriculum.rewards.engines.rules.terms import (
    NUMBER,
    PART,
    WHOLE,
    Compound,
    RefusedError,
    Term,
    Type,
    Variable,
    flatten,
    head_and_body,
    list_elements,
    read_clauses,
    variables,
    write_term,
)

MOST_STEPS = 10_000
"""Rows that one rule may try on one set of examples, some 30 ms. Ground truths try up to 4,000."""
_KEY = "$key"  # the variable that holds the arguments which a helper is called with
_TRUE = Compound("true")
_FAIL = Compound("fail")


@dataclass(frozen=True)
class Rule:
    """A rule that can be run."""

    target: Helper  # called with the whole

    def entailed(self, examples: Examples, most: int = MOST_STEPS) -> tuple[int, int]:
        """Return the mask of the examples whose positive label is entailed, and the steps taken.

        A RefusedError says that the rule takes more than ``most`` steps or makes something too
        large.
        """
        run, whole = Run(examples, most), (0,)
        proofs = self.target.solve(run, {whole: examples.everything})[whole]
        return sum(mask for _, mask in proofs), run.steps


@lru_cache(maxsize=4096)
def compile_rule(text: str, vocabulary: Vocabulary, caps: Caps | None = None) -> Rule:
    """Compile a rule of one or more clauses for the vocabulary's target.

    UnreadableError says that it is no Prolog, RefusedError what is not in the language or above
    ``caps``, if these are given, and where.
    """
    clauses = read_clauses(text)
    if caps is not None:
        language.check_caps(clauses, vocabulary, caps)
    return _Compiler(clauses, vocabulary).rule()


class _Compiler:
    def __init__(self, clauses: Sequence[Term], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.predicates: dict[str, list[Clause]] = {}
        self.signatures: dict[str, list[Type]] = {}
        self.helpers: dict[tuple[str, tuple[bool, ...], bool], Helper] = {}
        self.compiling: list[str] = []
        for number, term in enumerate(clauses, start=1):
            head, goals = head_and_body(term)
            if not isinstance(head, Compound):
                raise RefusedError(f"clause {number} has no predicate as its head")
            has_cut = goals[-1:] == [Compound("!")]
            clause = Clause(number, head, goals[:-1] if has_cut else goals, has_cut)
            fixed = (vocabulary.membership, *vocabulary.values)
            if head.indicator in language.SYSTEM or head.name in fixed:
                self.scope(clause).refuse("it can't be defined")
            self.predicates.setdefault(head.indicator, []).append(clause)

    def scope(self, clause: Clause) -> Scope:
        return Scope(self.vocabulary, clause, clause.head, [], frozenset(), True)

    def rule(self) -> Rule:
        target = f"{self.vocabulary.target}/1"
        if target not in self.predicates:
            raise RefusedError(f"no clause defines {target}")
        for clause in self.predicates[target]:
            if not isinstance(clause.head.arguments[0], Variable):
                self.scope(clause).refuse(
                    "a rule is about every example, so its head has a variable"
                )
        self.signatures[target] = [WHOLE]
        compiled = self.helper(target, (True,), True)
        for name, clauses in self.predicates.items():
            if name not in self.signatures:
                self.scope(clauses[0]).refuse("nothing calls this helper")
        return Rule(compiled)

    def conjunction(self, scope: Scope, goals: Sequence[Term]) -> Compiled:
        """Compile goals in a row; return all that is known then.

        Of the variables that are known, only those that are used later are kept.
        """
        steps: list[Goal] = []
        left = [goal for item in goals for goal in flatten(item, ",")]
        mentioned = {id(goal): variables(goal) for goal in left}
        waiting: list[Compound] = []  # dif/2 whose arguments have no values yet
        here = replace(scope, goal=_TRUE)
        while left:
            goal = left.pop(0)
            here.later = scope.later.union(*(mentioned[id(it)] for it in (*left, *waiting)))
            if not isinstance(goal, Compound):
                here.refuse(f"then {write_term(goal)} stands where a goal should")
            here.goal = goal
            if introduction := self.introduction(here, left):
                left.remove(introduction)
                left[:0] = [introduction, goal]
                continue
            if goal.indicator == "dif/2":
                waiting.append(goal)
            else:
                step, new = self.goal(here)
                if new is None:
                    return fail, None
                steps.append(step)
                here.known = here.known + new
            for unequal in [item for item in waiting if not here.unknown(item)]:
                waiting.remove(unequal)
                here.goal = Compound("\\=", unequal.arguments)
                steps.append(self.equality(here, *unequal.arguments)[0])
            if scope.merge:
                needed = scope.later.union(*(mentioned[id(it)] for it in (*left, *waiting)))
                kept = [name for name in here.known if name in needed]
                if len(kept) < len(here.known):
                    steps.append(merging(picker(here.places(kept))))
                    here.known = kept
        for unequal in waiting:
            replace(here, goal=unequal).refuse(f"{here.unknown(unequal)} gets no value")
        return sequence(steps), here.known

    def introduction(self, scope: Scope, left: Sequence[Term]) -> Term | None:
        """Return the membership among later goals that introduces a goal's part, if it needs one.

        Prolog tries all parts at the attribute; where only truth counts, that comes to the same.
        """
        part, names = scope.goal.arguments[:1], self.vocabulary
        if scope.merge and scope.goal.name in names.values and scope.unknown(*part):
            for goal in left:
                match goal:
                    case Compound(names.membership, (whole, its)) if (its,) == part:
                        if not scope.unknown(whole):
                            return goal
        return None

    def subgoal(
        self, scope: Scope, goals: Sequence[Term], used: Known, later: frozenset[str], merge: bool
    ) -> Compiled:
        """Compile goals for rows of the values of ``used``, which stay first in each row."""
        inner = replace(scope, known=used, later=later.union(used), merge=merge)
        return self.conjunction(inner, goals)

    def goal(self, scope: Scope) -> Compiled:
        name, arguments = scope.goal.indicator, scope.goal.arguments
        if name in self.predicates:
            return self.call(scope)
        if name == f"{self.vocabulary.membership}/2":
            return self.membership(scope, *arguments)
        if scope.goal.name in self.vocabulary.values and len(arguments) == 2:
            return self.attribute(scope, *arguments)
        if name == "!/0":
            scope.refuse("a cut may only be a clause's last goal")
        if name not in _GOALS:
            scope.refuse(f"{name} is neither in the language nor defined")
        return _GOALS[name](self, scope, *arguments)

    def membership(self, scope: Scope, whole: Term, part: Term) -> Compiled:
        scope.unify(whole, WHOLE)
        scope.unify(part, PART)  # no term but a variable is of these types
        first_new: Values = (0,) if scope.unknown(whole) else ()
        new = scope.new(whole, part)
        if not scope.unknown(part):
            (at,) = scope.places(variables(part))

            def check(run: Run, rows: Rows) -> Rows:
                there = run.examples.exists
                return [(v + first_new, both) for v, mask in rows if (both := mask & there[v[at]])]

            return check, new

        def each(run: Run, rows: Rows) -> Rows:
            there = list(enumerate(run.examples.exists))
            run.count(len(rows) * len(there))
            return [((*v, *first_new, place), both) for v, mask in rows for place, having in there
                    if (both := mask & having)]  # fmt: skip

        return each, new

    def attribute(self, scope: Scope, part: Term, value: Term) -> Compiled:
        name = scope.goal.name
        known_values = self.vocabulary.values[name]
        constant = value.name if isinstance(value, Compound) else value
        if not isinstance(value, Variable) and constant not in known_values:
            shown = ", ".join(map(str, sorted(known_values, key=str)))
            scope.refuse(f"the values of {name} are {shown[:200]}")
        scope.unify(part, PART)
        scope.unify(value, Type(self.vocabulary.type_of(name)))
        if missing := scope.unknown(part):
            membership = self.vocabulary.membership
            scope.refuse(f"write {membership} before it, so that {missing} has a value")
        (at,) = scope.places(variables(part))

        def cell_of(run: Run, values: Values) -> Mapping[Any, int]:
            column = run.examples.columns.get(name, ())
            return column[values[at]] if values[at] < len(column) else {}

        if scope.unknown(value):

            def each(run: Run, rows: Rows) -> Rows:
                run.count(2 * len(rows))
                return [((*values, its), both) for values, mask in rows
                        for its, having in cell_of(run, values).items()
                        if (both := mask & having)]  # fmt: skip

            return each, scope.new(value)
        get = scope.get(value)

        def check(run: Run, rows: Rows) -> Rows:
            return [(values, both) for values, mask in rows
                    if (both := mask & cell_of(run, values).get(get(values), 0))]  # fmt: skip

        return check, []

    def comparison(self, scope: Scope, *arguments: Term) -> Compiled:
        one, other = (scope.arithmetic(item)[0] for item in arguments)
        return test(language.COMPARISONS[scope.goal.name], one, other), []

    def equality(self, scope: Scope, one: Term, other: Term) -> Compiled:
        scope.unify(one, other)
        if scope.goal.name == "=":
            if scope.unknown(one):
                one, other = other, one
            return scope.extended([scope.get(one)], lambda value: [value], [other])
        holds = operator.eq if scope.goal.name == "==" else operator.ne
        return test(holds, scope.get(one), scope.get(other)), []

    def evaluation(self, scope: Scope, result: Term, expression: Term) -> Compiled:
        get, its_type = scope.arithmetic(expression)
        scope.unify(result, its_type)
        return scope.extended([get], lambda value: [value], [result])

    def library(self, scope: Scope, *arguments: Term) -> Compiled:
        """Compile a predicate of the list library."""
        signature, ways = language.LIBRARY[scope.goal.indicator]
        for argument, its_type in zip(arguments, language.types_of(signature), strict=True):
            scope.unify(argument, its_type)
        for inputs, function in ways.items():
            given = [arguments[at] for at in inputs]
            if not scope.unknown(*given):
                outputs = [item for at, item in enumerate(arguments) if at not in inputs]
                return scope.extended([scope.get(item) for item in given], function, outputs)
        first_inputs = next(iter(ways))
        scope.refuse(f"{scope.unknown(*(arguments[at] for at in first_inputs))} has no value yet")

    # What the rule defines

    def call(self, scope: Scope) -> Compiled:
        name, arguments = scope.goal.indicator, scope.goal.arguments
        if name in self.compiling:
            self.check_recursion(scope)
        signature = self.signatures.setdefault(name, [Type() for _ in arguments])
        for argument, its_type in zip(arguments, signature, strict=True):
            scope.unify(argument, its_type)
        bound = tuple(not scope.unknown(item) for item in arguments)
        helper = self.helper(name, bound, scope.merge)
        gets = [scope.get(item) for item in compress(arguments, bound)]
        outputs = [item for item in arguments if scope.unknown(item)]
        return scope.joined(together(gets), helper.solve, outputs)

    def check_recursion(self, scope: Scope) -> None:
        """Refuse a call of a predicate by itself but for one on the tail of a list."""
        if scope.goal.indicator != self.compiling[-1]:
            scope.refuse("two predicates call each other")
        for own, given in zip(scope.clause.head.arguments, scope.goal.arguments, strict=True):
            items, tail = list_elements(own)
            if items and tail == given and isinstance(given, Variable):
                return
        scope.refuse("a predicate may call itself on the tail of its list only")

    def helper(self, name: str, bound: tuple[bool, ...], merge: bool) -> Helper:
        """Compile a predicate for calls with values at the arguments that are ``bound``."""
        key = name, bound, merge
        if key in self.helpers:
            return self.helpers[key]
        helper = self.helpers[key] = Helper(merge)
        self.compiling.append(name)
        for clause in self.predicates[name]:
            scope = self.scope(clause)
            arguments = clause.head.arguments
            for argument, its_type in zip(arguments, self.signatures[name], strict=True):
                scope.unify(argument, its_type)
            inputs = list(compress(arguments, bound))
            outputs = list(compress(arguments, map(operator.not_, bound)))
            accept = scope.accept(inputs)
            scope.known = [_KEY, *scope.new(*inputs)]
            scope.later = frozenset([_KEY]).union(*map(variables, outputs))
            # A cut keeps what comes first, so no rows may be put together before it.
            scope.merge = merge and not (clause.has_cut and outputs)
            body, known = self.conjunction(scope, clause.goals)
            if known is not None:
                scope.known = known
                gets = together([scope.get(item) for item in outputs])
                one_is_enough = clause.has_cut or (merge and not outputs)
                helper.clauses.append((accept, body, gets, one_is_enough))
        self.compiling.pop()
        return helper

    def mapping(self, scope: Scope, closure: Term, *lists: Term) -> Compiled:
        """Compile ``maplist/3`` and its like as a call of a helper made for them."""
        if not isinstance(closure, Compound) or closure.name in (",", ";", "->"):
            scope.refuse("its first argument is the name of a predicate")
        name = f"{scope.goal.name} {len(self.predicates)}"
        call = Compound(name, (*closure.arguments, *lists))
        self.predicates[call.indicator] = [
            Clause(scope.clause.number, *_with_closure(written, name, closure))
            for written in language.MAPPING[scope.goal.indicator]
        ]
        return self.call(replace(scope, goal=call))

    # What holds goals

    def negation(self, scope: Scope, *goals: Term) -> Compiled:
        used = scope.used(*goals)
        body, _ = self.subgoal(scope, goals, used, frozenset(), True)
        pick = picker(scope.places(used))

        def negated(run: Run, rows: Rows) -> Rows:
            asked = list(inputs_of(rows, pick).items())
            holding = dict(merged(body(run, asked)))
            return [(v, left) for v, mask in rows if (left := mask & ~holding.get(pick(v), 0))]

        return negated, []

    def disjunction(self, scope: Scope, one: Term, other: Term) -> Compiled:
        if isinstance(one, Compound) and one.indicator == "->/2":
            condition, then = one.arguments
            return self.branches(scope, condition, then, other)
        return self.branches(scope, None, one, other)

    def branches(self, scope: Scope, condition: Term | None, one: Term, other: Term) -> Compiled:
        """Compile ``one ; other``, or ``condition -> one ; other``.

        Of what a condition yields, the first counts.
        """
        used = scope.used(*([] if condition is None else [condition]), one, other)
        width, wanted = len(used), scope.later.difference(scope.known)
        merge = scope.merge and condition is None
        yes, test_first = used, None
        if condition is not None:
            after = wanted.union(variables(one)).difference(scope.known)
            test_first, known = self.subgoal(scope, [condition], used, after, False)
            yes = used if known is None else known
        compiled = [self.subgoal(scope, [one], yes, wanted, merge),
                    self.subgoal(scope, [other], used, wanted, merge)]  # fmt: skip
        new = _gained(scope, [known for _, known in compiled], wanted.difference(used))
        if new is None:
            return fail, None
        ready = [None if known is None else (body, picker([known.index(name) for name in new]))
                 for body, known in compiled]  # fmt: skip

        def key_of(values: Values) -> Values:
            return values[:width]

        def solve(run: Run, inputs: dict[Values, int]) -> Solutions:
            starts = [list(inputs.items())] * 2
            if test_first:
                rows, left = first(test_first(run, starts[0]), key_of, inputs)
                starts = [rows, list(left.items())]
            found: Solutions = {key: [] for key in inputs}
            for branch, start in zip(ready, starts, strict=True):
                if branch and start:
                    body, pick = branch
                    sort_by_key(found, body(run, start), key_of, pick)
            return {key: merged(its) for key, its in found.items()} if merge else found

        outputs = [Variable(name) for name in new]
        return scope.joined(picker(scope.places(used)), solve, outputs)

    def collection(self, scope: Scope, template: Term, inner: Term, result: Term) -> Compiled:
        """Compile ``findall/3``, ``setof/3``, ``bagof/3`` and ``aggregate_all/3``."""
        name, quantified = scope.goal.name, frozenset[str]()
        while isinstance(inner, Compound) and inner.indicator == "^/2":
            local, inner = inner.arguments
            if not isinstance(local, Variable) or not scope.unknown(local):
                scope.refuse(f"{write_term(local)[:60]}^ is no variable without a value")
            quantified = quantified.union(variables(local))
        if name in ("setof", "bagof"):
            bound = quantified.union(scope.known, variables(template))
            if free := [its for its in _outer(inner) if its not in bound]:
                scope.refuse(f"{free[0]} is free in it: write {free[0]}^ before its goal")
        summary, template = language.summary_of(name, template)
        if not summary:
            scope.refuse("it counts, or takes sum, max, min, bag or set of one term")
        used = [its for its in scope.used(inner, template) if its not in quantified]
        wanted = frozenset(variables(template))
        body, known = self.subgoal(scope, [inner], used, wanted, False)
        if known is None:
            known = [*used, *wanted.difference(used)]
        inside = replace(scope, known=known)
        if summary in language.NUMERIC:
            get = inside.arithmetic(template)[0]
            scope.unify(result, NUMBER)
        else:
            scope.unify(result, Type("list", (inside.type_of(template),)))
            get = inside.get(template)
        width = len(used)

        def solve(run: Run, inputs: dict[Values, int]) -> Solutions:
            items: Solutions = {key: [] for key in inputs}
            rows = body(run, list(inputs.items()))
            sort_by_key(items, rows, lambda values: values[:width], get)
            return {
                key: [((value,), mask) for made, mask in lists_of(run, its, inputs[key])
                      for value in language.SUMMARIES[summary](made)]
                for key, its in items.items()
            }  # fmt: skip

        return scope.joined(picker(scope.places(used)), solve, [result])


_GOALS: Mapping[str, Callable[..., Compiled]] = {
    "true/0": lambda compiler, scope: (sequence([]), []),
    **dict.fromkeys(("fail/0", "false/0"), lambda compiler, scope: (fail, None)),
    **dict.fromkeys(("\\+/1", "not/1"), _Compiler.negation),
    "forall/2": lambda compiler, scope, condition, conclusion: compiler.negation(
        scope, condition, Compound("\\+", (conclusion,))),
    "once/1": lambda compiler, scope, goal: compiler.branches(scope, goal, _TRUE, _FAIL),
    "memberchk/2": lambda compiler, scope, *arguments: compiler.branches(
        scope, Compound("member", arguments), _TRUE, _FAIL),
    "->/2": lambda compiler, scope, *goals: compiler.branches(scope, *goals, _FAIL),
    ";/2": _Compiler.disjunction,
    "is/2": _Compiler.evaluation,
    **dict.fromkeys(("=/2", "\\=/2", "==/2", "\\==/2"), _Compiler.equality),
    **dict.fromkeys(("findall/3", "setof/3", "bagof/3", "aggregate_all/3"), _Compiler.collection),
    **dict.fromkeys([f"{name}/2" for name in language.COMPARISONS], _Compiler.comparison),
    **dict.fromkeys(language.LIBRARY, _Compiler.library),
    **dict.fromkeys(language.MAPPING, _Compiler.mapping),
}  # fmt: skip


def _gained(scope: Scope, branches: Sequence[Known | None], wanted: frozenset[str]) -> Known | None:
    """Return which wanted variables get a value in every branch that may succeed."""
    given = [[name for name in known if name in wanted] for known in branches if known is not None]
    for name in set().union(*given):
        if not all(name in names for names in given):
            scope.refuse(f"{name} is used later and gets its value in one branch only")
    return given[0] if given else None


def _outer(goal: Term) -> list[str]:
    """Return the variables of a goal that are not local to a negation or a collection in it."""
    match goal:
        case Compound("\\+" | "not", (_,)) | Compound("forall", (_, _)):
            return []
        case Compound("findall" | "aggregate_all", (_, _, result)):
            return variables(result)
        case Compound("," | ";" | "->", (one, other)):
            return _outer(one) + _outer(other)
    return variables(goal)


def _with_closure(text: str, name: str, closure: Compound) -> tuple[Compound, list[Term]]:
    """Return head and goals of a clause of :data:`.language.MAPPING` for a closure.

    ``each`` becomes the helper's name and ``holds`` the closure; both get its arguments first.
    """

    def filled(term: Any) -> Any:
        if not isinstance(term, Compound):
            return term
        arguments = tuple(map(filled, term.arguments))
        new_name = {"each": name, "holds": closure.name}.get(term.name)
        if new_name is None:
            return Compound(term.name, arguments)
        return Compound(new_name, (*closure.arguments, *arguments))

    (clause,) = read_clauses(text)
    head, goals = head_and_body(clause)
    return filled(head), list(map(filled, goals))
