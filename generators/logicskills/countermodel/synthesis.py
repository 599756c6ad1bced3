"""Finds arguments that are almost valid: few stored models refute them, and no regular one does.

Every premise counts: without it, twice as many stored models refute the argument. And the premises
are compatible with the conclusion, so it is not refuted whatever they say. The countermodel that a
task shows has distinct names, and no object or pair that could be left out.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills import arguments, models
from logic_curriculum.generators.logicskills.arguments import ClauseTable, Combinations, Composition
from logic_curriculum.generators.logicskills.constructions import LEAF, SHAPES
from logic_curriculum.generators.logicskills.countermodel.levels import Level
from logic_curriculum.generators.logicskills.models import Bits, Indices, count_bits
from logic_curriculum.rewards.engines.fol import models as fol
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not

STORED = 4096  # random models of each size; regular ones come after them
NEAR = STORED // models.WORD  # words of their bits
VARIANTS = 16
COMBINATIONS = 192
CONCLUSIONS = 12  # sentences that are tried as conclusions


@dataclass(frozen=True, eq=False)
class Found:
    """An invalid argument."""

    schema: arguments.Schema
    premises: tuple[Formula, ...]
    conclusion: Formula
    countermodels: Indices  # stored models where the premises are true and the conclusion is false


def stored_models(size: int, axiom: bool) -> models.ModelStore:
    """Return the models of one size among which countermodels are found."""
    return models.with_regular_models(models.random_store(((size, STORED),), axiom), axiom)


def search(level: Level, rng: Random, split: str) -> Iterator[Found]:
    """Make one schema and yield its almost valid arguments, if it belongs to the split."""
    table = arguments.clause_table(stored_models(level.size, level.axiom))
    about = rng.sample(arguments.link_topics(level.premises, table), 2)
    schema = arguments.draw_schema(level.premises, about, (), table, rng)
    if schema.split(kinds_apart=level.axiom) != split:
        return
    combinations = arguments.combine(schema, table, rng, VARIANTS, COMBINATIONS, NEAR)
    conclusions = _conclusions(about, table, rng)
    denied = ~np.stack([conclusion.bits for conclusion in conclusions])
    together = combinations.near_bits(np.arange(COMBINATIONS))
    refuting = count_bits(together[:, None] & denied[None, :, :NEAR])
    agreeing = count_bits(together)[:, None] - refuting
    rare = (refuting > 0) & (refuting <= level.max_share * STORED) & (agreeing >= refuting)
    rows, columns = np.nonzero(rare)
    counts = _every_premise_counts(combinations, rows, denied[columns], refuting[rows, columns])
    needed = np.flatnonzero(counts).tolist()
    for place in rng.sample(needed, len(needed)):
        row, column = rows[place], columns[place]
        premises = tuple(item.sentence.formula for item in combinations.compositions(row))
        conclusion = conclusions[column].sentence.formula
        refuted = combinations.all_bits(np.array([row]))[0] & denied[column]
        if not refuted[NEAR:].any() and set(str(conclusion)) <= set("".join(map(str, premises))):
            yield Found(schema, premises, conclusion, models.set_bits(refuted))


def _conclusions(about: list[str], table: ClauseTable, rng: Random) -> list[Composition]:
    """Draw conclusions on one or both of two topics."""
    simple = [table.on(topic, alone=True) for topic in about]
    drawn = [Composition(LEAF, (rng.choice(rng.choice(simple)),)) for _ in range(CONCLUSIONS // 2)]
    clauses = [table.on(topic, alone=False) for topic in about]
    for _ in range(CONCLUSIONS - len(drawn)):
        pair = tuple(map(rng.choice, clauses))
        drawn.append(Composition(rng.choice(SHAPES[2]), pair))
    return drawn


def _every_premise_counts(
    combinations: Combinations, rows: Indices, denied: Bits, refuting: npt.NDArray[np.int64]
) -> fol.Bools:
    """Say for which arguments each premise excludes as many models as all together leave."""
    counts = np.ones(len(rows), np.bool_)
    for premise in range(len(combinations.chosen)):
        left = np.flatnonzero(counts)
        others = combinations.near_bits(rows[left], premise) & denied[left, : combinations.near]
        counts[left] = count_bits(others) >= 2 * refuting[left]
    return counts


def sparsest(stored: fol.Models, found: Indices, symbols: Collection[str]) -> int:
    """Return the first of the models that tell most names apart and have least in predicates."""
    names = [values[found] for name, values in stored.constants.items() if name in symbols]
    apart = np.zeros(len(found), np.intp)
    if names:
        apart = (np.diff(np.sort(names, axis=0), axis=0) != 0).sum(axis=0)
    extensions = {**stored.monadic, **stored.binary}
    used = [values[found] for name, values in extensions.items() if name in symbols]
    filled = sum((values.reshape(len(found), -1).sum(axis=1) for values in used), np.intp(0))
    return int(found[np.lexsort((np.broadcast_to(filled, apart.shape), -apart))[0]])


def number_objects(
    structure: fol.Structure, names: Sequence[str], kinds: Sequence[str]
) -> list[int]:
    """Return a new number for each object: those with names first, then kind by kind."""
    sequence = [structure.constants[name] for name in names]
    sequence += [item for kind in kinds for item in sorted(structure.monadic[kind])]
    order = list(dict.fromkeys([*sequence, *structure.domain]))
    return [order.index(item) for item in structure.domain]


def minimal_countermodel(
    structure: fol.Structure, premises: Sequence[Formula], conclusion: Formula, fixed: str
) -> fol.Structure:
    """Return a countermodel without an object or pair that could be left out of a predicate.

    Members go in alphabetic and ascending order, as many at a time as can go together, except those
    of ``fixed`` predicates.
    """
    wanted: Formula = reduce(lambda a, b: Binary("and", a, b), [*premises, Not(conclusion)])
    while members := _members(structure.as_models, fixed):
        alone = fol.evaluate(wanted, _without(structure.as_models, members, together=False))
        free = list(itertools.compress(members, alone))
        if not free:
            break
        thinned = _without(structure.as_models, free, together=True)
        structure = fol.structure_of(thinned, np.flatnonzero(fol.evaluate(wanted, thinned))[-1])
    return structure


Member = tuple[str, tuple[int, ...]]  # a predicate and an object or pair of which it is true


def _members(model: fol.Models, fixed: str) -> list[Member]:
    return [
        (name, tuple(place))
        for extensions in (model.monadic, model.binary)
        for name in sorted(extensions)
        if name not in fixed
        for place in np.argwhere(extensions[name][0])
    ]


def _without(model: fol.Models, members: Sequence[Member], *, together: bool) -> fol.Models:
    """Return a copy for each member, without it; if ``together``, without those before it, too."""
    count = len(members)
    values = {**model.constants, **model.monadic, **model.binary}
    copies = {name: np.repeat(found, count, axis=0) for name, found in values.items()}
    for number, (name, place) in enumerate(members):
        copies[name][(slice(number, None if together else number + 1), *place)] = False
    sorts = (model.constants, model.monadic, model.binary)
    return fol.Models(model.size, count, *({name: copies[name] for name in s} for s in sorts))
