"""Arguments are the same under any renaming, and others stay others."""

import random

import pytest
from brute_force import true_in

from logic_curriculum.generators.logicskills.arguments import (
    clause_table,
    combine,
    draw_schema,
    link_topics,
)
from logic_curriculum.generators.logicskills.models import rename_structure, structure_json
from logic_curriculum.generators.logicskills.sentences import (
    DOMAIN_AXIOM,
    canonical_text,
    draw_renaming,
    rename_formula,
    rename_sentence,
)
from logic_curriculum.generators.logicskills.validity import LEVELS as VALIDITY_LEVELS
from logic_curriculum.generators.logicskills.validity import stored_models
from logic_curriculum.rewards.engines.fol.syntax import parse

AXIOM = str(DOMAIN_AXIOM)
SPECS = [question.premises for level in VALIDITY_LEVELS for question in level]


def combinations(spec, seed):
    clauses, rng = clause_table(stored_models()), random.Random(seed)
    about = rng.sample(link_topics(spec, clauses), 2)
    schema = draw_schema(spec, about, about, clauses, rng)
    return schema, combine(schema, clauses, rng, 8, 16, 32)


def count_of(store):
    return sum(models.count for models in store.batches)


def test_canonical_text_is_that_of_every_renaming_and_order():
    for seed in range(40):
        rng = random.Random(seed)
        _, found = combinations(SPECS[seed % len(SPECS)], seed)
        premises = [item.sentence.formula for item in found.compositions(0)]
        renaming = draw_renaming(rng)
        renamed = [rename_formula(premise, renaming) for premise in premises]
        rng.shuffle(renamed)
        assert canonical_text(list(map(str, premises))) == canonical_text(list(map(str, renamed)))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (["Fa"], ["Fa", "Fa"], "another number of premises"),
        (["Fa", "Fb"], ["Fa", "Ga"], "other symbols are shared"),
        (["Pab"], ["Paa"], "one name for two"),
        (["Ma"], ["Fa"], "a kind is no other predicate"),
        (["Pab", "Fa"], ["Pab", "Fb"], "another argument"),
    ],
)
def test_canonical_text_tells_arguments_apart(one, other, why):
    assert canonical_text(one) != canonical_text(other), why


def test_renamed_structures_keep_what_is_true():
    store = stored_models()
    for seed in range(20):
        rng = random.Random(seed)
        _, found = combinations(SPECS[seed % len(SPECS)], seed)
        sentence = found.compositions(1)[0].sentence
        renaming, structure = draw_renaming(rng), store.structure(rng.randrange(count_of(store)))
        renamed = rename_sentence(sentence, renaming)
        assert renamed.formula == parse(str(renamed.formula))
        objects = rng.sample(structure.domain, len(structure.domain))
        shown = rename_structure(structure, renaming, str(renamed.formula), objects)
        before = true_in(structure_json(structure), str(sentence.formula))
        assert true_in(structure_json(shown), str(renamed.formula)) == before
