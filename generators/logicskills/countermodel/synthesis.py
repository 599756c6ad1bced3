"""Finds arguments that are almost valid: few stored models refute them, and no regular one does.

Every premise counts: without it, twice as many stored models refute the argument. And the premises
are compatible with the conclusion, so it is not refuted whatever they say. The countermodel that a
task shows has distinct names, and no object or pair that could be left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.arguments import (
    LEAF,
    SHAPES,
    ClauseTable,
    Combinations,
    Composition,
    Schema,
    clause_table,
    combine,
    draw_schema,
    link_topics,
)
from logic_curriculum.generators.logicskills.countermodel.levels import Level
from logic_curriculum.generators.logicskills.models import (
    WORD,
    Bits,
    Indices,
    ModelStore,
    count_bits,
    random_store,
    set_bits,
    with_regular_models,
)
from logic_curriculum.rewards.engines.fol.models import Bools, Models, evaluate
from logic_curriculum.rewards.engines.fol.structure import Structure, structure_of
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not

STORED = 4096
"""Random models of each size; regular ones come after them."""
VARIANTS = 16
COMBINATIONS = 192
CONCLUSIONS = 12
"""Sentences that are tried as conclusions."""


@dataclass(frozen=True, eq=False)
class Found:
    """An invalid argument."""

    schema: Schema
    premises: tuple[Formula, ...]
    conclusion: Formula
    countermodels: Indices
    """Stored models where the premises are true and the conclusion is false."""

    @property
    def share(self) -> float:
        """Share of countermodels among the stored random models."""
        return len(self.countermodels) / STORED


def stored_models(size: int, axiom: bool) -> ModelStore:
    """Return the models of one size among which countermodels are found."""
    return with_regular_models(random_store(((size, STORED),), axiom), axiom)


def search(level: Level, rng: random.Random, belongs: Callable[[Schema], bool]) -> Iterator[Found]:
    """Make one schema and yield its almost valid arguments in random order; there may be none.

    Args:
        level: What arguments are made of, and how rare countermodels are.
        rng: Source of the draws.
        belongs: Says whether a schema belongs to the split.
    """
    table = clause_table(stored_models(level.size, level.axiom))
    about = rng.sample(link_topics(level.premises, table), 2)
    schema = draw_schema(level.premises, about, (), table, rng)
    if not belongs(schema):
        return
    near = STORED // WORD
    combinations = combine(schema, table, rng, variants=VARIANTS, count=COMBINATIONS, near=near)
    conclusions = _conclusions(about, table, rng)
    denied = ~np.stack([conclusion.bits for conclusion in conclusions])
    together = combinations.near_bits(np.arange(COMBINATIONS))
    refuting = count_bits(together[:, None] & denied[None, :, :near])
    agreeing = count_bits(together)[:, None] - refuting
    rare = (refuting > 0) & (refuting <= level.most * STORED) & (agreeing >= refuting)
    rows, columns = np.nonzero(rare)
    needed = np.flatnonzero(
        _every_premise_counts(combinations, rows, denied[columns], refuting[rows, columns])
    )
    for place in rng.sample(needed.tolist(), len(needed)):
        row, column = rows[place], columns[place]
        premises = tuple(item.sentence.formula for item in combinations.compositions(row))
        conclusion = conclusions[column].sentence.formula
        models = combinations.all_bits(np.array([row]))[0] & denied[column]
        if not models[near:].any() and set(str(conclusion)) <= set("".join(map(str, premises))):
            yield Found(schema, premises, conclusion, set_bits(models))


def _conclusions(about: list[str], table: ClauseTable, rng: random.Random) -> list[Composition]:
    """Draw conclusions on one or both of two topics."""
    simple = [table.on(topic, alone=True) for topic in about]
    drawn = [Composition(LEAF, (rng.choice(rng.choice(simple)),)) for _ in range(CONCLUSIONS // 2)]
    parts = [table.on(topic, alone=False) for topic in about]
    for _ in range(CONCLUSIONS - len(drawn)):
        pair = tuple(map(rng.choice, parts))
        drawn.append(Composition(rng.choice(SHAPES[2]), pair))
    return drawn


def _every_premise_counts(
    combinations: Combinations, rows: Indices, denied: Bits, refuting: npt.NDArray[np.int64]
) -> Bools:
    """Say for which arguments each premise excludes as many models as all together leave."""
    counts = np.ones(len(rows), np.bool_)
    for premise in range(len(combinations.chosen)):
        left = np.flatnonzero(counts)
        models = combinations.near_bits(rows[left], premise) & denied[left, : combinations.near]
        counts[left] = count_bits(models) >= 2 * refuting[left]
    return counts


def sparsest(models: Models, found: Indices, symbols: Collection[str]) -> int:
    """Return which of some models tells most names apart, and then has the least in predicates.

    Args:
        models: Models of one size.
        found: Those to choose from, at least one.
        symbols: What counts of them; the first is taken of those that are alike.
    """
    names = [values[found] for name, values in models.constants.items() if name in symbols]
    apart = np.zeros(len(found), np.intp)
    if names:
        apart = (np.diff(np.sort(names, axis=0), axis=0) != 0).sum(axis=0)
    extensions = {**models.monadic, **models.binary}
    used = [values[found] for name, values in extensions.items() if name in symbols]
    filled = sum((values.reshape(len(found), -1).sum(axis=1) for values in used), np.intp(0))
    return int(found[np.lexsort((np.broadcast_to(filled, apart.shape), -apart))[0]])


def number_objects(structure: Structure, names: Sequence[str], kinds: Sequence[str]) -> list[int]:
    """Return a new number for each object: those with names first, then kind by kind.

    Args:
        structure: Its domain is ``0 .. size - 1``.
        names: Constants in the order that counts.
        kinds: Monadic predicates in the order that counts.

    >>> number_objects(Structure((0, 1, 2), {"a": 2}, {"M": frozenset({1})}, {}), "a", "M")
    [2, 1, 0]
    """
    sequence = [structure.constants[name] for name in names]
    sequence += [item for kind in kinds for item in sorted(structure.monadic[kind])]
    order = list(dict.fromkeys([*sequence, *structure.domain]))
    return [order.index(item) for item in structure.domain]


@dataclass(frozen=True, eq=False)
class _Cells:
    """Where the predicates of a structure stand in a row of truth values."""

    monadic: Mapping[str, slice]
    binary: Mapping[str, slice]

    def models(self, structure: Structure, rows: Bools) -> Models:
        """Return structures with the same constants, one for each row of values."""
        count, size = len(rows), len(structure.domain)
        known = structure.as_models
        return Models(
            size,
            count,
            {name: np.repeat(value, count) for name, value in known.constants.items()},
            {name: rows[:, part] for name, part in self.monadic.items()},
            {name: rows[:, part].reshape(count, size, size) for name, part in self.binary.items()},
        )


def minimal_countermodel(
    structure: Structure, premises: Sequence[Formula], conclusion: Formula, fixed: Collection[str]
) -> Structure:
    """Return a countermodel without an object or pair that could be left out of a predicate.

    Predicates are gone through in alphabetic order, their members in ascending order, and what can
    be left out is, as many at a time as can go together.

    Args:
        structure: Premises are true in it, the conclusion is not.
        premises: Of the argument.
        conclusion: Of the argument.
        fixed: Predicates that stay as they are.
    """
    wanted: Formula = reduce(lambda a, b: Binary("and", a, b), [*premises, Not(conclusion)])
    cells, row = _cells(structure)
    loose = row.copy()
    for name in fixed:
        loose[cells.monadic.get(name, slice(0))] = False
    while len(held := np.flatnonzero(row & loose)):
        ones = _without(row, held, np.eye(len(held), dtype=np.bool_))
        free = held[evaluate(wanted, cells.models(structure, ones))]
        if not len(free):
            break
        several = _without(row, free, np.tri(len(free), dtype=np.bool_))
        row = several[np.flatnonzero(evaluate(wanted, cells.models(structure, several)))[-1]]
    return structure_of(cells.models(structure, row[None]), 0)


def _cells(structure: Structure) -> tuple[_Cells, Bools]:
    """Return where predicates stand, and the structure's own row."""
    known, start = structure.as_models, 0
    parts: list[dict[str, slice]] = [{}, {}]
    rows: list[Bools] = []
    for found, extensions in zip(parts, (known.monadic, known.binary), strict=True):
        for name in sorted(extensions):
            rows.append(extensions[name].ravel())
            found[name] = slice(start, start + rows[-1].size)
            start += rows[-1].size
    row = np.concatenate(rows) if rows else np.zeros(0, np.bool_)
    return _Cells(*parts), row


def _without(row: Bools, places: Indices, out: Bools) -> Bools:
    """Return a copy of the row for each row of ``out``, which says what places are emptied."""
    rows = np.repeat(row[None], len(out), axis=0)
    rows[:, places] &= ~out
    return rows
