"""Finds premises that entail exactly one of six conclusions, and nothing but logic says which.

The six options are chosen first, all of them within reach of one draft's premises. Then the right
one is drawn, each with the same probability, and only then the premises, among the draft's
combinations that entail it alone and put the options in the same order of likeness to the premises.
So the answer is independent of the options and of everything that these combinations share: this
order, the topics of all clauses in their places, and the options' own clauses wherever they stand
in the premises. Whoever looks at these alone is right one time in six.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

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
from generators.logicskills.validity_balance import (
    Bools,
    Shares,
    likenesses,
    refine,
    shared_orders,
)
from generators.logicskills.validity_levels import Question
from generators.logicskills.validity_wording import Wording
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
    wording: Wording,
) -> Found | None:
    """Make one draft and return an argument with one right option, if the draft has options.

    Args:
        question: What the options may be about, and what the premises are made of.
        rng: What decides.
        minimal: Whether the conclusion may not follow from any proper subset of the premises; if
            not, it may not follow from a single one.
        belongs: Says whether a draft may be used.
        wording: Says the sentences whose words are compared.
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
    reach = _reach(combinations, candidates, minimal, wording)
    if reach is None:
        return None
    for choice in _choices(reach, rng):
        right_ones = _confirmed(combinations, reach, choice)
        orders = shared_orders(choice.orders, right_ones, OPTIONS)
        if len(orders):
            break
    else:
        return None
    order = rng.choice(orders.tolist())
    right = rng.randrange(OPTIONS)
    fitting = choice.places[(right_ones == right) & (choice.orders == order)]
    row = int(reach.rows[rng.choice(fitting.tolist())])
    bits = reach.bits[choice.options]
    return Found(
        draft,
        combinations.sentences(row),
        tuple(reach.candidates[option].sentence for option in choice.options),
        right,
        _refutations(combinations, row, bits, rng),
        _needs(combinations, row, bits[right], rng),
    )


@dataclass(frozen=True, eq=False)
class Reach:
    """Sentences that combinations of premises entail, and the combinations that entail some."""

    candidates: Sequence[Statement]
    bits: Bits
    """Where the candidates are true, ``[candidates, words]``."""
    rows: Indices
    """Numbers of the combinations."""
    follows: Bools
    """Which combinations entail which candidates, ``[rows, candidates]``."""
    fair: Bools
    """Which of these entailments are fair, see :func:`_entailments`."""
    shares: Shares
    """How much each candidate is like the premises, ``[rows, candidates]``."""


def _reach(
    combinations: Combinations, candidates: Sequence[Statement], minimal: bool, wording: Wording
) -> Reach | None:
    """Return what the combinations entail, if there are enough candidates among it."""
    bits = np.stack([candidate.bits for candidate in candidates])
    follows, fair = _entailments(combinations, bits[:, :NEAR], minimal)
    rows, columns = (np.flatnonzero(fair.any(axis=axis)) for axis in (1, 0))
    if len(columns) < OPTIONS:
        return None
    within = [candidates[column] for column in columns.tolist()]
    shares = likenesses(combinations, rows, [item.sentence for item in within], wording)
    grid = np.ix_(rows, columns)
    return Reach(within, bits[columns], rows, follows[grid], fair[grid], shares)


@dataclass(frozen=True, eq=False)
class Choice:
    """Options, and combinations that put them in an order in which each may be the right one."""

    options: list[int]
    places: Indices
    """Places of the combinations: of those that entail none of the options, or one fairly."""
    right: Indices
    """Which option each combination makes the right one, by its place, -1 for none."""
    orders: Indices
    """The order of likeness under each combination, see :func:`refine`."""

    def with_option(self, option: int, reach: Reach) -> Choice | None:
        """Return the choice with one more option, unless it leaves no combinations."""
        follows = reach.follows[self.places, option]
        fair = reach.fair[self.places, option] & (self.right < 0)
        kept = np.flatnonzero(~follows | fair)
        right = np.where(fair, len(self.options), self.right)[kept]
        places, options = self.places[kept], [*self.options, option]
        shares = reach.shares[places]
        orders = refine(self.orders[kept], shares[:, self.options], shares[:, option])
        shared = shared_orders(orders, right, len(options))
        if not len(shared):
            return None
        kept = np.flatnonzero(np.isin(orders, shared))
        return Choice(options, places[kept], right[kept], orders[kept])

    def addable(self, options: Sequence[int], reach: Reach) -> list[int]:
        """Return the options that leave each one premises, of whatever order of likeness."""
        able = np.any(reach.fair[self.places[self.right < 0]], axis=0)
        for place in range(len(self.options)):
            able &= ~reach.follows[self.places[self.right == place]].all(axis=0)
        return [option for option in options if able[option]]


