"""The two lexicons."""

from logic_curriculum.generators.logicskills.sentences import load_lexicon
from logic_curriculum.rewards.engines.fol.parser import parse

SHIPPED = ("english", "carroll")


def test_a_key_has_the_symbols_of_the_formula_in_alphabetic_order():
    english = load_lexicon("english")
    assert list(english.key(parse("(Pca∧∃x(Mx∧¬Hx))")).items()) == [
        ("H", "[1] drank"),
        ("M", "[1] is a donkey"),
        ("P", "[1] saw [2]"),
        ("a", "Alfred"),
        ("c", "Hazel"),
    ]


def test_words_of_a_sort_and_form_differ():
    for name in SHIPPED:
        lexicon = load_lexicon(name)
        for section in (lexicon.names, lexicon.kinds, lexicon.monadic, lexicon.binary):
            words = [item for forms in section.values() for item in forms.items()]
            assert len(words) == len(set(words))
