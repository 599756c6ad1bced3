"""A place in a clause: which variables have a value there, and what terms are in it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from logic_curriculum.rewards.engines.rules.language import Vocabulary
from logic_curriculum.rewards.engines.rules.library import ARITHMETIC, checked_list
from logic_curriculum.rewards.engines.rules.rows import Accept, Get, Match, Values, accepting
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
    list_of,
    pair_of,
    unify,
    variables,
    write_term,
)

DEEPEST_TYPE = 5  # or equal pairs, which are stored once, would be compared for ever
Known = list[str]  # names of the variables with a value, in the order of a row's values


@dataclass
class Clause:
    """A clause of a rule."""

    number: int  # from 1, for messages
    arguments: tuple[Term, ...]  # of its head
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

    def before(self, goal: Compound) -> Scope:
        """Return the same place with another goal."""
        return replace(self, goal=goal)

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

    def place(self, term: Term) -> int | None:
        """Return the place of a variable in a row, None if it has no value yet."""
        assert isinstance(term, Variable)
        return self.known.index(term.name) if term.name in self.known else None

    def unknown(self, *terms: Term) -> str:
        """Return a variable of the terms that has no value yet, if there is one."""
        return next((n for term in terms for n in variables(term) if n not in self.known), "")

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
        if mine.is_deeper(DEEPEST_TYPE):
            self.refuse(f"lists and pairs are within each other more than {DEEPEST_TYPE} times")
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
            return list_of(Type())
        if term.name == CONS:
            item, tail = map(self.type_of, term.arguments)
            return self.unify(list_of(item), tail)
        if term.indicator == "-/2":
            pair = pair_of(*map(self.type_of, term.arguments))
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
            return lambda values: checked_list((one(values), *other(values)))
        return lambda values: (one(values), other(values))

    def accept(self, terms: Sequence[Term]) -> Accept:
        """Return what compares values with terms, and yields those of the new variables."""
        new: Known = []
        return accepting([self.match(term, new) for term in terms])

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
        fractional = term.name == "/" or any(kind.kind == FRACTION.kind for _, kind in parts)
        return lambda values: function(
            *[g(values) for g in gets]
        ), FRACTION if fractional else NUMBER


def _take(values: Values, value: Any, fresh: list[Any]) -> bool:
    fresh.append(value)
    return True
