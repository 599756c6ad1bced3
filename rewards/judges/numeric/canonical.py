"""Quick ways for facts and rules that are spelled as ``str`` spells them.

The parser reads every spelling. A judge of thousands of rows a second reads all facts of a row, but
of its rules only those that an answer applies; that the others are well-formed is seen here.
"""

from __future__ import annotations

import re

from rewards.judges.numeric.syntax import AGGREGATORS, AttributeFact, Fact, RelationFact

_NAME = r"[^\W\d][\w'’-]*+"
_VARIABLE = r"\?\w++"
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
    if found is None:
        return False
    conditions, conclusion = found.groups()
    return set(re.findall(_VARIABLE, conclusion)) <= set(re.findall(_VARIABLE, conditions))
