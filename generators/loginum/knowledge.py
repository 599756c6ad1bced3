"""What is known in a world that grows by one fact or rule at a time, without any conflict.

A stricter relative of :mod:`rewards.judges.numeric.engine`, which has the last word: here nothing
may be known in two ways, so that each conclusion has one derivation, and none is shorter than the
gold process.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generators.loginum.world import Goal
from rewards.judges.numeric.syntax import (
    AnyOf,
    Assignment,
    AttributeFact,
    Condition,
    Expression,
    Fact,
    Lookup,
    RelationFact,
    Rule,
)

MAX_FOLLOWING = 100
"""A fact or rule from which more than this follows is refused."""
MAX_BINDINGS = 5000
"""A fact or rule for which more bindings than this have to be tried at a time is refused."""

_Binding = dict[str, str]
"""Variable → entity."""
_Atom = tuple[str, str, str | None, int | None]
"""Relation and two variables, or attribute, variable, ``None`` and a value; any, if ``None``."""
_Alternatives = tuple[_Atom, ...]


class _Plan(NamedTuple):
    """A rule as it is matched."""

    needs: tuple[_Alternatives, ...]
    """Of each of these, one has to hold."""
    name: str
    """Attribute or relation of the conclusion."""
    variables: tuple[str, ...]
    expression: Expression | None


class _RefusedError(Exception):
    """Something would be known twice, or too much would follow."""


class Knowledge:
    """Given and derived facts, each known in one way only."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, int]] = {}
        """Attribute → entity → value."""
        self.pairs: dict[str, dict[tuple[str, str], None]] = {}
        """Relation → the pairs for which it holds."""
        self.about: dict[str, list[Goal]] = {}
        """Entity → what is known about it."""
        self._askers: dict[str, list[tuple[_Plan, int, _Atom]]] = {}
        """Attribute or relation → the atoms of rules that ask for it."""

    def value(self, goal: Goal) -> int | None:
        """Return the value of an attribute of an entity, or ``None``."""
        known = self.values.get(goal[0])
        return None if known is None else known.get(goal[1])

    def knows(self, goal: Goal) -> bool:
        """Return whether there is a value, or the relation holds."""
        if len(goal) == 2:
            return goal[1] in self.values.get(goal[0], ())
        return goal[1:] in self.pairs.get(goal[0], ())

    def add_fact(self, fact: Fact) -> bool:
        """Take in a fact and what follows; change nothing if something were known twice."""
        return self._take_in([fact])

    def add_rule(self, rule: Rule) -> bool:
        """Take in a rule and what follows; change nothing if something were known twice."""
        plan = _plan_of(rule)
        for index, alternatives in enumerate(plan.needs):
            for atom in alternatives:
                self._askers.setdefault(atom[0], []).append((plan, index, atom))
        try:
            if self._take_in(list(self._fire(plan, plan.needs, {}))):
                return True
        except _RefusedError:
            pass
        for alternatives in plan.needs:
            for atom in alternatives:
                self._askers[atom[0]].pop()
        return False

    def _take_in(self, waiting: list[Fact]) -> bool:
        taken: list[Goal] = []
        try:
            while waiting:
                fact = waiting.pop()
                taken.append(self._record(fact))
                if len(taken) > MAX_FOLLOWING:
                    raise _RefusedError
                if fact[0 if isinstance(fact, RelationFact) else 1] in self._askers:
                    waiting.extend(self._follow(fact))
        except _RefusedError:
            for goal in reversed(taken):
                self._forget(goal)
            return False
        return True

    def _record(self, fact: Fact) -> Goal:
        goal: Goal
        if isinstance(fact, AttributeFact):
            entity, attribute, value = fact
            known = self.values.setdefault(attribute, {})
            if entity in known:
                raise _RefusedError
            known[entity] = value
            goal = (attribute, entity)
            self.about.setdefault(entity, []).append(goal)
            return goal
        pair = (fact.first, fact.second)
        holding = self.pairs.setdefault(fact.relation, {})
        if pair in holding or fact.first == fact.second:
            raise _RefusedError
        holding[pair] = None
        goal = tuple(fact)
        for entity in pair:
            self.about.setdefault(entity, []).append(goal)
        return goal

    def _forget(self, goal: Goal) -> None:
        if len(goal) == 2:
            del self.values[goal[0]][goal[1]]
        else:
            del self.pairs[goal[0]][goal[1], goal[2]]
        for entity in goal[1:]:
            self.about[entity].pop()

    def _follow(self, fact: Fact) -> Iterator[Fact]:
        """Yield what follows from a fact that is just recorded, and could not before."""
        done: list[tuple[_Plan, _Binding]] = []
        name, terms, number = _parts(fact)
        for plan, index, atom in self._askers[name]:
            binding = _bind(atom, terms, number)
            if binding is None:
                continue
            for full in self._bindings(plan.needs[:index] + plan.needs[index + 1 :], binding):
                # A fact that meets two conditions of a rule finds the same binding twice.
                if not any(full == other and plan is rule for rule, other in done):
                    done.append((plan, full))
                    yield self._conclude(plan, full)

    def _fire(
        self, plan: _Plan, needs: tuple[_Alternatives, ...], binding: _Binding
    ) -> Iterator[Fact]:
        for full in self._bindings(needs, binding):
            yield self._conclude(plan, full)

    def _bindings(self, needs: tuple[_Alternatives, ...], binding: _Binding) -> list[_Binding]:
        """Return the extensions of a binding that meet all needs."""
        bindings = [binding]
        for alternatives in needs:
            bindings = [
                extended
                for atom in alternatives
                for extended in (
                    self._with_value(atom, bindings)
                    if atom[2] is None
                    else self._with_pair(atom, bindings)
                )
            ]
            if not bindings:
                break
            if len(bindings) > MAX_BINDINGS:
                raise _RefusedError
        return bindings

    def _with_value(self, atom: _Atom, bindings: list[_Binding]) -> list[_Binding]:
        name, variable, _, wanted = atom
        known = self.values.get(name)
        if not known:
            return []
        found = []
        for binding in bindings:
            entity = binding.get(variable)
            if entity is not None:
                value = known.get(entity)
                if value is not None and (wanted is None or wanted == value):
                    found.append(binding)
            else:
                for entity, value in known.items():
                    if wanted is None or wanted == value:
                        found.append({**binding, variable: entity})
        return found

    def _with_pair(self, atom: _Atom, bindings: list[_Binding]) -> list[_Binding]:
        name, one, two, _ = atom
        assert two is not None
        known = self.pairs.get(name)
        if not known:
            return []
        found = []
        for binding in bindings:
            first, second = binding.get(one), binding.get(two)
            for pair in known:
                fits = first in (None, pair[0]) and second in (None, pair[1])
                if fits and (one != two or pair[0] == pair[1]):
                    found.append({**binding, one: pair[0], two: pair[1]})
        return found

    def _conclude(self, plan: _Plan, binding: _Binding) -> Fact:
        names = [binding[variable] for variable in plan.variables]
        if plan.expression is None:
            return RelationFact(plan.name, *names)
        values = self.values

        def value_of(lookup: Lookup) -> int:
            return values[lookup.attribute][binding[lookup.entity]]

        return AttributeFact(names[0], plan.name, plan.expression.value(value_of))


