"""Finds arguments that are almost valid: few stored models refute them, and no plain one does.

Every premise counts: without it, twice as many stored models refute the argument. And the premises
are compatible with the conclusion, so it is not refuted whatever they say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.argument_levels import draw_draft, topics
from logic_curriculum.generators.logicskills.arguments import (
    SHAPES,
    Clauses,
    Combinations,
    Draft,
    Indices,
    Statement,
    clauses_of,
    combine,
    join,
)
from logic_curriculum.generators.logicskills.countermodel_levels import Level
from logic_curriculum.generators.logicskills.sentences import Sentence
from logic_curriculum.generators.logicskills.worlds import (
    WORD,
    Bits,
    Worlds,
    how_many,
    places,
    random_worlds,
    with_plain,
)
from logic_curriculum.rewards.engines.fol.models import Bools

STORED = 4096
"""Random models of each size; plain ones come after them."""
VARIANTS = 16
COMBINATIONS = 192
CONCLUSIONS = 12
"""Sentences that are tried as conclusions."""


@dataclass(frozen=True, eq=False)
class Found:
    """An invalid argument."""

    draft: Draft
    premises: tuple[Sentence, ...]
    conclusion: Sentence
    countermodels: Indices
    """Places of the stored models where the premises are true and the conclusion is false."""
    share: float
    """Share of such models among the stored random ones."""


def stored_models(size: int, axiom: bool) -> Worlds:
    """Return the models of one size among which countermodels are found."""
    return with_plain(random_worlds(((size, STORED),), axiom), axiom)


def search(level: Level, rng: random.Random, belongs: Callable[[Draft], bool]) -> Iterator[Found]:
    """Make one draft and yield its almost valid arguments in random order; there may be none.

    Args:
        level: What arguments are made of, and how rare countermodels are.
        rng: What decides.
        belongs: Says whether a draft may be used.
    """
    clauses = clauses_of(stored_models(level.size, level.axiom))
    candidates = topics(level.material, level.material.links, clauses)
    about = rng.sample(candidates, 2)
    draft = draw_draft(level.material, about, (), clauses, rng)
    if not belongs(draft):
        return
    near = STORED // WORD
    combinations = combine(draft, clauses, rng, variants=VARIANTS, count=COMBINATIONS, near=near)
    conclusions = _conclusions(about, clauses, rng)
    denied = ~np.stack([conclusion.bits for conclusion in conclusions])
    together = combinations.together
    refuting = how_many(together[:, None] & denied[None, :, :near])
    agreeing = how_many(together)[:, None] - refuting
    rare = (refuting > 0) & (refuting <= level.most * STORED) & (agreeing >= refuting)
    rows, columns = np.nonzero(rare)
    counts = np.flatnonzero(
        _every_premise_counts(combinations, rows, denied[columns], refuting[rows, columns])
    )
    for place in rng.sample(counts.tolist(), len(counts)):
        row, column = rows[place], columns[place]
        premises, conclusion = combinations.sentences(row), conclusions[column].sentence
        models = combinations.everywhere(np.array([row]))[0] & denied[column]
        if models[near:].any() or not _symbols([conclusion]) <= _symbols(premises):
            continue
        found = places(models)
        yield Found(
            draft,
            premises,
            conclusion,
            found,
            len(found) / STORED,
        )


def _conclusions(about: list[str], clauses: Clauses, rng: random.Random) -> list[Statement]:
    """Draw conclusions on one or both of two topics."""
    simple = [clauses.on(topic, alone=True) for topic in about]
    drawn = [rng.choice(rng.choice(simple)) for _ in range(CONCLUSIONS // 2)]
    parts = [clauses.on(topic, alone=False) for topic in about]
    for _ in range(CONCLUSIONS - len(drawn)):
        pair = [rng.choice(choices) for choices in parts]
        drawn.append(join(rng.choice(SHAPES[2]), pair))
    return drawn


def _every_premise_counts(
    combinations: Combinations, rows: Indices, denied: Bits, refuting: npt.NDArray[np.int64]
) -> Bools:
    """Say for which arguments each premise excludes as many models as all together leave."""
    counts = np.ones(len(rows), np.bool_)
    for premise in range(len(combinations.chosen)):
        left = np.flatnonzero(counts)
        models = combinations.without(premise, rows[left]) & denied[left, : combinations.near]
        counts[left] = how_many(models) >= 2 * refuting[left]
    return counts


def _symbols(sentences: Sequence[Sentence]) -> set[str]:
    return set("".join(str(sentence.formula) for sentence in sentences))
