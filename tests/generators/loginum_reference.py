"""Facts, rules and what follows from them once more: plain tuples, own reading, no hurry.

Nothing is shared with the engine that judges or with the generator. A fact is ``("is", entity,
attribute, number)`` or ``("rel", relation, first, second)``; in rules, entities that begin with
``?`` are variables. A rule is ``(conditions, conclusion)``; the conclusion's number is an
expression, a nested tuple.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Fact = tuple[Any, ...]
Rule = tuple[tuple[Fact, ...], Fact]
Binding = dict[str, str]
Way = tuple[int, frozenset[Fact]]
"""Number of a rule, from 1, and the facts that it fires from."""
Uses = tuple[Fact, ...]

_NAME = r"\??[^\W\d](?:[\w'’-])*"
_IS = re.compile(rf"is\(({_NAME}), ({_NAME}), (.+)\)")
_RELATION = re.compile(rf"({_NAME})\(({_NAME}), ({_NAME})\)")
_NUMBER = re.compile(r"-?\d+")
_VALUE = re.compile(rf"({_NAME})\[({_NAME})\]")
_LINEAR = re.compile(rf"(-?\d+)\*({_NAME})\[({_NAME})\]([+-]\d+)?")
_FUNCTION = re.compile(r"(max|min|addition|subtraction)\((.+)\)")

_SAID_RELATION = re.compile(r"(\S+) exists between (\S+) and (\S+)")
_SAID_VALUE = re.compile(r"(\S+)'s (\S+) is (-?\d+)")

_COMBINED = {"max": max, "min": min, "addition": operator.add, "subtraction": operator.sub}
_MOST_FACTS = 20_000


# Reading


def read_fact(text: str) -> Fact:
    if found := _IS.fullmatch(text):
        entity, attribute, number = found.groups()
        assert _NUMBER.fullmatch(number), f"{number} is no number in {text}"
        return ("is", entity, attribute, int(number))
    found = _RELATION.fullmatch(text)
    assert found, f"{text} is no fact"
    return ("rel", *found.groups())


def read_rule(text: str) -> Rule:
    left, arrow, right = text.partition(" -> ")
    assert arrow, f"{text} has no arrow"
    return tuple(map(read_fact, left.split(" & "))), _read_conclusion(right)


def _read_conclusion(text: str) -> Fact:
    if found := _IS.fullmatch(text):
        entity, attribute, expression = found.groups()
        return ("is", entity, attribute, _read_expression(expression))
    return read_fact(text)


def _read_expression(text: str) -> tuple[Any, ...]:
    if _NUMBER.fullmatch(text):
        return ("number", int(text))
    if found := _VALUE.fullmatch(text):
        return ("value", *found.groups())
    if found := _LINEAR.fullmatch(text):
        factor, entity, attribute, summand = found.groups()
        return ("linear", int(factor), entity, attribute, int(summand or 0))
    found = _FUNCTION.fullmatch(text)
    assert found, f"{text} is no expression"
    return (found[1], *map(_read_expression, _parts(found[2])))


def _parts(text: str) -> list[str]:
    """Split at the commas that stand in no brackets."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found]


def read_query(text: str) -> tuple[str, str]:
    found = re.fullmatch(rf"is\(({_NAME}), ({_NAME}), \?\)", text)
    assert found, f"{text} is no query"
    return found[1], found[2]


def read_claim(text: str) -> Fact:
    """Read what a step of a solution says."""
    if relation := _SAID_RELATION.fullmatch(text):
        return ("rel", *relation.groups())
    value = _SAID_VALUE.fullmatch(text)
    assert value, f"{text!r} says nothing"
    return ("is", value[1], value[2], int(value[3]))


def renamed(rule: Rule, name: str) -> Rule:
    """Call a rule's variables by a name with 1, 2, … in the order of its text."""
    names: dict[str, str] = {}

    def put(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(put, part))
        if isinstance(part, str) and part.startswith("?"):
            return names.setdefault(part, f"{name}{len(names) + 1}")
        return part

    return put(rule)


# Deduction


def firings(rule: Rule, known: Iterable[Fact]) -> Iterator[tuple[Fact, frozenset[Fact]]]:
    """Yield every conclusion of a rule with the facts that it comes from."""
    shelves = _sort(known)
    conditions, conclusion = rule
    for binding, uses in _matches(conditions, {}, shelves):
        if conclusion[0] == "rel":
            yield ("rel", conclusion[1], *_put(conclusion[2:], binding)), frozenset(uses)
            continue
        entity = _put(conclusion[1:2], binding)[0]
        for number, more in _values(conclusion[3], binding, shelves):
            yield ("is", entity, conclusion[2], number), frozenset(uses + more)


