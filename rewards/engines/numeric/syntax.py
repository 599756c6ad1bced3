"""Facts, rules, expressions and queries of LogiNumSynth (section 2.1), and the texts of rows.

The ``parse_`` functions read what ``str`` of each writes, with any spacing. Names that begin with
``?`` are variables; they occur in rules only and stand for any entity, two of them also for the
same one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

from logic_curriculum.rewards.engines.reading import FormulaError, Reader

MAX_BITS = 1300
"""Longest value, in bits; its text is shorter than the longest number that the parser reads."""

Valuation = Callable[["Lookup"], int]  # returns the value of an attribute of an entity


class TooLargeError(ValueError):
    """More follows, or a value grows larger, than can be computed with."""


@final
class AttributeFact(NamedTuple):
    """``is(Hetty, legal, -95)``: an attribute of an entity has a value."""

    entity: str
    attribute: str
    value: int

    def __str__(self) -> str:
        return f"is({self[0]}, {self[1]}, {self[2]})"


@final
class RelationFact(NamedTuple):
    """``hamper(Ed, Claresta)``: a relation holds from the first entity to the second."""

    relation: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self[0]}({self[1]}, {self[2]})"


Fact = AttributeFact | RelationFact  # what is given or derived; in a rule, a pattern of it


class Lookup(NamedTuple):
    """``?x[legal]``: the attribute of the entity that a variable stands for."""

    entity: str
    attribute: str

    def __str__(self) -> str:
        return f"{self[0]}[{self[1]}]"


class Query(NamedTuple):
    """``is(Hetty, willing, ?)``: what is the value of an attribute of an entity?"""

    entity: str
    attribute: str

    def __str__(self) -> str:
        return f"is({self[0]}, {self[1]}, ?)"


class Expression(ABC):
    """What a rule computes.

    A kind written like a function, ``name(part, part)``, gives its names when it is declared,
    ``class Remainder(Expression, names=("remainder",))``; the parser then calls :meth:`of_parts`.
    """

    FUNCTIONS: ClassVar[dict[str, type[Expression]]] = {}  # name → the kind that is written so

    def __init_subclass__(cls, names: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Expression.FUNCTIONS.update(dict.fromkeys(names, cls))

    @classmethod
    def of_parts(cls, name: str, parts: tuple[Expression, ...]) -> Expression:
        """Make an expression of the parts in the brackets of ``name(...)``.

        Raises a ValueError when they are too few, too many or of the wrong kind.
        """
        raise NotImplementedError(f"{cls.__name__} is not written like a function")

    @abstractmethod
    def value(self, valuation: Valuation) -> int:
        """Compute the value, given those of :meth:`lookups`."""

    def lookups(self) -> Iterable[Lookup]:
        """Return the attributes whose values are needed, from left to right; some may recur.

        As long as a subclass doesn't say otherwise, it needs those of all its fields.
        """
        for part in vars(self).values():
            if isinstance(part, Lookup):
                yield part
            elif isinstance(part, Expression):
                yield from part.lookups()

    @abstractmethod
    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Constant(Expression):
    """A fixed value."""

    number: int

    def value(self, valuation: Valuation) -> int:
        """Return the number, whatever the values."""
        return self.number

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True)
class Retrieval(Expression):
    """The value of an attribute."""

    lookup: Lookup

    def value(self, valuation: Valuation) -> int:
        """Return the value of the attribute."""
        return valuation(self.lookup)

    def __str__(self) -> str:
        return str(self.lookup)


@dataclass(frozen=True)
class Calculation(Expression):
    """``k*?x[a]+b``: a linear form of an attribute."""

    factor: int
    lookup: Lookup
    summand: int

    def value(self, valuation: Valuation) -> int:
        """Return the value of the linear form."""
        return self.factor * valuation(self.lookup) + self.summand

    def __str__(self) -> str:
        return f"{self.factor}*{self.lookup!s}{self.summand:+d}"


AGGREGATORS: Mapping[str, Callable[[int, int], int]] = {
    "max": max, "min": min, "addition": int.__add__, "subtraction": int.__sub__,
}  # fmt: skip
"""Operator → what it computes from the values of two expressions."""


@dataclass(frozen=True)
class Aggregation(Expression, names=tuple(AGGREGATORS)):
    """``max(left, right)``: an operator of :data:`AGGREGATORS` over two expressions."""

    operator: str
    left: Expression
    right: Expression

    @classmethod
    def of_parts(cls, name: str, parts: tuple[Expression, ...]) -> Expression:
        """Make an aggregation of its two expressions."""
        if len(parts) != 2:
            raise ValueError(f"{name} takes two parts, not {len(parts)}: write {name}(A, B)")
        return cls(name, *parts)

    def value(self, valuation: Valuation) -> int:
        """Return what the operator makes of the two values."""
        return AGGREGATORS[self.operator](self.left.value(valuation), self.right.value(valuation))

    def __str__(self) -> str:
        return f"{self.operator}({self.left!s}, {self.right!s})"


class Assignment(NamedTuple):
    """``is(?x, legal, 2*?x[cold]+1)``: a conclusion whose value is computed."""

    entity: str
    attribute: str
    expression: Expression

    def __str__(self) -> str:
        return f"is({self[0]}, {self[1]}, {self[2]})"


class Rule(NamedTuple):
    """Conditions, all of which have to hold, and what then follows.

    A rule with lookups fires only where the values of all of them are known. Variables of the
    conclusion occur in the conditions.
    """

    conditions: tuple[Fact, ...]
    conclusion: RelationFact | Assignment

    def lookups(self) -> tuple[Lookup, ...]:
        """Return the attributes that the conclusion is computed from, without repetition."""
        conclusion = self[1]
        if type(conclusion) is RelationFact:
            return ()
        return tuple(dict.fromkeys(conclusion[2].lookups()))

    def __str__(self) -> str:
        return f"{' & '.join(map(str, self.conditions))} -> {self.conclusion}"


# The texts

MAX_LENGTH = 2000  # longest fact, rule or query that is read, in characters
MAX_DEPTH = 20  # deepest nesting of expressions that is read
MAX_DIGITS = 400  # longest number that is read, in digits

_TOKEN = re.compile(r"->|\?\w+|[^\W\d][\w'’-]*|\d+|\S")


def parse_fact(text: str) -> Fact:
    """Parse ``is(Hetty, legal, -95)`` or ``hamper(Ed, Claresta)``, else raise FormulaError.

    >>> parse_fact("is(Hetty, legal, -95)")
    AttributeFact(entity='Hetty', attribute='legal', value=-95)
    """
    reader = _Reader(text, _TOKEN, MAX_LENGTH)
    fact: Fact = reader.whole(reader.fact)
    if "?" in text:
        raise reader.error("a fact has no variables: name the entities")
    return fact


def parse_rule(text: str) -> Rule:
    """Parse ``is(?x, cold, 4) & hamper(?x, ?y) -> is(?y, legal, max(2*?x[cold]+1, 7))``.

    Raises a FormulaError for what is no rule, or has a variable in the conclusion alone.
    """
    reader = _Reader(text, _TOKEN, MAX_LENGTH)
    rule: Rule = reader.whole(reader.rule)
    return rule


def parse_query(text: str) -> Query:
    """Parse ``is(Hetty, willing, ?)``, else raise FormulaError."""
    found = re.fullmatch(r"\s*is\(\s*([^\s,()?]+)\s*,\s*([^\s,()?]+)\s*,\s*\?\s*\)\s*", text)
    if not found:
        raise FormulaError("this is no query: write is(ENTITY, ATTRIBUTE, ?)", text, 0)
    return Query(*found.groups())


class _Reader(Reader):
    def name(self, *, or_variable: bool = False) -> str:
        token = self.token
        is_variable = or_variable and len(token) > 1 and token[0] == "?"
        if not (is_variable or token[:1].isalpha() or token[:1] == "_"):
            raise self.error("a name is missing")
        self.next += 1
        return token

    def number(self) -> int:
        sign = -1 if self.accept("-") else 1
        digits = self.token
        if not digits.isdecimal():
            raise self.error("a whole number is missing")
        if len(digits) > MAX_DIGITS:
            raise self.error(f"{len(digits)} digits are too many, {MAX_DIGITS} the most")
        self.next += 1
        return sign * int(digits)

    def rule(self) -> Rule:
        conditions = [self.fact()]
        while self.accept("&"):
            conditions.append(self.fact())
        arrow = self.next
        self.expect("->")
        rule = Rule(tuple(conditions), self.conclusion())
        bound = {token for token, _ in self.tokens[:arrow] if token[:1] == "?"}
        unbound = {token for token, _ in self.tokens[arrow:] if token[:1] == "?"} - bound
        if unbound:
            raise self.error(f"{min(unbound)} is in the conclusion, but in no condition")
        return rule

    def fact(self) -> Any:
        return self.statement(AttributeFact, self.number)

    def conclusion(self) -> Any:
        return self.statement(Assignment, lambda: self.expression(0))

    def statement(self, valued: Callable[..., Any], value: Callable[[], Any]) -> Any:
        """Read ``name(term, term)``, or ``is(term, name, value)``, of which ``valued`` is made."""
        name = self.name()
        self.expect("(")
        first = self.name(or_variable=True)
        self.expect(",")
        second = self.name(or_variable=name != "is")
        if name != "is":
            self.expect(")")
            return RelationFact(name, first, second)
        self.expect(",")
        found = valued(first, second, value())
        self.expect(")")
        return found

    def expression(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} expressions inside each other")
        if self.tokens[self.next + 1][0] == "[":
            return Retrieval(self.lookup())
        if self.tokens[self.next + 1][0] == "(":
            return self.function(depth)
        number = self.number()
        if not self.accept("*"):
            return Constant(number)
        lookup = self.lookup()
        has_summand = self.accept("+") or self.token == "-"
        return Calculation(number, lookup, self.number() if has_summand else 0)

    def function(self, depth: int) -> Expression:
        name = self.name()
        functions = Expression.FUNCTIONS
        if name not in functions:
            raise self.error(f"{name} is no function: there are {', '.join(functions)}")
        self.expect("(")
        parts = [self.expression(depth + 1)]
        while self.accept(","):
            parts.append(self.expression(depth + 1))
        self.expect(")")
        try:
            return functions[name].of_parts(name, tuple(parts))
        except ValueError as error:
            raise self.error(str(error)) from error

    def lookup(self) -> Lookup:
        entity = self.name(or_variable=True)
        self.expect("[")
        found = Lookup(entity, self.name())
        self.expect("]")
        return found
