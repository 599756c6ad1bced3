"""Says which of some sentences are false somewhere among any models, for thousands of rows at once.

Models are given as bits. An octet of these bits stands for eight models, so for each octet's place
and each of its 256 values there is an entry in a table: the set of sentences that are false in one
of these models. The sentences that are false somewhere are the union of as many entries as there
are octets.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.arguments import Indices
from logic_curriculum.generators.logicskills.validity_sets import Bools
from logic_curriculum.generators.logicskills.worlds import Bits

STEP = 2
"""Words of bits that are looked up together, while something is left."""

Sets = npt.NDArray[np.uint64]
"""Sets of sentences: the bit of the value ``1 << i`` stands for sentence ``i``."""
Models = Callable[[Indices, slice], Bits]
"""Numbers of rows, and which words → the bits of the rows' models, ``[rows, words]``."""


class Denials:
    """Knows for each of up to 64 sentences where it is false."""

    def __init__(self, sentences: Bits) -> None:
        """Take where the sentences are true, ``[sentences, words]``."""
        self.every = np.uint64((1 << len(sentences)) - 1)
        """The set of all sentences."""
        self._words = sentences.shape[1]
        self._tables = _tables(_false_at_each_model(sentences)).ravel()

    def undenied(self, asked: Sets, models: Models) -> Sets:
        """Return which of the sentences asked about are true in all models of a row, ``[rows]``."""
        found = asked.copy()
        for first in range(0, self._words, STEP):
            left = np.flatnonzero(found)
            found[left] &= ~self._denied(models(left, slice(first, first + STEP)), first)
        return found

    def _denied(self, models: Bits, first: int) -> Sets:
        """Return which sentences are false somewhere in models from a word on, ``[rows]``."""
        octets = models.view(np.uint8)
        places = 256 * (8 * first + np.arange(octets.shape[1]))
        found: Sets = np.bitwise_or.reduce(np.take(self._tables, octets + places), axis=1)
        return found


def spread(sets: Sets, count: int) -> Bools:
    """Say which of some sentences are in each set, ``[sentences, sets]``."""
    numbers = np.arange(count, dtype=np.uint64)
    return (sets >> numbers[:, None] & np.uint64(1)).astype(np.bool_)


def gather(members: Bools) -> Sets:
    """Return the sets that have some sentences as members, ``[sets]``."""
    octets = np.zeros((members.shape[1], 8), np.uint8)
    packed = np.packbits(members, axis=0, bitorder="little").T
    octets[:, : packed.shape[1]] = packed
    return octets.view("<u8").ravel().astype(np.uint64)


def _false_at_each_model(sentences: Bits) -> Sets:
    """Return for each model the set of sentences that are false there."""
    return gather(np.unpackbits((~sentences).view(np.uint8), axis=1).astype(np.bool_))


def _tables(false: Sets) -> Sets:
    """Return for each octet's place and value the sentences that are false at one of its models."""
    models = false.reshape(-1, 8)
    tables = np.zeros((len(models), 1), np.uint64)
    for model in range(7, -1, -1):  # the last model of an octet has its lowest bit
        tables = np.concatenate([tables, tables | models[:, model, None]], axis=1)
    return tables
