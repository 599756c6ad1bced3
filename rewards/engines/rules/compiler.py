"""Rules compiled to operations on rows, once for a vocabulary and then run on any examples.

A row is an environment, the values of the variables that are known at a goal, and the mask of the
examples where the goals so far hold for them. A goal maps rows to rows. Which variables have a
value is known before anything runs, and so are all types: a goal can't raise an error.

Where only truth counts (a clause's body, what is negated), rows that agree in all variables that
are still needed become one. In ``findall/3`` and its like they stay apart, in Prolog's order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn

from logic_curriculum.rewards.engines.rules.examples import Examples
from logic_curriculum.rewards.engines.rules.language import (
    Caps,
    RefusedError,
    Vocabulary,
    check_caps,
)
from logic_curriculum.rewards.engines.rules.library import (
    ARITHMETIC,
    COMPARISONS,
    LIBRARY,
    SYSTEM,
    checked_list,
    summaries,
)
from logic_curriculum.rewards.engines.rules.terms import (
    CONS,
    NIL,
    Compound,
    Term,
    Variable,
    flatten,
    head_and_body,
    read_clauses,
    variables,
    write_term,
)
from logic_curriculum.rewards.engines.rules.types import (
    FRACTION,
    NUMBER,
    PART,
    WHOLE,
    ClashError,
    Type,
    list_of,
    pair_of,
    unify,
)

MOST_STEPS = 30_000  # rows that one rule may make on one set of examples
DEEPEST = 100  # calls of a recursive helper within each other
_KEY = "$key"  # the variable that holds the arguments which a helper is called with
MAPPING = {
    "maplist/2": ("each([]).", "each([Item__|Rest__]) :- holds(Item__), each(Rest__)."),
    "maplist/3": ("each([], []).", "each([Item__|Rest__], [Made__|List__]) :- holds(Item__, Made__), each(Rest__, List__)."),
    "include/3": (
        "each([], []).",
        "each([Item__|Rest__], List__) :- each(Rest__, Tail__), (holds(Item__) -> List__ = [Item__|Tail__] ; List__ = Tail__).",
    ),
    "exclude/3": (
        "each([], []).",
        "each([Item__|Rest__], List__) :- each(Rest__, Tail__), (holds(Item__) -> List__ = Tail__ ; List__ = [Item__|Tail__]).",
    ),
}
"""What ``maplist/3`` and its like mean, for a closure: the arguments that it has come first."""

Values = tuple[Any, ...]
Row = tuple[Values, int]  # the values of known variables, and the mask of the examples
Rows = list[Row]
Goal = Callable[["Run", Rows], Rows]
Known = list[str]  # names of the variables with a value, in the order of a row's values
Get = Callable[[Values], Any]
Match = Callable[[Values, Any, list[Any]], bool]  # row's values, value, values of new variables
Solutions = dict[Values, Rows]  # input → what a subgoal yields for it, in order
Solve = Callable[["Run", dict[Values, int]], Solutions]


@dataclass
class Run:
    """One rule at work on some examples."""

    examples: Examples
    steps: int = 0
    depth: int = 0

    def count(self, steps: int) -> None:
        """Count rows that were made; raise a RefusedError when there are too many."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise RefusedError(f"the rule takes more than {MOST_STEPS:,} steps")


@dataclass(frozen=True)
class Rule:
    """A rule that can be run."""

    clauses: Sequence[Goal]  # of the target, each from rows with the whole alone

    def entailed(self, examples: Examples, among: int | None = None) -> tuple[int, int]:
        """Return the mask of the examples whose positive label is entailed, and the steps taken.

        ``among`` is the mask of the examples to decide, all by default. A RefusedError says that
        the rule takes too many steps or makes something too large.
        """
        run = Run(examples)
        left = examples.everything if among is None else among
        done = 0
        for clause in self.clauses:
            if not left:
                break
            for _, mask in clause(run, [((0,), left)]):
                done |= mask
            left &= ~done
        return done, run.steps


@lru_cache(maxsize=4096)
def compile_rule(text: str, vocabulary: Vocabulary, caps: Caps | None = None) -> Rule:
    """Compile a rule of one or more clauses for the vocabulary's target.

    UnreadableError says that it is no Prolog, RefusedError what is not in the language or above
    ``caps``, if these are given, and where.
    """
    clauses = read_clauses(text)
    if caps is not None:
        check_caps(clauses, vocabulary, caps)
    return _Compiler(clauses, vocabulary).rule()


