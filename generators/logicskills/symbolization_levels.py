"""The ladder of symbolization: which sentences each level holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from logic_curriculum.generators.logicskills.constructions import (
    BACK,
    ELLIPSES,
    LITERALS,
    ONE_QUANTIFIER,
    RELATIVE,
    REVERSED,
    THREE_QUANTIFIERS,
    TWO_QUANTIFIERS,
)
from logic_curriculum.generators.logicskills.sentences import Sentence, simple_sentences
from logic_curriculum.generators.logicskills.shapes import (
    PAIRS,
    PUBLISHED_NESTED,
    QUADRUPLES,
    SEXTUPLES,
    TRIPLES,
    Shape,
    leaves,
)
from logic_curriculum.generators.logicskills.spaces import Listed, Shaped, Space

LEVELS = 10
LEVELS = 10
TIERS = ("basic",) * 2 + ("easy",) * 3 + ("medium",) * 3 + ("hard",) * 2
"""Tier of each level, from level 1."""
CONTENTS = (
    "atomic sentences and their negations",
    "one quantifier; verb phrase ellipsis",
    "two clauses without quantifiers",
    "two or three quantifiers",
    "two clauses, one or both with a quantifier",
    "three clauses, each with at most one quantifier; half are the paper's nested conditional",
    "two clauses, one with two or three quantifiers",
    "three clauses, some with two or three quantifiers",
    "four such clauses; or two, one with a relative clause on its subject",
    "six clauses, nested three deep or more, with relative clauses on the subject",
)
"""What each level holds, in words."""


class Turn(NamedTuple):
    """A turn of a space."""

    space: int
    """The space's number, from 0."""
    place: int
    """How many turns of the round the space had before."""
    share: int
    """How many turns of a round the space has."""


@dataclass(frozen=True, eq=False)
class Level:
    """One level."""

    number: int
    """1 to 10."""
    spaces: tuple[Space, ...]
    """What its sentences are drawn from; no two share a sentence."""
    weights: tuple[int, ...]
    """How often each space is drawn, relative to the others."""

    @cached_property
    def size(self) -> int:
        """Number of distinct sentences."""
        return sum(space.size for space in self.spaces)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Whose turn it is, over and over: each space as often as its weight."""
        return tuple(
            Turn(number, place, weight)
            for number, weight in enumerate(self.weights)
            for place in range(weight)
        )


_MULTIPLE = TWO_QUANTIFIERS + THREE_QUANTIFIERS


def _rotated(shapes: Sequence[Shape], pools: Sequence[tuple[Sentence, ...]]) -> tuple[Shaped, ...]:
    """Return compounds of the shapes whose clauses come from the pools in turn.

    Each shape occurs once for each pool that the first clause may come from.
    """
    return tuple(
        Shaped(
            shape, tuple(pools[(number + first) % len(pools)] for number in range(leaves(shape)))
        )
        for shape in shapes
        for first in range(len(pools))
    )


Weighted = tuple[tuple[Space, int], ...]
"""Spaces and how often each is drawn, relative to the others."""


def _evenly(*groups: Sequence[Space]) -> Weighted:
    return tuple((space, 1) for group in groups for space in group)


@lru_cache(maxsize=1)
def levels() -> tuple[Level, ...]:
    """Return the ladder; no sentence is in two levels."""
    literals = simple_sentences(LITERALS)
    quantified = simple_sentences(ONE_QUANTIFIER)
    plain = simple_sentences(LITERALS + ONE_QUANTIFIER)
    one_verb = simple_sentences(_MULTIPLE)
    two_verbs = simple_sentences(_MULTIPLE, two_verbs=True)
    many = simple_sentences(TWO_QUANTIFIERS + REVERSED + BACK + THREE_QUANTIFIERS, two_verbs=True)
    relative = simple_sentences(RELATIVE)
    contents = (
        _evenly([Listed(literals)]),
        _evenly([Listed(simple_sentences(ONE_QUANTIFIER + ELLIPSES))]),
        _evenly(_rotated(PAIRS, [literals])),
        _evenly([Listed(many)]),
        _mostly_quantified(literals, quantified),
        _half_nested(_rotated(TRIPLES, [plain])),
        _evenly(_rotated(PAIRS, [plain, one_verb])),
        _evenly(_rotated(TRIPLES, [plain, two_verbs])),
        _evenly(_rotated(QUADRUPLES, [plain, two_verbs]), _rotated(PAIRS, [relative, plain])),
        _evenly(_rotated(SEXTUPLES, [plain, two_verbs, relative])),
    )
    return tuple(
        Level(number, *zip(*content, strict=True))
        for number, content in enumerate(contents, start=1)
    )


def _mostly_quantified(
    literals: tuple[Sentence, ...], quantified: tuple[Sentence, ...]
) -> Weighted:
    """Return pairs of clauses with a quantifier in both, or as often in one of them."""
    both = _rotated(PAIRS, [quantified])
    return (*((space, 2) for space in both), *_evenly(_rotated(PAIRS, [literals, quantified])))


def _half_nested(spaces: Sequence[Shaped]) -> Weighted:
    """Give the paper's only nested shape the share that it has in the published data."""
    return tuple(
        (space, len(spaces) - 1 if space.shape == PUBLISHED_NESTED else 1) for space in spaces
    )


def level_table(examples: Sequence[str]) -> str:
    """Return the ladder as text.

    Args:
        examples: A sentence of each level.
    """
    lines = [_line("level", "tier", "clauses", "nesting", "quantifiers", "sentences", "content")]
    for level, example in zip(levels(), examples, strict=True):
        lines += [_line(*level_cells(level)), f"       {example}"]
    return "\n".join(lines)


def level_cells(level: Level) -> tuple[str, ...]:
    """Return a level's row of the table."""
    return (
        str(level.number),
        TIERS[level.number - 1],
        _range([space.clauses for space in level.spaces]),
        _range([space.depth for space in level.spaces]),
        _range(quantifier_range(level)),
        f"{level.size:,}" if level.size < 10**9 else f"{level.size:.1e}",
        CONTENTS[level.number - 1],
    )


@lru_cache(maxsize=LEVELS)
def quantifier_range(level: Level) -> tuple[int, int]:
    """Return the least and the greatest number of quantifiers in a level's sentences."""
    pools = {id(pool): pool for space in level.spaces for pool in space.pools}
    counts = {number: _quantifiers(pool) for number, pool in pools.items()}
    spaces = [[counts[id(pool)] for pool in space.pools] for space in level.spaces]
    return (
        min(sum(low for low, _ in space) for space in spaces),
        max(sum(high for _, high in space) for space in spaces),
    )


def _quantifiers(pool: Sequence[Sentence]) -> tuple[int, int]:
    """Return the least and the greatest number of quantifiers in a sentence of a pool."""
    texts = [str(sentence.formula) for sentence in pool]
    counts = [text.count("∀") + text.count("∃") for text in texts]
    return min(counts), max(counts)


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}–{high}"


def _line(*cells: str) -> str:
    widths = (5, 6, 7, 7, 11, 11, 0)
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
