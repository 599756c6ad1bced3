"""What premises entail, for thousands of combinations and dozens of sentences at once.

A model that makes premises true and a sentence false refutes the entailment. Models are given as
bits. An octet of these bits stands for eight models, so for each octet's place and each of its 256
values there is an entry in a table: the set of sentences that are false in one of these models. The
sentences that are refuted are the union of as many entries as there are octets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.arguments import Clause, Combinations, Composition
from logic_curriculum.generators.logicskills.models import WORD, Bits, Indices
from logic_curriculum.rewards.engines.fol.models import Bools

_STEP = 2
"""Words of bits that are looked up together, while something is left."""

Sets = npt.NDArray[np.uint64]
"""Sets of up to 64 sentences: the bit of the value ``1 << i`` stands for sentence ``i``."""
Lookup = Callable[[Indices, slice], Bits]
"""Numbers of rows, and which words → the bits of the rows' models, ``[rows, words]``."""


def unpack_sets(sets: Sets, count: int) -> Bools:
    """Say which of some sentences are in each set, ``[sentences, sets]``."""
    numbers = np.arange(count, dtype=np.uint64)
    return (sets >> numbers[:, None] & np.uint64(1)).astype(np.bool_)


def pack_sets(members: Bools) -> Sets:
    """Return the sets that have some sentences as members, ``[sets]``."""
    octets = np.zeros((members.shape[1], 8), np.uint8)
    packed = np.packbits(members, axis=0, bitorder="little").T
    octets[:, : packed.shape[1]] = packed
    return octets.view("<u8").ravel().astype(np.uint64)


class RefutationTable:
    """Knows for each of up to 64 sentences the models that refute it."""

    def __init__(self, sentences: Bits) -> None:
        """Take where the sentences are true, ``[sentences, words]``."""
        self.every = np.uint64((1 << len(sentences)) - 1)
        """The set of all sentences."""
        self._words = sentences.shape[1]
        false = pack_sets(np.unpackbits((~sentences).view(np.uint8), axis=1).astype(np.bool_))
        models = false.reshape(-1, 8)
        table = np.zeros((len(models), 1), np.uint64)
        for model in range(7, -1, -1):  # the last model of an octet has its lowest bit
            table = np.concatenate([table, table | models[:, model, None]], axis=1)
        self._table = table.ravel()

    def unrefuted(self, asked: Sets, models: Lookup) -> Sets:
        """Return which of the sentences asked about are true in all models of a row, ``[rows]``."""
        found = asked.copy()
        for first in range(0, self._words, _STEP):
            left = np.flatnonzero(found)
            octets = models(left, slice(first, first + _STEP)).view(np.uint8)
            places = 256 * (8 * first + np.arange(octets.shape[1]))
            refuted = np.bitwise_or.reduce(np.take(self._table, octets + places), axis=1)
            found[left] &= ~refuted
        return found


@dataclass(frozen=True, eq=False)
class Entailments:
    """Which combinations of premises entail which sentences, as far as the stored models know."""

    rows: Indices
    """Combinations that jointly entail something, of equal ones the first."""
    columns: Indices
    """Sentences that are jointly entailed by some combination."""
    follows: Bools
    """Which combinations entail which sentences, ``[columns, rows]``."""
    joint: Bools
    """Which of these entailments are joint, see :func:`find_entailments`."""


