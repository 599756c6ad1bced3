"""Stored finite models: one bit per model says where a sentence is true.

With the bits of a few hundred sentences at hand, joint satisfiability is ``and``, a refutation of
an entailment is one bit left over, and only what no stored model refutes needs a proof.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.constructions import Vocabulary
from logic_curriculum.rewards.engines.fol.models import (
    Bools,
    Models,
    Structure,
    evaluate,
    random_models,
    structure_of,
)
from logic_curriculum.rewards.engines.fol.syntax import Formula, Signature

Bits = npt.NDArray[np.uint64]
"""One bit per stored model in the last axis, 64 to a word."""

WORD = 64
CANONICAL = Vocabulary(names="abc", kinds="MNO", monadic="FGH", binary="PQ")
"""The symbols of stored models. Arguments are found with these, and renamed afterwards."""


@dataclass(frozen=True, eq=False)
class Worlds:
    """Stored models in a fixed order, of one or more sizes."""

    batches: tuple[Models, ...]
    """Each holds a multiple of 64 models."""

    def bits(self, formula: Formula) -> Bits:
        """Return where a sentence is true, ``[words]``."""
        truths = [evaluate(formula, models) for models in self.batches]
        return np.packbits(np.concatenate(truths)).view(np.uint64)

    def structure(self, place: int) -> Structure:
        """Return the stored model at a place."""
        for models in self.batches:
            if place < models.count:
                return structure_of(models, place)
            place -= models.count
        raise IndexError("no stored model has this place")

    @cached_property
    def count(self) -> int:
        """The number of stored models."""
        return sum(models.count for models in self.batches)


def places(bits: Bits) -> npt.NDArray[np.intp]:
    """Return the places of the models whose bit is set, ascending."""
    return np.flatnonzero(np.unpackbits(bits.view(np.uint8)))


def anywhere(bits: Bits) -> Bools:
    """Return whether any bit of the last axis is set."""
    found: Bools = np.bitwise_or.reduce(bits, axis=-1) != 0
    return found


def how_many(bits: Bits) -> npt.NDArray[np.int64]:
    """Return how many bits are set, summed over the last axis."""
    return np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)


@cache
def random_worlds(batches: tuple[tuple[int, int], ...], axiom: bool) -> Worlds:
    """Return random models, of the domain axiom if ``axiom``.

    Args:
        batches: Size and number of the models of each batch; numbers are multiples of 64.
        axiom: Whether every object has exactly one kind, and every kind an object.
    """
    arities = dict.fromkeys(CANONICAL.monadic + CANONICAL.kinds, 1)
    arities.update(dict.fromkeys(CANONICAL.binary, 2))
    known = Signature(arities, frozenset(CANONICAL.names))
    drawn = [random_models(known, size, count, "worlds") for size, count in batches]
    return Worlds(tuple(_with_kinds(models) if axiom else models for models in drawn))


def _with_kinds(models: Models) -> Models:
    """Give every object one kind, so that each kind has an object, and predicates that heed kinds.

    Quantified sentences speak of whole kinds, so predicates that are full, empty or mixed kind by
    kind tell more sentences apart than evenly spread ones.
    """
    size, count = models.size, models.count
    drawn = _octets(f"kinds {size} {count}", size + 1, count)
    kinds = drawn[1:].astype(np.intp) * 3 >> 8
    orders = np.array(list(itertools.permutations(range(3))))
    kinds[:3] = orders[drawn[0].astype(np.intp) * len(orders) >> 8].T
    shift = drawn[0].astype(np.intp) % size
    kinds = kinds[(np.arange(size)[:, None] + shift) % size, np.arange(count)]
    monadic = {name: _by_kind(name, kinds) for name in CANONICAL.monadic}
    binary = {name: _by_kinds(name, kinds) for name in CANONICAL.binary}
    return replace(models, monadic={**monadic, **_extensions(kinds)}, binary=binary)


def _octets(name: str, *shape: int) -> npt.NDArray[np.uint8]:
    """Return random numbers from 0 to 255 that depend on the arguments only."""
    digest = hashlib.shake_256(f"{name} {shape}".encode()).digest(int(np.prod(shape)))
    return np.frombuffer(digest, np.uint8).reshape(shape)


_SHARES = np.array([0, 0, 64, 128, 192, 256, 256])
"""How much of a kind a predicate holds of, in 256ths."""


def _shares(name: str, *shape: int) -> npt.NDArray[np.intp]:
    return _SHARES[_octets(name, *shape).astype(np.intp) * len(_SHARES) >> 8]


def _by_kind(name: str, kinds: npt.NDArray[np.intp]) -> Bools:
    """Draw a monadic predicate, ``[count, size]``, with a share for each kind."""
    size, count = kinds.shape
    shares = _shares(f"shares {name}", 3, count)[kinds, np.arange(count)]
    return (_octets(f"cells {name}", size, count) < shares).T


def _by_kinds(name: str, kinds: npt.NDArray[np.intp]) -> Bools:
    """Draw a binary predicate, ``[count, size, size]``.

    For each pair of kinds there is one share, or one for each first or for each second object.
    """
    size, count = kinds.shape
    each = np.arange(count)
    first, second = np.arange(size)[:, None, None], np.arange(size)[None, :, None]
    pairs = (kinds[:, None], kinds[None], each)
    mode = _octets(f"mode {name}", 3, 3, count)[pairs] % 3
    shares = np.choose(
        mode,
        [
            _shares(f"pair {name}", 3, 3, count)[pairs],
            _shares(f"first {name}", size, 3, count)[first, kinds[None], each],
            _shares(f"second {name}", 3, size, count)[kinds[:, None], second, each],
        ],
    )
    cells = _octets(f"cells {name}", size, size, count) < shares
    return np.moveaxis(cells, -1, 0)


def _extensions(kinds: npt.NDArray[np.intp]) -> Mapping[str, Bools]:
    """Return the kinds' extensions, ``[count, size]``, from objects' kinds, ``[size, count]``."""
    return {name: (kinds == number).T for number, name in enumerate(CANONICAL.kinds)}


@cache
def with_plain(worlds: Worlds, axiom: bool) -> Worlds:
    """Return models of one size and, after them, those of this size that one thinks of first.

    Their predicates are empty, full or regular. Monadic predicates are alike, binary ones too, and
    names take every combination of the first objects.
    """
    size = worlds.batches[0].size
    kinds = np.arange(size) % 3
    square = np.indices((size, size))
    relations = [
        np.zeros((size, size), bool),
        np.ones((size, size), bool),
        square[0] == square[1],
        square[0] != square[1],
        square[0] < square[1],
        square[1] == (square[0] + 1) % size,
    ]
    sets = [np.zeros(size, bool), np.ones(size, bool), kinds == 0, kinds != 0]
    rows = [
        (names, chosen, relation)
        for names in itertools.product(range(min(size, 3)), repeat=len(CANONICAL.names))
        for chosen in sets
        for relation in relations
    ]
    rows += rows[: -len(rows) % WORD]
    return Worlds((*worlds.batches, _plain_models(rows, kinds, axiom)))


def _plain_models(
    rows: Sequence[tuple[tuple[int, ...], Bools, Bools]],
    kinds: npt.NDArray[np.intp],
    axiom: bool,
) -> Models:
    chosen = np.array([row[1] for row in rows])
    relations = np.array([row[2] for row in rows])
    monadic = dict.fromkeys(CANONICAL.monadic + CANONICAL.kinds, chosen)
    if axiom:
        monadic.update(_extensions(np.repeat(kinds[:, None], len(rows), axis=1)))
    constants = {name: np.array([row[0][i] for row in rows]) for i, name in enumerate("abc")}
    binary = dict.fromkeys(CANONICAL.binary, relations)
    return Models(len(kinds), len(rows), constants, monadic, binary)
