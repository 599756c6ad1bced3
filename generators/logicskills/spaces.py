"""Sets of sentences too large to list: they are counted, and any member is made from its number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from logic_curriculum.generators.logicskills.sentences import Sentence, compound
from logic_curriculum.generators.logicskills.shapes import Shape, depth, leaves


@dataclass(frozen=True, eq=False)
class Listed:
    """Simple sentences, each listed."""

    members: tuple[Sentence, ...]
    clauses: int = 1
    """Number of simple clauses of each."""
    depth: int = 0
    """How deep connectives are nested."""

    @property
    def size(self) -> int:
        """Number of sentences."""
        return len(self.members)

    @property
    def pools(self) -> tuple[tuple[Sentence, ...]]:
        """The sentences themselves."""
        return (self.members,)

    def sentence(self, index: int) -> Sentence:
        """Return a sentence by its number, from 0."""
        return self.members[index]


@dataclass(frozen=True, eq=False)
class Shaped:
    """Compounds of one shape; no two of a sentence's clauses are equal."""

    shape: Shape
    pools: tuple[tuple[Sentence, ...], ...]
    """For each clause, what it is drawn from; two pools are the same or share nothing."""

    @property
    def clauses(self) -> int:
        """Number of simple clauses."""
        return leaves(self.shape)

    @property
    def depth(self) -> int:
        """How deep connectives are nested."""
        return depth(self.shape)

    @cached_property
    def size(self) -> int:
        """Number of sentences."""
        return math.prod(self._radices)

    @cached_property
    def _radices(self) -> tuple[int, ...]:
        """The number of choices for each clause, given those before it."""
        return tuple(
            len(pool) - sum(other is pool for other in self.pools[:number])
            for number, pool in enumerate(self.pools)
        )

    def sentence(self, index: int) -> Sentence:
        """Return a sentence by its number, from 0: the number's digits choose the clauses."""
        chosen: list[tuple[int, int]] = []
        for pool, radix in zip(self.pools, self._radices, strict=True):
            index, place = divmod(index, radix)
            # `place` counts the members that no earlier clause took.
            for taken in sorted(taken for owner, taken in chosen if owner == id(pool)):
                place += taken <= place
            chosen.append((id(pool), place))
        clauses = [pool[place] for pool, (_, place) in zip(self.pools, chosen, strict=True)]
        return compound(self.shape, clauses)


Space = Listed | Shaped
"""A set of sentences with a fixed order."""
