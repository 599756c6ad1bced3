"""Sentences: their types, their formulas, and that no text has two readings."""

import random
from itertools import permutations

import pytest
from random_sentences import COMPOUND_SHAPES, SENTENCE_TYPES, draw
from table_3 import TABLE_3

from logic_curriculum.generators.logicskills.constructions import (
    CONNECTIVES,
    LEAF,
    OPPOSITES,
    SHAPES,
    SIMPLE_TYPES,
    Vocabulary,
    depth,
    leaves,
    shape_type,
    types_of,
)
from logic_curriculum.generators.logicskills.lexicon import load_lexicon
from logic_curriculum.generators.logicskills.sentences import (
    compound,
    contradicts_itself,
    realize,
    simple_sentences,
)
from logic_curriculum.rewards.engines.fol.entailment import entails
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import Not, free_variables, signature

LEXICONS = [load_lexicon(name) for name in ("english", "carroll")]
ENGLISH, CARROLL = LEXICONS
EVERY = simple_sentences(tuple(SIMPLE_TYPES), two_verbs=True)
PLAIN = simple_sentences(types_of("literal", "one"))


def say(shape, *texts, lexicon=ENGLISH):
    """The compound of simple sentences given by their text, and its formula."""
    clauses = [next(item for item in EVERY if realize(item, lexicon) == text) for text in texts]
    sentence = compound(shape, clauses)
    return realize(sentence, lexicon), str(sentence.formula)


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
    assert set(dict.fromkeys(row[0] for row in TABLE_3)) <= set(SENTENCE_TYPES)


VARIANTS = [
    # shape, clauses, sentence, formula; the formulas are those of the published style
    (
        ("unless", LEAF, LEAF),
        ["Lewis will run.", "No donkeys ate."],
        "Lewis will run unless no donkeys ate.",
        "(¬¬∃x(Mx∧Ix)→Fb)",
    ),
    (
        ("but_not", LEAF, LEAF),
        ["Every monkey ate.", "Hazel saw Alfred."],
        "Every monkey ate but it is not the case that Hazel saw Alfred.",
        "(∀x(Ox→Ix)∧¬Pca)",
    ),
    (
        ("or_not", LEAF, LEAF),
        ["Alfred ate.", "Lewis didn't see Hazel."],
        "Alfred ate or it is not the case that Lewis didn't see Hazel.",
        "(Ia∨¬¬Pbc)",
    ),
    (
        ("only_if", LEAF, LEAF),
        ["A monkey ate.", "No humans drank."],
        "A monkey ate only if no humans drank.",
        "(∃x(Ox∧Ix)→¬∃x(Nx∧Hx))",
    ),
    (
        ("if_then", LEAF, ("only_if", LEAF, LEAF)),
        ["Hazel ate.", "Lewis drank.", "Alfred will run."],
        "If Hazel ate, then Lewis drank only if Alfred will run.",
        "(Ic→(Hb→Fa))",
    ),
    (
        ("comma_or", ("both_and", LEAF, LEAF), ("both_and", LEAF, LEAF)),
        ["Hazel ate.", "Lewis ate.", "Hazel drank.", "Lewis drank."],
        "Both Hazel ate and Lewis ate, or both Hazel drank and Lewis drank.",
        "((Ic∧Ib)∨(Hc∧Hb))",
    ),
    (
        ("if_then", LEAF, ("not", ("either_or", LEAF, LEAF))),
        ["Hazel ate.", "Lewis drank.", "Alfred will run."],
        "If Hazel ate, then it is not the case that either Lewis drank or Alfred will run.",
        "(Ic→¬(Hb∨Fa))",
    ),
]


@pytest.mark.parametrize(("shape", "clauses", "sentence", "formula"), VARIANTS)
def test_surface_variants_have_their_formulas(shape, clauses, sentence, formula):
    assert say(shape, *clauses) == (sentence, formula)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Lewis and Hazel are asleep.", "(Jb∧Jc)"),
        ("Hazel or Lewis is asleep.", "(Jc∨Jb)"),
        ("Alfred and Hazel are donkeys.", "(Ma∧Mc)"),
        ("Alfred or Hazel saw Lewis.", "(Pab∨Pcb)"),
        ("Every donkey that saw a monkey drank.", "∀x((Mx∧∃y(Oy∧Pxy))→Hx)"),
        ("No donkeys that saw Hazel are asleep.", "¬∃x((Mx∧Pxc)∧Jx)"),
        ("Not all humans that ate", None),
    ],
)
def test_phrases_agree_with_their_subjects(text, formula):
    found = [str(item.formula) for item in EVERY if realize(item, ENGLISH) == text]
    assert found == ([formula] if formula else [])


