"""Arguments are the same under any renaming, and others stay others."""

import random

import pytest
from brute_force import true_in

from logic_curriculum.generators.logicskills import arguments, sentences
from logic_curriculum.generators.logicskills.models import rename_structure, structure_json
from logic_curriculum.generators.logicskills.validity import LEVELS as VALIDITY_LEVELS
from logic_curriculum.generators.logicskills.validity import stored_models
from logic_curriculum.rewards.engines.fol.syntax import parse

AXIOM = str(sentences.DOMAIN_AXIOM)
SPECS = [question.premises for level in VALIDITY_LEVELS for question in level]


def combinations(spec, seed):
    clauses, rng = arguments.clause_table(stored_models()), random.Random(seed)
    about = rng.sample(arguments.link_topics(spec, clauses), 2)
    schema = arguments.draw_schema(spec, about, about, clauses, rng)
    return schema, arguments.combine(schema, clauses, rng, 8, 16, 32)


def count_of(store):
    return sum(models.count for models in store.batches)


def test_canonical_text_is_that_of_every_renaming_and_order():
    for seed in range(40):
        rng = random.Random(seed)
        _, found = combinations(SPECS[seed % len(SPECS)], seed)
        premises = [item.sentence.formula for item in found.compositions(0)]
        renaming = sentences.draw_renaming(rng)
        renamed = [sentences.rename_formula(premise, renaming) for premise in premises]
        rng.shuffle(renamed)
        texts = (sentences.canonical_text(list(map(str, each))) for each in (premises, renamed))
        assert len(set(texts)) == 1


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
    assert sentences.canonical_text(one) != sentences.canonical_text(other), why


def test_renamed_structures_keep_what_is_true():
    store = stored_models()
    for seed in range(20):
        rng = random.Random(seed)
        _, found = combinations(SPECS[seed % len(SPECS)], seed)
        sentence = found.compositions(1)[0].sentence
        renaming = sentences.draw_renaming(rng)
        structure = store.structure(rng.randrange(count_of(store)))
        renamed = sentences.rename_sentence(sentence, renaming)
        assert renamed.formula == parse(str(renamed.formula))
        objects = rng.sample(structure.domain, len(structure.domain))
        shown = rename_structure(structure, renaming, str(renamed.formula), objects)
        before = true_in(structure_json(structure), str(sentence.formula))
        assert true_in(structure_json(shown), str(renamed.formula)) == before
