"""Pools of names, attributes and relations, and the draw of those of one task.

The pools are the lines of ``words/*.txt``, most frequent first; ``words/NOTICE`` says where they
are from. Attributes and relations have been thinned so that no two are synonyms or share a stem,
and no word occurs in two pools or in the templates.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple


class Words(NamedTuple):
    """The names of things in one task, each pool without repetition."""

    entities: tuple[str, ...]
    attributes: tuple[str, ...]
    relations: tuple[str, ...]


@cache
def pool(kind: str) -> tuple[str, ...]:
    """Return the ``names``, ``attributes`` or ``relations``, most frequent first."""
    file = resources.files("generators.loginum") / "words" / f"{kind}.txt"
    return tuple(file.read_text(encoding="utf-8").split())


def draw_words(
    rng: random.Random, entities: int, attributes: int, relations: int, limit: int | None = None
) -> Words:
    """Draw the words of a task; no two of its names look alike, as Bradly and Bradley do.

    Args:
        rng: The random stream to draw from.
        entities: Number of names, at least 1.
        attributes: Number of attributes, at least 1.
        relations: Number of relations, at least 1.
        limit: Draw from the first so many words of each pool only; ``None`` for all.

    Raises:
        ValueError: A pool has too few words.
    """
    return Words(
        _draw_names(rng, entities, pool("names")[:limit]),
        _draw(rng, attributes, "attributes", limit),
        _draw(rng, relations, "relations", limit),
    )


def _draw(rng: random.Random, number: int, kind: str, limit: int | None) -> tuple[str, ...]:
    words = pool(kind)[:limit]
    if number > len(words):
        raise ValueError(
            f"{number} {kind} can't be drawn from {len(words)}: ask for fewer or raise the limit"
        )
    return tuple(rng.sample(words, number))


def _draw_names(rng: random.Random, number: int, names: tuple[str, ...]) -> tuple[str, ...]:
    skeletons = _skeletons()
    chosen: dict[str, str] = {}
    for tries in (2 * number, len(names)):
        for name in rng.sample(names, min(tries, len(names))):
            chosen.setdefault(skeletons[name], name)
            if len(chosen) == number:
                return tuple(chosen.values())
    raise ValueError(
        f"{number} names that don't look alike can't be drawn from {len(names)}: ask for fewer or "
        "raise the limit"
    )


@cache
def _skeletons() -> Mapping[str, str]:
    """Return what is left of each name without vowels, y, h and doubled letters."""
    return {
        name: name[0] + re.sub(r"(.)\1+", r"\1", re.sub("[aeiouyh]", "", name[1:]))
        for name in pool("names")
    }
