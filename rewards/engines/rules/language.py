"""What a rule may name and how much of it: the vocabulary of a task, its caps, and the library.

What is judged as a rule must not be a program that learns from examples copied into it. Whatever it
copies from a prompt, it mentions; so mentions of values and numbers are capped. Copies in names
tell whether they are equal; so names are capped, too, as are clauses and goals (docs/judges.md).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from logic_curriculum.rewards.engines.rules.examples import Constant
from logic_curriculum.rewards.engines.rules.terms import (
    CONS,
    NUMBER,
    Compound,
    RefusedError,
    Term,
    Type,
    Variable,
    flatten,
    head_and_body,
    subterms,
    variables,
)

JOINING = (",/2", ";/2", "->/2", "\\+/1", "not/1", "once/1")  # these alone cost nothing
GOALS: Mapping[str, tuple[int, ...]] = {
    ",/2": (0, 1), ";/2": (0, 1), "->/2": (0, 1), "\\+/1": (0,), "not/1": (0,), "once/1": (0,),
    "forall/2": (0, 1), "findall/3": (1,), "setof/3": (1,), "bagof/3": (1,),
    "aggregate_all/3": (1,),
}  # fmt: skip
"""The constructs of the language that hold goals, and which of their arguments these are."""


@dataclass(frozen=True)
class Caps:
    """How much a rule may hold."""

    values: int = 5  # mentions of values and numbers, and names that contain a value
    clauses: int = 5
    goals: int = 14  # and what else can compare copies: see :func:`check_caps`
    names: int = 10  # different names of variables and helpers


@dataclass(frozen=True)
class Vocabulary:
    """The predicates of a task and their values."""

    target: str  # the predicate of the positive class, which a rule defines
    membership: str  # binary predicate from a whole to its parts
    attributes: tuple[tuple[str, tuple[Constant, ...]], ...]  # binary predicates, with their values
    parts: int  # that an example has at most

    @cached_property
    def values(self) -> Mapping[str, frozenset[Constant]]:
        """The values of each attribute."""
        return {name: frozenset(values) for name, values in self.attributes}

    @cached_property
    def largest(self) -> int:
        """The largest number that a rule may name."""
        numbers = [v for _, values in self.attributes for v in values if isinstance(v, int)]
        return max([self.parts, *numbers])

    @cached_property
    def types(self) -> Mapping[Constant, str]:
        """The type of each value that is a name: attributes that share values are of one type."""
        types: dict[Constant, str] = {}
        for name, values in self.attributes:
            shared = {types[value] for value in values if value in types}
            types = {value: name if its in shared else its for value, its in types.items()}
            types |= dict.fromkeys([value for value in values if isinstance(value, str)], name)
        return types

    def type_of(self, attribute: str) -> str:
        """Return the type of an attribute's values, ``"number"`` if they are numbers."""
        value = next(iter(self.values[attribute]))
        return "number" if isinstance(value, int) else self.types[value]

    @cached_property
    def spelled(self) -> re.Pattern[str]:
        """Matches what contains a value."""
        names = [re.escape(str(value)) for value in self.types]
        return re.compile("|".join(names) or r"(?!)", re.IGNORECASE)


def check_caps(clauses: Sequence[Term], vocabulary: Vocabulary, caps: Caps) -> None:
    """Raise a RefusedError for a rule that holds more than its caps allow.

    Facts, cells of lists and pairs, arithmetic operators after a goal's first, arguments after the
    second of helpers, in heads and calls, and of list predicates, those of closures, and variables
    before ``^`` count as goals: each can compare copies in names.
    """
    parts = [head_and_body(clause) for clause in clauses]
    helpers = dict.fromkeys(head.indicator for head, _ in parts if isinstance(head, Compound))
    goals = sum(_goals([head], helpers) - 1 + _goals(body, helpers) + (not body)
                for head, body in parts)  # fmt: skip
    terms = [term for clause in clauses for term in subterms(clause)]
    variables_used = [t.name for t in terms if isinstance(t, Variable) and t.name[:2] != "_ "]
    names = dict.fromkeys([*variables_used, *helpers])
    names.pop(f"{vocabulary.target}/1", None)
    mentioned = [
        str(getattr(term, "name", term))
        for term in terms
        if isinstance(term, int) or (isinstance(term, Compound) and term.name in vocabulary.types)
    ]
    mentioned += filter(vocabulary.spelled.search, names)
    shown = ", ".join(mentioned[:12])
    for count, things, most in (
        (len(clauses), "clauses", caps.clauses),
        (goals, "goals", caps.goals),
        (len(names), "names of variables and helpers", caps.names),
        (len(mentioned), f"mentions of values and numbers ({shown})", caps.values),
    ):
        if count > most:
            raise RefusedError(f"{count} {things}, and a rule has at most {most}")


