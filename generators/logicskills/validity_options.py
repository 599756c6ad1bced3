"""Chooses six options of which each may be the right one, and word overlap doesn't tell which.

The option that shares most words with some premise, function words included, would be right more
often than by chance. Therefore premises count only if there are others for each of the options that
give all of them the same *ranking* by overlap: which option shares more with a premise than which
other one, and which are equal. The ranking then does not tell for which option the premises were
made.

Sets of words and of premises' combinations are integers with one bit for each member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills import arguments
from logic_curriculum.generators.logicskills.arguments import Clause, Combinations, Composition
from logic_curriculum.generators.logicskills.constructions import LEAF, Shape, shape_type
from logic_curriculum.generators.logicskills.models import Bits, Indices
from logic_curriculum.generators.logicskills.sentences import (
    Renaming,
    load_lexicon,
    rename_words,
    simple_clause,
)
from logic_curriculum.rewards.engines.fol.models import Bools

OPTIONS = 6
_ANTICHAINS = 8  # sets of options that are tried for each thing that they may have in common

Shares = npt.NDArray[np.float64]
Rankings = Mapping[int, int]
"""Ranking of options by overlap, as a number → the set of the combinations that give it."""


def bitsets(truths: Bools) -> list[int]:
    """Return the rows of truth values as sets, those of all leading axes in one list."""
    octets = np.packbits(truths.reshape(-1, truths.shape[-1]), axis=-1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in octets]


def members(bitset: int) -> Indices:
    """Return the numbers in a set, ascending."""
    text = bitset.to_bytes(-(-bitset.bit_length() // 8), "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(text, np.uint8), bitorder="little"))


def words_of(text: str) -> frozenset[str]:
    """Return the different words of a text, function words included."""
    return frozenset(text.lower().rstrip(".").replace(",", "").split())


@cache
def _connecting_words(shape: Shape) -> frozenset[str]:
    """Return the words that connect the clauses of a shape in English."""
    if isinstance(shape, str):
        return frozenset()
    words = words_of(load_lexicon("english").connectives[str(shape[0])].format(A="", B=""))
    return words.union(*map(_connecting_words, shape[1:]))


def word_overlaps(
    combinations: Combinations, rows: Indices, options: Sequence[Composition], renaming: Renaming
) -> Shares:
    """Return each option's greatest overlap with a premise or the axiom, ``[options, rows]``.

    The overlap of two sentences is their Jaccard similarity: the share of common words among all
    words of the two, in English after the renaming. ``rows`` are the combinations to look at.
    """
    english = load_lexicon("english")

    @cache
    def said(clause: Clause) -> frozenset[str]:
        filled = rename_words(clause.sentence.words, renaming)
        return words_of(simple_clause(english, clause.sentence.pattern, filled))

    def words(sentence: Composition) -> frozenset[str]:
        return _connecting_words(sentence.shape).union(*map(said, sentence.parts))

    table = [words(option) for option in options]

    def overlaps(others: frozenset[str]) -> list[float]:
        return [len(option & others) / len(option | others) for option in table]

    best = np.tile(overlaps(words_of(english.domain_axiom)), (len(rows), 1))
    for variants, chosen in zip(combinations.variants, combinations.chosen[:, rows], strict=True):
        used, places = np.unique(chosen, return_inverse=True)
        found = [overlaps(words(variants[variant])) for variant in used]
        best = np.maximum(best, np.array(found)[places])
    return best.T


def refine(
    rankings: Rankings, compared: Sequence[tuple[int, int]], right: Iterable[int]
) -> dict[int, int]:
    """Return the rankings with one more option, if each option may be right in them.

    ``compared`` holds, for each option so far, the combinations that put the new one below it and
    those that put it above; ``right`` those that make each option right, the new one included.
    """
    found = {ranking * 3 ** len(compared): rows for ranking, rows in rankings.items()}
    for place, (below, above) in enumerate(compared):
        parts = (
            (ranking + sign * 3**place, rows & side)
            for ranking, rows in found.items()
            for sign, side in enumerate((below, ~(below | above), above))
        )
        found = balanced(dict(parts), right)
    return found


def balanced(rankings: Rankings, right: Iterable[int]) -> dict[int, int]:
    """Return the rankings in which each option is right in some combination."""
    return {ranking: rows for ranking, rows in rankings.items() if all(rows & one for one in right)}


@dataclass(frozen=True, eq=False)
class OptionPool:
    """Sentences that may be options, and the combinations of premises that entail some."""

    candidates: Sequence[Composition]
    bits: Bits  # where they are true, [candidates, words]
    rows: Indices  # numbers of the combinations; the sets below have their places in this
    follows: Sequence[int]  # candidate → the combinations that entail it
    joint: Sequence[int]  # candidate → the combinations that jointly entail it
    below: Sequence[Sequence[int]]  # one, another → the combinations that overlap less with the one


@dataclass(frozen=True, eq=False)
class OptionSet:
    """Options, and combinations with a ranking in which each may be the right one."""

    options: tuple[int, ...]
    undecided: int  # the combinations that entail none of the options
    right: tuple[int, ...]  # option → the combinations that jointly entail it, and no other
    rankings: Rankings

    def with_option(self, option: int, pool: OptionPool) -> OptionSet | None:
        """Return the set with one more option, unless it leaves no combinations."""
        follows = pool.follows[option]
        right = [*(rows & ~follows for rows in self.right), self.undecided & pool.joint[option]]
        compared = [(pool.below[option][o], pool.below[o][option]) for o in self.options]
        rankings = refine(self.rankings, compared, right)
        if not (all(right) and rankings):
            return None
        within = sum(rankings.values())
        confined = tuple(rows & within for rows in right)
        undecided = self.undecided & ~follows & within
        return OptionSet((*self.options, option), undecided, confined, rankings)


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
    """Take members in random order, except those that leave no ranking in which each is right.

    None of them entails another. There is no set if fewer than six are found.
    """
    every = (1 << len(pool.rows)) - 1
    found = OptionSet((), every, (), {0: every})
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
