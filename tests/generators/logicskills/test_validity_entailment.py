"""What premises entail is found in a few models, and is the same as in all of the first ones."""

import random

import numpy as np
import pytest

from logic_curriculum.generators.logicskills.arguments import (
    clause_table,
    combine,
    draw_schema,
    entailed,
    find_entailments,
)
from logic_curriculum.generators.logicskills.validity import (
    LEVELS,
    candidates,
    draw_subject,
    stored_models,
)
from logic_curriculum.generators.logicskills.validity_options import bitsets, members, pack

NEAR = 8


def bits_of(rows):
    """Return the bits of a row as one integer, or of each of several rows."""
    return [int.from_bytes(row.tobytes(), "big") for row in rows]


@pytest.mark.parametrize("sentences", [1, 9, 64])
def test_what_is_entailed_is_what_no_model_denies(sentences):
    rng = np.random.default_rng(sentences)
    true = rng.integers(0, 2**64, (sentences, 5), dtype=np.uint64, endpoint=False)
    models = rng.integers(0, 2**64, (200, 5), dtype=np.uint64, endpoint=False)
    for _ in range(6):
        models &= rng.integers(0, 2**64, models.shape, dtype=np.uint64, endpoint=False)
    models[:20] = 0
    expected = [[not row & ~one for one in bits_of(true)] for row in bits_of(models)]
    assert entailed(models, true).tolist() == expected
    asked = rng.random((200, sentences)) < 0.5
    assert (entailed(models, true, asked) == asked & expected).all()


def test_sets_hold_the_members_that_they_were_made_of():
    rng = np.random.default_rng(1)
    for count in (1, 8, 13, 64):
        table = rng.random((count, 30)) < 0.4
        assert [members(one).tolist() for one in bitsets(pack(table))] == [
            np.flatnonzero(row).tolist() for row in table
        ]


def drafted(question, seed, count):
    rng = random.Random(seed)
    clauses = clause_table(stored_models())
    about, alone = draw_subject(question, rng)
    schema = draw_schema(question.premises, about, about, clauses, rng)
    sentences = candidates(question, about, alone, clauses, rng)
    combinations = combine(schema, clauses, rng, 8, count, NEAR)
    return combinations, rng.sample(sentences, min(12, len(sentences)))


def follows_from(premises, sentence):
    together = np.bitwise_and.reduce(premises)
    return not (together & ~sentence).any()


def naive(combinations, sentences, minimal):
    """Return which combinations follow from which, and which of these entailments are fair."""
    count = combinations.chosen.shape[1]
    follows = np.zeros((len(sentences), count), bool)
    fair = follows.copy()
    for row in range(count):
        premises = [item.bits[:NEAR] for item in combinations.compositions(row)]
        if not np.bitwise_and.reduce(premises).any():
            continue
        kept = [premises[:i] + premises[i + 1 :] for i in range(len(premises))]
        fewer = kept if minimal else [[premise] for premise in premises]
        for column, sentence in enumerate(item.bits[:NEAR] for item in sentences):
            follows[column, row] = follows_from(premises, sentence)
            fair[column, row] = follows[column, row] and not any(
                follows_from(some, sentence) for some in fewer
            )
    return follows, fair


@pytest.mark.parametrize("minimal", [True, False])
@pytest.mark.parametrize("level", [1, 2, 4, 7, 9])
def test_fair_entailments_are_those_of_a_naive_search(level, minimal):
    met = 0
    for seed in range(6):
        questions = LEVELS[level - 1]
        combinations, sentences = drafted(questions[seed % len(questions)], seed, 120)
        found = find_entailments(combinations, sentences, minimal)
        follows, fair = naive(combinations, sentences, minimal)
        columns, rows = (np.flatnonzero(fair.any(axis=axis)) for axis in (1, 0))
        assert found.columns.tolist() == columns.tolist()
        assert set(combinations.codes[found.rows]) == set(combinations.codes[rows])
        assert (found.joint == fair[np.ix_(columns, found.rows)]).all()
        assert (found.follows == follows[np.ix_(columns, found.rows)]).all()
        met += len(rows)
    assert met >= 5
