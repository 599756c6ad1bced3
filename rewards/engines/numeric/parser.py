"""Parser of the text of facts, rules and queries, as task rows hold it.

A recursive descent reads every spelling. A judge of thousands of rows a second reads all facts of a
row, but of its rules only those that an answer applies, so regular expressions read facts and check
rules in the usual spelling: what ``str`` makes, in ASCII, of expressions nested once at most.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import Fact, Rule

MAX_LENGTH = 2000  # longest fact, rule or query that is read, in characters
MAX_DEPTH = 20  # deepest nesting of expressions that is read
MAX_DIGITS = 400  # longest number that is read, in digits

_TOKEN = re.compile(r"->|\?\w+|[^\W\d][\w'’-]*|\d+|\S")
_Item = TypeVar("_Item")
_Value = TypeVar("_Value")


class RuleTextError(ValueError):
    """A text is no fact, rule or query; the message says where and why."""


def parse_fact(text: str) -> Fact:
    """Parse ``is(Hetty, legal, -95)`` or ``hamper(Ed, Claresta)``, else raise RuleTextError.

    >>> parse_fact("is(Hetty, legal, -95)")
    AttributeFact(entity='Hetty', attribute='legal', value=-95)
    """
    if found := _ATTRIBUTE_FACT.fullmatch(text):
        entity, attribute, value = found.groups()
        return syntax.AttributeFact(entity, attribute, int(value))
    if found := _RELATION_FACT.fullmatch(text):
        return syntax.RelationFact(*found.groups())
    reader = _Reader(text)
    fact = reader.whole(reader.fact)
    if "?" in text:
        raise reader.problem("a fact has no variables: name the entities")
    return fact


def parse_rule(text: str) -> Rule:
    """Parse ``is(?x, cold, 4) & hamper(?x, ?y) -> is(?y, legal, max(2*?x[cold]+1, 7))``.

    Raises a RuleTextError for what is no rule, or has a variable in the conclusion alone.
    """
    reader = _Reader(text)
    return reader.whole(reader.rule)


def check_rule(text: str) -> str:
    """Return the text of a rule, else raise RuleTextError; ten times as fast as parsing it."""
    if not _is_usual_rule(text):
        parse_rule(text)
    return text


def parse_query(text: str) -> syntax.Query:
    """Parse ``is(Hetty, willing, ?)``, else raise RuleTextError."""
    found = re.fullmatch(r"\s*is\(\s*([^\s,()?]+)\s*,\s*([^\s,()?]+)\s*,\s*\?\s*\)\s*", text)
    if not found:
        raise RuleTextError(f"{text[:200]!r} is no query: write is(ENTITY, ATTRIBUTE, ?)")
    return syntax.Query(*found.groups())


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
_EXPRESSION = rf"(?:{_OPERAND}|(?:{'|'.join(syntax.AGGREGATORS)})\({_OPERAND}, {_OPERAND}\))"
_RULE = re.compile(
    rf"({_CONDITION}(?: & {_CONDITION})*+)"
    rf" -> ({_RELATION}|is\({_TERM}, {_NAME}, {_EXPRESSION}\))"
)


def _is_usual_rule(text: str) -> bool:
    found = _RULE.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None:
        return False
    conditions, conclusion = found.groups()
    return all(f"{v}," in conditions or f"{v})" in conditions for v in _variables(conclusion))


class _Reader:
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

    def accept(self, sign: str) -> bool:
        if self.tokens[self.place] != sign:
            return False
        self.place += 1
        return True

    def expect(self, sign: str) -> None:
        if not self.accept(sign):
            raise self.problem(f"{sign!r} is missing")

    def name(self, *, or_variable: bool = False) -> str:
        token = self.tokens[self.place]
        is_variable = or_variable and len(token) > 1 and token[0] == "?"
        if not (is_variable or token[:1].isalpha() or token[:1] == "_"):
            raise self.problem("a name is missing")
        self.place += 1
        return token

    def number(self) -> int:
        sign = -1 if self.accept("-") else 1
        digits = self.tokens[self.place]
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
        return self.statement(syntax.AttributeFact, self.number)

    def conclusion(self) -> syntax.RelationFact | syntax.Assignment:
        return self.statement(syntax.Assignment, lambda: self.expression(0))

    def statement(
        self, valued: Callable[[str, str, _Value], _Item], value: Callable[[], _Value]
    ) -> syntax.RelationFact | _Item:
        """Read ``name(term, term)``, or ``is(term, name, value)``, of which ``valued`` is made."""
        name = self.name()
        self.expect("(")
        first = self.name(or_variable=True)
        self.expect(",")
        second = self.name(or_variable=name != "is")
        if name != "is":
            self.expect(")")
            return syntax.RelationFact(name, first, second)
        self.expect(",")
        found = valued(first, second, value())
        self.expect(")")
        return found

    def expression(self, depth: int) -> syntax.Expression:
        if depth > MAX_DEPTH:
            raise self.problem(f"more than {MAX_DEPTH} expressions inside each other")
        if self.tokens[self.place + 1] == "[":
            return syntax.Retrieval(self.lookup())
        if self.tokens[self.place + 1] == "(":
            return self.function(depth)
        number = self.number()
        if not self.accept("*"):
            return syntax.Constant(number)
        lookup = self.lookup()
        has_summand = self.accept("+") or self.tokens[self.place] == "-"
        return syntax.Calculation(number, lookup, self.number() if has_summand else 0)

    def function(self, depth: int) -> syntax.Expression:
        name = self.name()
        functions = syntax.Expression.FUNCTIONS
        if name not in functions:
            raise self.problem(f"{name} is no function: there are {', '.join(functions)}")
        self.expect("(")
        parts = [self.expression(depth + 1)]
        while self.accept(","):
            parts.append(self.expression(depth + 1))
        self.expect(")")
        try:
            return functions[name].of_parts(name, tuple(parts))
        except ValueError as error:
            raise self.problem(str(error)) from error

    def lookup(self) -> syntax.Lookup:
        entity = self.name(or_variable=True)
        self.expect("[")
        found = syntax.Lookup(entity, self.name())
        self.expect("]")
        return found
