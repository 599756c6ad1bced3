"""Chooses six options of which each may be the right one, and none entails another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from logic_curriculum.generators.logicskills.arguments import Composition, topic_of
from logic_curriculum.generators.logicskills.shapes import LEAF, shape_type
from logic_curriculum.generators.logicskills.validity_balance import Orders, Shares, refine
from logic_curriculum.generators.logicskills.validity_sets import Bools, as_sets, pack

OPTIONS = 6
ANTICHAINS = 8
"""Sets of options that are tried for each thing that they may have in common."""


@dataclass(frozen=True, eq=False)
class Prospects:
    """Sentences that may be options. Combinations of premises are in sets, one bit for each."""

    candidates: Sequence[Composition]
    every: int
    """All combinations."""
    follows: Sequence[int]
    """Candidate → the combinations that entail it."""
    fair: Sequence[int]
    """Candidate → the combinations that entail it fairly."""
    below: Sequence[Sequence[int]]
    """One candidate, another → the combinations that are less like the one than the other."""
    partners: Sequence[frozenset[int]]
    """Candidate → those that may be options beside it, as far as the two of them alone matter."""


def prospects(
    candidates: Sequence[Composition],
    follows: Bools,
    fair: Bools,
    shares: Shares,
    comparable: Bools,
) -> Prospects:
    """Return what is known of sentences that may be options.

    Args:
        candidates: The sentences.
        follows: Which combinations entail them, ``[candidates, combinations]``.
        fair: Which of these entailments are fair.
        shares: How much the combinations are like them, ``[candidates, combinations]``.
        comparable: Which candidates entail which or are entailed by them.
    """
    count = len(candidates)
    below = pack(shares[:, None] < shares[None])
    alone = pack(fair)[:, None] & ~pack(follows)[None]
    lower, higher = ((alone & sets).any(axis=-1) for sets in (below, below.swapaxes(0, 1)))
    level = (alone & ~(below | below.swapaxes(0, 1))).any(axis=-1)
    fit = (lower & higher.T) | (higher & lower.T) | (level & level.T)
    fit &= ~comparable & ~np.eye(count, dtype=np.bool_)
    sets = as_sets(below)
    return Prospects(
        candidates,
        (1 << shares.shape[1]) - 1,
        as_sets(pack(follows)),
        as_sets(pack(fair)),
        [sets[start : start + count] for start in range(0, len(sets), count)],
        [frozenset(np.flatnonzero(row).tolist()) for row in fit],
    )


@dataclass(frozen=True, eq=False)
class Choice:
    """Options, and combinations that put them in an order in which each may be the right one."""

    options: tuple[int, ...]
    undecided: int
    """The combinations that entail none of the options."""
    right: tuple[int, ...]
    """For each option, the combinations that entail it fairly, and none of the others."""
    orders: Orders
    """The combinations by the order of likeness in which they put the options."""

    def with_option(self, option: int, about: Prospects) -> Choice | None:
        """Return the choice with one more option, unless it leaves no combinations."""
        follows = about.follows[option]
        right = [*(rows & ~follows for rows in self.right), self.undecided & about.fair[option]]
        compared = [
            (about.below[option][other], about.below[other][option]) for other in self.options
        ]
        orders = refine(self.orders, compared, right)
        if not (all(right) and orders):
            return None
        within = sum(orders.values())
        return Choice(
            (*self.options, option),
            self.undecided & ~follows & within,
            tuple(rows & within for rows in right),
            orders,
        )


def choices(about: Prospects, rng: random.Random) -> Iterator[Choice]:
    """Yield sets of six options, each of which may be the right one, and none entails another."""
    for key in _KEYS:
        groups = _groups(about.candidates, key)
        for _ in range(ANTICHAINS if groups else 0):
            choice = _antichain(rng.choice(groups), about, rng)
            if choice:
                yield choice


def _antichain(group: Sequence[int], about: Prospects, rng: random.Random) -> Choice | None:
    """Return six members, none of which entails another and each of which may be the right one.

    Members are taken in random order, and put back when they leave no order of likeness in which
    each may be the right one. There is no choice when that found fewer than six.
    """
    choice = Choice((), about.every, (), {0: about.every})
    left = rng.sample(group, len(group))
    while len(choice.options) + len(left) >= OPTIONS:
        option, *left = left
        wider = choice.with_option(option, about)
        if wider is not None:
            choice = wider
            if len(choice.options) == OPTIONS:
                return choice
            partners = about.partners[option]
            left = [other for other in left if other in partners]
    return None


def _groups(
    candidates: Sequence[Composition], key: Callable[[Composition], str]
) -> list[list[int]]:
    """Sort candidates by a key into groups that are large enough to choose options from."""
    groups: dict[str, list[int]] = {}
    for number, candidate in enumerate(candidates):
        groups.setdefault(key(candidate), []).append(number)
    return [group for group in groups.values() if len(group) >= OPTIONS]


def _symbols(sentence: Composition) -> str:
    return "".join(sorted({char for part in sentence.parts for char in topic_of(part.sentence)}))


def _type_and_symbols(sentence: Composition) -> str:
    shape, (first, *_) = sentence
    kind = first.sentence.type if shape == LEAF else shape_type(shape)
    return f"{kind} {_symbols(sentence)}"


def _nothing(sentence: Composition) -> str:
    return ""


_KEYS = (_type_and_symbols, _symbols, _nothing)
"""What options have in common, the best first."""