def _bind(atom: _Atom, terms: tuple[str, ...], number: int | None) -> _Binding | None:
    """Return the binding under which an atom is a fact, or ``None``."""
    _, one, two, wanted = atom
    if two is None:
        return {one: terms[0]} if wanted is None or wanted == number else None
    if one == two and terms[0] != terms[1]:
        return None
    return {one: terms[0], two: terms[1]}


def _parts(fact: Fact) -> tuple[str, tuple[str, ...], int | None]:
    if isinstance(fact, AttributeFact):
        return fact.attribute, (fact.entity,), fact.value
    return fact.relation, (fact.first, fact.second), None


def _plan_of(rule: Rule) -> _Plan:
    needs = [_alternatives(condition) for condition in rule.conditions]
    conclusion = rule.conclusion
    if isinstance(conclusion, Assignment):
        entity, attribute, expression = conclusion
        lookups = dict.fromkeys(expression.lookups())
        needs += [((lookup.attribute, lookup.entity, None, None),) for lookup in lookups]
        return _Plan(tuple(needs), attribute, (entity,), expression)
    return _Plan(tuple(needs), conclusion.relation, (conclusion.first, conclusion.second), None)


def _alternatives(condition: Condition) -> _Alternatives:
    if isinstance(condition, AnyOf):
        return tuple(_atom(pattern) for pattern in condition.patterns)
    return (_atom(condition),)


def _atom(pattern: Fact) -> _Atom:
    if isinstance(pattern, AttributeFact):
        return (pattern.attribute, pattern.entity, None, pattern.value)
    return (pattern.relation, pattern.first, pattern.second, None)
