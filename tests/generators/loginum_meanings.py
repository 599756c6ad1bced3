"""What phrases of LogiNumSynth's sentences mean, in a form in which equal meanings are equal.

A number is a polynomial: a frozenset of (factors, coefficient). A factor is an attribute's value,
``("value", entity, attribute)``, or something that is not worked out, as ``("max", {...})``.
Conditions are a frozenset; each element is a frozenset of facts, of which one has to hold. A
statement is a frozenset of (conditions, fact), which are all asserted. A noun is an entity and an
attribute, either of them ``None`` as long as nothing has named it.

A function gets the meanings of a phrase's parts, in the order of the text. It returns the meaning
of the whole, :class:`Several` if there is more than one, or ``None`` if there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import product
from typing import Any

import loginum_reference as reference

Meaning = Any


class Several(list[Meaning]):
    """The meanings of a phrase that can be taken in several ways."""


def same(meaning: Meaning) -> Meaning:
    return meaning


# Numbers


def constant(number: int) -> Meaning:
    return frozenset({((), number)} if number else ())


def atom(*parts: Meaning) -> Meaning:
    return frozenset({((parts,), 1)})


def plus(left: Meaning, right: Meaning, times: int = 1) -> Meaning:
    terms = Counter(dict(left))
    for factors, number in right:
        terms[factors] += times * number
    return frozenset((factors, number) for factors, number in terms.items() if number)


def minus(left: Meaning, right: Meaning) -> Meaning:
    return plus(left, right, -1)


def taken_from(part: Meaning, whole: Meaning) -> Meaning:
    return minus(whole, part)


def times(left: Meaning, right: Meaning) -> Meaning:
    terms: Counter[tuple[Meaning, ...]] = Counter()
    for (some, one), (more, other) in product(left, right):
        terms[tuple(sorted(some + more, key=repr))] += one * other
    return frozenset((factors, number) for factors, number in terms.items() if number)


def greatest(values: Iterable[Meaning]) -> Meaning:
    return atom("max", frozenset(values))


def least(values: Iterable[Meaning]) -> Meaning:
    return atom("min", frozenset(values))


def largest(values: Iterable[Meaning]) -> Several:
    return Several([greatest(values), atom("largest in size", frozenset(values))])


def smallest(values: Iterable[Meaning]) -> Several:
    return Several([least(values), atom("smallest in size", frozenset(values))])


def total(values: Iterable[Meaning]) -> Meaning:
    return reduce(plus, values, constant(0))


def product_of(values: Iterable[Meaning]) -> Meaning:
    return reduce(times, values, constant(1))


def excess(left: Meaning, right: Meaning) -> Several:
    """Return by how much a number exceeds another, which may not exceed it at all."""
    return Several([minus(left, right), greatest([minus(left, right), constant(0)])])


def distance(left: Meaning, right: Meaning) -> Several:
    return Several([minus(left, right), minus(right, left)])


def _by(change: Callable[[Meaning, Meaning], Meaning]) -> Callable[[Meaning, Meaning], Several]:
    """Return a change by a number; by -4 may be by 4, the word having said the direction."""

    def changed(number: Meaning, by: Meaning) -> Several:
        below = [constant(-size) for factors, size in by if not factors and size < 0]
        return Several([change(number, size) for size in (by, *below)])

    return changed


increased, decreased = _by(plus), _by(minus)


def number_if(number: Meaning, conditions: Meaning) -> Meaning:
    return atom("if", number, conditions)


def pair(one: Meaning, other: Meaning) -> Meaning:
    return (one, other)


def longer(one: Meaning, others: Meaning) -> Meaning:
    return (one, *others)


# Nouns


def of_entity(entity: str) -> Meaning:
    return (entity, None)


def of_attribute(attribute: str) -> Meaning:
    return (None, attribute)


def nothing() -> Meaning:
    return (None, None)


def merged(one: Meaning, other: Meaning) -> Meaning | None:
    """Return what two parts of a noun say together, if none says again what the other says."""
    if all(None in said for said in zip(one, other, strict=True)):
        return tuple(left or right for left, right in zip(one, other, strict=True))
    return None


def with_entity(noun: Meaning, entity: str) -> Meaning | None:
    return merged(noun, of_entity(entity))


def with_attribute(noun: Meaning, attribute: str) -> Meaning | None:
    return merged(noun, of_attribute(attribute))


def value_of(noun: Meaning) -> Meaning | None:
    return None if None in noun else atom("value", *noun)


# Statements


def asserted(*facts: Meaning) -> Meaning:
    return frozenset((frozenset(), fact) for fact in facts)


def rule(statement: Meaning, conditions: Meaning) -> Meaning:
    return frozenset((held | conditions, fact) for held, fact in statement)


def rule_of(conditions: Meaning, statement: Meaning) -> Meaning:
    return rule(statement, conditions)


def rule_and(conditions: Meaning, other: Meaning, statement: Meaning) -> Meaning:
    return every(rule(statement, conditions), other)


def assigned(noun: Meaning, number: Meaning) -> Meaning | None:
    """Return that an attribute has a value; ``x is (5 if ...)`` is ``(x is 5) if ...``."""
    if None in noun:
        return None
    if len(number) == 1:
        ((factors, coefficient),) = number
        if coefficient == 1 and len(factors) == 1 and factors[0][0] == "if":
            return rule(assigned(noun, factors[0][1]), factors[0][2])
    return asserted(("is", *noun, number))


def equal(one: Meaning, other: Meaning) -> Meaning | None:
    """Return that the second attribute gets the value of the first."""
    number = value_of(one)
    return None if number is None else assigned(other, number)


def for_entity(entity: str, noun: Meaning, number: Meaning) -> Meaning | None:
    whole = with_entity(noun, entity)
    return None if whole is None else assigned(whole, number)


def recorded(number: Meaning, entity: str, attribute: str) -> Meaning | None:
    return assigned((entity, attribute), number)


def had(entity: str, number: Meaning, attribute: str) -> Meaning | None:
    return assigned((entity, attribute), number)


def related(relation: str, firsts: Iterable[str], seconds: Iterable[str]) -> Meaning:
    return asserted(*(("rel", relation, *ends) for ends in product(firsts, seconds)))


def _related_by(*places: int) -> Callable[..., Meaning]:
    """Relate what stands at these places: the relation, the firsts and the seconds."""
    return lambda *parts: related(*(parts[place] for place in places))


active, passive = _related_by(1, 0, 2), _related_by(1, 2, 0)
whom, fronted = _related_by(2, 1, 0), _related_by(2, 0, 1)


def between(relation: str, first: str, second: str) -> Several:
    return Several([related(relation, [first], [second]), related(relation, [second], [first])])


# Conditions, and what joins them or statements


def needed(statement: Meaning) -> Meaning | None:
    """Return a statement as conditions, unless it has conditions itself."""
    if any(held for held, _ in statement):
        return None
    return frozenset(frozenset({fact}) for _, fact in statement)


def every(*parts: Meaning) -> Meaning:
    return frozenset().union(*parts)


def either(left: Meaning, right: Meaning) -> Meaning:
    return frozenset(one | other for one, other in product(left, right))


def one_statement(left: Meaning, right: Meaning) -> Meaning:
    return frozenset({(frozenset(), ("or", left, right))})


# What formulas mean


OPERATIONS = {
    "max": lambda *values: greatest(values),
    "min": lambda *values: least(values),
    "addition": plus,
    "subtraction": minus,
}


def number_meant(expression: tuple[Any, ...]) -> Meaning:
    kind, *parts = expression
    if kind == "number":
        return constant(*parts)
    if kind == "value":
        return atom("value", *parts)
    if kind == "linear":
        factor, entity, attribute, summand = parts
        value = atom("value", entity, attribute)
        return plus(times(constant(factor), value), constant(summand))
    return OPERATIONS[kind](*map(number_meant, parts))


def fact_meant(fact: tuple[Any, ...]) -> Meaning:
    if fact[0] == "rel":
        return asserted(fact)
    number = fact[3] if isinstance(fact[3], tuple) else ("number", fact[3])
    return assigned(fact[1:3], number_meant(number))


def rule_meant(text: str) -> Meaning:
    conditions, conclusion = reference.renamed(reference.read_rule(text), "entity_")
    needed = frozenset(frozenset(fact for _, fact in fact_meant(each)) for each in conditions)
    return rule(fact_meant(conclusion), needed)


def query_meant(text: str) -> Meaning:
    return atom("value", *reference.read_query(text))