def test_every_simple_sentence_is_closed_and_uses_what_it_says():
    for sentence in EVERY:
        assert free_variables(sentence.formula) == frozenset()
        assert parse(str(sentence.formula)) == sentence.formula
        assert set(signature(sentence.formula).arities.values()) <= {1, 2}
    assert len(EVERY) == 12_768


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


def test_what_could_refer_into_another_clause_is_no_clause_of_a_compound():
    assert not set(types_of("back", "reversed")) & {item.type for item in PLAIN}


BRACKETS = ("both_and", "either_or", "not")


def open_connectives(shape, place="last"):
    """The connectives of a shape after which a reader could go on with another main connective.

    Brackets are never open; others are not at the end of the sentence or between "if" and "then".
    """
    if isinstance(shape, str):
        return []
    name, *clauses = shape
    places = ["inside"] * (len(clauses) - 1) + [place if name not in BRACKETS else "inside"]
    if name == "if_then":
        places[0] = "condition"
    inner = [
        found for part in zip(clauses, places, strict=True) for found in open_connectives(*part)
    ]
    return inner + [name] * (name not in BRACKETS and place == "inside")


@pytest.mark.parametrize("shape", COMPOUND_SHAPES, ids=str)
def test_no_connective_is_left_open(shape):
    assert open_connectives(shape) == []


def test_an_open_connective_would_be_found():
    assert open_connectives(("or", ("and", LEAF, LEAF), LEAF)) == ["and"]
    assert open_connectives(("both_and", LEAF, ("only_if", LEAF, LEAF))) == ["only_if"]


def test_formulas_of_compounds_are_made_of_their_clauses():
    first, second = (parse(text) for text in ("Fa", "Gb"))
    for connective in CONNECTIVES.values():
        formula = str(connective.formula(*(first, second)[: connective.clauses]))
        assert "Fa" in formula
        assert ("Gb" in formula) == (connective.clauses == 2)


def test_opposite_types_deny_each_other():
    by_type_and_words = {(item.type, item.words): item for item in EVERY}
    for sentence in EVERY[::97]:
        if sentence.type not in OPPOSITES:
            continue
        denied = by_type_and_words[OPPOSITES[sentence.type], sentence.words]
        assert entails([sentence.formula], Not(denied.formula))
        assert entails([Not(denied.formula)], sentence.formula)
        assert contradicts_itself(compound(("or", LEAF, LEAF), [sentence, denied]))


def test_a_sentence_whose_clauses_agree_does_not_contradict_itself():
    assert not contradicts_itself(compound(("or", LEAF, LEAF), PLAIN[:2]))
    assert not contradicts_itself(PLAIN[0])


def test_a_vocabulary_limits_the_symbols():
    vocabulary = Vocabulary(names="b", kinds="MN", monadic="F", binary="Q")
    types = [name for name in SENTENCE_TYPES if "ellipsis" not in name]  # that takes two names
    rng = random.Random(5)
    for name in types:
        sentence = draw(rng, (name,), vocabulary, max_depth=3)
        assert set(str(sentence.formula)) <= set("bMNFQxyz()¬∧∨→↔∀∃")


@pytest.mark.parametrize("name", SENTENCE_TYPES)
def test_every_type_is_called_so(name):
    assert draw(random.Random(name), (name,)).type == name


def test_relative_clauses_may_have_a_verb_of_their_own_only_where_asked():
    name = ("quantified_all_all_all",)
    assert len(simple_sentences(name)) == 3**4
    assert len(simple_sentences(name, two_verbs=True)) == 3**5
    assert len(simple_sentences(types_of("relative"))) == 4 * 3 * 27 * 34


def test_depth_and_leaves_of_a_shape_are_counted():
    shape = ("if_then", LEAF, ("not", ("both_and", LEAF, LEAF)))
    assert (depth(shape), leaves(shape), shape_type(shape)) == (3, 3, "conditional_nested")
