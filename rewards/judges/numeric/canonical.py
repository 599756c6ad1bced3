"""Quick reading of facts and rules that are spelled as ``str`` spells them.

The parser reads every spelling, and whatever isn't read here; this is five times as fast, which a
judge of thousands of rows a second needs.
"""

from __future__ import annotations

import re

from rewards.judges.numeric.syntax import (
    AGGREGATORS,
    Aggregation,
    Assignment,
    AttributeFact,
    Calculation,
    Constant,
    Expression,
    Fact,
    Lookup,
    RelationFact,
    Retrieval,
    Rule,
)

_NAME = r"([^\W\d][\w'’-]*+)"
_TERM = r"(\?\w++|[^\W\d][\w'’-]*+)"
_NUMBER = r"(-?[0-9]{1,400}+)"
_ATTRIBUTE = re.compile(rf"is\({_TERM}, {_NAME}, {_NUMBER}\)")
_RELATION = re.compile(rf"{_NAME}\({_TERM}, {_TERM}\)")
_ASSIGNMENT = re.compile(rf"is\({_TERM}, {_NAME}, (?:([a-z]++)\(([^()]++)\)|([^()]++))\)")
_OPERAND = re.compile(
    rf"{_NUMBER}(?:\*{_TERM}\[{_NAME}\]([+-][0-9]{{1,400}}+))?+|{_TERM}\[{_NAME}\]"
)


def read_fact(text: str) -> Fact | None:
    """Return the fact or pattern that a text spells, or ``None`` if the spelling is another."""
    found = _ATTRIBUTE.fullmatch(text)
    if found:
        entity, attribute, value = found.groups()
        return AttributeFact(entity, attribute, int(value))
    found = _RELATION.fullmatch(text)
    return RelationFact(*found.groups()) if found and found[1] != "is" else None


def read_rule(text: str) -> Rule | None:
    """Return the rule that a text spells, or ``None`` if the spelling is another.

    Rules with disjunctions or nested expressions are left to the parser, as are faulty ones.
    """
    left, _, right = text.partition(" -> ")
    conclusion = _read_conclusion(right)
    if conclusion is None:
        return None
    conditions: list[Fact] = []
    for part in left.split(" & "):
        condition = read_fact(part)
        if condition is None:
            return None
        conditions.append(condition)
    bound = {term for condition in conditions for term in condition}
    rule = Rule(tuple(conditions), conclusion)
    if isinstance(conclusion, RelationFact):
        needed = [conclusion.first, conclusion.second]
    else:
        needed = [conclusion.entity, *(lookup.entity for lookup in rule.lookups())]
    return rule if all(term in bound for term in needed if term[0] == "?") else None


def _read_conclusion(text: str) -> RelationFact | Assignment | None:
    found = _ASSIGNMENT.fullmatch(text)
    if found is None:
        relation = read_fact(text)
        return relation if isinstance(relation, RelationFact) else None
    entity, attribute, function, inside, simple = found.groups()
    parts = [_read_operand(part) for part in (simple or inside).split(", ")]
    match function, parts:
        case None, [Expression() as part]:
            return Assignment(entity, attribute, part)
        case str(), [Expression() as left, Expression() as right] if function in AGGREGATORS:
            return Assignment(entity, attribute, Aggregation(function, left, right))
    return None


def _read_operand(text: str) -> Expression | None:
    found = _OPERAND.fullmatch(text)
    if found is None:
        return None
    number, scaled, scaled_attribute, summand, entity, attribute = found.groups()
    if entity:
        return Retrieval(Lookup(entity, attribute))
    if scaled:
        return Calculation(int(number), Lookup(scaled, scaled_attribute), int(summand))
    return Constant(int(number))
