"""Rows, and what is done with them.

A row is the values of the variables that are known at a goal, and the mask of the examples where
the goals so far hold for these values. A goal maps rows to rows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from logic_curriculum.rewards.engines.rules.examples import Examples
from logic_curriculum.rewards.engines.rules.library import checked_list
from logic_curriculum.rewards.engines.rules.terms import RefusedError

Values = tuple[Any, ...]
Row = tuple[Values, int]
Rows = list[Row]
Solutions = dict[Values, Rows]  # input → what a subgoal yields for it, in Prolog's order


@dataclass
class Run:
    """One rule at work on some examples."""

    examples: Examples
    most: int  # steps that it may take
    steps: int = 0
    depth: int = 0

    def count(self, steps: int) -> None:
        """Count rows that are tried; raise a RefusedError when there are too many."""
        self.steps += steps
        if self.steps > self.most:
            raise RefusedError(f"the rule takes more than {self.most:,} steps")


Goal = Callable[[Run, Rows], Rows]
Get = Callable[[Values], Any]
Match = Callable[[Values, Any, list[Any]], bool]
"""Compares a value with a term in a row; adds the values of variables that are new there."""
Solve = Callable[[Run, dict[Values, int]], Solutions]


def true(run: Run, rows: Rows) -> Rows:
    """Keep every row."""
    return rows


def fail(run: Run, rows: Rows) -> Rows:
    """Keep no row."""
    return []


def test(holds: Callable[[Any, Any], bool], one: Get, other: Get) -> Goal:
    """Keep the rows where two values compare so."""
    return lambda run, rows: [row for row in rows if holds(one(row[0]), other(row[0]))]


def sequence(goals: Sequence[Goal]) -> Goal:
    """Run goals one after the other."""

    def run_all(run: Run, rows: Rows) -> Rows:
        for goal in goals:
            rows = goal(run, rows)
            if not rows:
                break
            run.count(len(rows))
        return rows

    return run_all


def related(gets: Sequence[Get], yields: Callable[..., Iterable[Values]], accept: Accept) -> Goal:
    """Extend each row by what is yielded for some of its values."""

    def relate(run: Run, rows: Rows) -> Rows:
        made: Rows = []
        for values, mask in rows:
            for yielded in yields(*[get(values) for get in gets]):
                run.count(1)
                if (new := accept(values, yielded)) is not None:
                    made.append((values + new, mask))
        return made

    return relate


def joined(key_of: Get, solve: Solve, accept: Accept) -> Goal:
    """Extend each row by the solutions of a subgoal, which is solved once for equal inputs."""

    def join(run: Run, rows: Rows) -> Rows:
        solutions = solve(run, inputs_of(rows, key_of))
        made: Rows = []
        for values, mask in rows:
            for yielded, holding in solutions[key_of(values)]:
                run.count(1)
                if (both := mask & holding) and (new := accept(values, yielded)) is not None:
                    made.append((values + new, both))
        return made

    return join


Accept = Callable[[Values, Values], Values | None]
"""Compares what is yielded with terms in a row; returns the values of new variables, or None."""


def accepting(matches: Sequence[Match]) -> Accept:
    """Put matches together."""

    def accept(values: Values, yielded: Values) -> Values | None:
        new: list[Any] = []
        for match, value in zip(matches, yielded, strict=True):
            if not match(values, value, new):
                return None
        return tuple(new)

    return accept


def picker(places: Sequence[int]) -> Get:
    """Return what takes the values at some places of a row, as a tuple."""
    if len(places) > 1:
        return operator.itemgetter(*places)
    at = places[0] if places else None
    return lambda values: () if at is None else (values[at],)


def together(gets: Sequence[Get]) -> Get:
    """Return what computes several values, as a tuple."""
    return lambda values: tuple([get(values) for get in gets])


def inputs_of(rows: Rows, key_of: Get) -> dict[Values, int]:
    """Return the different keys of rows, with the examples of each."""
    inputs: dict[Values, int] = {}
    for values, mask in rows:
        key = key_of(values)
        inputs[key] = inputs.get(key, 0) | mask
    return inputs


def merging(pick: Get) -> Goal:
    """Keep some values of each row, and make one of those that are equal then."""
    return lambda run, rows: list(inputs_of(rows, pick).items())


def itself(values: Values) -> Values:
    """Return a row's values."""
    return values


def merged(rows: Rows) -> Rows:
    """Make one of equal rows."""
    return list(inputs_of(rows, itself).items()) if len(rows) > 1 else rows


def grouped(inputs: Iterable[Values], rows: Rows, key_of: Get, pick: Get) -> Solutions:
    """Sort rows by their keys; ``pick`` takes what each yields."""
    found: Solutions = {key: [] for key in inputs}
    for values, mask in rows:
        found[key_of(values)].append((pick(values), mask))
    return found


def first(rows: Rows, key_of: Get) -> tuple[Rows, dict[Values, int]]:
    """Keep for each example the first row of each key; return also which examples have one."""
    taken: dict[Values, int] = {}
    kept = []
    for values, mask in rows:
        key = key_of(values)
        before = taken.get(key, 0)
        if left := mask & ~before:
            kept.append((values, left))
            taken[key] = before | left
    return kept, taken


def without(inputs: dict[Values, int], taken: dict[Values, int]) -> dict[Values, int]:
    """Return the inputs for the examples that are not taken."""
    return {key: left for key, mask in inputs.items() if (left := mask & ~taken.get(key, 0))}


def lists_of(run: Run, rows: Rows, everyone: int) -> Iterator[tuple[Values, int]]:
    """Yield each list of the items that examples have, and the examples that have it."""
    lists: dict[Values, int] = {(): everyone}
    for item, mask in rows:
        longer: dict[Values, int] = {}
        for made, having in lists.items():
            if both := having & mask:
                added = checked_list((*made, item))
                longer[added] = longer.get(added, 0) | both
            if left := having & ~mask:
                longer[made] = longer.get(made, 0) | left
        lists = longer
        run.count(1 + len(lists) // 4)
    yield from lists.items()
