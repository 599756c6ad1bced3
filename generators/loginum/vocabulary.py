"""Pools of names, attributes and relations, the draw of those of one task, and verb forms.

The pools are the lines of ``words/*.txt``, most frequent first; ``words/NOTICE`` says where they
are from. Attributes and relations have been thinned so that no two are synonyms or share a stem,
and no word occurs in two pools or in the templates.
"""

import random
import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

import lemminflect

_TRIES = 50  # draws per word of a pool; a word that is needed is then missed with e⁻⁵⁰


class Words(NamedTuple):
    """The names of things in one task, each pool without repetition."""

    entities: tuple[str, ...]
    attributes: tuple[str, ...]
    relations: tuple[str, ...]


@cache
def words_of(kind: str) -> tuple[str, ...]:
    """Return all ``names``, ``attributes`` or ``relations``, most frequent first."""
    file = resources.files("logic_curriculum.generators.loginum") / "words" / f"{kind}.txt"
    return tuple(file.read_text(encoding="utf-8").split())


def draw_words(
    rng: random.Random,
    entities: int,
    attributes: int,
    relations: int,
    limit: int | None = None,
) -> Words:
    """Draw so many words of each kind; no two names look alike, as Bradly and Bradley do.

    With a limit, words are drawn from the first so many of each pool; ``ValueError``: too few.
    """
    numbers = {"names": entities, "attributes": attributes, "relations": relations}
    return Words(*[_draw(rng.random, number, kind, limit) for kind, number in numbers.items()])


def _draw(draw: Callable[[], float], number: int, kind: str, limit: int | None) -> tuple[str, ...]:
    words, looks, different = _pool(kind, limit)
    if number > different:
        raise ValueError(
            f"{number} {kind} can't be drawn from {len(words)}, of which {different} look "
            "different: ask for fewer or raise the limit"
        )
    size = len(words)
    chosen: dict[str, str] = {}
    for _ in range(_TRIES * size):
        if not (missing := number - len(chosen)):
            return tuple(chosen.values())
        for index in [int(draw() * size) for _ in range(missing)]:
            chosen.setdefault(looks[index], words[index])
    raise RuntimeError(f"{number} of {size} {kind} were not found in {_TRIES * size} turns")


@lru_cache(maxsize=64)
def _pool(kind: str, limit: int | None) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return words, what look-alikes of each have in common, and how many look different."""
    words = words_of(kind)[:limit]
    looks = tuple(map(_skeleton, words)) if kind == "names" else words
    return words, looks, len(set(looks))


def _skeleton(name: str) -> str:
    """Return what is left of a name without vowels, y, h and doubled letters."""
    return name[0] + re.sub(r"(.)\1+", r"\1", re.sub("[aeiouyh]", "", name[1:]))


class Forms(NamedTuple):
    """A relation's name, which is a verb, and the forms that templates use."""

    relation: str
    presents: str
    participle: str


@cache
def verb_forms(relation: str) -> Forms:
    """Return the forms of a verb.

    >>> verb_forms("abet")
    Forms(relation='abet', presents='abets', participle='abetted')
    """
    presents, participle = (lemminflect.getInflection(relation, tag)[0] for tag in ("VBZ", "VBN"))
    return Forms(relation, str(presents), str(participle))
