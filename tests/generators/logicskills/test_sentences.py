"""Sentences: their types, their formulas, and that no text has two readings."""

import random
from itertools import permutations

import pytest
from table_3 import TABLE_3

from logic_curriculum.generators.logicskills.constructions import (
    SHAPES,
    SIMPLE_TYPES,
    leaves,
    shape_type,
    types_of,
)
from logic_curriculum.generators.logicskills.sentences import (
    compound,
    load_lexicon,
    realize,
    simple_sentences,
)
from logic_curriculum.rewards.engines.fol.syntax import parse

COMPOUND_SHAPES = [shape for clauses in (2, 3, 4, 6) for shape in SHAPES[clauses]]
LEXICONS = [load_lexicon(name) for name in ("english", "carroll")]
ENGLISH, CARROLL = LEXICONS
EVERY = simple_sentences(tuple(SIMPLE_TYPES), two_verbs=True)
PLAIN = simple_sentences(types_of("literal", "one"))


@pytest.mark.parametrize(("name", "english", "carroll", "formula"), TABLE_3)
def test_each_sentence_of_table_3_is_made_with_its_type_counterpart_and_formula(
    name, english, carroll, formula
):
    if name in SIMPLE_TYPES:
        candidates = simple_sentences((name,))
    else:
        (shape,) = (
            shape for shape in SHAPES[2] if shape_type(shape) == name and "but" not in shape
        )
        clauses = [item for item in PLAIN if realize(item, ENGLISH)[1:-1] in english]
        candidates = [compound(shape, pair) for pair in permutations(clauses, 2)]
    (found,) = (item for item in candidates if realize(item, ENGLISH) == english)
    assert found.type == name
    assert realize(found, CARROLL) == carroll
    assert str(found.formula) == formula


def test_all_thirty_types_of_table_3_are_among_ours():
    assert len(TABLE_3) == 30
    ours = {*SIMPLE_TYPES, *map(shape_type, COMPOUND_SHAPES)}
    assert {row[0] for row in TABLE_3} <= ours


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lambda item: item.name)
def test_no_two_simple_sentences_have_the_same_text(lexicon):
    assert len({realize(item, lexicon) for item in EVERY}) == len(EVERY)


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lambda item: item.name)
def test_no_text_of_a_compound_has_two_formulas(lexicon):
    clauses = random.Random(4).sample(PLAIN, 4)
    readings: dict[str, set[str]] = {}
    for shape in COMPOUND_SHAPES:
        for chosen in permutations(clauses, min(leaves(shape), 4)):
            filled = (chosen * 2)[: leaves(shape)]
            sentence = compound(shape, filled)
            readings.setdefault(realize(sentence, lexicon), set()).add(str(sentence.formula))
    assert len(readings) > 1000
    assert all(len(formulas) == 1 for formulas in readings.values())


def test_a_key_has_the_symbols_of_the_formula_in_alphabetic_order():
    assert list(ENGLISH.key(parse("(Pca∧∃x(Mx∧¬Hx))")).items()) == [
        ("H", "[1] drank"),
        ("M", "[1] is a donkey"),
        ("P", "[1] saw [2]"),
        ("a", "Alfred"),
        ("c", "Hazel"),
    ]


def test_words_of_a_sort_and_form_differ():
    for lexicon in LEXICONS:
        for section in (lexicon.names, lexicon.kinds, lexicon.monadic, lexicon.binary):
            words = [item for forms in section.values() for item in forms.items()]
            assert len(words) == len(set(words))
