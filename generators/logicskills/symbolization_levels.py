"""The ladder of symbolization: which sentences each level holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from generators.logicskills.constructions import (
    BACK,
    ELLIPSES,
    LITERALS,
    ONE_QUANTIFIER,
    RELATIVE,
    REVERSED,
    THREE_QUANTIFIERS,
    TWO_QUANTIFIERS,
)
from generators.logicskills.sentences import Sentence, simple_sentences
from generators.logicskills.shapes import (
    PAIRS,
    PUBLISHED_NESTED,
    QUADRUPLES,
    SEXTUPLES,
    TRIPLES,
    Shape,
    leaves,
)
from generators.logicskills.spaces import Listed, Shaped, Space

LEVELS = 10
NESTED_LEVEL = 6
"""Where the nested conditional has the share that it has in the published data."""
LEVELS = 10
NESTED_LEVEL = 6
"""Where the nested conditional has the share that it has in the published data."""
TIERS = ("basic",) * 2 + ("easy",) * 3 + ("medium",) * 3 + ("hard",) * 2
"""Tier of each level, from level 1."""
CONTENTS = (
    "atomic sentences and their negations",
    "one quantifier; verb phrase ellipsis",
    "two clauses without quantifiers",
    "two or three quantifiers, relative clauses",
    "two clauses, each with at most one quantifier",
    "three such clauses; half are the paper's nested conditional",
    "two clauses, one with two or three quantifiers",
    "three clauses, some with two or three quantifiers",
    "four such clauses; or relative clauses on the subject in two",
    "six clauses, nested three deep, with relative clauses on the subject",
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


_PLAIN = LITERALS + ONE_QUANTIFIER
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


@lru_cache(maxsize=1)
def levels() -> tuple[Level, ...]:
    """Return the ladder."""
    plain = simple_sentences(_PLAIN)
    one_verb = simple_sentences(_MULTIPLE)
    two_verbs = simple_sentences(_MULTIPLE, two_verbs=True)
    relative = simple_sentences(RELATIVE)
    many = TWO_QUANTIFIERS + REVERSED + BACK + THREE_QUANTIFIERS
    triples = _rotated(TRIPLES, [plain])
    spaces: tuple[tuple[Space, ...], ...] = (
        (Listed(simple_sentences(LITERALS)),),
        (Listed(simple_sentences(ONE_QUANTIFIER + ELLIPSES)),),
        _rotated(PAIRS, [simple_sentences(LITERALS)]),
        (Listed(simple_sentences(many, two_verbs=True)),),
        _rotated(PAIRS, [plain]),
        triples,
        _rotated(PAIRS, [plain, one_verb]),
        _rotated(TRIPLES, [plain, two_verbs]),
        _rotated(QUADRUPLES, [plain, two_verbs]) + _rotated(PAIRS, [relative, plain]),
        _rotated(SEXTUPLES, [plain, two_verbs, relative]),
    )
    return tuple(
        Level(number, content, _weights(number, content))
        for number, content in enumerate(spaces, start=1)
    )


def _weights(number: int, spaces: Sequence[Space]) -> tuple[int, ...]:
    """Return equal weights, but at level 6 one half for the paper's only nested shape."""
    nested = [isinstance(item, Shaped) and item.shape == PUBLISHED_NESTED for item in spaces]
    return tuple(len(spaces) - 1 if number == NESTED_LEVEL and item else 1 for item in nested)


def level_table(examples: Sequence[str]) -> str:
    """Return the ladder as text.

    Args:
        examples: A sentence of each level.
    """
    lines = [_line("level", "tier", "clauses", "nesting", "quantifiers", "sentences", "content")]
    for level, example in zip(levels(), examples, strict=True):
        clauses = [space.clauses for space in level.spaces]
        depths = [space.depth for space in level.spaces]
        lines.append(
            _line(
                str(level.number),
                TIERS[level.number - 1],
                _range(clauses),
                _range(depths),
                _range(quantifier_range(level)),
                f"{level.size:,}" if level.size < 10**9 else f"{level.size:.1e}",
                CONTENTS[level.number - 1],
            )
        )
        lines.append(f"       {example}")
    return "\n".join(lines)


def quantifier_range(level: Level) -> tuple[int, int]:
    """Return the least and the greatest number of quantifiers in a level's sentences."""
    totals = [
        (sum(min(counts) for counts in space), sum(max(counts) for counts in space))
        for space in ([_quantifiers(pool) for pool in item.pools] for item in level.spaces)
    ]
    return min(low for low, _ in totals), max(high for _, high in totals)


@lru_cache(maxsize=64)
def _quantifiers(pool: tuple[Sentence, ...]) -> tuple[int, int]:
    texts = [str(sentence.formula) for sentence in pool]
    counts = [text.count("∀") + text.count("∃") for text in texts]
    return min(counts), max(counts)


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}–{high}"


def _line(*cells: str) -> str:
    widths = (5, 6, 7, 7, 11, 11, 0)
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