@dataclass
class _Clause:
    number: int
    arguments: tuple[Term, ...]
    goals: list[Term]
    has_cut: bool
    types: dict[str, Type] = field(default_factory=dict)  # of its variables

    def refuse(self, goal: Term, problem: str) -> NoReturn:
        raise RefusedError(f"clause {self.number}, {write_term(goal)[:80]}: {problem}")

    def type_of(self, name: str) -> Type:
        return self.types.setdefault(name, Type())

    def unify(self, goal: Term, one: Type, other: Type) -> None:
        try:
            unify(one, other)
        except ClashError as clash:
            self.refuse(goal, str(clash))


@dataclass
class _Version:
    """A helper for calls with a value at certain arguments."""

    clauses: list[tuple[Sequence[Match], Goal, Get, bool]] = field(default_factory=list)
    merge: bool = False

    def solve(self, run: Run, inputs: dict[Values, int]) -> Solutions:
        """Return for each input the values of the other arguments."""
        run.depth += 1
        if run.depth > DEEPEST:
            raise RefusedError(f"a helper calls itself more than {DEEPEST} deep")
        found: Solutions = {key: [] for key in inputs}
        left = inputs
        for matches, body, outputs, has_cut in self.clauses:
            rows: Rows = []
            for key, mask in left.items():
                new: list[Any] = []
                if all(match((), value, new) for match, value in zip(matches, key, strict=True)):
                    rows.append(((key, *new), mask))
            rows = body(run, rows) if rows else rows
            if has_cut:
                rows, taken = _first(rows)
                left = {k: mask for k, m in left.items() if (mask := m & ~taken.get(k, 0))}
            for values, mask in rows:
                found[values[0]].append((outputs(values), mask))
        run.depth -= 1
        return {key: _merged(rows) for key, rows in found.items()} if self.merge else found


