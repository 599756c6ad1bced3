"""Finds premises that entail exactly one of six conclusions, and nothing but logic says which.

The six options are chosen first, all of them within reach of one draft's premises. Then the right
one is drawn, each with the same probability, and only then the premises, among the draft's
combinations that entail it alone. So the answer is independent of the options and of everything
that the combinations of a draft share: the topics of all clauses in their places, and the options'
own clauses wherever they stand in the premises. Whoever looks at these alone is right one time in
six.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generators.logicskills.argument_levels import Material, draw_draft
from generators.logicskills.arguments import (
    SHAPES,
    Clauses,
    Combinations,
    Draft,
    Indices,
    Statement,
    clauses_of,
    combine,
    join,
    topic_of,
)
from generators.logicskills.sentences import Sentence
from generators.logicskills.validity_balance import pick_evenly
from generators.logicskills.validity_levels import Question
from generators.logicskills.worlds import CANONICAL, Bits, Worlds, anywhere, places, random_worlds

OPTIONS = 6
STORED = ((4, 1024), (6, 1024), (3, 4096), (5, 8192), (7, 8192))
"""Size and number of the stored models, in the order of their bits."""
NEAR = 32
"""Words of bits that settle most questions: the first two batches."""
VARIANTS = 48
COMBINATIONS = 4096
MOST_CANDIDATES = 48
"""Sentences among which the options are chosen."""
SIMPLE = "simple "
"""In front of a plan: no option is a compound."""
COMPOUND_SHAPES = 2
"""Connectives that the options of one task are made with."""
SCREEN = 4
"""Words of bits that most non-entailments are seen in."""
MOST_ROWS = 24
"""Combinations from which the premises are picked."""
ANTICHAINS = 8
"""Sets of options that are tried with the combinations of a draft."""


@dataclass(frozen=True, eq=False)
class Found:
    """An argument with its options, before it is proven."""

    draft: Draft
    premises: tuple[Sentence, ...]
    options: tuple[Sentence, ...]
    right: int
    """Place of the option that follows."""
    refutations: tuple[int, ...]
    """For each option a stored model of the premises where it is false; -1 for the right one."""
    needs: tuple[int, ...]
    """For each premise a stored model of the others where the right option is false, -1 if none."""


def stored_models() -> Worlds:
    """Return the models of the domain axiom that refute entailments."""
    return random_worlds(STORED, True)


def search(
    question: Question,
    rng: random.Random,
    *,
    minimal: bool,
    belongs: Callable[[Draft], bool],
    words: Callable[[Sentence], frozenset[str]],
) -> Found | None:
    """Make one draft and return an argument with one right option, if the draft has options.

    Args:
        question: What the options may be about, and what the premises are made of.
        rng: What decides.
        minimal: Whether the conclusion may not follow from any proper subset of the premises; if
            not, it may not follow from a single one.
        belongs: Says whether a draft may be used.
        words: Returns the words with which a sentence is said.
    """
    clauses = clauses_of(stored_models())
    subject = draw_subject(question, rng)
    draft = draw_draft(question.material, subject.topics, subject.topics, clauses, rng)
    if not belongs(draft):
        return None
    candidates = _candidates(question, subject, clauses, rng)
    combinations = combine(draft, clauses, rng, variants=VARIANTS, count=COMBINATIONS, near=NEAR)
    if len(candidates) > MOST_CANDIDATES:
        candidates = rng.sample(candidates, MOST_CANDIDATES)
    bits = np.stack([candidate.bits for candidate in candidates])
    follows, fair = _entailments(combinations, bits[:, :NEAR], minimal)
    for chosen in _choices(candidates, bits, follows, fair, rng):
        marked = _confirmed(combinations, bits[chosen], _marked(follows, fair, chosen))
        if marked.any(axis=0).all():
            break
    else:
        return None
    right = rng.randrange(OPTIONS)
    options = tuple(candidates[option].sentence for option in chosen)
    rows = np.flatnonzero(marked[:, right]).tolist()
    some = rng.sample(rows, min(len(rows), MOST_ROWS))
    premises = {row: combinations.sentences(row) for row in some}
    row = pick_evenly(premises, options, right, words, rng)
    refutations = _refutations(combinations, row, bits[chosen], rng)
    needs = _needs(combinations, row, bits[chosen[right]], rng)
    return Found(draft, premises[row], options, right, refutations, needs)


def _confirmed(combinations: Combinations, options: Bits, marked: Bools) -> Bools:
    """Return which of the marked entailments no stored model at all refutes."""
    rows, columns = np.nonzero(marked)
    left = anywhere(combinations.everywhere(rows) & ~options[columns])
    confirmed = marked.copy()
    confirmed[rows[left], columns[left]] = False
    return confirmed


def _refutations(
    combinations: Combinations, row: int, options: Bits, rng: random.Random
) -> tuple[int, ...]:
    """Return for each option a stored model of the premises where it is false; -1 if none is."""
    everywhere = combinations.everywhere(np.array([row]))[0]
    return tuple(_any_place(everywhere & ~option, rng) for option in options)


def _needs(
    combinations: Combinations, row: int, conclusion: Bits, rng: random.Random
) -> tuple[int, ...]:
    """Return for each premise a stored model of the others where the conclusion is false."""
    denied = ~conclusion[: combinations.near]
    others = (
        combinations.without(premise, np.array([row]))[0]
        for premise in range(len(combinations.chosen))
    )
    return tuple(_any_place(bits & denied, rng) for bits in others)


def _any_place(bits: Bits, rng: random.Random) -> int:
    found = places(bits)
    return int(found[rng.randrange(len(found))]) if len(found) else -1


Bools = npt.NDArray[np.bool_]


def _entailments(combinations: Combinations, options: Bits, minimal: bool) -> tuple[Bools, Bools]:
    """Return which combinations entail which options, and which of these entailments are fair.

    Both are ``[combinations, options]``, as far as the stored models know. A fair one needs all
    premises or, unless ``minimal``, more than one.
    """
    denied = ~options
    together = combinations.together
    trivial = np.zeros((len(together), len(options)), np.bool_)
    for bits, choice in zip(combinations.variant_bits, combinations.chosen, strict=True):
        trivial |= _follows(bits[:, : combinations.near], denied)[choice]
    follows = trivial | _follows(together[:, :SCREEN], denied[:, :SCREEN])
    consistent = anywhere(together)[:, None]
    follows &= consistent
    rows, columns = np.nonzero(follows & ~trivial)
    sound = ~anywhere(together[rows] & denied[columns])
    follows[rows[~sound], columns[~sound]] = False
    fair = follows & ~trivial
    if minimal and len(combinations.chosen) > 2:
        rows, columns = np.nonzero(fair)
        fair[rows, columns] = _needs_all(combinations, rows, denied[columns])
    return follows, fair


def _follows(premises: Bits, denied: Bits) -> Bools:
    """Return which single premises entail which options, ``[premises, options]``."""
    return ~anywhere(premises[:, None] & denied[None])


def _needs_all(combinations: Combinations, rows: Indices, denied: Bits) -> Bools:
    """Say for each row whether each premise is needed to exclude the models in ``denied``."""
    needed = np.ones(len(rows), np.bool_)
    for premise in range(len(combinations.chosen)):
        left = np.flatnonzero(needed)
        needed[left] = anywhere(combinations.without(premise, rows[left]) & denied[left])
    return needed


def _marked(follows: Bools, fair: Bools, chosen: Sequence[int]) -> Bools:
    """Return which combinations entail exactly one of the chosen options, and fairly.

    Shape ``[combinations, chosen]``: the one that follows is marked.
    """
    alone = follows[:, chosen].sum(axis=1) == 1
    return alone[:, None] & fair[:, chosen]


def _choices(
    candidates: Sequence[Statement],
    bits: Bits,
    follows: Bools,
    fair: Bools,
    rng: random.Random,
) -> Iterator[list[int]]:
    """Yield sets of six options, each of which may be the right one, and none entails another."""
    useful = fair.any(axis=1)
    follows, fair = follows[useful], fair[useful]
    within_reach = np.flatnonzero(fair.any(axis=0)).tolist()
    below = _follows(bits, ~bits)
    comparable = below | below.T
    for key in _KEYS:
        groups = _groups(candidates, within_reach, key)
        for _ in range(ANTICHAINS if groups else 0):
            chosen = _antichain(rng.choice(groups), comparable, follows, fair, rng)
            if chosen:
                yield chosen


def _antichain(
    group: Sequence[int], comparable: Bools, follows: Bools, fair: Bools, rng: random.Random
) -> list[int]:
    """Return six members, none of which entails another and each of which may be the right one.

    Members are taken in random order, and put back when they leave one of the others without
    premises. The list is empty when that found fewer than six.
    """
    chosen: list[int] = []
    for option in rng.sample(group, len(group)):
        if not comparable[option, chosen].any():
            wider = [*chosen, option]
            if _marked(follows, fair, wider).any(axis=0).all():
                chosen = wider
                if len(chosen) == OPTIONS:
                    return chosen
    return []


def _groups(
    candidates: Sequence[Statement], members: Sequence[int], key: Callable[[Sentence], str]
) -> list[list[int]]:
    """Sort candidates by a key into groups that are large enough to choose options from."""
    groups: dict[str, list[int]] = {}
    for member in members:
        groups.setdefault(key(candidates[member].sentence), []).append(member)
    return [group for group in groups.values() if len(group) >= OPTIONS]


def _symbols(sentence: Sentence) -> str:
    return "".join(
        sorted(char for char in set(str(sentence.formula)) if char.isalpha() and char < "s")
    )


def _type_and_symbols(sentence: Sentence) -> str:
    return f"{sentence.type} {_symbols(sentence)}"


def _nothing(sentence: Sentence) -> str:
    return ""


_KEYS = (_type_and_symbols, _symbols, _nothing)
"""What options have in common, the best first."""


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


def _candidates(
    question: Question, subject: Subject, clauses: Clauses, rng: random.Random
) -> list[Statement]:
    """Return the sentences that may be options."""
    about, alone = subject
    simple = [item for topic in [*about, *alone] for item in clauses.on(topic, alone=True)]
    if question.plan.startswith(SIMPLE):
        return simple
    pairs = [(one, other) for one in about for other in about if one != other]
    if question.plan != "three names":
        symbols = set("".join(about))
        pairs = [pair for pair in pairs if set("".join(pair)) == symbols]
        simple = [item for item in simple if set(topic_of(item.sentence)) == symbols]
    compounds = [
        join(shape, [one, other])
        for shape in rng.sample(SHAPES[2], COMPOUND_SHAPES)
        for first, second in pairs
        for one in clauses.on(first, alone=False)
        for other in clauses.on(second, alone=False)
    ]
    return compounds + simple


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
