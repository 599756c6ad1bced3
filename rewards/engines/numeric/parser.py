"""Parser of the text of facts, rules and queries, as task rows hold it.

A recursive descent reads every spelling. A judge of thousands of rows a second parses all facts of
a row, but of its rules only those that an answer applies, so regular expressions check and read the
usual spelling: what ``str`` makes, in ASCII, of expressions that are nested once at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

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
    Query,
    RelationFact,
    Retrieval,
    Rule,
)

MAX_LENGTH = 2000
"""Longest fact, rule or query that is read, in characters."""
MAX_DEPTH = 20
"""Deepest nesting of expressions that is read."""
MAX_DIGITS = 400
"""Longest number that is read, in digits."""

_TOKEN = re.compile(r"->|\?\w+|[^\W\d][\w'’-]*|\d+|\S")
_Item = TypeVar("_Item")


class RuleTextError(ValueError):
    """A text is no fact, rule or query; the message says where and why."""


def parse_fact(text: str) -> Fact:
    """Parse ``is(Hetty, legal, -95)`` or ``hamper(Ed, Claresta)``; no variables.

    Raises:
        RuleTextError: When the text is no such fact.

    >>> parse_fact("is(Hetty, legal, -95)")
    AttributeFact(entity='Hetty', attribute='legal', value=-95)
    """
    if found := _ATTRIBUTE_FACT.fullmatch(text):
        entity, attribute, value = found.groups()
        return AttributeFact(entity, attribute, int(value))
    if found := _RELATION_FACT.fullmatch(text):
        return RelationFact(*found.groups())
    reader = _Reader(text)
    fact = reader.whole(reader.fact)
    if "?" in text:
        raise reader.problem("a fact has no variables: name the entities")
    return fact


def parse_rule(text: str) -> Rule:
    """Parse ``is(?x, cold, 4) & hamper(?x, ?y) -> is(?y, legal, max(2*?x[cold]+1, 7))``.

    Raises:
        RuleTextError: When the text is no rule, or the conclusion has a variable that no condition
            has.
    """
    if _is_usual_rule(text):
        return _read_usual_rule(text)
    reader = _Reader(text)
    return reader.whole(reader.rule)


def check_rule(text: str) -> str:
    """Return a text as it is if it is a rule; three times as fast as parsing the usual ones.

    Raises:
        RuleTextError: As :func:`parse_rule` does.
    """
    if not _is_usual_rule(text):
        parse_rule(text)
    return text


def parse_query(text: str) -> Query:
    """Parse ``is(Hetty, willing, ?)``.

    Raises:
        RuleTextError: When the text is no query.
    """
    found = re.fullmatch(r"\s*is\(\s*([^\s,()?]+)\s*,\s*([^\s,()?]+)\s*,\s*\?\s*\)\s*", text)
    if not found:
        raise RuleTextError(f"{text[:200]!r} is no query: write is(ENTITY, ATTRIBUTE, ?)")
    return Query(*found.groups())


# ---- the usual spelling -------------------------------------------------------------------------

_NAME = r"[A-Za-z_][A-Za-z0-9_'-]*+"
_VARIABLE = r"\?[A-Za-z0-9_]++"
_variables = re.compile(_VARIABLE).findall
_TERM = rf"(?:{_VARIABLE}|{_NAME})"
_NUMBER = rf"-?[0-9]{{1,{MAX_DIGITS}}}+"

_ATTRIBUTE_FACT = re.compile(rf"is\(({_NAME}), ({_NAME}), ({_NUMBER})\)")
_RELATION_FACT = re.compile(rf"(?!is\()({_NAME})\(({_NAME}), ({_NAME})\)")

_RELATION = rf"(?!is\(){_NAME}\({_TERM}, {_TERM}\)"
_CONDITION = rf"(?:is\({_TERM}, {_NAME}, {_NUMBER}\)|{_RELATION})"
_LOOKUP = rf"{_TERM}\[{_NAME}\]"
_OPERAND = rf"(?:{_NUMBER}(?:\*{_LOOKUP}[+-][0-9]{{1,{MAX_DIGITS}}}+)?+|{_LOOKUP})"
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


def _is_usual_rule(text: str) -> bool:
    found = _RULE.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None:
        return False
    conditions, conclusion = found.groups()
    return all(f"{v}," in conditions or f"{v})" in conditions for v in _variables(conclusion))


def _read_usual_rule(text: str) -> Rule:
    conditions, _, conclusion = text.partition(" -> ")
    patterns = tuple([_pattern(*parts) for parts in _PATTERN.findall(conditions)])
    assigned = _ASSIGNMENT.fullmatch(conclusion)
    if assigned is None:
        return Rule(patterns, RelationFact(*_PATTERN.findall(conclusion)[0][3:]))
    entity, attribute, operator, content = assigned.groups()
    parts = [_operand(*parts) for parts in _PARTS.findall(content)]
    expression = Aggregation(operator, *parts) if operator else parts[0]
    return Rule(patterns, Assignment(entity, attribute, expression))


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


# ---- every spelling -----------------------------------------------------------------------------


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise RuleTextError(f"{len(text)} characters are too many, {MAX_LENGTH} the most")
        self.text = text
        self.tokens = [*_TOKEN.findall(text), "", ""]
        self.place = 0

    def problem(self, what: str) -> RuleTextError:
        starts = [token.start() for token in _TOKEN.finditer(self.text)]
        where = starts[self.place] if self.place < len(starts) else len(self.text)
        return RuleTextError(f"{what}, at character {where + 1} of {self.text[:200]!r}")

    def whole(self, read: Callable[[], _Item]) -> _Item:
        item = read()
        if self.tokens[self.place]:
            raise self.problem("nothing should follow here")
        return item

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.place + ahead]

    def accept(self, sign: str) -> bool:
        if self.tokens[self.place] != sign:
            return False
        self.place += 1
        return True

    def expect(self, sign: str) -> None:
        if not self.accept(sign):
            raise self.problem(f"{sign!r} is missing")

    def term(self) -> str:
        """Read a name or a variable."""
        token = self.tokens[self.place]
        if len(token) > 1 and token[0] == "?":
            self.place += 1
            return token
        return self.name()

    def name(self) -> str:
        token = self.tokens[self.place]
        if not (token[:1].isalpha() or token[:1] == "_"):
            raise self.problem("a name is missing")
        self.place += 1
        return token

    def number(self) -> int:
        sign = -1 if self.accept("-") else 1
        digits = self.peek()
        if not digits.isdecimal():
            raise self.problem("a whole number is missing")
        if len(digits) > MAX_DIGITS:
            raise self.problem(f"{len(digits)} digits are too many, {MAX_DIGITS} the most")
        self.place += 1
        return sign * int(digits)

    def rule(self) -> Rule:
        conditions = [self.fact()]
        while self.accept("&"):
            conditions.append(self.fact())
        arrow = self.place
        self.expect("->")
        rule = Rule(tuple(conditions), self.conclusion())
        bound = {token for token in self.tokens[:arrow] if token[:1] == "?"}
        unbound = {token for token in self.tokens[arrow:] if token[:1] == "?"} - bound
        if unbound:
            raise self.problem(f"{min(unbound)} is in the conclusion, but in no condition")
        return rule

    def fact(self) -> Fact:
        """Read a fact, or a condition, which may have variables."""
        name, first, second = self.opening()
        if name != "is":
            self.expect(")")
            return RelationFact(name, first, second)
        self.expect(",")
        value = self.number()
        self.expect(")")
        return AttributeFact(first, second, value)

    def conclusion(self) -> RelationFact | Assignment:
        name, first, second = self.opening()
        if name != "is":
            self.expect(")")
            return RelationFact(name, first, second)
        self.expect(",")
        expression = self.expression(0)
        self.expect(")")
        return Assignment(first, second, expression)

    def opening(self) -> tuple[str, str, str]:
        """Read ``name(first, second``, which facts of both kinds begin with."""
        name = self.name()
        self.expect("(")
        first = self.term()
        self.expect(",")
        return name, first, self.name() if name == "is" else self.term()

    def expression(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise self.problem(f"more than {MAX_DEPTH} expressions inside each other")
        if self.peek(1) == "[":
            return Retrieval(self.lookup())
        if self.peek(1) == "(":
            return self.function(depth)
        number = self.number()
        if not self.accept("*"):
            return Constant(number)
        lookup = self.lookup()
        if self.accept("+") or self.peek() == "-":
            return Calculation(number, lookup, self.number())
        return Calculation(number, lookup, 0)

    def function(self, depth: int) -> Expression:
        name = self.name()
        if name not in Expression.FUNCTIONS:
            known = ", ".join(Expression.FUNCTIONS)
            raise self.problem(f"{name} is no function: there are {known}")
        self.expect("(")
        parts = [self.expression(depth + 1)]
        while self.accept(","):
            parts.append(self.expression(depth + 1))
        self.expect(")")
        try:
            return Expression.FUNCTIONS[name].of_parts(name, tuple(parts))
        except ValueError as error:
            raise self.problem(str(error)) from error

    def lookup(self) -> Lookup:
        entity = self.term()
        self.expect("[")
        attribute = self.name()
        self.expect("]")
        return Lookup(entity, attribute)
