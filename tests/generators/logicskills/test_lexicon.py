"""Lexicon files: what is shipped, and what a bad one is told."""

import random
from pathlib import Path

import pytest
from random_sentences import draw

from logic_curriculum.common.yaml_file import YamlFileError
from logic_curriculum.generators.logicskills.lexicon import load_lexicon, read_lexicon
from logic_curriculum.generators.logicskills.sentences import realize
from logic_curriculum.rewards.engines.fol.parser import parse

ENGLISH = Path(__file__).parents[3] / "generators/logicskills/lexicons/english.yaml"
TEXT = ENGLISH.read_text(encoding="utf-8").replace("name: english", "name: mine")


def test_a_key_has_the_symbols_of_the_formula_in_alphabetic_order():
    english = load_lexicon("english")
    assert list(english.key(parse("(Pca∧∃x(Mx∧¬Hx))")).items()) == [
        ("H", "[1] drank"),
        ("M", "[1] is a donkey"),
        ("P", "[1] saw [2]"),
        ("a", "Alfred"),
        ("c", "Hazel"),
    ]


def test_a_lexicon_may_take_all_patterns_from_another_and_change_some(tmp_path):
    path = tmp_path / "polite.yaml"
    path.write_text("name: polite\nbase: carroll\nsentence: 'I say, {A}!'\n")
    sentence = draw(random.Random(0), ("atomic_monadic",))
    carroll = realize(sentence, load_lexicon("carroll"))
    assert realize(sentence, load_lexicon(path)) == f"I say, {carroll[:-1]}!"


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "binary.yaml").write_bytes(b"name: \xff\xfe")
    with pytest.raises(ValueError, match=r"binary\.yaml' is not UTF-8 text .*save it as UTF-8"):
        load_lexicon(tmp_path / "binary.yaml")


FAULTS = [
    # what is replaced, by what, what the message says
    ("name: mine", "name: english", "the name 'english' is taken; give"),
    ("name: mine", "name: mixed", "the name 'mixed' is taken"),
    ("name: mine", "name: mine\nbase: latin", "there is no base 'latin'; name one of carroll"),
    ("name: mine", "name: mine\nverbs: {}", "unknown key `verbs`; the keys are name, base"),
    ("kinds:", "kinds: [", "not valid YAML"),
    ("a: {name: Alfred}", "d: {name: Alfred}", "unknown key 'd' in `names`; the keys are a, b, c"),
    ("  a: {name: Alfred}\n", "", "`names` lacks the key 'a'; write `a:` in it"),
    ("a: {name: Alfred}", "a: Alfred", "`names.a` is 'Alfred', but it should be a valid dict"),
    ("{name: Lewis}", "{name: Alfred}", "'Alfred' is the name of both a and b; give them diff"),
    ("plural: drank", "plural: ate", "'ate' is the plural of both H and I"),
    ("plural: donkeys, ", "", "asks for {K.plural}, but `kinds.M` has no form 'plural'; add it"),
    ("is {K.indefinite}", "is {K.dative}", "use one of its forms: singular, plural, indefinite"),
    ("{phrase.negative}", "{phrase.negated}", "but `monadic.F` has no form 'negated'"),
    ("{name.name} and {other.name}", "{name.name}", "lacks the slot 'other'; write `{other.…}`"),
    ("if {A}, then {B}", "if {A}, then {C}",
     "unknown slot 'C' in `connectives.if_then.main`; the slots are A, B"),
    ("if {A}, then {B}", "if {A}, then {B", "has a lone brace; write slots as `{slot.form}`"),
    ("if {A}, then {B}", "if {A}, then {B} }", "has a lone brace"),
    ("if {A}, then {B}", "if {A.last}, then {B}", "`clauses.atomic_monadic` has no form 'last'"),
    ('or: "{A} or {B}"', "or: [A, B]", "['A', 'B'] is no pattern; write one text"),
    ('sentence: "{A}."', 'sentence: " "', "the text is empty; write one"),
    ("  not: ", "  nor: ", "unknown key 'nor' in `connectives`"),
    ("  not: ", "  {not}: ", "a key in brackets or braces is no text; remove them"),
    ("relatives:", "relatives: 3\nunused:", "`relatives` is 3, but it should be a valid dict"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS)
def test_a_bad_file_is_told_line_and_remedy(old, new, message):
    assert old in TEXT
    with pytest.raises(YamlFileError) as error:
        read_lexicon(TEXT.replace(old, new, 1), "mine.yaml")
    assert str(error.value).startswith("mine.yaml, line ")
    assert message in str(error.value)


def test_the_line_that_is_named_is_the_faulty_one():
    text = TEXT.replace("K: {affirmative: is happy", "K: {affirmative: is asleep", 1)
    line = text[: text.index("K: {affirmative")].count("\n") + 1
    with pytest.raises(YamlFileError, match=f"line {line}: 'is asleep' is the affirmative"):
        read_lexicon(text, "mine.yaml")


@pytest.mark.parametrize("text", ["", "3", "[]", "name: mine", "connectives: 3", "&a {name: *a}"])
def test_a_file_that_is_no_lexicon_is_refused(text):
    with pytest.raises(YamlFileError):
        read_lexicon(text, "mine.yaml")


def test_an_unknown_language_is_told_the_choices():
    with pytest.raises(ValueError, match="carroll, english, or give the path"):
        load_lexicon("klingon")


def test_a_missing_file_is_named():
    with pytest.raises(ValueError, match=r"nowhere\.yaml' does not exist; check the path"):
        load_lexicon("nowhere.yaml")
