"""What premises entail, for thousands of combinations and dozens of sentences at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from logic_curriculum.generators.logicskills.arguments import (
    Combinations,
    Composition,
    Indices,
    Statement,
)
from logic_curriculum.generators.logicskills.validity_denials import Denials, Sets, gather, spread
from logic_curriculum.generators.logicskills.validity_sets import Bools
from logic_curriculum.generators.logicskills.worlds import WORD, Bits


@dataclass(frozen=True, eq=False)
class Reach:
    """Which combinations of premises entail which sentences, as far as the stored models know."""

    rows: Indices
    """Numbers of the combinations that entail something fairly, of equal ones the first."""
    columns: Indices
    """Numbers of the sentences that are entailed fairly by some combination."""
    follows: Bools
    """Which combinations entail which sentences, ``[columns, rows]``."""
    fair: Bools
    """Which of these entailments are fair, see :func:`reach`."""


def reach(combinations: Combinations, sentences: Sequence[Composition], minimal: bool) -> Reach:
    """Return which combinations entail which sentences, by the first stored models.

    Premises that no stored model makes true together entail nothing here. An entailment is fair if
    it needs all premises or, unless ``minimal``, more than one.

    Args:
        combinations: The premises.
        sentences: Fewer than 64 sentences.
        minimal: What a fair entailment is.
    """
    asked = _Asked.of(combinations, sentences)
    count, premises = len(sentences), range(len(combinations.chosen))
    rows = _different(combinations)
    by_one = asked.entailed_by_one(rows)
    by_all = asked.entailed(rows, premises, asked.denials.every & ~by_one)
    fair = by_all * ((by_one | by_all) >> np.uint64(count) == 0)  # else they entail falsehood
    if minimal and len(premises) > 2:
        for left_out in premises:
            others = [premise for premise in premises if premise != left_out]
            fair = fair & ~asked.entailed(rows, others, fair)
    kept = np.flatnonzero(fair)
    fairly = spread(fair[kept], count)
    columns = np.flatnonzero(fairly.any(axis=1))
    follows = spread((by_one | by_all)[kept], count)
    return Reach(rows[kept], columns, follows[columns], fairly[columns])


def _different(combinations: Combinations) -> Indices:
    """Return the numbers of the different combinations, of equal ones the first.

    Where there may be more different ones than were drawn, few are equal, and all are returned.
    """
    count = len(combinations.codes)
    if math.prod(map(len, combinations.variants)) >= count:
        return np.arange(count)
    return np.sort(np.unique(combinations.codes, return_index=True)[1])


@dataclass(frozen=True, eq=False)
class _Asked:
    """Premises and sentences in models of which no two are alike for all clauses of theirs."""

    chosen: Indices
    """Which variant each premise is, ``[premises, combinations]``."""
    variants: Sequence[Bits]
    """For each premise, where its variants are true, ``[variants, words]``."""
    denials: Denials
    """Knows where sentences are false. The last of them is false everywhere."""

    @classmethod
    def of(cls, combinations: Combinations, sentences: Sequence[Composition]) -> _Asked:
        """Take the bits of the premises and sentences in models that differ."""
        every = [*combinations.variants, sentences]
        parts = dict.fromkeys(part for items in every for item in items for part in item.parts)
        bits = dict(zip(parts, _in_different_models(list(parts), combinations.near), strict=True))
        *variants, asked = (
            np.stack([item.truth([bits[part] for part in item.parts]) for item in items])
            for items in every
        )
        falsehood = np.zeros_like(asked[:1])
        return cls(combinations.chosen, variants, Denials(np.concatenate([asked, falsehood])))

    def entailed_by_one(self, rows: Indices) -> Sets:
        """Return the sentences that a single premise of each combination entails."""
        found = np.zeros(len(rows), np.uint64)
        for bits, choice in zip(self.variants, self.chosen[:, rows], strict=True):
            every = np.full(len(bits), self.denials.every)
            found |= self.denials.undenied(every, _rows_of(bits))[choice]
        return found

    def entailed(self, rows: Indices, premises: Sequence[int], asked: Sets) -> Sets:
        """Return which of the sentences asked about some premises of each combination entail."""

        def models(left: Indices, words: slice) -> Bits:
            chosen = self.chosen[:, rows[left]]
            return reduce(np.bitwise_and, (self.variants[i][:, words][chosen[i]] for i in premises))

        return self.denials.undenied(asked, models)


def _rows_of(bits: Bits) -> Callable[[Indices, slice], Bits]:
    return lambda rows, words: bits[rows, words]


def _in_different_models(statements: Sequence[Statement], words: int) -> Bits:
    """Return where statements are true, in one of all models that are alike for all of them.

    The last model fills up the last word of bits.
    """
    bits = np.stack([item.bits[:words] for item in statements])
    truths = np.unpackbits(bits.view(np.uint8), axis=1)
    different = _first_of_each(truths.astype(np.bool_))
    padded = np.pad(different, (0, -len(different) % WORD), mode="edge")
    return np.packbits(np.ascontiguousarray(truths[:, padded]), axis=1).view(np.uint64)


def _first_of_each(columns: Bools) -> Indices:
    """Return the number of one of all columns that are alike."""
    keys = [gather(columns[row : row + WORD]) for row in range(0, len(columns), WORD)]
    order = np.lexsort(keys)
    new = [np.diff(key[order], prepend=~key[order[:1]]) != 0 for key in keys]
    return order[np.logical_or.reduce(new)]
