"""What is known at a goal of a clause, the rows that hold it, and what is done with them.

A row is the values of the variables that are known at a goal, and the mask of the examples where
the goals so far hold for these values. A goal maps rows to rows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from logic_curriculum.rewards.engines.rules.examples import Examples
from logic_curriculum.rewards.engines.rules.language import ARITHMETIC, Vocabulary, checked_list
from logic_curriculum.rewards.engines.rules.terms import (
    CONS,
    FRACTION,
    NIL,
    NUMBER,
    ClashError,
    Compound,
    RefusedError,
    Term,
    Type,
    Variable,
    unify,
    variables,
    write_term,
)

Values = tuple[Any, ...]
Row = tuple[Values, int]
Rows = list[Row]
Solutions = dict[Values, Rows]  # input → what a subgoal yields for it, in Prolog's order


@dataclass
class Run:
    """One rule at work on some examples."""

    examples: Examples
    most: int  # steps that it may take
    steps: int = 0
    depth: int = 0

    def count(self, steps: int) -> None:
        """Count rows that are tried; raise a RefusedError when there are too many."""
        self.steps += steps
        if self.steps > self.most:
            raise RefusedError(f"the rule takes more than {self.most:,} steps")


Goal = Callable[[Run, Rows], Rows]
Get = Callable[[Values], Any]
Match = Callable[[Values, Any, list[Any]], bool]
"""Compares a value with a term in a row; adds the values of variables that are new there."""
Solve = Callable[[Run, dict[Values, int]], Solutions]


def fail(run: Run, rows: Rows) -> Rows:
    """Keep no row."""
    return []


def test(holds: Callable[[Any, Any], bool], one: Get, other: Get) -> Goal:
    """Keep the rows where two values compare so."""
    return lambda run, rows: [row for row in rows if holds(one(row[0]), other(row[0]))]


def sequence(goals: Sequence[Goal]) -> Goal:
    """Run goals one after the other."""

    def run_all(run: Run, rows: Rows) -> Rows:
        for goal in goals:
            rows = goal(run, rows)
            if not rows:
                break
            run.count(len(rows))
        return rows

    return run_all


Accept = Callable[[Values, Values], Values | None]
"""Compares what is yielded with terms in a row; returns the values of new variables, or None."""


def picker(places: Sequence[int]) -> Get:
    """Return what takes the values at some places of a row, as a tuple."""
    if len(places) > 1:
        return operator.itemgetter(*places)
    at = places[0] if places else None
    return lambda values: () if at is None else (values[at],)


def together(gets: Sequence[Get]) -> Get:
    """Return what computes several values, as a tuple."""
    return lambda values: tuple([get(values) for get in gets])


def inputs_of(rows: Rows, key_of: Get) -> dict[Values, int]:
    """Return the different keys of rows, with the examples of each."""
    inputs: dict[Values, int] = {}
    for values, mask in rows:
        key = key_of(values)
        inputs[key] = inputs.get(key, 0) | mask
    return inputs


def merging(pick: Get) -> Goal:
    """Keep some values of each row, and make one of those that are equal then."""
    return lambda run, rows: list(inputs_of(rows, pick).items())


def merged(rows: Rows) -> Rows:
    """Make one of equal rows."""
    return list(inputs_of(rows, lambda values: values).items()) if len(rows) > 1 else rows


def sort_by_key(found: Solutions, rows: Rows, key_of: Get, pick: Get) -> None:
    """Add to what is found for each key what ``pick`` takes from the rows that have it."""
    for values, mask in rows:
        found[key_of(values)].append((pick(values), mask))


def first(rows: Rows, key_of: Get, inputs: dict[Values, int]) -> tuple[Rows, dict[Values, int]]:
    """Keep for each example the first row of each input; return also the inputs without a row."""
    left, kept = inputs.copy(), []
    for values, mask in rows:
        key = key_of(values)
        if taken := mask & left[key]:
            kept.append((values, taken))
            left[key] ^= taken
    return kept, {key: mask for key, mask in left.items() if mask}


def lists_of(run: Run, rows: Rows, everyone: int) -> Iterator[tuple[Values, int]]:
    """Yield each list of the items that examples have, and the examples that have it."""
    lists: dict[Values, int] = {(): everyone}
    for item, mask in rows:
        longer: dict[Values, int] = {}
        for made, having in lists.items():
            if both := having & mask:
                added = checked_list((*made, item), deeply=len(made) % 4 == 3)
                longer[added] = longer.get(added, 0) | both
            if left := having & ~mask:
                longer[made] = longer.get(made, 0) | left
        lists = longer
        run.count(1 + len(lists) // 4)
    yield from ((checked_list(items), mask) for items, mask in lists.items())


DEEPEST = 100  # calls of predicates within each other
_key = operator.itemgetter(0)


@dataclass
class Helper:
    """A predicate of a rule, compiled for calls with a value at certain arguments."""

    merge: bool
    clauses: list[tuple[Accept, Goal, Get, bool]] = field(default_factory=list)
    """Of each: its head, body and other arguments, and whether its first proof is enough."""

    def solve(self, run: Run, inputs: dict[Values, int]) -> Solutions:
        """Return for each input the values of the other arguments."""
        run.depth += 1
        if run.depth > DEEPEST:
            raise RefusedError(f"predicates call each other more than {DEEPEST} deep")
        found: Solutions = {key: [] for key in inputs}
        left = inputs
        for accept, body, outputs, one_is_enough in self.clauses:
            rows = [((key, *new), mask) for key, mask in left.items()
                    if (new := accept((), key)) is not None]  # fmt: skip
            rows = body(run, rows) if rows else rows
            if one_is_enough:
                rows, left = first(rows, _key, left)
            sort_by_key(found, rows, _key, outputs)
        run.depth -= 1
        return {key: merged(its) for key, its in found.items()} if self.merge else found


# What is known at a goal

DEEPEST_TYPE = 5, 2  # lists and pairs, and lists: deeper ones would take seconds to compare
Known = list[str]  # names of the variables with a value, in the order of a row's values
Compiled = tuple[Goal, Known | None]
"""A goal, and the variables that it gives a value; None if it always fails."""


@dataclass
class Clause:
    """A clause of a rule."""

    number: int  # from 1, for messages
    head: Compound
    goals: list[Term]
    has_cut: bool = False  # whether a cut is its last goal
    types: dict[str, Type] = field(default_factory=dict)  # of its variables


@dataclass
class Scope:
    """What is known before a goal of a clause."""

    vocabulary: Vocabulary
    clause: Clause
    goal: Compound  # the goal or, for messages, the head
    known: Known
    later: frozenset[str]  # variables that are used after the goal
    merge: bool  # whether only truth counts, so that equal rows may become one

    def refuse(self, problem: str) -> NoReturn:
        """Raise a RefusedError that names the clause and the goal."""
        raise RefusedError(f"clause {self.clause.number}, {write_term(self.goal)[:80]}: {problem}")

    def used(self, *terms: Term) -> Known:
        """Return the known variables that terms name."""
        names = {name for term in terms for name in variables(term)}
        return [name for name in self.known if name in names]

    def places(self, names: Sequence[str]) -> list[int]:
        """Return the places of known variables in a row."""
        return [self.known.index(name) for name in names]

    def unknown(self, *terms: Term) -> str:
        """Return a variable of the terms that has no value yet, if there is one."""
        return next(iter(self.new(*terms)), "")

    def new(self, *terms: Term) -> Known:
        """Return the variables of terms that have no value yet."""
        names = dict.fromkeys(name for term in terms for name in variables(term))
        return [name for name in names if name not in self.known]

    def unify(self, one: Term | Type, other: Term | Type) -> Type:
        """Make the types of two terms one, and return it; refuse the goal if they differ."""
        mine, its = (t if isinstance(t, Type) else self.type_of(t) for t in (one, other))
        try:
            unify(mine, its)
        except ClashError as clash:
            self.refuse(str(clash))
        if mine.is_deeper(*DEEPEST_TYPE):
            self.refuse(
                "lists and pairs are too deep: at most five are within each other, two lists"
            )
        return mine

    def type_of(self, term: Term) -> Type:
        """Return the type of a term; refuse what is no term of the language."""
        if isinstance(term, Variable):
            return self.clause.types.setdefault(term.name, Type())
        if isinstance(term, int):
            if abs(term) > self.vocabulary.largest:
                self.refuse(f"the numbers go up to {self.vocabulary.largest}")
            return NUMBER
        if term == NIL:
            return Type("list", (Type(),))
        if term.name == CONS:
            item, tail = map(self.type_of, term.arguments)
            return self.unify(Type("list", (item,)), tail)
        if term.indicator == "-/2":
            pair = Type("pair", tuple(map(self.type_of, term.arguments)))
            return self.unify(pair, pair)
        if not term.arguments and term.name in self.vocabulary.types:
            return Type(self.vocabulary.types[term.name])
        self.refuse(f"{write_term(term)[:60]} is no value of the task")

    def get(self, term: Term) -> Get:
        """Return what computes a term's value; all of its variables must have one."""
        if isinstance(term, Variable):
            if term.name not in self.known:
                self.refuse(f"{write_term(term)} has no value yet")
            return operator.itemgetter(self.known.index(term.name))
        if isinstance(term, int):
            return lambda values: term
        if not term.arguments:
            constant = () if term == NIL else term.name
            return lambda values: constant
        one, other = map(self.get, term.arguments)
        if term.name == CONS:
            return lambda values: _longer(one(values), other(values))
        return lambda values: (one(values), other(values))

    def accept(self, terms: Sequence[Term]) -> Accept:
        """Return what compares values with terms, and yields those of the new variables."""
        names: Known = []
        matches = [self.match(term, names) for term in terms]

        def accept(values: Values, yielded: Values) -> Values | None:
            new: list[Any] = []
            for match, value in zip(matches, yielded, strict=True):
                if not match(values, value, new):
                    return None
            return tuple(new)

        return accept

    def match(self, term: Term, new: Known) -> Match:
        """Return what compares a value with a term; variables without a value go to ``new``."""
        if isinstance(term, Variable) and term.name not in self.known:
            if term.name in new:
                at = new.index(term.name)
                return lambda values, value, fresh: bool(fresh[at] == value)
            new.append(term.name)
            return _take
        if not (isinstance(term, Compound) and term.arguments):
            get = self.get(term)
            return lambda values, value, fresh: bool(get(values) == value)
        one, other = (self.match(item, new) for item in term.arguments)
        if term.name == CONS:
            return lambda values, value, fresh: (
                bool(value) and one(values, value[0], fresh) and other(values, value[1:], fresh)
            )
        return lambda values, value, fresh: (
            one(values, value[0], fresh) and other(values, value[1], fresh)
        )

    def extended(
        self, gets: Sequence[Get], yields: Callable[..., Iterable[Any]], outputs: Sequence[Term]
    ) -> Compiled:
        """Compile a goal that extends each row by what is yielded for some of its values.

        That are values of the output, or tuples of those of several.
        """
        accept, is_single = self.accept(outputs), len(outputs) == 1

        def extend(run: Run, rows: Rows) -> Rows:
            made: Rows = []
            for values, mask in rows:
                for item in yields(*[get(values) for get in gets]):
                    run.count(1)
                    new = accept(values, (item,) if is_single else item)
                    if new is not None:
                        made.append((values + new, mask))
            return made

        return extend, self.new(*outputs)

    def joined(self, key_of: Get, solve: Solve, outputs: Sequence[Term]) -> Compiled:
        """Compile a goal that extends each row by a subgoal, solved once for equal inputs."""
        accept = self.accept(outputs)

        def join(run: Run, rows: Rows) -> Rows:
            solutions = solve(run, inputs_of(rows, key_of))
            made: Rows = []
            for values, mask in rows:
                for yielded, holding in solutions[key_of(values)]:
                    run.count(1)
                    if (both := mask & holding) and (new := accept(values, yielded)) is not None:
                        made.append((values + new, both))
            return made

        return join, self.new(*outputs)

    def arithmetic(self, term: Term) -> tuple[Get, Type]:
        """Return what computes an expression, and whether it is a number or a fraction."""
        if isinstance(term, Variable | int):
            its_type = self.type_of(term)
            if its_type.kind != FRACTION.kind:
                self.unify(its_type, NUMBER)
            return self.get(term), its_type
        function = ARITHMETIC.get(term.indicator)
        if function is None:
            self.refuse(f"{write_term(term)[:60]} is no arithmetic of the language")
        parts = [self.arithmetic(item) for item in term.arguments]
        gets = [get for get, _ in parts]
        kinds = [its_type.kind for _, its_type in parts]
        result = FRACTION if term.name == "/" or FRACTION.kind in kinds else NUMBER
        return lambda values: function(*[get(values) for get in gets]), result


def _longer(item: Any, tail: Values) -> Values:
    return checked_list((item, *tail), deeply=len(tail) % 4 == 3)


def _take(values: Values, value: Any, fresh: list[Any]) -> bool:
    fresh.append(value)
    return True