def _confirmed(combinations: Combinations, reach: Reach, choice: Choice) -> Indices:
    """Return a choice's right options, without those that some stored model refutes."""
    decided = np.flatnonzero(choice.right >= 0)
    everywhere = combinations.everywhere(reach.rows[choice.places[decided]])
    claims = reach.bits[choice.options][choice.right[decided]]
    right = choice.right.copy()
    right[decided[anywhere(everywhere & ~claims)]] = -1
    return right


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
    for words in (slice(SCREEN, 3 * SCREEN), slice(3 * SCREEN, None)):
        refuted = anywhere(together[rows, words] & denied[columns, words])
        follows[rows[refuted], columns[refuted]] = False
        rows, columns = rows[~refuted], columns[~refuted]
    fair = follows & ~trivial
    if minimal and len(combinations.chosen) > 2:
        rows, columns = np.nonzero(fair)
        fair[rows, columns] = _needs_all(combinations, rows, denied[columns])
    return follows, fair


def _follows(premises: Bits, denied: Bits) -> Bools:
    """Return which premises entail which options, ``[premises, options]``."""
    found = np.ones((len(premises), len(denied)), np.bool_)
    for word in range(SCREEN):
        found &= (premises[:, word, None] & denied[:, word]) == 0
    rows, columns = np.nonzero(found)
    found[rows, columns] = ~anywhere(premises[rows] & denied[columns])
    return found


def _needs_all(combinations: Combinations, rows: Indices, denied: Bits) -> Bools:
    """Say for each row whether each premise is needed to exclude the models in ``denied``."""
    needed = np.ones(len(rows), np.bool_)
    different, places = np.unique(rows, return_inverse=True)
    for premise in range(len(combinations.chosen)):
        others = combinations.without(premise, different)
        left = np.flatnonzero(needed)
        for words in (slice(SCREEN), slice(SCREEN, None)):
            left = left[~anywhere(others[places[left], words] & denied[left, words])]
        needed[left] = False
    return needed


def _choices(reach: Reach, rng: random.Random) -> Iterator[Choice]:
    """Yield sets of six options, each of which may be the right one, and none entails another."""
    below = _follows(reach.bits, ~reach.bits)
    comparable = below | below.T
    for key in _KEYS:
        groups = _groups(reach.candidates, key)
        for _ in range(ANTICHAINS if groups else 0):
            choice = _antichain(rng.choice(groups), comparable, reach, rng)
            if choice:
                yield choice


def _antichain(
    group: Sequence[int], comparable: Bools, reach: Reach, rng: random.Random
) -> Choice | None:
    """Return six members, none of which entails another and each of which may be the right one.

    Members are taken in random order, and put back when they leave no order of likeness in which
    each may be the right one. There is no choice when that found fewer than six.
    """
    everything = np.arange(len(reach.rows))
    choice = Choice([], everything, np.full_like(everything, -1), np.zeros_like(everything))
    left = rng.sample(group, len(group))
    while len(choice.options) + len(left) >= OPTIONS:
        option, *left = left
        wider = choice.with_option(option, reach)
        if wider is not None:
            choice = wider
            if len(choice.options) == OPTIONS:
                return choice
            others = [other for other in left if not comparable[option, other]]
            left = choice.addable(others, reach)
    return None


def _groups(candidates: Sequence[Statement], key: Callable[[Sentence], str]) -> list[list[int]]:
    """Sort candidates by a key into groups that are large enough to choose options from."""
    groups: dict[str, list[int]] = {}
    for number, candidate in enumerate(candidates):
        groups.setdefault(key(candidate.sentence), []).append(number)
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
