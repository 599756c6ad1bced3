"""Chooses six options of which each may be the right one.

Sets of premises' combinations are integers with one bit for each member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from logic_curriculum.generators.logicskills import arguments
from logic_curriculum.generators.logicskills.arguments import Composition
from logic_curriculum.generators.logicskills.constructions import LEAF, shape_type
from logic_curriculum.generators.logicskills.models import Bits, Indices
from logic_curriculum.rewards.engines.fol.models import Bools

OPTIONS = 6
_ANTICHAINS = 8  # sets of options that are tried for each thing that they may have in common


def bitsets(truths: Bools) -> list[int]:
    """Return the rows of truth values as sets, those of all leading axes in one list."""
    octets = np.packbits(truths.reshape(-1, truths.shape[-1]), axis=-1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in octets]


def members(bitset: int) -> Indices:
    """Return the numbers in a set, ascending."""
    text = bitset.to_bytes(-(-bitset.bit_length() // 8), "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(text, np.uint8), bitorder="little"))


@dataclass(frozen=True, eq=False)
class OptionPool:
    """Sentences that may be options, and the combinations of premises that entail some."""

    candidates: Sequence[Composition]
    bits: Bits  # where they are true, [candidates, words]
    rows: Indices  # numbers of the combinations; the sets below have their places in this
    follows: Sequence[int]  # candidate → the combinations that entail it
    joint: Sequence[int]  # candidate → the combinations that jointly entail it


@dataclass(frozen=True, eq=False)
class OptionSet:
    """Options, and combinations in which each may be the right one."""

    options: tuple[int, ...]
    undecided: int  # the combinations that entail none of the options
    right: tuple[int, ...]  # option → the combinations that jointly entail it, and no other

    def with_option(self, option: int, pool: OptionPool) -> OptionSet | None:
        """Return the set with one more option, unless it leaves no combinations."""
        follows = pool.follows[option]
        right = (*(rows & ~follows for rows in self.right), self.undecided & pool.joint[option])
        if not all(right):
            return None
        return OptionSet((*self.options, option), self.undecided & ~follows, right)


def option_sets(pool: OptionPool, rng: Random) -> Iterator[OptionSet]:
    """Yield sets of options: with the same type and symbols, then the same symbols, then any."""
    for key in (_type_and_symbols, _symbols, lambda sentence: ""):
        groups: dict[str, list[int]] = {}
        for number, candidate in enumerate(pool.candidates):
            groups.setdefault(key(candidate), []).append(number)
        large = [group for group in groups.values() if len(group) >= OPTIONS]
        for _ in range(_ANTICHAINS if large else 0):
            if found := _antichain(rng.choice(large), pool, rng):
                yield found


def _antichain(group: Sequence[int], pool: OptionPool, rng: Random) -> OptionSet | None:
    """Take members in random order, except those with which some option is never the right one.

    None of them entails another. There is no set if fewer than six are found.
    """
    every = (1 << len(pool.rows)) - 1
    found = OptionSet((), every, ())
    left = rng.sample(group, len(group))
    while len(found.options) + len(left) >= OPTIONS:
        option, *left = left
        wider = found.with_option(option, pool)
        if wider is not None:
            found = wider
            if len(found.options) == OPTIONS:
                return found
    return None


def _symbols(sentence: Composition) -> str:
    return "".join(sorted(set().union(*(arguments.topic_of(p.sentence) for p in sentence.parts))))


def _type_and_symbols(sentence: Composition) -> str:
    shape, (first, *_) = sentence
    kind = first.sentence.type if shape == LEAF else shape_type(shape)
    return f"{kind} {_symbols(sentence)}"
