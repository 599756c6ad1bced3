"""The library of the rule language: arithmetic, comparisons, lists, and what collects solutions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from logic_curriculum.rewards.engines.rules.language import GOALS
from logic_curriculum.rewards.engines.rules.terms import (
    NUMBER,
    Compound,
    RefusedError,
    Term,
    Type,
    list_of,
    pair_of,
)

LONGEST = 100  # cells of a list
LARGEST = 10**9  # of a number, its sign aside

Values = tuple[Any, ...]


def checked_list(items: Values) -> Values:
    """Return a list; raise a RefusedError if it is too long."""
    if len(items) > LONGEST:
        raise RefusedError(f"the rule makes a list of more than {LONGEST} items")
    return items


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


@dataclass(frozen=True)
class Summary:
    """What is made of all solutions."""

    function: Callable[[Values], Iterable[Any]]  # of their list; yields one result or none
    makes_number: bool = False  # or else a list
    numeric: bool = False  # whether the solutions are numbers


def _sorted_set(items: Values) -> Values:
    return tuple(sorted(set(items)))


_SUMMARIES = {
    "findall": Summary(lambda items: (items,)),
    "bag": Summary(lambda items: (items,)),
    "set": Summary(lambda items: (_sorted_set(items),)),
    "bagof": Summary(lambda items: (items,) if items else ()),
    "setof": Summary(lambda items: (_sorted_set(items),) if items else ()),
    "count": Summary(lambda items: (len(items),), True),
    "sum": Summary(lambda items: (sum(items),), True, True),
    "max": Summary(lambda items: (max(items),) if items else (), True, True),
    "min": Summary(lambda items: (min(items),) if items else (), True, True),
}


def summary_of(goal: str, template: Term) -> tuple[Summary | None, Term]:
    """Return what a collecting goal makes of its solutions, and the term of each."""
    if goal != "aggregate_all":
        return _SUMMARIES[goal], template
    if template == Compound("count"):
        return _SUMMARIES["count"], 0
    if isinstance(template, Compound) and template.indicator in _AGGREGATES:
        return _SUMMARIES[template.name], template.arguments[0]
    return None, template


_AGGREGATES = ("count/1", "sum/1", "max/1", "min/1", "bag/1", "set/1")
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


def _between(low: int, high: int) -> Iterator[Values]:
    if high - low > LONGEST:
        raise RefusedError(f"between/3 spans more than {LONGEST} numbers")
    return ((number,) for number in range(low, high + 1))


def _splits(items: Values) -> Iterator[Values]:
    return ((items[:at], items[at:]) for at in range(len(items) + 1))


def _item() -> tuple[Type, Type]:
    item = Type()
    return item, list_of(item)


def _lists(count: int) -> Callable[[], list[Type]]:
    def types() -> list[Type]:
        return [list_of(Type())] * count

    return types


def _numbers() -> list[Type]:
    return [list_of(NUMBER), NUMBER]


def _indexed() -> list[Type]:
    item, items = _item()
    return [NUMBER, items, item]


def _pairs() -> list[Type]:
    return [list_of(pair_of(Type(), Type()))] * 2


Way = tuple[tuple[int, ...], Callable[..., Iterable[Values]]]
"""Places of the arguments that must have a value, and what yields the values of the others."""

LIBRARY: Mapping[str, tuple[Callable[[], list[Type]], list[Way]]] = {
    "length/2": (lambda: [list_of(Type()), NUMBER], [((0,), lambda items: ((len(items),),))]),
    "member/2": (lambda: [*_item()], [((1,), lambda items: ((item,) for item in items))]),
    "last/2": (
        lambda: [*reversed(_item())],
        [((0,), lambda items: (items[-1:],) if items else ())],
    ),
    "nth0/3": (_indexed, [((1,), lambda items: enumerate(items))]),
    "nth1/3": (_indexed, [((1,), lambda items: enumerate(items, start=1))]),
    "sum_list/2": (_numbers, [((0,), lambda items: ((sum(items),),))]),
    "sumlist/2": (_numbers, [((0,), lambda items: ((sum(items),),))]),
    "max_list/2": (_numbers, [((0,), lambda items: ((max(items),),) if items else ())]),
    "min_list/2": (_numbers, [((0,), lambda items: ((min(items),),) if items else ())]),
    "sort/2": (_lists(2), [((0,), lambda items: ((_sorted_set(items),),))]),
    "msort/2": (_lists(2), [((0,), lambda items: ((tuple(sorted(items)),),))]),
    "keysort/2": (_pairs, [((0,), lambda items: ((tuple(sorted(items, key=lambda p: p[0])),),))]),
    "list_to_set/2": (_lists(2), [((0,), lambda items: ((tuple(dict.fromkeys(items)),),))]),
    "reverse/2": (_lists(2), [((0,), lambda items: ((items[::-1],),))]),
    "append/3": (
        _lists(3),
        [((0, 1), lambda a, b: ((checked_list(a + b),),)), ((2,), _splits)],
    ),
    "subtract/3": (
        _lists(3),
        [((0, 1), lambda a, b: ((tuple(item for item in a if item not in b),),))],
    ),
    "intersection/3": (
        _lists(3),
        [((0, 1), lambda a, b: ((tuple(item for item in a if item in b),),))],
    ),
    "between/3": (lambda: [NUMBER] * 3, [((0, 1), _between)]),
}
SYSTEM = frozenset(
    [*GOALS, "length/2", "sort/2", "msort/2", "keysort/2", "between/3", "is/2",
     "=/2", "\\=/2", "==/2", "\\==/2", "dif/2", "true/0", "fail/0", "false/0", "!/0",
     *(f"{name}/2" for name in COMPARISONS)]
) - {"aggregate_all/3"}  # fmt: skip
"""What SWI-Prolog does not let a program define."""
