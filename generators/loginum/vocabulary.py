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
from typing import Annotated, NamedTuple, Self

import lemminflect
from pydantic import Field, model_validator

from logic_curriculum.common.yaml_file import FileModel, at, content_of, read_yaml

_TRIES = 50  # draws per word of a pool; a word that is needed is then missed with e⁻⁵⁰


class Words(NamedTuple):
    """The names of things in one task, each pool without repetition."""

    entities: tuple[str, ...]
    attributes: tuple[str, ...]
    relations: tuple[str, ...]


_Name = Annotated[str, Field(pattern=r"^[A-Z][a-z]+$")]
_Word = Annotated[str, Field(pattern=r"^[a-z]+$")]


class WordFile(FileModel):
    """A user's own pools, most frequent words first; attributes are adjectives, relations verbs."""

    names: tuple[_Name, ...]
    attributes: tuple[_Word, ...]
    relations: tuple[_Word, ...]

    # Each task asks for its pools, and it would take long to hash all words.
    __hash__ = object.__hash__

    @model_validator(mode="after")
    def _occur_once(self) -> Self:
        seen: set[str] = set()
        for kind in ("names", "attributes", "relations"):
            for place, word in enumerate(getattr(self, kind)):
                if word.lower() in seen:
                    problem = f"{word!r} stands in the pools twice; leave one of them out"
                    raise at(kind, place, problem=problem)
                seen.add(word.lower())
        return self


@cache
def _read_file(path: str, content: str) -> WordFile:
    return read_yaml(content, path, WordFile, "give names, attributes and relations")


def words_in(path: str) -> WordFile:
    """Return the pools of a YAML file; a ``ValueError`` says what is wrong with it."""
    if not path.endswith((".yaml", ".yml")):
        raise ValueError(
            f"words={path!r} is no YAML file: give the path of one that lists names, attributes "
            "and relations, or leave the option out for the pools that are shipped."
        )
    return _read_file(path, content_of(path, "word", ()))


@cache
def words_of(kind: str) -> tuple[str, ...]:
    """Return all ``names``, ``attributes`` or ``relations``, most frequent first."""
    file = resources.files("logic_curriculum.generators.loginum") / "words" / f"{kind}.txt"
    return tuple(file.read_text(encoding="utf-8").split())


@cache
def shipped() -> WordFile:
    """Return the pools that are shipped."""
    names, attributes, relations = map(words_of, ("names", "attributes", "relations"))
    return WordFile.model_construct(names=names, attributes=attributes, relations=relations)


def draw_words(
    rng: random.Random,
    entities: int,
    attributes: int,
    relations: int,
    limit: int | None = None,
    pools: WordFile | None = None,
) -> Words:
    """Draw so many words of each kind; no two names look alike, as Bradly and Bradley do.

    With a limit, words are drawn from the first so many of each pool; ``ValueError``: too few.
    """
    numbers = {"names": entities, "attributes": attributes, "relations": relations}
    found = pools or shipped()
    return Words(*[_draw(rng.random, n, kind, found, limit) for kind, n in numbers.items()])


def _draw(
    draw: Callable[[], float], number: int, kind: str, pools: WordFile, limit: int | None
) -> tuple[str, ...]:
    words, looks, different = _pool(kind, pools, limit)
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
def _pool(
    kind: str, pools: WordFile, limit: int | None
) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return words, what look-alikes of each have in common, and how many look different."""
    words: tuple[str, ...] = getattr(pools, kind)[:limit]
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
