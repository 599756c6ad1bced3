"""Premises as material of arguments: clauses with their bits, sorted by what they speak of.

Clauses that speak of the same things in the same order form a *topic*: "every human saw Lewis", "no
humans saw Lewis" and "not all humans saw Lewis" differ in the words of logic only. A *draft* holds
the topics of all premises in their places; its clauses on some topics may be settled. What is left
open, the words of logic, decides what follows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.constructions import (
    BACK,
    CONNECTIVES,
    ELLIPSES,
    LITERALS,
    ONE_QUANTIFIER,
    REVERSED,
    THREE_QUANTIFIERS,
    TWO_QUANTIFIERS,
)
from logic_curriculum.generators.logicskills.sentences import Sentence, compound, simple_sentences
from logic_curriculum.generators.logicskills.shapes import (
    LEAF,
    PAIRS,
    QUADRUPLES,
    TRIPLES,
    Shape,
    leaves,
)
from logic_curriculum.generators.logicskills.worlds import CANONICAL, Bits, Worlds
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not

CLAUSES = LITERALS + ONE_QUANTIFIER + TWO_QUANTIFIERS
"""Types that may be clauses of a compound."""
ALONE = REVERSED + BACK + THREE_QUANTIFIERS + ELLIPSES
"""Types that only stand alone."""
SHAPES: Mapping[int, tuple[Shape, ...]] = MappingProxyType(
    {1: (LEAF,), 2: PAIRS, 3: TRIPLES, 4: QUADRUPLES}
)
"""Number of clauses → how they are put together."""

Indices = npt.NDArray[np.intp]


class SynthesisError(ValueError):
    """No argument was found within the limits; the message says for what, and what to do."""


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence and where it is true."""

    sentence: Sentence
    bits: Bits


@dataclass(frozen=True, eq=False)
class Clauses:
    """The simple sentences over the stored models' symbols."""

    by_topic: Mapping[str, tuple[Statement, ...]]
    """Those that may be clauses."""
    alone_by_topic: Mapping[str, tuple[Statement, ...]]
    """Those that only stand alone."""

    def on(self, topic: str, *, alone: bool) -> tuple[Statement, ...]:
        """Return the clauses on a topic; with ``alone``, also those that only stand alone."""
        clauses = self.by_topic.get(topic, ())
        return clauses + self.alone_by_topic.get(topic, ()) if alone else clauses


@cache
def clauses_of(worlds: Worlds) -> Clauses:
    """Return all simple sentences with their bits; made once in a process, in a second or less."""
    return Clauses(_sorted_by_topic(CLAUSES, worlds), _sorted_by_topic(ALONE, worlds))


def _sorted_by_topic(types: tuple[str, ...], worlds: Worlds) -> Mapping[str, tuple[Statement, ...]]:
    found: dict[str, list[Statement]] = {}
    for sentence in simple_sentences(types, CANONICAL):
        statement = Statement(sentence, worlds.bits(sentence.formula))
        found.setdefault(topic_of(sentence), []).append(statement)
    return {topic: tuple(statements) for topic, statements in found.items()}


def topic_of(sentence: Sentence) -> str:
    """Return the symbols of a simple sentence in the order in which they are said.

    >>> from logic_curriculum.generators.logicskills.constructions import Vocabulary
    >>> only = Vocabulary("a", "M", "F", "P")
    >>> [topic_of(item) for item in simple_sentences(("atomic_dyadic",), only)]
    ['aPa']
    """
    letters = [filler.rpartition(":")[2] for _, filler in sentence.words]
    if sentence.type in REVERSED:  # "there is K that every J R" is about J R K
        letters = [letters[1], letters[2], letters[0]]
    return "".join(letters)


def sort_of_topic(topic: str) -> str:
    """Return a topic with each symbol replaced by its sort: n(ame), k(ind), m(onadic), b(inary).

    >>> sort_of_topic("MPb")
    'kbn'
    """
    return topic.translate(_SORTS)


_SORTS = str.maketrans(
    {
        **dict.fromkeys(CANONICAL.names, "n"),
        **dict.fromkeys(CANONICAL.kinds, "k"),
        **dict.fromkeys(CANONICAL.monadic, "m"),
        **dict.fromkeys(CANONICAL.binary, "b"),
    }
)


@dataclass(frozen=True)
class Draft:
    """What premises speak of."""

    premises: tuple[tuple[str, ...], ...]
    """The topics of each premise's clauses, in order."""
    settled: frozenset[str]
    """Topics that have the same clause in a place in all combinations."""

    @property
    def topics(self) -> list[str]:
        """The topics of each premise as one text."""
        return [" ".join(found) for found in self.premises]