def _goals(goals: Sequence[Term], helpers: Collection[str]) -> int:
    """Count goals, and what counts as goals."""
    count = len(goals)
    for goal in goals:
        if isinstance(goal, Compound):
            inner = [goal.arguments[at] for at in GOALS.get(goal.indicator, ())]
            within = [flatten(item, "^")[-1] for item in inner]
            count += _goals(within, helpers) - (goal.indicator in JOINING)
            own = [item for item in goal.arguments if item not in within]
            count += sum(map(_cells, own))
            signs = [term for item in own for term in subterms(item) if _is_sign(term)]
            count += max(len(signs) - 1, 0)
            if goal.indicator in helpers or goal.indicator in LIBRARY:
                count += max(len(goal.arguments) - 2, 0)
            if goal.indicator in MAPPING:
                count += len(getattr(goal.arguments[0], "arguments", ()))
    return count


def _is_sign(term: Term) -> bool:
    """Return whether a term computes; the minus counts as the cell of a pair."""
    return isinstance(term, Compound) and term.indicator in ARITHMETIC and term.name != "-"


def _cells(term: Term) -> int:
    """Count the cells of lists and pairs in a term, and the variables before ``^``."""
    if not isinstance(term, Compound):
        return 0
    if term.indicator == "^/2":
        before, within = term.arguments
        return len(variables(before)) + _cells(within)
    return (term.name in ("-", CONS)) + sum(map(_cells, term.arguments))


# The library: arithmetic, comparisons, lists, and what collects solutions

LONGEST = 100  # cells of a list
LARGEST = 10**9  # of a number, its sign aside

Values = tuple[Any, ...]


def checked_list(items: Values, deeply: bool = True) -> Values:
    """Return a list; raise a RefusedError if it is too long or, ``deeply``, holds too much."""
    if len(items) > LONGEST or (deeply and _size(items) > 4 * LONGEST):
        raise RefusedError(f"the rule makes a list of more than {LONGEST} items")
    return items


def _size(items: Values) -> int:
    size, layer = len(items), list(items)
    while layer := [part for item in layer if isinstance(item, tuple) for part in item]:
        size += len(layer)
    return size


def _bounded(function: Callable[..., Any]) -> Callable[..., Any]:
    def bounded(*numbers: Any) -> Any:
        try:
            result = function(*numbers)
        except ZeroDivisionError as error:
            raise RefusedError("the rule divides by zero") from error
        if abs(result) > LARGEST:
            raise RefusedError(f"the rule makes a number above {LARGEST:,}")
        return result

    return bounded


def _quotient(one: Any, other: Any) -> Any:
    """Divide as SWI-Prolog does: exactly if that gives a whole number, else as a float."""
    exact = isinstance(one, int) and isinstance(other, int) and one % other == 0
    return one // other if exact else one / other


def _truncated(one: int, other: int) -> int:
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "+/2": _bounded(operator.add), "-/2": _bounded(operator.sub), "*/2": _bounded(operator.mul),
    "-/1": operator.neg, "//2": _bounded(_quotient), "///2": _bounded(_truncated),
    "div/2": _bounded(operator.floordiv), "mod/2": _bounded(operator.mod),
    "rem/2": _bounded(lambda a, b: a - b * _truncated(a, b)),
    "abs/1": abs, "min/2": min, "max/2": max,
}  # fmt: skip
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=:=": operator.eq, "=\\=": operator.ne, "<": operator.lt, ">": operator.gt,
    "=<": operator.le, ">=": operator.ge,
}  # fmt: skip


def _sorted_set(items: Values) -> Values:
    return tuple(sorted(set(items)))


NUMERIC = ("count", "sum", "max", "min")  # those that make a number, and need numbers
SUMMARIES: Mapping[str, Callable[[Values], Iterable[Any]]] = {
    **dict.fromkeys(("findall", "bag"), lambda items: [items]),
    "set": lambda items: [_sorted_set(items)],
    "bagof": lambda items: [items] if items else [],
    "setof": lambda items: [_sorted_set(items)] if items else [],
    "count": lambda items: [len(items)],
    "sum": lambda items: [sum(items)],
    "max": lambda items: [max(items)] if items else [],
    "min": lambda items: [min(items)] if items else [],
}
"""What is made of the list of all solutions: one result or none."""