def _sort(known: Iterable[Fact]) -> Mapping[tuple[str, str], list[Fact]]:
    shelves: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in known:
        shelves[fact[0], fact[2] if fact[0] == "is" else fact[1]].append(fact)
    return shelves


def _matches(
    conditions: Sequence[Fact], binding: Binding, shelves: Mapping[Any, list[Fact]]
) -> Iterator[tuple[Binding, Uses]]:
    if not conditions:
        yield binding, ()
        return
    pattern, *others = conditions
    for fact in shelves.get((pattern[0], pattern[2 if pattern[0] == "is" else 1]), ()):
        wider = _unified(pattern, fact, binding)
        if wider is not None:
            for found, uses in _matches(others, wider, shelves):
                yield found, (fact, *uses)


def _unified(pattern: Fact, fact: Fact, binding: Binding) -> Binding | None:
    wider = dict(binding)
    for wanted, given in zip(pattern, fact, strict=True):
        if isinstance(wanted, str) and wanted.startswith("?"):
            wanted = wider.setdefault(wanted, given)
        if wanted != given:
            return None
    return wider


def _put(names: Sequence[str], binding: Binding) -> tuple[str, ...]:
    return tuple(binding[name] if name.startswith("?") else name for name in names)


def _values(
    expression: tuple[Any, ...], binding: Binding, shelves: Mapping[Any, list[Fact]]
) -> Iterator[tuple[int, Uses]]:
    """Yield the possible values of an expression with the facts that they come from."""
    kind, *parts = expression
    if kind == "number":
        yield parts[0], ()
    elif kind in ("value", "linear"):
        factor, entity, attribute, summand = parts if kind == "linear" else (1, *parts, 0)
        entity = _put([entity], binding)[0]
        for fact in shelves.get(("is", attribute), ()):
            if fact[1] == entity:
                yield factor * fact[3] + summand, (fact,)
    else:
        for left, first in _values(parts[0], binding, shelves):
            for right, second in _values(parts[1], binding, shelves):
                yield _COMBINED[kind](left, right), first + second


def closure(
    given: Sequence[Fact], rules: Sequence[Rule], *, consistent: bool = False
) -> dict[Fact, list[Way]]:
    """Map everything that is known in the end to all the ways it is derived; given facts to none.

    Round after round, every rule is tried on everything, until nothing new comes, or, with
    ``consistent``, until an attribute has two values.
    """
    known: dict[Fact, set[Way]] = {fact: set() for fact in given}
    while True:
        found: dict[Fact, set[Way]] = defaultdict(set)
        for number, rule in enumerate(rules, start=1):
            for conclusion, uses in firings(rule, known):
                found[conclusion].add((number, uses))
        if found.keys() <= known.keys() or (consistent and conflicts(known)):
            break
        known |= {fact: set() for fact in found if fact not in known}
        assert len(known) < _MOST_FACTS, "the deduction doesn't end"
    leaves = frozenset(given)
    return {fact: [] if fact in leaves else sorted(found[fact], key=repr) for fact in known}


def conflicts(known: Iterable[Fact]) -> list[tuple[str, str]]:
    """Return the entities and attributes with more than one value."""
    values: dict[tuple[str, str], set[int]] = defaultdict(set)
    for fact in known:
        if fact[0] == "is":
            values[fact[1], fact[2]].add(fact[3])
    return [pair for pair, found in values.items() if len(found) > 1]


def fewest_steps(goal: Fact, known: Mapping[Fact, list[Way]], given: Iterable[Fact]) -> int:
    """Return how many rule applications the shortest derivation of a fact has."""
    leaves = frozenset(given)
    for budget in range(len(known) + 1):
        if any(True for _ in _plans({goal} - leaves, {}, known, leaves, budget)):
            return budget
    raise AssertionError(f"{goal} can't be derived")


def _plans(
    wanted: frozenset[Fact] | set[Fact],
    done: Mapping[Fact, frozenset[Fact]],
    known: Mapping[Fact, list[Way]],
    leaves: frozenset[Fact],
    budget: int,
) -> Iterator[Mapping[Fact, frozenset[Fact]]]:
    """Yield the well-founded choices of one way for each derived fact, as few as the budget."""
    if len(wanted) + len(done) > budget:
        return
    if not wanted:
        if _grounded(done):
            yield done
        return
    goal = min(wanted, key=repr)
    for _, uses in known[goal]:
        needed = uses - leaves
        chosen = {**done, goal: needed}
        yield from _plans((wanted | needed) - chosen.keys(), chosen, known, leaves, budget)


def _grounded(needs: Mapping[Fact, frozenset[Fact]]) -> bool:
    """Tell whether the facts can be put in an order in which each needs only earlier ones."""
    left = dict(needs)
    while left:
        ready = [fact for fact, needed in left.items() if not needed & left.keys()]
        if not ready:
            return False
        for fact in ready:
            del left[fact]
    return True
