"""What the premises of a level are made of; the ladders of validity and countermodel share it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from logic_curriculum.generators.logicskills.arguments import Clauses, Draft, sort_of_topic


@dataclass(frozen=True)
class Material:
    """The premises of a level."""

    premises: int
    clauses: tuple[int, ...]
    """How many clauses a premise has; each premise draws one of these."""
    links: tuple[str, ...]
    """Sorts of topics, see :func:`~generators.logicskills.arguments.sort_of_topic`."""
    link_count: int = 2
    """How many different topics link the premises, beside those of the conclusion."""
    names: str = "abc"
    monadic: str = "FG"
    binary: str = ""

    def has(self, topic: str) -> bool:
        """Return whether the level has all symbols of a topic."""
        return all(symbol in self.names + self.monadic + self.binary + "MNO" for symbol in topic)


@lru_cache(maxsize=256)
def topics(material: Material, sorts: tuple[str, ...], clauses: Clauses) -> tuple[str, ...]:
    """Return the topics of some sorts in a level's symbols, in a fixed order."""
    return tuple(
        topic for topic in clauses.by_topic if sort_of_topic(topic) in sorts and material.has(topic)
    )


def draw_draft(
    material: Material,
    about: Sequence[str],
    settled: Iterable[str],
    clauses: Clauses,
    rng: random.Random,
) -> Draft:
    """Draw what the premises of an argument speak of.

    Args:
        material: The level's.
        about: Topics of the conclusion; each is put into a premise while there is room.
        settled: Topics whose clauses do not vary between the combinations of the draft.
        clauses: All clauses there are.
        rng: What decides.
    """
    sizes = [rng.choice(material.clauses) for _ in range(material.premises)]
    premises: list[list[str]] = [[] for _ in sizes]
    links = topics(material, material.links, clauses)
    near = [topic for topic in links if any(set(topic) & set(other) for other in about)]
    others = [topic for topic in near or links if topic not in about]
    pool = [*about, *rng.sample(others, min(material.link_count, len(others)))]
    while any(
        len(found) < min(size, len(pool)) for found, size in zip(premises, sizes, strict=True)
    ):
        for topic in rng.sample(pool, len(pool)):
            _put(topic, premises, sizes, rng)
    for found in premises:
        rng.shuffle(found)
    return Draft(tuple(map(tuple, premises)), frozenset(settled))


def _put(
    topic: str, premises: Sequence[list[str]], sizes: Sequence[int], rng: random.Random
) -> None:
    """Add a topic to one of the emptiest premises that lack it and have room, if there is one."""
    room = [i for i, found in enumerate(premises) if len(found) < sizes[i] and topic not in found]
    if room:
        fewest = min(len(premises[i]) for i in room)
        premises[rng.choice([i for i in room if len(premises[i]) == fewest])].append(topic)