class _Compiler:
    def __init__(self, clauses: Sequence[Term], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.predicates: dict[str, list[_Clause]] = {}
        self.signatures: dict[str, list[Type]] = {}
        self.versions: dict[tuple[str, tuple[bool, ...], bool], _Version] = {}
        self.compiling: list[str] = []
        for number, clause in enumerate(clauses, start=1):
            head, goals = head_and_body(clause)
            has_cut = bool(goals) and goals[-1] == Compound("!")
            name = head.indicator if isinstance(head, Compound) else ""
            entry = _Clause(number, getattr(head, "arguments", ()), goals[: -has_cut or None], has_cut)
            its = self.predicates.setdefault(name, [])
            if not name or name in SYSTEM or head.name in (vocabulary.membership, *vocabulary.values):
                entry.refuse(head, "it can't be defined")
            its.append(entry)

    def rule(self) -> Rule:
        target = f"{self.vocabulary.target}/1"
        if target not in self.predicates:
            raise RefusedError(f"no clause defines {target}")
        self.signatures[target] = [WHOLE]
        self.compiling.append(target)
        bodies = []
        for clause in self.predicates[target]:
            (argument,) = clause.arguments
            if not isinstance(argument, Variable):
                clause.refuse(argument, f"a rule speaks of every {target}, so a variable belongs here")
            clause.types[argument.name] = WHOLE
            body, _ = self.conjunction(clause, clause.goals, [argument.name], frozenset(), True)
            bodies.append(body)
        return Rule(bodies)

    # Goals

    def conjunction(
        self, clause: _Clause, goals: Sequence[Term], known: Known, needed: frozenset[str], merge: bool
    ) -> tuple[Goal, Known | None]:
        """Compile goals in a row; return what is known then, or None if they always fail.

        ``needed`` are the variables whose values are used afterwards.
        """
        steps: list[Goal] = []
        waiting: list[Compound] = []  # dif/2 whose arguments have no values yet
        left = [goal for item in goals for goal in flatten(item, ",")]
        known = list(known)
        while left:
            goal = left.pop(0)
            if isinstance(goal, Compound) and goal.indicator == "dif/2":
                waiting.append(goal)
            else:
                later = needed.union(*map(variables, left), *map(variables, waiting))
                step, new = self.goal(clause, goal, known, later, merge)
                if new is None:
                    return _fail, None
                steps.append(step)
                known += new
            for unequal in [d for d in waiting if set(variables(d)) <= set(known)]:
                waiting.remove(unequal)
                steps.append(self.equality(clause, Compound("\\=", unequal.arguments), known)[0])
            if merge:
                later = needed.union(*map(variables, left), *map(variables, waiting))
                kept = [name for name in known if name in later]
                if len(kept) < len(known):
                    steps.append(_merging(_picker([known.index(name) for name in kept])))
                    known = kept
        for unequal in waiting:
            clause.refuse(unequal, f"{self.unknown(unequal, known)} gets no value")
        return _sequence(steps), known

    def goal(
        self, clause: _Clause, goal: Term, known: Known, later: frozenset[str], merge: bool
    ) -> tuple[Goal, Known | None]:
        """Compile a goal; return the variables that get a value by it, None if it always fails."""
        if not isinstance(goal, Compound):
            clause.refuse(goal, "it is no goal")
        name, arguments = goal.indicator, goal.arguments
        if name in self.predicates:
            return self.call(clause, goal, known, merge)
        if name == f"{self.vocabulary.membership}/2":
            return self.membership(clause, goal, known)
        if goal.name in self.vocabulary.values and len(arguments) == 2:
            return self.attribute(clause, goal, known)
        if name == "true/0":
            return _true, []
        if name in ("fail/0", "false/0"):
            return _fail, None
        if name in ("\\+/1", "not/1"):
            return self.negation(clause, arguments, known)
        if name == "forall/2":
            condition, conclusion = arguments
            return self.negation(clause, [condition, Compound("\\+", (conclusion,))], known)
        if name == "once/1":
            return self.conditional(clause, arguments[0], Compound("true"), None, known, later)
        if name == "memberchk/2":
            member = Compound("member", arguments)
            return self.conditional(clause, member, Compound("true"), None, known, later)
        if name == "->/2":
            return self.conditional(clause, *arguments, None, known, later)
        if name == ";/2":
            first, second = arguments
            if isinstance(first, Compound) and first.indicator == "->/2":
                return self.conditional(clause, *first.arguments, second, known, later)
            return self.disjunction(clause, first, second, known, later, merge)
        if name in ("findall/3", "setof/3", "bagof/3", "aggregate_all/3"):
            return self.collection(clause, goal, known)
        if name in ("=/2", "\\=/2", "==/2", "\\==/2"):
            return self.equality(clause, goal, known)
        if goal.name in COMPARISONS and len(arguments) == 2:
            one, other = (self.arithmetic(clause, goal, item, known)[0] for item in arguments)
            return _filter(COMPARISONS[goal.name], one, other), []
        if name == "is/2":
            value, its_type = self.arithmetic(clause, goal, arguments[1], known)
            clause.unify(goal, self.type_of(clause, goal, arguments[0]), its_type)
            return self.relation(clause, goal, [], arguments[:1], known, _evaluated(value))
        if name in MAPPING:
            return self.mapping(clause, goal, known, merge)
        if name in LIBRARY:
            return self.library(clause, goal, known)
        if name == "!/0":
            clause.refuse(goal, "a cut may only be a clause's last goal")
        clause.refuse(goal, f"{name} is neither in the language nor defined")

    def membership(self, clause: _Clause, goal: Compound, known: Known) -> tuple[Goal, Known]:
        whole, part = goal.arguments
        clause.unify(goal, self.type_of(clause, goal, whole), WHOLE)
        clause.unify(goal, self.type_of(clause, goal, part), PART)
        new = [a.name for a in (whole, part) if isinstance(a, Variable) and a.name not in known]
        first = (0,) if new and new[0] == getattr(whole, "name", "") else ()
        if getattr(part, "name", "") in known:
            at = known.index(part.name)

            def check(run: Run, rows: Rows) -> Rows:
                there = run.examples.exists
                return [(v + first, m) for v, mask in rows if (m := mask & there[v[at]])]

            return check, new

        def each(run: Run, rows: Rows) -> Rows:
            there = list(enumerate(run.examples.exists))
            return [((*v, *first, place), m) for v, mask in rows for place, mask_there in there
                    if (m := mask & mask_there)]  # fmt: skip

        return each, new

    def attribute(self, clause: _Clause, goal: Compound, known: Known) -> tuple[Goal, Known]:
        name, (part, value) = goal.name, goal.arguments
        if isinstance(value, Variable):
            pass
        elif (constant := value if isinstance(value, int) else value.name) not in (
            values := self.vocabulary.values[name]
        ):
            shown = ", ".join(map(str, sorted(values, key=str)))
            clause.refuse(goal, f"the values of {name} are {shown[:200]}")
        clause.unify(goal, self.type_of(clause, goal, part), PART)
        its_type = self.vocabulary.type_of(name)
        clause.unify(goal, self.type_of(clause, goal, value), Type(its_type))
        new = [a.name for a in (part, value) if isinstance(a, Variable) and a.name not in known]
        if not isinstance(part, Variable):
            clause.refuse(goal, "its first argument is a variable")
        at = known.index(part.name) if part.name in known else None

        def places(run: Run, values: Values) -> Iterable[tuple[Values, Any]]:
            column = run.examples.columns.get(name, ())
            if at is None:
                return (((*values, place), column[place]) for place in range(len(column)))
            return ((values, column[values[at]]),) if values[at] < len(column) else ()

        if isinstance(value, Variable) and value.name not in known:

            def each(run: Run, rows: Rows) -> Rows:
                return [((*v, its), m) for values, mask in rows for v, cell in places(run, values)
                        for its, having in cell.items() if (m := mask & having)]  # fmt: skip

            return each, new
        get = self.get(clause, goal, value, known)

        def check(run: Run, rows: Rows) -> Rows:
            return [(v, m) for values, mask in rows for v, cell in places(run, values)
                    if (m := mask & cell.get(get(values), 0))]  # fmt: skip

        return check, new

    def equality(self, clause: _Clause, goal: Compound, known: Known) -> tuple[Goal, Known]:
        one, other = goal.arguments
        its_type = self.type_of(clause, goal, one)
        clause.unify(goal, its_type, self.type_of(clause, goal, other))
        if goal.name == "=":
            if self.unknown(one, known):
                one, other = other, one
            return self.relation(clause, goal, [one], [other], known, lambda value: ((value,),))
        test = operator.eq if goal.name == "==" else operator.ne
        gets = [self.get(clause, goal, item, known) for item in (one, other)]
        return _filter(test, *gets), []

    def call(self, clause: _Clause, goal: Compound, known: Known, merge: bool) -> tuple[Goal, Known]:
        """Compile a call of a predicate that the rule defines."""
        name, arguments = goal.indicator, goal.arguments
        bound = tuple(not self.unknown(item, known) for item in arguments)
        if name in self.compiling:
            self.check_recursion(clause, goal)
        signature = self.signatures.setdefault(name, [Type() for _ in arguments])
        for argument, its_type in zip(arguments, signature, strict=True):
            clause.unify(goal, self.type_of(clause, goal, argument), its_type)
        version = self.version(name, bound, merge)
        inputs = [item for item, is_bound in zip(arguments, bound, strict=True) if is_bound]
        outputs = [item for item, is_bound in zip(arguments, bound, strict=True) if not is_bound]
        gets = [self.get(clause, goal, item, known) for item in inputs]
        return self.joined(clause, goal, outputs, known, version.solve, _together(gets))

    def check_recursion(self, clause: _Clause, goal: Compound) -> None:
        """Refuse a call of a predicate by itself but for one on the tail of a list."""
        if goal.indicator != self.compiling[-1]:
            clause.refuse(goal, "two helpers call each other")
        for own, given in zip(clause.arguments, goal.arguments, strict=True):
            tail = own
            while isinstance(tail, Compound) and tail.name == CONS:
                tail = tail.arguments[1]
            if tail is not own and tail == given and isinstance(given, Variable):
                return
        clause.refuse(goal, "a helper may call itself on the tail of its list only")

    def version(self, name: str, bound: tuple[bool, ...], merge: bool) -> _Version:
        """Compile a helper for calls with values at the arguments that are ``bound``."""
        key = name, bound, merge
        if key in self.versions:
            return self.versions[key]
        version = self.versions[key] = _Version(merge=merge)
        self.compiling.append(name)
        for clause in self.predicates[name]:
            new: Known = []
            matches, outputs = [], []
            for argument, its_type, is_bound in zip(
                clause.arguments, self.signatures[name], bound, strict=True
            ):
                clause.unify(argument, self.type_of(clause, argument, argument), its_type)
                if is_bound:
                    matches.append(self.match(clause, argument, argument, [], new))
                else:
                    outputs.append(argument)
            needed = frozenset([_KEY, *(v for item in outputs for v in variables(item))])
            # What comes first is asked for after a cut, so no rows may be put together before it.
            merging = merge and not (clause.has_cut and outputs)
            body, known = self.conjunction(clause, clause.goals, [_KEY, *new], needed, merging)
            if known is not None:
                gets = [self.get(clause, item, item, known) for item in outputs]
                version.clauses.append((matches, body, _together(gets), clause.has_cut))
        self.compiling.pop()
        return version

    def negation(
        self, clause: _Clause, goals: Sequence[Term], known: Known
    ) -> tuple[Goal, Known]:
        used = _used(known, goals)
        body, _ = self.conjunction(clause, goals, used, frozenset(used), True)
        pick = _picker([known.index(name) for name in used])

        def negated(run: Run, rows: Rows) -> Rows:
            holding: dict[Values, int] = {}
            for values, mask in body(run, list(_inputs(rows, pick).items())):
                holding[values] = holding.get(values, 0) | mask
            return [(v, m) for v, mask in rows if (m := mask & ~holding.get(pick(v), 0))]

        return negated, []

    def subgoal(
        self, clause: _Clause, goal: Term, used: Known, wanted: frozenset[str], merge: bool
    ) -> tuple[Goal, Known | None]:
        """Compile a goal whose rows begin with the values of ``used``."""
        needed = wanted.union(used)
        body, known = self.conjunction(clause, [goal], used, needed, merge)
        return body, known

    def disjunction(
        self, clause: _Clause, one: Term, other: Term, known: Known, later: frozenset[str], merge: bool
    ) -> tuple[Goal, Known | None]:
        used = _used(known, [one, other])
        wanted = later.difference(known)
        branches = [self.subgoal(clause, item, used, wanted, merge) for item in (one, other)]
        new = self.new_of(clause, one, [k for _, k in branches], used, wanted)
        if new is None:
            return _fail, None
        ready = [(b, _picker([k.index(name) for name in new])) for b, k in branches if k is not None]

        def solve(run: Run, inputs: dict[Values, int]) -> Solutions:
            found: Solutions = {key: [] for key in inputs}
            for body, pick in ready:
                for values, mask in body(run, list(inputs.items())):
                    found[values[: len(used)]].append((pick(values), mask))
            return {key: _merged(rows) for key, rows in found.items()} if merge else found

        outputs = [Variable(name) for name in new]
        pick_used = _picker([known.index(name) for name in used])
        return self.joined(clause, one, outputs, known, solve, pick_used)

    def new_of(
        self, clause: _Clause, goal: Term, branches: Sequence[Known | None], used: Known,
        wanted: frozenset[str],
    ) -> Known | None:  # fmt: skip
        """Return which wanted variables get a value in every branch that may succeed."""
        given = [[n for n in known if n not in used and n in wanted] for known in branches
                 if known is not None]  # fmt: skip
        if not given:
            return None
        for name in set().union(*given):
            if not all(name in names for names in given):
                clause.refuse(goal, f"{name} is used later and gets its value in one branch only")
        return given[0]

    def conditional(
        self, clause: _Clause, condition: Term, then: Term, otherwise: Term | None,
        known: Known, later: frozenset[str],
    ) -> tuple[Goal, Known | None]:  # fmt: skip
        """Compile if-then-else: of what the condition yields, the first counts."""
        parts = [condition, then, *([] if otherwise is None else [otherwise])]
        used, wanted = _used(known, parts), later.difference(known)
        after = wanted.union(variables(then)).difference(known)
        test, known_then = self.subgoal(clause, condition, used, after, False)
        if known_then is None:
            known_then, test = list(used), _fail
        kept = [name for name in known_then if name in used or name in after]
        pick_kept = _picker([known_then.index(name) for name in kept])
        branches = [self.subgoal(clause, then, kept, wanted, False)]
        if otherwise is not None:
            branches.append(self.subgoal(clause, otherwise, used, wanted, False))
        new = self.new_of(clause, condition, [k for _, k in branches], used, wanted)
        if new is None:
            return _fail, None
        picks = [None if k is None else _picker([k.index(n) for n in new]) for _, k in branches]

        def solve(run: Run, inputs: dict[Values, int]) -> Solutions:
            found: Solutions = {key: [] for key in inputs}
            rows, taken = _first(test(run, list(inputs.items())), len(used))
            starts = [[(pick_kept(values), mask) for values, mask in rows]]
            starts.append([(k, m) for k, mask in inputs.items() if (m := mask & ~taken.get(k, 0))])
            for (body, _), pick, start in zip(branches, picks, starts, strict=False):
                if pick is not None:
                    for values, mask in body(run, start):
                        found[values[: len(used)]].append((pick(values), mask))
            return found

        outputs = [Variable(name) for name in new]
        pick_used = _picker([known.index(name) for name in used])
        return self.joined(clause, condition, outputs, known, solve, pick_used)

    def collection(self, clause: _Clause, goal: Compound, known: Known) -> tuple[Goal, Known]:
        """Compile ``findall/3``, ``setof/3``, ``bagof/3`` and ``aggregate_all/3``."""
        template, inner, result = goal.arguments
        quantified: list[str] = []
        while isinstance(inner, Compound) and inner.indicator == "^/2":
            quantified += variables(inner.arguments[0])
            inner = inner.arguments[1]
        if goal.name in ("setof", "bagof"):
            bound = {*known, *quantified, *variables(template)}
            if free := [name for name in _outer(inner) if name not in bound]:
                clause.refuse(goal, f"{free[0]} is free in it: write {free[0]}^ before its goal")
        kind, template = summaries(goal.name, template)
        if kind is None:
            clause.refuse(goal, "it counts, sums, or takes max, min, bag or set of one term")
        used = [name for name in _used(known, [inner]) if name not in quantified]
        used += [n for n in variables(template) if n in known and n not in used]
        wanted = frozenset(variables(template))
        body, inside = self.subgoal(clause, inner, used, wanted, False)
        if inside is None:
            inside, body = [*used, *(n for n in variables(template) if n not in used)], _fail
        if kind.numeric:
            get, its_type = self.arithmetic(clause, goal, template, inside)
            result_type = NUMBER if kind.makes == "number" else its_type
        else:
            its_type = self.type_of(clause, goal, template)
            get = self.get(clause, goal, template, inside)
            result_type = NUMBER if kind.makes == "number" else list_of(its_type)
        clause.unify(goal, self.type_of(clause, goal, result), result_type)

        def solve(run: Run, inputs: dict[Values, int]) -> Solutions:
            items: Solutions = {key: [] for key in inputs}
            for values, mask in body(run, list(inputs.items())):
                items[values[: len(used)]].append((get(values), mask))
            return {
                key: [((value,), mask) for its, mask in _lists(run, rows, inputs[key])
                      for value in kind.function(its)]
                for key, rows in items.items()
            }  # fmt: skip

        pick = _picker([known.index(name) for name in used])
        return self.joined(clause, goal, [result], known, solve, pick)

    def mapping(self, clause: _Clause, goal: Compound, known: Known, merge: bool) -> tuple[Goal, Known]:
        """Compile ``maplist/3`` and its like as a call of a helper made for them."""
        closure, *lists = goal.arguments
        if not isinstance(closure, Compound) or closure.indicator in (",/2", ";/2", "->/2"):
            clause.refuse(goal, "its first argument is the name of a predicate")
        name = f"{goal.name} {len(self.predicates)}"
        self.predicates[f"{name}/{len(lists) + len(closure.arguments)}"] = helpers = []
        for text in MAPPING[goal.indicator]:
            (written,) = read_clauses(text)
            head, goals = head_and_body(written)
            goals = [_with_closure(item, name, closure) for item in goals]
            head = _with_closure(head, name, closure)
            helpers.append(_Clause(clause.number, head.arguments, goals, False))
        return self.call(clause, Compound(name, (*closure.arguments, *lists)), known, merge)

    def library(self, clause: _Clause, goal: Compound, known: Known) -> tuple[Goal, Known]:
        """Compile a predicate of the list library."""
        arguments = goal.arguments
        types, ways = LIBRARY[goal.indicator]
        for argument, its_type in zip(arguments, types(), strict=True):
            clause.unify(goal, self.type_of(clause, goal, argument), its_type)
        for inputs, function in ways:
            if not any(self.unknown(arguments[at], known) for at in inputs):
                given = [arguments[at] for at in inputs]
                outputs = [item for at, item in enumerate(arguments) if at not in inputs]
                return self.relation(clause, goal, given, outputs, known, function)
        missing = self.unknown(Compound("", tuple(arguments[at] for at in ways[0][0])), known)
        clause.refuse(goal, f"{missing} has no value yet")

    def relation(
        self, clause: _Clause, goal: Compound, inputs: Sequence[Term], outputs: Sequence[Term],
        known: Known, function: Callable[..., Iterable[Values]],
    ) -> tuple[Goal, Known]:  # fmt: skip
        """Compile a goal that yields values of ``outputs`` for those of ``inputs``."""
        gets = [self.get(clause, goal, item, known) for item in inputs]
        new: Known = []
        matches = [self.match(clause, goal, item, known, new) for item in outputs]
        takes_row = getattr(function, "takes_row", False)

        def related(run: Run, rows: Rows) -> Rows:
            made: Rows = []
            for values, mask in rows:
                given = [values] if takes_row else [get(values) for get in gets]
                for yielded in function(*given):
                    fresh: list[Any] = []
                    if all(match(values, item, fresh)
                           for match, item in zip(matches, yielded, strict=True)):  # fmt: skip
                        made.append((values + tuple(fresh), mask))
            return made

        return related, new

    def joined(
        self, clause: _Clause, goal: Term, outputs: Sequence[Term], known: Known, solve: Solve,
        key_of: Get,
    ) -> tuple[Goal, Known]:  # fmt: skip
        """Compile a subgoal that is solved once for all rows with the same input."""
        new: Known = []
        matches = [self.match(clause, goal, item, known, new) for item in outputs]

        def join(run: Run, rows: Rows) -> Rows:
            solutions = solve(run, _inputs(rows, key_of))
            made: Rows = []
            for values, mask in rows:
                for yielded, holding in solutions[key_of(values)]:
                    if both := mask & holding:
                        fresh: list[Any] = []
                        if all(match(values, item, fresh)
                               for match, item in zip(matches, yielded, strict=True)):  # fmt: skip
                            made.append((values + tuple(fresh), both))
            return made

        return join, new

    # Terms

    def unknown(self, term: Term, known: Known) -> str:
        """Return the name of a variable of the term that has no value, if there is one."""
        return next((name for name in variables(term) if name not in known), "")

    def type_of(self, clause: _Clause, goal: Term, term: Term) -> Type:
        """Return the type of a term; refuse what is no term of the language."""
        if isinstance(term, Variable):
            return clause.type_of(term.name)
        if isinstance(term, int):
            if abs(term) > self.vocabulary.largest:
                clause.refuse(goal, f"the numbers go up to {self.vocabulary.largest}")
            return NUMBER
        if term == NIL:
            return list_of(Type())
        if term.name == CONS:
            item, tail = (self.type_of(clause, goal, a) for a in term.arguments)
            clause.unify(goal, list_of(item), tail)
            return tail
        if term.indicator == "-/2":
            return pair_of(*(self.type_of(clause, goal, a) for a in term.arguments))
        if not term.arguments and term.name in self.vocabulary.types:
            return Type(self.vocabulary.types[term.name])
        clause.refuse(goal, f"{write_term(term)[:60]} is no value of the task")

    def get(self, clause: _Clause, goal: Term, term: Term, known: Known) -> Get:
        """Return what computes a term's value; all of its variables must have one."""
        if isinstance(term, Variable):
            if term.name not in known:
                clause.refuse(goal, f"{write_term(term)} has no value yet")
            return operator.itemgetter(known.index(term.name))
        if isinstance(term, int):
            return lambda values: term
        if term == NIL:
            return lambda values: ()
        if not term.arguments:
            return lambda values: term.name
        first, second = (self.get(clause, goal, item, known) for item in term.arguments)
        if term.name == CONS:
            return lambda values: checked_list((first(values), *second(values)))
        return lambda values: (first(values), second(values))

    def match(self, clause: _Clause, goal: Term, term: Term, known: Known, new: Known) -> Match:
        """Return what compares a value with a term, and takes the values of new variables."""
        if isinstance(term, Variable) and term.name not in known:
            if term.name in new:
                at = new.index(term.name)
                return lambda values, value, fresh: fresh[at] == value
            new.append(term.name)

            def take(values: Values, value: Any, fresh: list[Any]) -> bool:
                fresh.append(value)
                return True

            return take
        if not (isinstance(term, Compound) and term.arguments):
            get = self.get(clause, goal, term, known)
            return lambda values, value, fresh: get(values) == value
        first, second = (self.match(clause, goal, item, known, new) for item in term.arguments)
        if term.name == CONS:
            return lambda values, value, fresh: (
                len(value) > 0
                and first(values, value[0], fresh)
                and second(values, value[1:], fresh)
            )
        return lambda values, value, fresh: (
            first(values, value[0], fresh) and second(values, value[1], fresh)
        )

    def arithmetic(
        self, clause: _Clause, goal: Term, term: Term, known: Known
    ) -> tuple[Get, Type]:
        """Return what computes an expression, and whether it may be a fraction."""
        if isinstance(term, Variable | int):
            its_type = self.type_of(clause, goal, term)
            if its_type.kind != FRACTION.kind:
                clause.unify(goal, its_type, NUMBER)
            return self.get(clause, goal, term, known), its_type
        function = ARITHMETIC.get(term.indicator)
        if function is None:
            clause.refuse(goal, f"{write_term(term)[:60]} is no arithmetic of the language")
        parts = [self.arithmetic(clause, goal, item, known) for item in term.arguments]
        gets = [get for get, _ in parts]
        fractional = term.name == "/" or any(t.kind == FRACTION.kind for _, t in parts)
        its_type = FRACTION if fractional else NUMBER
        return lambda values: function(*(get(values) for get in gets)), its_type


def _used(known: Known, terms: Iterable[Term]) -> Known:
    names = {name for term in terms for name in variables(term)}
    return [name for name in known if name in names]


def _outer(goal: Term) -> list[str]:
    """Return the variables of a goal that are not local to a negation or a collection in it."""
    if not isinstance(goal, Compound):
        return variables(goal)
    if goal.indicator in ("\\+/1", "not/1", "forall/2"):
        return []
    if goal.indicator in ("findall/3", "aggregate_all/3"):
        return variables(goal.arguments[2])
    if goal.indicator in (",/2", ";/2", "->/2"):
        return [name for item in goal.arguments for name in _outer(item)]
    return variables(goal)


def _inputs(rows: Rows, key_of: Get) -> dict[Values, int]:
    inputs: dict[Values, int] = {}
    for values, mask in rows:
        key = key_of(values)
        inputs[key] = inputs.get(key, 0) | mask
    return inputs


def _merged(rows: Rows) -> Rows:
    if len(rows) < 2:
        return rows
    merged: dict[Values, int] = {}
    for values, mask in rows:
        merged[values] = merged.get(values, 0) | mask
    return list(merged.items())


def _first(rows: Rows, width: int = 1) -> tuple[Rows, dict[Values, int]]:
    """Keep for each example the first row of each key; return also which examples have one.

    A key is the row's first value, or its first ``width`` ones.
    """
    taken: dict[Values, int] = {}
    kept = []
    for values, mask in rows:
        key = values[0] if width == 1 and values and isinstance(values[0], tuple) else values[:width]
        before = taken.get(key, 0)
        if m := mask & ~before:
            kept.append((values, m))
            taken[key] = before | m
    return kept, taken


def _lists(run: Run, rows: Rows, everyone: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Yield each list of the items that examples have, and the examples that have it."""
    lists: dict[tuple[Any, ...], int] = {(): everyone}
    for item, mask in rows:
        longer: dict[tuple[Any, ...], int] = {}
        for made, having in lists.items():
            if m := having & mask:
                longer[(*made, item)] = longer.get((*made, item), 0) | m
            if m := having & ~mask:
                longer[made] = longer.get(made, 0) | m
        lists = longer
        run.count(len(lists))
    for made, having in lists.items():
        yield checked_list(made), having


def _with_closure(goal: Term, name: str, closure: Compound) -> Term:
    """Fill in a goal of :data:`MAPPING`: ``each`` is the helper, ``holds`` the closure's call."""
    if not isinstance(goal, Compound):
        return goal
    arguments = tuple(_with_closure(item, name, closure) for item in goal.arguments)
    if goal.name == "each":
        return Compound(name, (*closure.arguments, *arguments))
    if goal.name == "holds":
        return Compound(closure.name, (*closure.arguments, *arguments))
    return Compound(goal.name, arguments)


def _picker(places: Sequence[int]) -> Get:
    if len(places) > 1:
        return operator.itemgetter(*places)
    if places:
        at = places[0]
        return lambda values: (values[at],)
    return lambda values: ()


def _together(gets: Sequence[Get]) -> Get:
    return lambda values: tuple([get(values) for get in gets])


def _true(run: Run, rows: Rows) -> Rows:
    return rows


def _fail(run: Run, rows: Rows) -> Rows:
    return []


def _filter(test: Callable[[Any, Any], bool], one: Get, other: Get) -> Goal:
    return lambda run, rows: [row for row in rows if test(one(row[0]), other(row[0]))]


def _evaluated(get: Get) -> Callable[[Values], Iterable[Values]]:
    def function(values: Values) -> Iterable[Values]:
        return ((get(values),),)

    function.takes_row = True
    return function


def _merging(pick: Get) -> Goal:
    def merge(run: Run, rows: Rows) -> Rows:
        merged: dict[Values, int] = {}
        for values, mask in rows:
            key = pick(values)
            merged[key] = merged.get(key, 0) | mask
        return list(merged.items())

    return merge


def _sequence(steps: Sequence[Goal]) -> Goal:
    def run_all(run: Run, rows: Rows) -> Rows:
        for step in steps:
            rows = step(run, rows)
            if not rows:
                break
            run.count(len(rows))
        return rows

    return run_all
