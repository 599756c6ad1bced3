"""Matched pairs: a consistent and an inconsistent set of clauses with all they show in common.

The two sets have the same clauses but for which variable stands where, and each variable stands
affirmed, and negated, equally often in both. So neither the number of clauses, literals, negations
or operators, nor the length of the text, nor any count of a variable tells them apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from math import log2

from logic_curriculum.generators.sat.configs import Config
from logic_curriculum.generators.sat.draws import (
    Clause,
    ClauseSet,
    DrawError,
    Tables,
    build_refuted,
    draw_set,
    draw_structures,
    plant,
)
from logic_curriculum.generators.sat.structures import signed_shape
from logic_curriculum.rewards.engines.propositional.cores import tables_are_minimal

_PAIRS = 3000
_PLANTINGS = 60
_EXCHANGES_PER_LOOK = 2
_LOOKS_PER_LEAF = 4
_CONSTRUCTED_BELOW = 4
"""Clauses of 3-SAT per variable below which inconsistent sets are built, not found."""


class PairError(RuntimeError):
    """No matched pair was found within the limits."""


@dataclass(frozen=True)
class Pair:
    """Two sets of clauses in one order; clauses at one place have one structure and its signs."""

    consistent: ClauseSet
    inconsistent: ClauseSet
    """It stays inconsistent without some of its clauses."""
    shape: str
    """A text that both sets share, and any others that are equal up to names and order."""


def shape_of(clauses: list[Clause]) -> str:
    """Return what a set shows: structures with signs, and each variable's counts, sorted."""
    shapes = sorted(signed_shape(clause.structure, clause.signs) for clause in clauses)
    counts: dict[int, list[int]] = {}
    for clause in clauses:
        for sign, variable in zip(clause.signs, clause.variables, strict=True):
            counts.setdefault(variable, [0, 0])[sign] += 1
    return f"{' '.join(shapes)} {sorted(map(tuple, counts.values()))}"


def draw_pair(
    config: Config, rng: random.Random, accepts: Callable[[str], bool] = lambda shape: True
) -> Pair:
    """Draw a matched pair.

    The set whose status is rare comes first. Where less than one model is expected, that is a
    consistent one, drawn exactly (:func:`generators.sat.draws.plant`); in 3-SAT with few clauses an
    inconsistent one, built around a refutation; else a set drawn freely, whatever it is. Its
    variables are then exchanged between random places of equal sign, two by two, until the status
    is the other. So the two also hardly differ in which variables share clauses: if all places
    were exchanged, refutations would be told by their many shared variables.

    Args:
        config: Size and form.
        rng: Source of randomness.
        accepts: Whether pairs of a shape, see :attr:`Pair.shape`, may be drawn.

    Raises:
        PairError: When none was found.
    """
    for _ in range(_PAIRS):
        first = _first(config, rng)
        if first is None:
            continue
        shape = shape_of(first.clauses)
        second = _match(config, first, rng) if accepts(shape) else None
        if second is not None:
            is_consistent = Tables(config.variables).all_of(first.tables) != 0
            return Pair(first, second, shape) if is_consistent else Pair(second, first, shape)
    raise PairError(
        f"No consistent and inconsistent set that match were found for {config} in {_PAIRS} "
        "tries. Ask for more variables, or for about as many clauses as make both likely."
    )


def _first(config: Config, rng: random.Random) -> ClauseSet | None:
    count = rng.randint(*config.clauses)
    try:
        if config.mode == "3sat" and count < _CONSTRUCTED_BELOW * config.variables:
            return build_refuted(config, count, rng)
        structures = draw_structures(config, count, rng)
        expected = config.variables + sum(log2(each.share) for each in structures)
        if expected < 0:
            return plant(config, structures, rng, _PLANTINGS)
        return draw_set(config, structures, rng)
    except DrawError:
        return None


def _match(config: Config, first: ClauseSet, rng: random.Random) -> ClauseSet | None:
    tables = Tables(config.variables)
    is_consistent = tables.all_of(first.tables) != 0
    if not is_consistent and tables_are_minimal(first.tables, tables.full):
        return None
    walk = _Walk(first, tables, rng)
    for _ in range(_LOOKS_PER_LEAF * walk.leaves):
        walk.exchange(_EXCHANGES_PER_LOOK)
        is_match = (tables.all_of(walk.tables) != 0) != is_consistent
        if is_match and not (is_consistent and tables_are_minimal(walk.tables, tables.full)):
            return ClauseSet(walk.clauses, walk.tables)
    return None


class _Walk:
    """Exchanges variables between places of equal sign; clauses stay different."""

    def __init__(self, start: ClauseSet, tables: Tables, rng: random.Random) -> None:
        self.clauses = [Clause(c.structure, c.signs, list(c.variables)) for c in start.clauses]
        self.tables = list(start.tables)
        self._all = tables
        self._known = set(self.tables)
        self._random = rng.random
        by_sign: tuple[list[tuple[int, int]], ...] = ([], [])
        for number, clause in enumerate(self.clauses):
            for leaf, sign in enumerate(clause.signs):
                by_sign[sign].append((number, leaf))
        self._rows = [(place, places) for places in by_sign for place in places]
        self.leaves = len(self._rows)

    def exchange(self, times: int) -> None:
        """Exchange the variables of a random leaf and a random one of its sign, if that may be."""
        for _ in range(times):
            (first, leaf), alike = self._rows[int(self._random() * self.leaves)]
            second, other_leaf = alike[int(self._random() * len(alike))]
            ours, theirs = self.clauses[first].variables, self.clauses[second].variables
            mine, yours = ours[leaf], theirs[other_leaf]
            if mine == yours or (first != second and (yours in ours or mine in theirs)):
                continue
            ours[leaf], theirs[other_leaf] = yours, mine
            if not self._update(first, second):
                ours[leaf], theirs[other_leaf] = mine, yours

    def _update(self, first: int, second: int) -> bool:
        """Renew the tables of two clauses, unless they are then equivalent to others."""
        tables, known = self.tables, self._known
        old, other_old = tables[first], tables[second]
        new = self._all.of(self.clauses[first])
        other_new = self._all.of(self.clauses[second]) if first != second else new
        known.discard(old)
        known.discard(other_old)
        if new in known or other_new in known or (new == other_new and first != second):
            known.update((old, other_old))
            return False
        known.update((new, other_new))
        tables[first], tables[second] = new, other_new
        return True