def find_entailments(
    combinations: Combinations, sentences: Sequence[Composition], minimal: bool
) -> Entailments:
    """Return which combinations entail which sentences, by the first stored models.

    Premises that no stored model makes true together entail nothing here. An entailment is joint if
    it needs all premises or, unless ``minimal``, more than one.

    Args:
        combinations: The premises.
        sentences: Fewer than 64 sentences.
        minimal: What a joint entailment is.
    """
    problem = _Problem.of(combinations, sentences)
    count, premises = len(sentences), range(len(combinations.chosen))
    rows = _different(combinations)
    by_one = problem.entailed_by_one(rows)
    by_all = problem.entailed(rows, premises, problem.table.every & ~by_one)
    joint = by_all * ((by_one | by_all) >> np.uint64(count) == 0)  # else they entail falsehood
    if minimal and len(premises) > 2:
        for left_out in premises:
            others = [premise for premise in premises if premise != left_out]
            joint = joint & ~problem.entailed(rows, others, joint)
    kept = np.flatnonzero(joint)
    jointly = unpack_sets(joint[kept], count)
    columns = np.flatnonzero(jointly.any(axis=1))
    follows = unpack_sets((by_one | by_all)[kept], count)
    return Entailments(rows[kept], columns, follows[columns], jointly[columns])


def _different(combinations: Combinations) -> Indices:
    """Return the numbers of the different combinations, of equal ones the first.

    Where there may be more different ones than were drawn, few are equal, and all are returned.
    """
    count = len(combinations.codes)
    if math.prod(map(len, combinations.variants)) >= count:
        return np.arange(count)
    return np.sort(np.unique(combinations.codes, return_index=True)[1])


@dataclass(frozen=True, eq=False)
class _Problem:
    """Premises and sentences in models of which no two are alike for all clauses of theirs."""

    chosen: Indices
    """Which variant each premise is, ``[premises, combinations]``."""
    variants: Sequence[Bits]
    """For each premise, where its variants are true, ``[variants, words]``."""
    table: RefutationTable
    """Of the sentences and, as the last one, falsehood."""

    @classmethod
    def of(cls, combinations: Combinations, sentences: Sequence[Composition]) -> _Problem:
        """Take the bits of the premises and sentences in models that differ."""
        every = [*combinations.variants, sentences]
        parts = dict.fromkeys(part for items in every for item in items for part in item.parts)
        bits = dict(zip(parts, _in_different_models(list(parts), combinations.near), strict=True))
        *variants, asked = (
            np.stack([item.truth([bits[part] for part in item.parts]) for item in items])
            for items in every
        )
        falsehood = np.zeros_like(asked[:1])
        return cls(
            combinations.chosen, variants, RefutationTable(np.concatenate([asked, falsehood]))
        )

    def entailed_by_one(self, rows: Indices) -> Sets:
        """Return the sentences that a single premise of each combination entails."""
        found = np.zeros(len(rows), np.uint64)
        for bits, choice in zip(self.variants, self.chosen[:, rows], strict=True):
            every = np.full(len(bits), self.table.every)
            found |= self.table.unrefuted(every, _rows_of(bits))[choice]
        return found

    def entailed(self, rows: Indices, premises: Sequence[int], asked: Sets) -> Sets:
        """Return which of the sentences asked about some premises of each combination entail."""

        def models(left: Indices, words: slice) -> Bits:
            chosen = self.chosen[:, rows[left]]
            return reduce(np.bitwise_and, (self.variants[i][:, words][chosen[i]] for i in premises))

        return self.table.unrefuted(asked, models)


def _rows_of(bits: Bits) -> Lookup:
    return lambda rows, words: bits[rows, words]


def _in_different_models(clauses: Sequence[Clause], words: int) -> Bits:
    """Return where clauses are true, in one of all models that are alike for all of them.

    The last model fills up the last word of bits.
    """
    bits = np.stack([item.bits[:words] for item in clauses])
    truths = np.unpackbits(bits.view(np.uint8), axis=1)
    different = _first_of_each(truths.astype(np.bool_))
    padded = np.pad(different, (0, -len(different) % WORD), mode="edge")
    return np.packbits(np.ascontiguousarray(truths[:, padded]), axis=1).view(np.uint64)


def _first_of_each(columns: Bools) -> Indices:
    """Return the number of one of all columns that are alike."""
    keys = [pack_sets(columns[row : row + WORD]) for row in range(0, len(columns), WORD)]
    order = np.lexsort(keys)
    new = [np.diff(key[order], prepend=~key[order[:1]]) != 0 for key in keys]
    return order[np.logical_or.reduce(new)]
