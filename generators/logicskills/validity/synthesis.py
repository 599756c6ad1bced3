"""Finds premises that entail exactly one of six conclusions, and nothing but logic says which.

The six options are chosen first, all of them within reach of one schema's premises. Then the right
one is drawn, each with the same probability, and only then the premises, among the schema's
combinations that entail it alone and give the options the same ranking by word overlap. So the
answer is independent of the options and of all that these combinations share: the ranking, the
topics of all clauses in their places, and the clauses on the options' topics.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from logic_curriculum.generators.logicskills import arguments, models
from logic_curriculum.generators.logicskills.arguments import Combinations, Composition, Schema
from logic_curriculum.generators.logicskills.models import Bits, Indices, ModelStore
from logic_curriculum.generators.logicskills.sentences import Renaming, Sentence
from logic_curriculum.generators.logicskills.validity import levels, options
from logic_curriculum.generators.logicskills.validity.options import OPTIONS, OptionPool, OptionSet
from logic_curriculum.rewards.engines.fol.models import Bools

STORED = ((4, 1024), (6, 1024), (3, 4096), (5, 8192), (7, 8192))
"""Size and number of the stored models, in the order of their bits."""
NEAR = 32  # words of bits that settle most questions: the first two batches
VARIANTS = 48
COMBINATIONS = 4096
MOST_CANDIDATES = 48  # sentences among which the options are chosen


@dataclass(frozen=True, eq=False)
class Found:
    """An argument with its options, before it is proven."""

    schema: Schema
    premises: tuple[Sentence, ...]
    options: tuple[Sentence, ...]
    right: int  # place of the option that follows
    refutations: tuple[int, ...]  # option → a model of the premises where it is false, or -1
    needs: tuple[int, ...]  # premise → a model of the others where the right option is false, or -1


def stored_models() -> ModelStore:
    """Return the models of the domain axiom that refute entailments."""
    return models.random_store(STORED, True)


def search(
    question: levels.Question, rng: Random, *, minimal: bool, split: str, renaming: Renaming
) -> Found | None:
    """Make one schema and return an argument with one right option, if the schema has options.

    The conclusion follows from no single premise and, if ``minimal``, from no proper subset of the
    premises. Words are compared after the renaming. Schemas of other splits are left.
    """
    table = arguments.clause_table(stored_models())
    about, alone = levels.draw_subject(question, rng)
    schema = arguments.draw_schema(question.premises, about, about, table, rng)
    if schema.split() != split:
        return None
    sentences = levels.candidates(question, about, alone, table, rng)
    combinations = arguments.combine(schema, table, rng, VARIANTS, COMBINATIONS, NEAR)
    if len(sentences) > MOST_CANDIDATES:
        sentences = rng.sample(sentences, MOST_CANDIDATES)
    pool = _option_pool(combinations, sentences, minimal, renaming)
    if pool is None:
        return None
    for chosen in options.option_sets(pool, rng):
        right_ones = _confirmed(combinations, pool, chosen)
        rankings = options.balanced(chosen.rankings, right_ones)
        if rankings:
            break
    else:
        return None
    ranking = rng.choice(sorted(rankings))
    right = rng.randrange(OPTIONS)
    rows = pool.rows[options.members(rankings[ranking] & right_ones[right])]
    fitting = np.flatnonzero(np.isin(combinations.codes, combinations.codes[rows]))
    premises = combinations.compositions(rng.choice(fitting.tolist()))
    bits, premise_bits = pool.bits[list(chosen.options)], [item.bits for item in premises]
    near, denied = [item[:NEAR] for item in premise_bits], ~bits[right][:NEAR]
    together = np.bitwise_and.reduce(premise_bits)
    without = [np.bitwise_and.reduce(near[:i] + near[i + 1 :]) for i in range(len(near))]
    return Found(
        schema,
        tuple(item.sentence for item in premises),
        tuple(pool.candidates[option].sentence for option in chosen.options),
        right,
        tuple(_any_model(together & ~option, rng) for option in bits),
        tuple(_any_model(others & denied, rng) for others in without),
    )


def _option_pool(
    combinations: Combinations, sentences: Sequence[Composition], minimal: bool, renaming: Renaming
) -> OptionPool | None:
    """Return those of the sentences that may be options, if they are enough."""
    found = find_entailments(combinations, sentences, minimal)
    count = len(found.columns)
    if count < OPTIONS:
        return None
    within = [sentences[column] for column in found.columns.tolist()]
    bits = np.stack([sentence.bits for sentence in within])
    overlaps = options.word_overlaps(combinations, found.rows, within, renaming)
    follows, joint = options.pack(found.follows), options.pack(found.joint)
    below = options.pack(overlaps[:, None] < overlaps[None])
    alone = joint[:, None] & ~follows[None]
    lower, higher = ((alone & sets).any(axis=-1) for sets in (below, below.swapaxes(0, 1)))
    level = (alone & ~(below | below.swapaxes(0, 1))).any(axis=-1)
    entailing = entailed(bits, bits)  # every sentence entails itself
    fit = (lower & higher.T) | (higher & lower.T) | (level & level.T)
    fit &= ~(entailing | entailing.T)
    sets = options.bitsets(below)
    return OptionPool(
        within,
        bits,
        found.rows,
        options.bitsets(follows),
        options.bitsets(joint),
        [sets[start : start + count] for start in range(0, len(sets), count)],
        [frozenset(np.flatnonzero(row).tolist()) for row in fit],
    )


def _confirmed(combinations: Combinations, pool: OptionPool, chosen: OptionSet) -> list[int]:
    """Return the combinations that make each option right, as far as all stored models know."""
    everyone = options.members(sum(chosen.right))
    everywhere = combinations.all_bits(pool.rows[everyone])
    confirmed = np.zeros(len(pool.rows), np.bool_)
    for option, rows in zip(chosen.options, chosen.right, strict=True):
        mine = options.members(rows)
        where = everywhere[np.searchsorted(everyone, mine)]
        confirmed[mine] = ~models.any_bit(where & ~pool.bits[option])
    kept, *_ = options.bitsets(options.pack(confirmed[None]))
    return [rows & kept for rows in chosen.right]


def _any_model(bits: Bits, rng: Random) -> int:  # -1 if there is none
    found = models.set_bits(bits)
    return int(found[rng.randrange(len(found))]) if len(found) else -1


def entailed(premises: Bits, sentences: Bits, asked: Bools | None = None) -> Bools:
    """Return which sentences are true in all models of some premises, ``[premises, sentences]``.

    Both are given by where they are true, ``[.., words]``; ``asked`` says which pairs to look at.
    """
    denied = ~sentences
    found: Bools = premises[:, :1] & denied[:, 0] == 0
    if asked is not None:
        found &= asked
    pairs = np.flatnonzero(found)
    first = 1
    while first < sentences.shape[1] and len(pairs):  # few pairs are left for the later words
        part = slice(first, 2 * first)
        rows, columns = np.divmod(pairs, len(sentences))
        pairs = pairs[~models.any_bit(premises[rows, part] & denied[columns, part])]
        first = part.stop
    found[:] = False
    found.ravel()[pairs] = True
    return found


@dataclass(frozen=True, eq=False)
class Entailments:
    """Which combinations of premises entail which sentences, as far as the stored models know."""

    rows: Indices  # combinations that jointly entail something, of equal ones the first
    columns: Indices  # sentences that are jointly entailed by some combination
    follows: Bools  # which combinations entail which sentences, [columns, rows]
    joint: Bools  # which of these entailments are joint, see `find_entailments`


def find_entailments(
    combinations: Combinations, sentences: Sequence[Composition], minimal: bool
) -> Entailments:
    """Return which combinations entail which sentences, by the first stored models.

    An entailment is joint if some stored model makes all premises true and it needs them all or,
    unless ``minimal``, more than one.
    """
    *variants, asked = _distinct_models([*combinations.variants, sentences], combinations.near)
    rows = np.arange(len(combinations.codes))
    if math.prod(map(len, combinations.variants)) < len(rows):  # else few combinations are equal
        rows = np.sort(np.unique(combinations.codes, return_index=True)[1])
    chosen = combinations.chosen[:, rows]
    together = arguments.conjunction(variants, chosen)
    consistent = models.any_bit(together)
    rows, chosen, together = rows[consistent], chosen[:, consistent], together[consistent]
    by_one = np.zeros((len(rows), len(asked)), np.bool_)
    for bits, choice in zip(variants, chosen, strict=True):
        by_one |= entailed(bits, asked)[choice]
    joint = entailed(together, asked, ~by_one)
    follows = by_one | joint
    if minimal and len(variants) > 2:
        for left_out in range(len(variants)):
            left = np.flatnonzero(joint.any(axis=1))
            others = arguments.conjunction(variants, chosen[:, left], left_out)
            joint[left] &= ~entailed(others, asked, joint[left])
    kept, columns = (np.flatnonzero(joint.any(axis=axis)) for axis in (1, 0))
    both = np.ix_(kept, columns)
    return Entailments(rows[kept], columns, follows[both].T, joint[both].T)


def _distinct_models(groups: Sequence[Sequence[Composition]], words: int) -> list[Bits]:
    """Return where groups of sentences are true, in models that differ for some clause."""
    clauses = list(dict.fromkeys(part for items in groups for item in items for part in item.parts))
    stacked = np.stack([clause.bits[:words] for clause in clauses])
    truths = np.unpackbits(stacked.view(np.uint8), axis=1)
    columns = np.ascontiguousarray(np.packbits(truths, axis=0).T)
    keys = columns.view(f"V{columns.shape[1]}").ravel().tolist()
    distinct = list({key: model for model, key in enumerate(keys)}.values())
    padded = np.pad(distinct, (0, -len(distinct) % models.WORD), mode="edge")
    packed = np.packbits(np.ascontiguousarray(truths[:, padded]), axis=1).view(np.uint64)
    bits = dict(zip(clauses, packed, strict=True))
    return [
        np.stack([item.truth([bits[part] for part in item.parts]) for item in items])
        for items in groups
    ]