@dataclass(frozen=True, eq=False)
class Combinations:
    """Premises that differ in the words of logic only, many at once."""

    variants: tuple[tuple[Composition, ...], ...]
    """For each premise, the sentences that it may be."""
    chosen: Indices
    """Which of them it is, ``[premises, combinations]``."""
    near: int
    """Number of words that most questions are answered with."""

    @cached_property
    def variant_bits(self) -> tuple[Bits, ...]:
        """For each premise, where the sentences that it may be are true, ``[sentences, near]``."""
        return tuple(
            np.stack([item.bits[: self.near] for item in variants]) for variants in self.variants
        )

    @cached_property
    def together(self) -> Bits:
        """Where all premises of a combination are true, ``[combinations, near]``."""
        return self.some(np.arange(self.chosen.shape[1]), range(len(self.chosen)), slice(self.near))

    @cached_property
    def codes(self) -> Indices:
        """A number for each combination, the same for equal ones."""
        return np.ravel_multi_index(tuple(self.chosen), tuple(map(len, self.variants)))

    def sentences(self, combination: int) -> tuple[Sentence, ...]:
        """Return the premises of a combination."""
        return tuple(item.sentence for item in self.compositions(combination))

    def compositions(self, combination: int) -> tuple[Composition, ...]:
        """Return the premises of a combination, yet to be put together."""
        rows = zip(self.variants, self.chosen[:, combination], strict=True)
        return tuple(variants[choice] for variants, choice in rows)

    def some(self, rows: Indices, premises: Iterable[int], words: slice) -> Bits:
        """Return where some premises of some combinations are true, ``[rows, words]``.

        Args:
            rows: Numbers of the combinations.
            premises: Numbers of the premises, at least one.
            words: Which of the first ``near`` words.
        """
        masks = (self.variant_bits[i][:, words][self.chosen[i, rows]] for i in premises)
        return reduce(np.bitwise_and, masks)

    def without(self, left_out: int, rows: Indices) -> Bits:
        """Return where all premises but one are true, for some combinations, ``[rows, near]``."""
        kept = [i for i in range(len(self.chosen)) if i != left_out]
        return self.some(rows, kept, slice(self.near))

    def everywhere(self, rows: Indices) -> Bits:
        """Return where all premises are true, for some combinations, ``[rows, words]``."""
        masks = (
            _chosen_bits(variants, choice[rows])
            for variants, choice in zip(self.variants, self.chosen, strict=True)
        )
        return reduce(np.bitwise_and, masks)


def _chosen_bits(variants: Sequence[Composition], choice: Indices) -> Bits:
    used, places = np.unique(choice, return_inverse=True)
    return np.stack([variants[variant].bits for variant in used])[places]


def combine(
    draft: Draft, clauses: Clauses, rng: random.Random, *, variants: int, count: int, near: int
) -> Combinations:
    """Draw combinations of a draft.

    Args:
        draft: What the premises speak of.
        clauses: Where the clauses come from.
        rng: What decides.
        variants: How many sentences to draw for each premise.
        count: How many combinations of these to draw; some may be equal.
        near: How many words of bits to keep for each combination.
    """
    settled = draft.settled
    drawn = tuple(_variants(item, settled, clauses, rng, variants) for item in draft.premises)
    words = np.frombuffer(rng.randbytes(2 * count * len(drawn)), np.uint16)
    sizes = np.array([[len(found)] for found in drawn])
    chosen = words.reshape(len(drawn), count).astype(np.intp) * sizes >> 16
    return Combinations(drawn, chosen, near)


def _variants(
    topics: Sequence[str],
    settled: frozenset[str],
    clauses: Clauses,
    rng: random.Random,
    count: int,
) -> tuple[Composition, ...]:
    """Draw sentences on a premise's topics; the clauses on settled topics are the same in all."""
    alone = len(topics) == 1
    choices = [clauses.on(topic, alone=alone) for topic in topics]
    choices = [
        (rng.choice(found),) if topic in settled else found
        for topic, found in zip(topics, choices, strict=True)
    ]
    shapes = SHAPES[len(topics)]
    drawn = (Composition(rng.choice(shapes), tuple(map(rng.choice, choices))) for _ in range(count))
    return tuple(dict.fromkeys(drawn))


def join(shape: Shape, parts: Sequence[Statement]) -> Statement:
    """Return the compound of statements after a shape."""
    whole = Composition(shape, tuple(parts))
    return Statement(whole.sentence, whole.bits)


class Composition(NamedTuple):
    """A sentence that is yet to be put together."""

    shape: Shape
    parts: tuple[Statement, ...]

    @property
    def sentence(self) -> Sentence:
        """The sentence."""
        return compound(self.shape, [part.sentence for part in self.parts])

    @property
    def bits(self) -> Bits:
        """Where it is true."""
        return self.truth([part.bits for part in self.parts])

    @property
    def truth(self) -> Truth:
        """Where it is true, from where its clauses are."""
        return _truth(self.shape)


Truth = Callable[[Sequence[Bits]], Bits]
"""Where a compound is true, from where its clauses are."""


@cache
def _truth(shape: Shape) -> Truth:
    """Return how the truth of a shape's compounds depends on that of its clauses."""
    letters = (Atom(str(number), ()) for number in range(leaves(shape)))
    return _truth_of(_build_scheme(shape, letters))


def _build_scheme(shape: Shape, letters: Iterator[Atom]) -> Formula:
    """Return the formula of a shape, with numbered letters for its clauses."""
    if isinstance(shape, str):
        return next(letters)
    parts = [_build_scheme(part, letters) for part in shape[1:]]
    return CONNECTIVES[str(shape[0])].formula(*parts)


def _truth_of(scheme: Formula) -> Truth:
    match scheme:
        case Atom(number):
            return itemgetter(int(number))
        case Not(body):
            denied = _truth_of(body)
            return lambda parts: ~denied(parts)
        case Binary(connective, left, right):
            return _joined(_CONNECTIVES[connective], _truth_of(left), _truth_of(right))
    raise ValueError(f"{scheme} is no compound of clauses")


def _joined(join: Callable[[Bits, Bits], Bits], left: Truth, right: Truth) -> Truth:
    return lambda parts: join(left(parts), right(parts))


_CONNECTIVES: Mapping[str, Callable[[Bits, Bits], Bits]] = MappingProxyType(
    {
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "imp": lambda left, right: ~left | right,
        "iff": lambda left, right: ~(left ^ right),
    }
)
