"""The two lexicons."""

from logic_curriculum.generators.logicskills.constructions import CONNECTIVES, SIMPLE_TYPES
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM, load_lexicon
from logic_curriculum.rewards.engines.fol.parser import parse

SHIPPED = ("english", "carroll")


def test_both_lexicons_have_three_names_and_thirteen_predicates_of_which_three_are_kinds():
    for name in SHIPPED:
        key = load_lexicon(name).key_entries
        assert sum(symbol.islower() for symbol in key) == 3
        assert sum(symbol.isupper() for symbol in key) == 13
        assert sum(symbol in "MNO" for symbol in key) == 3


def test_a_key_has_the_symbols_of_the_formula_in_alphabetic_order():
    english = load_lexicon("english")
    assert list(english.key(parse("(Pca∧∃x(Mx∧¬Hx))")).items()) == [
        ("H", "[1] drank"),
        ("M", "[1] is a donkey"),
        ("P", "[1] saw [2]"),
        ("a", "Alfred"),
        ("c", "Hazel"),
    ]


def test_a_key_of_several_formulas_has_the_symbols_of_all():
    assert set(load_lexicon("carroll").key(parse("Fa"), parse("Gb"))) == set("FGab")


def test_the_domain_axiom_is_said_of_the_three_kinds():
    assert str(DOMAIN_AXIOM).count("∃") == 6
    assert "a tove, a borogove or a rath" in load_lexicon("carroll").domain_axiom


def test_nonce_verbs_have_negative_forms_of_their_own():
    binary = load_lexicon("carroll").binary
    assert [forms["negative"] for forms in binary.values()] == [
        "didn't chortle at",
        "didn't galumph over",
        "didn't snicker-snack",
    ]


def test_no_verb_of_the_past_is_negated_in_the_present():
    for name in SHIPPED:
        for forms in load_lexicon(name).binary.values():
            assert forms["negative"].startswith("didn't ")


def test_words_of_a_sort_and_form_differ():
    for name in SHIPPED:
        lexicon = load_lexicon(name)
        for section in (lexicon.names, lexicon.kinds, lexicon.monadic, lexicon.binary):
            words = [item for forms in section.values() for item in forms.items()]
            assert len(words) == len(set(words))


def test_every_section_is_about_something_that_exists():
    english = load_lexicon("english")
    assert list(english.clauses) == list(SIMPLE_TYPES)
    assert list(english.connectives) == list(CONNECTIVES)
