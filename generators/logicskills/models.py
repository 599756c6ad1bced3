"""Stored finite models: one bit per model says where a sentence is true.

With the bits of a few hundred sentences at hand, joint satisfiability is ``and``, a refutation of
an entailment is one bit left over, and only what no stored model refutes needs a proof.
"""

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.constructions import ALL_SYMBOLS, CANONICAL, Vocabulary
from logic_curriculum.generators.logicskills.sentences import Renaming, Sentence, contradicts_itself
from logic_curriculum.rewards.engines.fol import models as fol
from logic_curriculum.rewards.engines.fol.syntax import Formula, Signature

WORD = 64
Bits = npt.NDArray[np.uint64]  # one bit per stored model in the last axis, 64 to a word
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ModelStore:
    """Models of the canonical symbols in a fixed order, of one or more sizes."""

    batches: tuple[fol.Models, ...]  # each holds a multiple of 64 models

    def bits(self, formula: Formula) -> Bits:
        """Return where a sentence is true, ``[words]``."""
        truths = [fol.evaluate(formula, models) for models in self.batches]
        return np.packbits(np.concatenate(truths)).view(np.uint64)

    def structure(self, index: int) -> fol.Structure:
        """Return a stored model."""
        for models in self.batches:
            if index < models.count:
                return fol.structure_of(models, index)
            index -= models.count
        raise IndexError("there are fewer stored models")


def set_bits(bits: Bits) -> Indices:
    """Return the indices of the models whose bit is set, ascending."""
    return np.flatnonzero(np.unpackbits(bits.view(np.uint8)))


def any_bit(bits: Bits) -> fol.Bools:
    """Return whether any bit of the last axis is set."""
    return np.asarray(np.bitwise_or.reduce(bits, axis=-1) != 0)


def count_bits(bits: Bits) -> npt.NDArray[np.int64]:
    """Return how many bits are set, summed over the last axis."""
    return np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)


def _signature(symbols: Vocabulary) -> Signature:
    arities = dict.fromkeys(symbols.monadic + symbols.kinds, 1) | dict.fromkeys(symbols.binary, 2)
    return Signature(arities, frozenset(symbols.names))


@cache
def random_store(batches: tuple[tuple[int, int], ...], axiom: bool) -> ModelStore:
    """Return models by size and number (times 64); with ``axiom``, each object has one kind."""
    known = _signature(CANONICAL)
    # The seed's name is part of every stored model, and so of every task.
    drawn = [fol.random_models(known, size, count, "worlds") for size, count in batches]
    return ModelStore(tuple(_with_kinds(models) if axiom else models for models in drawn))


def _with_kinds(models: fol.Models) -> fol.Models:
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
    return replace(models, monadic={**monadic, **_kind_extensions(kinds)}, binary=binary)


def _octets(name: str, *shape: int) -> npt.NDArray[np.uint8]:
    """Return random numbers from 0 to 255 that depend on the arguments only."""
    digest = hashlib.shake_256(f"{name} {shape}".encode()).digest(int(np.prod(shape)))
    return np.frombuffer(digest, np.uint8).reshape(shape)


_SHARES = np.array([0, 0, 64, 128, 192, 256, 256])  # 256ths of a kind that a predicate holds of


def _shares(name: str, *shape: int) -> Indices:
    return _SHARES[_octets(name, *shape).astype(np.intp) * len(_SHARES) >> 8]


def _by_kind(name: str, kinds: Indices) -> fol.Bools:
    """Draw a monadic predicate, ``[count, size]``, with a share for each kind."""
    size, count = kinds.shape
    shares = _shares(f"shares {name}", 3, count)[kinds, np.arange(count)]
    return (_octets(f"cells {name}", size, count) < shares).T


def _by_kinds(name: str, kinds: Indices) -> fol.Bools:
    """Draw a binary predicate, ``[count, size, size]``.

    For each pair of kinds there is one share, or one for each first or for each second object.
    """
    size, count = kinds.shape
    each = np.arange(count)
    first, second = np.arange(size)[:, None, None], np.arange(size)[None, :, None]
    pairs = (kinds[:, None], kinds[None], each)
    choices = [
        _shares(f"pair {name}", 3, 3, count)[pairs],
        _shares(f"first {name}", size, 3, count)[first, kinds[None], each],
        _shares(f"second {name}", 3, size, count)[kinds[:, None], second, each],
    ]
    shares = np.choose(_octets(f"mode {name}", 3, 3, count)[pairs] % 3, choices)
    return np.moveaxis(_octets(f"cells {name}", size, size, count) < shares, -1, 0)


