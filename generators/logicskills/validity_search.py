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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from logic_curriculum.generators.logicskills.argument_levels import draw_draft
from logic_curriculum.generators.logicskills.arguments import (
    Combinations,
    Composition,
    Draft,
    Indices,
    clauses_of,
    combine,
)
from logic_curriculum.generators.logicskills.sentences import Sentence
from logic_curriculum.generators.logicskills.validity_balance import likenesses, shared
from logic_curriculum.generators.logicskills.validity_choice import (
    OPTIONS,
    Choice,
    Prospects,
    choices,
    prospects,
)
from logic_curriculum.generators.logicskills.validity_levels import Question
from logic_curriculum.generators.logicskills.validity_plans import candidates, draw_subject
from logic_curriculum.generators.logicskills.validity_reach import reach
from logic_curriculum.generators.logicskills.validity_sets import Bools, as_sets, members, pack
from logic_curriculum.generators.logicskills.validity_wording import Wording
from logic_curriculum.generators.logicskills.worlds import (
    Bits,
    Worlds,
    anywhere,
    places,
    random_worlds,
)

STORED = ((4, 1024), (6, 1024), (3, 4096), (5, 8192), (7, 8192))
"""Size and number of the stored models, in the order of their bits."""
NEAR = 32
"""Words of bits that settle most questions: the first two batches."""
SCREEN = 4
"""Words of bits that most non-entailments are seen in."""
VARIANTS = 48
COMBINATIONS = 4096
MOST_CANDIDATES = 48
"""Sentences among which the options are chosen."""


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
    sentences = candidates(question, subject, clauses, rng)
    combinations = combine(draft, clauses, rng, variants=VARIANTS, count=COMBINATIONS, near=NEAR)
    if len(sentences) > MOST_CANDIDATES:
        sentences = rng.sample(sentences, MOST_CANDIDATES)
    options = _options(combinations, sentences, minimal, wording)
    if options is None:
        return None
    for choice in choices(options.about, rng):
        right_ones = _confirmed(combinations, options, choice)
        orders = shared(choice.orders, right_ones)
        if orders:
            break
    else:
        return None
    order = rng.choice(sorted(orders))
    right = rng.randrange(OPTIONS)
    rows = options.rows[members(orders[order] & right_ones[right])]
    fitting = np.flatnonzero(np.isin(combinations.codes, combinations.codes[rows]))
    row = rng.choice(fitting.tolist())
    bits = options.bits[list(choice.options)]
    return Found(
        draft,
        combinations.sentences(row),
        tuple(options.about.candidates[option].sentence for option in choice.options),
        right,
        _refutations(combinations, row, bits, rng),
        _needs(combinations, row, bits[right], rng),
    )


@dataclass(frozen=True, eq=False)
class Options:
    """Sentences that may be options, and the combinations of premises that entail some."""

    about: Prospects
    bits: Bits
    """Where the sentences are true, ``[sentences, words]``."""
    rows: Indices
    """Numbers of the combinations."""


def _options(
    combinations: Combinations, sentences: Sequence[Composition], minimal: bool, wording: Wording
) -> Options | None:
    """Return those of the sentences that may be options, if they are enough."""
    found = reach(combinations, sentences, minimal)
    if len(found.columns) < OPTIONS:
        return None
    within = [sentences[column] for column in found.columns.tolist()]
    bits = np.stack([sentence.bits for sentence in within])
    shares = likenesses(combinations, found.rows, within, wording)
    entailing = _entailing(bits)
    comparable = entailing | entailing.T
    about = prospects(within, found.follows, found.fair, shares, comparable)
    return Options(about, bits, found.rows)


def _entailing(sentences: Bits) -> Bools:
    """Return which sentences entail which, as far as the stored models know."""
    first = sentences[:, :SCREEN]
    found: Bools = ~anywhere(first[:, None] & ~first[None])
    rows, columns = np.nonzero(found)
    found[rows, columns] = ~anywhere(sentences[rows] & ~sentences[columns])
    return found


def _confirmed(combinations: Combinations, options: Options, choice: Choice) -> list[int]:
    """Return a choice's right options, without those that some stored model refutes."""
    everyone = members(sum(choice.right))
    everywhere = combinations.everywhere(options.rows[everyone])
    confirmed = np.zeros(len(options.rows), np.bool_)
    for option, rows in zip(choice.options, choice.right, strict=True):
        mine = members(rows)
        models = everywhere[np.searchsorted(everyone, mine)]
        confirmed[mine] = ~anywhere(models & ~options.bits[option])
    kept, *_ = as_sets(pack(confirmed[None]))
    return [rows & kept for rows in choice.right]


def _refutations(
    combinations: Combinations, row: int, options: Bits, rng: random.Random
) -> tuple[int, ...]:
    """Return for each option a stored model of the premises where it is false; -1 if none is."""
    everywhere = np.bitwise_and.reduce([item.bits for item in combinations.compositions(row)])
    return tuple(_any_place(everywhere & ~option, rng) for option in options)


def _needs(
    combinations: Combinations, row: int, conclusion: Bits, rng: random.Random
) -> tuple[int, ...]:
    """Return for each premise a stored model of the others where the conclusion is false."""
    premises = [item.bits[:NEAR] for item in combinations.compositions(row)]
    others = (premises[:i] + premises[i + 1 :] for i in range(len(premises)))
    return tuple(
        _any_place(np.bitwise_and.reduce(found) & ~conclusion[:NEAR], rng) for found in others
    )


def _any_place(bits: Bits, rng: random.Random) -> int:
    found = places(bits)
    return int(found[rng.randrange(len(found))]) if len(found) else -1
