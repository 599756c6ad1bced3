"""Finds premises that entail exactly one of six conclusions, and nothing but logic says which.

The six options are chosen first, all of them within reach of one schema's premises. Then the right
one is drawn, each with the same probability, and only then the premises, among the schema's
combinations that entail it alone and give the options the same ranking by word overlap. So the
answer is independent of the options and of everything that these combinations share: this ranking,
the topics of all clauses in their places, and the options' own clauses wherever they stand in the
premises. Whoever looks at these alone is right one time in six.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from logic_curriculum.generators.logicskills.arguments import (
    Combinations,
    Composition,
    Schema,
    clause_table,
    combine,
    draw_schema,
)
from logic_curriculum.generators.logicskills.models import (
    WORD,
    Bits,
    Indices,
    ModelStore,
    any_bit,
    random_store,
    set_bits,
)
from logic_curriculum.generators.logicskills.sentences import Sentence
from logic_curriculum.generators.logicskills.validity.levels import (
    Question,
    candidates,
    draw_subject,
)
from logic_curriculum.generators.logicskills.validity.options import (
    OPTIONS,
    EnglishWords,
    OptionPool,
    OptionSet,
    balanced,
    bitsets,
    members,
    option_sets,
    pack,
    word_overlaps,
)
from logic_curriculum.rewards.engines.fol.models import Bools

STORED = ((4, 1024), (6, 1024), (3, 4096), (5, 8192), (7, 8192))
"""Size and number of the stored models, in the order of their bits."""
NEAR = 32
"""Words of bits that settle most questions: the first two batches."""
VARIANTS = 48
COMBINATIONS = 4096
MOST_CANDIDATES = 48
"""Sentences among which the options are chosen."""


@dataclass(frozen=True, eq=False)
class Found:
    """An argument with its options, before it is proven."""

    schema: Schema
    premises: tuple[Sentence, ...]
    options: tuple[Sentence, ...]
    right: int
    """Place of the option that follows."""
    refutations: tuple[int, ...]
    """For each option a stored model of the premises where it is false; -1 for the right one."""
    needs: tuple[int, ...]
    """For each premise a stored model of the others where the right option is false, -1 if none."""


def stored_models() -> ModelStore:
    """Return the models of the domain axiom that refute entailments."""
    return random_store(STORED, True)


def search(
    question: Question,
    rng: random.Random,
    *,
    minimal: bool,
    belongs: Callable[[Schema], bool],
    english: EnglishWords,
) -> Found | None:
    """Make one schema and return an argument with one right option, if the schema has options.

    Args:
        question: What the options may be about, and what the premises are made of.
        minimal: Whether the conclusion may not follow from any proper subset of the premises; if
            not, it may not follow from a single one.
        belongs: Says whether a schema belongs to the split.
        english: Says the sentences whose words are compared.
    """
    table = clause_table(stored_models())
    subject = draw_subject(question, rng)
    schema = draw_schema(question.premises, subject.topics, subject.topics, table, rng)
    if not belongs(schema):
        return None
    sentences = candidates(question, subject, table, rng)
    combinations = combine(schema, table, rng, variants=VARIANTS, count=COMBINATIONS, near=NEAR)
    if len(sentences) > MOST_CANDIDATES:
        sentences = rng.sample(sentences, MOST_CANDIDATES)
    options = _options(combinations, sentences, minimal, english)
    if options is None:
        return None
    for chosen in option_sets(options.pool, rng):
        right_ones = _confirmed(combinations, options, chosen)
        rankings = balanced(chosen.rankings, right_ones)
        if rankings:
            break
    else:
        return None
    ranking = rng.choice(sorted(rankings))
    right = rng.randrange(OPTIONS)
    rows = options.rows[members(rankings[ranking] & right_ones[right])]
    fitting = np.flatnonzero(np.isin(combinations.codes, combinations.codes[rows]))
    premises = combinations.compositions(rng.choice(fitting.tolist()))
    bits, premise_bits = options.bits[list(chosen.options)], [item.bits for item in premises]
    near = [item[:NEAR] for item in premise_bits]
    together = np.bitwise_and.reduce(premise_bits)
    return Found(
        schema,
        tuple(item.sentence for item in premises),
        tuple(options.pool.candidates[option].sentence for option in chosen.options),
        right,
        tuple(_any_model(together & ~option, rng) for option in bits),
        tuple(
            _any_model(np.bitwise_and.reduce(near[:i] + near[i + 1 :]) & ~bits[right][:NEAR], rng)
            for i in range(len(near))
        ),
    )


@dataclass(frozen=True, eq=False)
class _Options:
    """Sentences that may be options, and the combinations of premises that entail some."""

    pool: OptionPool
    bits: Bits
    """Where the sentences are true, ``[sentences, words]``."""
    rows: Indices
    """Numbers of the combinations."""


def _options(
    combinations: Combinations,
    sentences: Sequence[Composition],
    minimal: bool,
    english: EnglishWords,
) -> _Options | None:
    """Return those of the sentences that may be options, if they are enough."""
    found = find_entailments(combinations, sentences, minimal)
    if len(found.columns) < OPTIONS:
        return None
    within = [sentences[column] for column in found.columns.tolist()]
    bits = np.stack([sentence.bits for sentence in within])
    overlaps = word_overlaps(combinations, found.rows, within, english)
    entailing = entailed(bits, bits)
    pool = OptionPool.of(within, found.follows, found.joint, overlaps, entailing | entailing.T)
    return _Options(pool, bits, found.rows)


def _confirmed(combinations: Combinations, options: _Options, chosen: OptionSet) -> list[int]:
    """Return the combinations that make each option right, as far as all stored models know."""
    everyone = members(sum(chosen.right))
    everywhere = combinations.all_bits(options.rows[everyone])
    confirmed = np.zeros(len(options.rows), np.bool_)
    for option, rows in zip(chosen.options, chosen.right, strict=True):
        mine = members(rows)
        models = everywhere[np.searchsorted(everyone, mine)]
        confirmed[mine] = ~any_bit(models & ~options.bits[option])
    kept, *_ = bitsets(pack(confirmed[None]))
    return [rows & kept for rows in chosen.right]


def _any_model(bits: Bits, rng: random.Random) -> int:
    found = set_bits(bits)
    return int(found[rng.randrange(len(found))]) if len(found) else -1


def entailed(premises: Bits, sentences: Bits, asked: Bools | None = None) -> Bools:
    """Return which sentences are true in all models of some premises, ``[premises, sentences]``.

    Both are given by where they are true, ``[.., words]``; ``asked`` says which pairs to look at.
    """
    denied = ~sentences
    found: Bools = premises[:, :1] & denied[:, 0] == 0
    if asked is not None:
        found &= asked
    rows, columns = np.nonzero(found)
    first = 1
    while first < sentences.shape[1] and len(rows):  # few pairs are left for the later words
        part = slice(first, 2 * first)
        kept = ~any_bit(premises[rows, part] & denied[columns, part])
        rows, columns, first = rows[kept], columns[kept], part.stop
    found[:] = False
    found[rows, columns] = True
    return found


@dataclass(frozen=True, eq=False)
class Entailments:
    """Which combinations of premises entail which sentences, as far as the stored models know."""

    rows: Indices
    """Combinations that jointly entail something, of equal ones the first."""
    columns: Indices
    """Sentences that are jointly entailed by some combination."""
    follows: Bools
    """Which combinations entail which sentences, ``[columns, rows]``."""
    joint: Bools
    """Which of these entailments are joint, see :func:`find_entailments`."""


def find_entailments(
    combinations: Combinations, sentences: Sequence[Composition], minimal: bool
) -> Entailments:
    """Return which combinations entail which sentences, by the first stored models.

    An entailment is joint if some stored model makes all premises true and it needs them all or,
    unless ``minimal``, more than one.
    """
    *variants, asked = _distinct_models([*combinations.variants, sentences], combinations.near)
    rows = _distinct_rows(combinations)
    chosen = combinations.chosen[:, rows]
    together = _conjunction(variants, chosen)
    consistent = any_bit(together)
    rows, chosen, together = rows[consistent], chosen[:, consistent], together[consistent]
    by_one = np.zeros((len(rows), len(asked)), np.bool_)
    for bits, choice in zip(variants, chosen, strict=True):
        by_one |= entailed(bits, asked)[choice]
    joint = entailed(together, asked, ~by_one)
    follows = by_one | joint
    if minimal and len(variants) > 2:
        for left_out in range(len(variants)):
            left = np.flatnonzero(joint.any(axis=1))
            others = _conjunction(variants, chosen[:, left], left_out)
            joint[left] &= ~entailed(others, asked, joint[left])
    kept, columns = (np.flatnonzero(joint.any(axis=axis)) for axis in (1, 0))
    both = np.ix_(kept, columns)
    return Entailments(rows[kept], columns, follows[both].T, joint[both].T)


def _conjunction(variants: Sequence[Bits], chosen: Indices, left_out: int | None = None) -> Bits:
    """Return where all premises but one are true, ``[combinations, words]``."""
    pairs = enumerate(zip(variants, chosen, strict=True))
    masks = (bits[choice] for number, (bits, choice) in pairs if number != left_out)
    return reduce(np.bitwise_and, masks)


def _distinct_rows(combinations: Combinations) -> Indices:
    """Return the numbers of the different combinations, of equal ones the first.

    Where there may be more different ones than were drawn, few are equal, and all are returned.
    """
    count = len(combinations.codes)
    if math.prod(map(len, combinations.variants)) >= count:
        return np.arange(count)
    return np.sort(np.unique(combinations.codes, return_index=True)[1])


def _distinct_models(groups: Sequence[Sequence[Composition]], words: int) -> list[Bits]:
    """Return where groups of sentences are true, in models that differ for some clause.

    The last model fills up the last word of bits.
    """
    clauses = list(dict.fromkeys(part for items in groups for item in items for part in item.parts))
    truths = np.unpackbits(
        np.stack([clause.bits[:words] for clause in clauses]).view(np.uint8), axis=1
    )
    columns = np.ascontiguousarray(np.packbits(truths, axis=0).T)
    keys = columns.view(f"V{columns.shape[1]}").ravel().tolist()
    distinct = list({key: model for model, key in enumerate(keys)}.values())
    padded = np.pad(distinct, (0, -len(distinct) % WORD), mode="edge")
    packed = np.packbits(np.ascontiguousarray(truths[:, padded]), axis=1).view(np.uint64)
    bits = dict(zip(clauses, packed, strict=True))
    return [
        np.stack([item.truth([bits[part] for part in item.parts]) for item in items])
        for items in groups
    ]
