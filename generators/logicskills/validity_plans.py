"""What the options of a validity task may be about."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from logic_curriculum.generators.logicskills.argument_levels import Material
from logic_curriculum.generators.logicskills.arguments import SHAPES, Clauses, Composition, topic_of
from logic_curriculum.generators.logicskills.shapes import LEAF
from logic_curriculum.generators.logicskills.validity_levels import Question
from logic_curriculum.generators.logicskills.worlds import CANONICAL

SIMPLE = "simple "
"""In front of a plan: no option is a compound."""
COMPOUND_SHAPES = 2
"""Connectives that the options of one task are made with."""


class Subject(NamedTuple):
    """What the options of an argument are about."""

    topics: list[str]
    """Topics that the premises take up, each with one clause wherever it occurs."""
    alone: list[str]
    """Topics of sentences that only stand alone."""


def draw_subject(question: Question, rng: random.Random) -> Subject:
    """Draw what the options of an argument are about."""
    plan = PLANS[question.plan.removeprefix(SIMPLE)]
    return plan(_Symbols.draw(question.material, rng), rng)


def candidates(
    question: Question, subject: Subject, clauses: Clauses, rng: random.Random
) -> list[Composition]:
    """Return the sentences that may be options."""
    about, alone = subject
    simple = [item for topic in [*about, *alone] for item in clauses.on(topic, alone=True)]
    if question.plan.startswith(SIMPLE):
        return [Composition(LEAF, (item,)) for item in simple]
    pairs = [(one, other) for one in about for other in about if one != other]
    if question.plan != "three names":
        symbols = set("".join(about))
        pairs = [pair for pair in pairs if set("".join(pair)) == symbols]
        simple = [item for item in simple if set(topic_of(item.sentence)) == symbols]
    compounds = [
        Composition(shape, (one, other))
        for shape in rng.sample(SHAPES[2], COMPOUND_SHAPES)
        for first, second in pairs
        for one in clauses.on(first, alone=False)
        for other in clauses.on(second, alone=False)
    ]
    return compounds + [Composition(LEAF, (item,)) for item in simple]


class _Symbols(NamedTuple):
    """Different symbols of a level, in random order."""

    names: str
    kinds: str
    monadic: str
    relation: str
    """One binary predicate, or none."""

    @classmethod
    def draw(cls, material: Material, rng: random.Random) -> _Symbols:
        def shuffled(symbols: str) -> str:
            return "".join(rng.sample(symbols, len(symbols)))

        relation = shuffled(material.binary)[:1]
        kinds = shuffled(CANONICAL.kinds)
        return cls(shuffled(material.names), kinds, shuffled(material.monadic), relation)


def _three_names(has: _Symbols, rng: random.Random) -> Subject:
    return Subject([name + has.monadic[0] for name in has.names], [])


def _two_by_two(has: _Symbols, rng: random.Random) -> Subject:
    return Subject(
        [name + predicate for name in has.names[:2] for predicate in has.monadic[:2]], []
    )


def _kind_and_name(has: _Symbols, rng: random.Random) -> Subject:
    name, kind, predicate = has.names[0], has.kinds[0], has.monadic[0]
    return Subject([kind + predicate, name + predicate, name + kind], [])


def _two_names(has: _Symbols, rng: random.Random) -> Subject:
    one, other, verb = has.names[0], has.names[1], has.relation
    return Subject([one + verb + other, other + verb + one, one + verb + one], [])


def _kind_to_name(has: _Symbols, rng: random.Random) -> Subject:
    name, kind, verb = has.names[0], has.kinds[0], has.relation
    third = rng.choice([name + verb + name, name + kind])
    return Subject([kind + verb + name, name + verb + kind, third], [])


def _two_kinds(has: _Symbols, rng: random.Random) -> Subject:
    one, other, verb = has.kinds[0], has.kinds[1], has.relation
    both_ways = [one + verb + other, other + verb + one]
    return Subject([*both_ways, one + verb + one], [topic + verb for topic in both_ways])


PLANS: Mapping[str, Callable[[_Symbols, random.Random], Subject]] = MappingProxyType(
    {
        "three names": _three_names,
        "two by two": _two_by_two,
        "kind and name": _kind_and_name,
        "two names": _two_names,
        "kind to name": _kind_to_name,
        "two kinds": _two_kinds,
    }
)
"""What options are about: any two topics of a plan have the same symbols (but "three names")."""
