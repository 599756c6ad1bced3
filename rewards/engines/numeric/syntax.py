"""Facts, rules, expressions and queries of LogiNumSynth (section 2.1).

``str`` of each is what ``parser.py`` reads. Names that begin with ``?`` are variables; they occur
in rules only and stand for any entity, two of them also for the same one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

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
        lookups = tuple(conclusion[2].lookups())
        return lookups if len(lookups) < 2 else tuple(dict.fromkeys(lookups))

    def __str__(self) -> str:
        return f"{' & '.join(map(str, self.conditions))} -> {self.conclusion}"
