"""Material of arguments: stored models, clauses by topic, combinations, renamings."""

import random

import pytest
from brute_force import true_in

from logic_curriculum.generators.logicskills.arguments import (
    clause_table,
    combine,
    draw_schema,
    link_topics,
    topic_of,
)
from logic_curriculum.generators.logicskills.countermodel import (
    LEVELS as COUNTERMODEL_LEVELS,
)
from logic_curriculum.generators.logicskills.countermodel import (
    stored_models as stored_for_countermodels,
)
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.generators.logicskills.models import (
    rename_structure,
    set_bits,
    structure_json,
)
from logic_curriculum.generators.logicskills.sentences import (
    canonical_text,
    draw_renaming,
    rename_formula,
    rename_sentence,
    sorts_of,
)
from logic_curriculum.generators.logicskills.validity import LEVELS as VALIDITY_LEVELS
from logic_curriculum.generators.logicskills.validity import stored_models
from logic_curriculum.rewards.engines.fol.parser import parse

AXIOM = str(DOMAIN_AXIOM)
SPECS = [question.premises for level in VALIDITY_LEVELS for question in level]


def combinations(spec, seed):
    clauses, rng = clause_table(stored_models()), random.Random(seed)
    about = rng.sample(link_topics(spec, clauses), 2)
    schema = draw_schema(spec, about, about, clauses, rng)
    return schema, combine(schema, clauses, rng, 8, 16, 32)


def count_of(store):
    return sum(models.count for models in store.batches)


def test_stored_models_are_models_of_the_domain_axiom():
    store = stored_models()
    assert len(set_bits(store.bits(DOMAIN_AXIOM))) == count_of(store)
    for place in range(0, count_of(store), 997):
        assert true_in(structure_json(store.structure(place)), AXIOM)


def test_stored_models_of_countermodel_tasks_have_the_stated_size():
    for level in COUNTERMODEL_LEVELS:
        store = stored_for_countermodels(level.size, level.axiom)
        assert {models.size for models in store.batches} == {level.size}
        if level.axiom:
            assert len(set_bits(store.bits(DOMAIN_AXIOM))) == count_of(store)


def test_bits_of_compounds_are_their_truth_in_stored_models():
    store = stored_models()
    for seed in range(6):
        _, found = combinations(SPECS[seed * 3], seed)
        for item in (item for variants in found.variants for item in variants):
            sentence, true = item.sentence, set(set_bits(item.bits).tolist())
            for place in random.Random(seed).sample(range(count_of(store)), 3):
                structure = structure_json(store.structure(place))
                assert true_in(structure, str(sentence.formula)) == (place in true)


def test_fixed_topics_have_one_clause_in_each_premise():
    for seed, spec in enumerate(SPECS):
        schema, found = combinations(spec, seed)
        for topics_, variants in zip(schema.premises, found.variants, strict=True):
            for place, topic in enumerate(topics_):
                said = {str(leaves(item.sentence)[place].formula) for item in variants}
                assert topic not in schema.fixed or len(said) == 1


def leaves(sentence):
    if not sentence.parts:
        return [sentence]
    return [leaf for part in sentence.parts for leaf in leaves(part)]


def test_all_combinations_of_a_schema_have_its_topics_in_its_places():
    for seed, spec in enumerate(SPECS):
        schema, found = combinations(spec, seed)
        for topics_, variants in zip(schema.premises, found.variants, strict=True):
            assert 1 <= len(topics_) == len(set(topics_)) <= max(spec.clauses)
            for item in variants:
                assert tuple(map(topic_of, leaves(item.sentence))) == topics_


def test_clauses_on_a_topic_have_the_same_symbols():
    clauses = clause_table(stored_models())
    assert {"nm", "nk", "km", "nbn", "kbn", "nbk", "kbk"} <= set(map(sorts_of, clauses.by_topic))
    for topic, statements in clauses.by_topic.items():
        for statement in statements:
            said = {char for char in str(statement.sentence.formula) if char.isalpha()}
            assert said - set("xyz") == set(topic)


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


def test_kinds_are_like_other_predicates_where_there_is_no_axiom():
    one, other = (
        canonical_text(["Ma"], kinds_apart=False),
        canonical_text(["Fa"], kinds_apart=False),
    )
    assert one == other


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


def test_a_renaming_is_one_to_one_and_keeps_sorts_apart():
    for seed in range(50):
        for kinds_apart in (True, False):
            renaming = draw_renaming(random.Random(seed), kinds_apart=kinds_apart)
            assert len(set(renaming.values())) == len(renaming)
            assert {renaming[name] for name in "abc"} == set("abc")
            assert {renaming[name] for name in "PQ"} < set("PQR")
            if kinds_apart:
                assert {renaming[name] for name in "MNO"} == set("MNO")
