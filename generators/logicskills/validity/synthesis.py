"""Finds premises that entail exactly one of six conclusions, and nothing but logic says which.

The six options are chosen first, all of them within reach of one schema's premises. Then the right
one is drawn, each with the same probability, and only then the premises, among the schema's
combinations that entail it alone and give the options the same ranking by word overlap. So the
answer is independent of the options and of everything that these combinations share: this ranking,
the topics of all clauses in their places, and the options' own clauses wherever they stand in the
premises. Whoever looks at these alone is right one time in six.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    Bits,
    Indices,
    ModelStore,
    any_bit,
    random_store,
    set_bits,
)
from logic_curriculum.generators.logicskills.sentences import Sentence
from logic_curriculum.generators.logicskills.validity.entailment import find_entailments
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
SCREEN = 4
"""Words of bits that most non-entailments are seen in."""
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
        rng: Source of the draws.
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
    entailing = _entailing(bits)
    pool = OptionPool.of(within, found.follows, found.joint, overlaps, entailing | entailing.T)
    return _Options(pool, bits, found.rows)


def _entailing(sentences: Bits) -> Bools:
    """Return which sentences entail which, as far as the stored models know."""
    first = sentences[:, :SCREEN]
    found: Bools = ~any_bit(first[:, None] & ~first[None])
    rows, columns = np.nonzero(found)
    found[rows, columns] = ~any_bit(sentences[rows] & ~sentences[columns])
    return found


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