def summary_of(goal: str, template: Term) -> tuple[str, Term]:
    """Return which of :data:`SUMMARIES` a collecting goal makes, if any, and of what term."""
    if goal != "aggregate_all":
        return goal, template
    match template:
        case Compound("count", ()):
            return "count", 0
        case Compound("count" | "sum" | "max" | "min" | "bag" | "set" as summary, (item,)):
            return summary, item
    return "", template


MAPPING = {
    "maplist/2": ("each([]).", "each([Item__|Rest__]) :- holds(Item__), each(Rest__)."),
    "maplist/3": (
        "each([], []).",
        "each([Item__|Rest__], [New__|Others__]) :- holds(Item__, New__), each(Rest__, Others__).",
    ),
    "include/3": (
        "each([], []).",
        "each([Item__|Rest__], List__) :- each(Rest__, Tail__), "
        "(holds(Item__) -> List__ = [Item__|Tail__] ; List__ = Tail__).",
    ),
    "exclude/3": (
        "each([], []).",
        "each([Item__|Rest__], List__) :- each(Rest__, Tail__), "
        "(holds(Item__) -> List__ = Tail__ ; List__ = [Item__|Tail__]).",
    ),
}
"""What ``maplist/3`` and its like mean: ``each`` is a helper, ``holds`` the predicate given."""


def _between(low: int, high: int) -> Iterable[int]:
    if high - low > LONGEST:
        raise RefusedError(f"between/3 spans more than {LONGEST} numbers")
    return range(low, high + 1)


def _parted(items: tuple[Any, ...], others: tuple[Any, ...], is_in: bool) -> list[tuple[Any, ...]]:
    known = set(others)  # long lists of long lists are not compared one by one
    return [tuple([item for item in items if (item in known) is is_in])]


def types_of(signature: str) -> list[Type]:
    """Return new types for arguments: ``n`` is a number, ``a`` and ``b`` what they turn out to be.

    Lists are in square brackets, and ``a-b`` is a pair.
    """
    types = {"n": NUMBER, "a": Type(), "b": Type()}
    types["a-b"] = Type("pair", (types["a"], types["b"]))
    types |= {f"[{word}]": Type("list", (inner,)) for word, inner in types.items()}
    return [types[word] for word in signature.split()]


LIBRARY: Mapping[str, tuple[str, Mapping[tuple[int, ...], Callable[..., Iterable[Any]]]]] = {
    "length/2": ("[a] n", {(0,): lambda items: [len(items)]}),
    "member/2": ("a [a]", {(1,): lambda items: items}),
    "last/2": ("[a] a", {(0,): lambda items: items[-1:]}),
    "nth0/3": ("n [a] a", {(1,): enumerate}),
    "nth1/3": ("n [a] a", {(1,): lambda items: enumerate(items, start=1)}),
    "sum_list/2": ("[n] n", {(0,): SUMMARIES["sum"]}),
    "sumlist/2": ("[n] n", {(0,): SUMMARIES["sum"]}),
    "max_list/2": ("[n] n", {(0,): SUMMARIES["max"]}),
    "min_list/2": ("[n] n", {(0,): SUMMARIES["min"]}),
    "sort/2": ("[a] [a]", {(0,): SUMMARIES["set"]}),
    "msort/2": ("[a] [a]", {(0,): lambda items: [tuple(sorted(items))]}),
    "keysort/2": ("[a-b] [a-b]", {(0,): lambda items: [tuple(sorted(items, key=lambda p: p[0]))]}),
    "list_to_set/2": ("[a] [a]", {(0,): lambda items: [tuple(dict.fromkeys(items))]}),
    "reverse/2": ("[a] [a]", {(0,): lambda items: [items[::-1]]}),
    "append/3": ("[a] [a] [a]", {
        (0, 1): lambda a, b: [checked_list(a + b)],
        (2,): lambda items: [(items[:at], items[at:]) for at in range(len(items) + 1)],
    }),
    "subtract/3": ("[a] [a] [a]", {(0, 1): partial(_parted, is_in=False)}),
    "intersection/3": ("[a] [a] [a]", {(0, 1): partial(_parted, is_in=True)}),
    "between/3": ("n n n", {(0, 1): _between}),
}  # fmt: skip
"""Predicate → its types and, by the places of arguments that must have a value, what yields those
of the other argument, or tuples of those of several."""
SYSTEM = frozenset(
    [*GOALS, "length/2", "sort/2", "msort/2", "keysort/2", "between/3", "is/2",
     "=/2", "\\=/2", "==/2", "\\==/2", "dif/2", "true/0", "fail/0", "false/0", "!/0",
     *(f"{name}/2" for name in COMPARISONS)]
) - {"aggregate_all/3"}  # fmt: skip
"""What SWI-Prolog does not let a program define."""
