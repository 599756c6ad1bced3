"""Quick ways for facts and rules spelled as ``str`` spells them, in ASCII, of usual expressions.

The parser reads every spelling. A judge of thousands of rows a second reads all facts of a row, but
of its rules only those that an answer applies; that the others are well-formed is seen here.
"""

from __future__ import annotations

import re

from logic_curriculum.rewards.engines.numeric.syntax import (
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

_NAME = r"[A-Za-z_][A-Za-z0-9_'-]*+"
_VARIABLE = r"\?[A-Za-z0-9_]++"
_variables = re.compile(_VARIABLE).findall
_TERM = rf"(?:{_VARIABLE}|{_NAME})"
_NUMBER = r"-?[0-9]{1,400}+"

_ATTRIBUTE_FACT = re.compile(rf"is\(({_NAME}), ({_NAME}), ({_NUMBER})\)")
_RELATION_FACT = re.compile(rf"(?!is\()({_NAME})\(({_NAME}), ({_NAME})\)")

_RELATION = rf"(?!is\(){_NAME}\({_TERM}, {_TERM}\)"
_CONDITION = rf"(?:is\({_TERM}, {_NAME}, {_NUMBER}\)|{_RELATION})"
_LOOKUP = rf"{_TERM}\[{_NAME}\]"
_OPERAND = rf"(?:{_NUMBER}(?:\*{_LOOKUP}[+-][0-9]{{1,400}}+)?+|{_LOOKUP})"
_EXPRESSION = rf"(?:{_OPERAND}|(?:{'|'.join(AGGREGATORS)})\({_OPERAND}, {_OPERAND}\))"
_RULE = re.compile(
    rf"({_CONDITION}(?: & {_CONDITION})*+)"
    rf" -> ({_RELATION}|is\({_TERM}, {_NAME}, {_EXPRESSION}\))"
)
_PATTERN = re.compile(rf"is\(({_TERM}), ({_NAME}), ({_NUMBER})\)|({_NAME})\(({_TERM}), ({_TERM})\)")
_ASSIGNMENT = re.compile(rf"is\(({_TERM}), ({_NAME}), (?:({'|'.join(AGGREGATORS)})(?=\())?+(.++)\Z")
_PARTS = re.compile(
    rf"({_NUMBER})(?:\*({_TERM})\[({_NAME})\]([+-][0-9]++))?+|({_TERM})\[({_NAME})\]"
)


def read_fact(text: str) -> Fact | None:
    """Return the fact that a text spells, or ``None`` if the spelling is another."""
    found = _ATTRIBUTE_FACT.fullmatch(text)
    if found:
        entity, attribute, value = found.groups()
        return AttributeFact(entity, attribute, int(value))
    found = _RELATION_FACT.fullmatch(text)
    return RelationFact(*found.groups()) if found else None


def is_rule(text: str) -> bool:
    """Return whether a text is a rule; ``False`` leaves open whether the parser reads it."""
    found = _RULE.fullmatch(text)
    return found is not None and _unbound(*found.groups()) is None


def read_rule(text: str) -> Rule | None:
    """Return the rule that a text spells, or ``None`` if the spelling is another, or no rule's."""
    found = _RULE.fullmatch(text)
    if found is None or _unbound(*found.groups()) is not None:
        return None
    conditions, conclusion = found.groups()
    patterns = [_pattern(*parts) for parts in _PATTERN.findall(conditions)]
    assigned = _ASSIGNMENT.fullmatch(conclusion)
    if assigned is None:
        relation, one, two = _PATTERN.findall(conclusion)[0][3:]
        return Rule(tuple(patterns), RelationFact(relation, one, two))
    entity, attribute, operator, content = assigned.groups()
    parts = [_operand(*parts) for parts in _PARTS.findall(content)]
    expression = Aggregation(operator, *parts) if operator else parts[0]
    return Rule(tuple(patterns), Assignment(entity, attribute, expression))


def _unbound(conditions: str, conclusion: str) -> str | None:
    """Return a variable of the conclusion that is no condition's term, if there is one."""
    for name in _variables(conclusion):
        if f"{name}," not in conditions and f"{name})" not in conditions:
            return name
    return None


def _pattern(entity: str, attribute: str, value: str, relation: str, one: str, two: str) -> Fact:
    if value:
        return AttributeFact(entity, attribute, int(value))
    return RelationFact(relation, one, two)


def _operand(
    number: str, of: str, factor_of: str, summand: str, entity: str, name: str
) -> Expression:
    if not number:
        return Retrieval(Lookup(entity, name))
    if not of:
        return Constant(int(number))
    return Calculation(int(number), Lookup(of, factor_of), int(summand))