def _kind_extensions(kinds: Indices) -> Mapping[str, fol.Bools]:
    """Return the kinds' extensions, ``[count, size]``, from objects' kinds, ``[size, count]``."""
    return {name: (kinds == number).T for number, name in enumerate(CANONICAL.kinds)}


@cache
def with_regular_models(store: ModelStore, axiom: bool) -> ModelStore:
    """Return models of one size and, after them, those of this size that one thinks of first.

    Their predicates are empty, full or regular. Monadic predicates are alike, binary ones too, and
    names take every combination of the first objects.
    """
    size = store.batches[0].size
    kinds = np.arange(size) % 3
    first, second = np.indices((size, size))
    full = np.ones((size, size), bool)
    relations = [~full, full, first == second, first != second, first < second]
    relations.append(second == (first + 1) % size)
    sets = [~full[0], full[0], kinds == 0, kinds != 0]
    names = itertools.product(range(min(size, 3)), repeat=len(CANONICAL.names))
    rows = list(itertools.product(names, sets, relations))
    rows += rows[: -len(rows) % WORD]
    named, chosen, related = (np.array(column) for column in zip(*rows, strict=True))
    monadic = dict.fromkeys(CANONICAL.monadic + CANONICAL.kinds, chosen)
    if axiom:
        monadic.update(_kind_extensions(np.repeat(kinds[:, None], len(rows), axis=1)))
    constants = {name: named[:, number] for number, name in enumerate(CANONICAL.names)}
    binary = dict.fromkeys(CANONICAL.binary, related)
    regular = fol.Models(size, len(rows), constants, monadic, binary)
    return ModelStore((*store.batches, regular))


def rename_structure(
    structure: fol.Structure, renaming: Renaming, symbols: Iterable[str], numbers: Sequence[int]
) -> fol.Structure:
    """Return the same structure for other symbols, of which ``symbols`` are kept.

    Objects are numbered anew: ``numbers`` has the new number of each.
    """
    kept = set(symbols)
    pairs = [(old, new) for old, new in renaming.items() if new in kept]
    constants, monadic, binary = structure.constants, structure.monadic, structure.binary
    return fol.Structure(
        tuple(sorted(numbers)),
        {new: numbers[constants[old]] for old, new in pairs if old in constants},
        {new: frozenset(numbers[i] for i in monadic[old]) for old, new in pairs if old in monadic},
        {
            new: frozenset((numbers[i], numbers[j]) for i, j in binary[old])
            for old, new in pairs
            if old in binary
        },
    )


def structure_json(structure: fol.Structure) -> dict[str, Any]:
    """Return the layout of the published data, e.g. ``{"Domain": [0, 1], "a": 1, "F": [1]}``."""
    pairs = {name: sorted(map(list, found)) for name, found in structure.binary.items()}
    sets = {name: sorted(found) for name, found in structure.monadic.items()}
    entries = (sorted(section.items()) for section in (structure.constants, sets, pairs))
    return {"Domain": list(structure.domain), **dict(itertools.chain(*entries))}


def is_contingent(sentence: Sentence) -> bool:
    """Return whether a sentence is true in one model and false in another, of 256 random ones.

    Sentences that logic alone decides make no tasks, since a tautology would solve them. A sentence
    that nearly every model decides in the same way is refused as well.
    """
    if not sentence.parts:
        return True
    if contradicts_itself(sentence):
        return False
    seen: set[bool] = set()
    for models in _contingency_models():
        truth = fol.evaluate(sentence.formula, models)
        seen |= {bool(truth.any()), bool(truth.all())}
        if len(seen) > 1:
            return True
    return False


@cache
def _contingency_models() -> list[fol.Models]:
    return [fol.random_models(_signature(ALL_SYMBOLS), size, 128, "contingency") for size in (2, 3)]
