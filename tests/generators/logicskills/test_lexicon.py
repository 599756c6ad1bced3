"""Lexicon files: what is shipped, and what a bad one is told."""

import random
from pathlib import Path

import pytest
import yaml
from random_sentences import SENTENCE_TYPES, draw

from logic_curriculum.common.yaml_file import YamlFileError
from logic_curriculum.generators.logicskills.constructions import CONNECTIVES, SIMPLE_TYPES
from logic_curriculum.generators.logicskills.lexicon import (
    DOMAIN_AXIOM,
    SHIPPED,
    load_lexicon,
    read_lexicon,
)
from logic_curriculum.generators.logicskills.sentences import realize
from logic_curriculum.rewards.engines.fol.parser import parse

ENGLISH = Path(__file__).parents[3] / "generators/logicskills/lexicons/english.yaml"
TEXT = ENGLISH.read_text(encoding="utf-8").replace("name: english", "name: mine")


def test_the_shipped_lexicons_are_the_paper_s():
    assert SHIPPED == ("carroll", "english")


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


def test_a_copy_under_another_name_says_the_same():
    copy, english = read_lexicon(TEXT, "mine.yaml"), load_lexicon("english")
    rng = random.Random(3)
    for name in SENTENCE_TYPES:
        sentence = draw(rng, (name,))
        assert realize(sentence, copy) == realize(sentence, english)


def test_a_lexicon_may_take_all_patterns_from_another_and_change_some(tmp_path):
    path = tmp_path / "polite.yaml"
    path.write_text("name: polite\nbase: carroll\nsentence: 'I say, {A}!'\n")
    sentence = draw(random.Random(0), ("atomic_monadic",))
    carroll = realize(sentence, load_lexicon("carroll"))
    assert realize(sentence, load_lexicon(path)) == f"I say, {carroll[:-1]}!"


def test_clauses_may_have_another_form_inside_others():
    tree = yaml.safe_load(TEXT)
    tree["connectives"]["if_then"] = "wenn {A.last}, dann {B}"
    for section in ("clauses", "connectives"):
        for name, pattern in tree[section].items():
            tree[section][name] = {"main": pattern, "last": f"<{pattern}>"}
    lexicon = read_lexicon(yaml.safe_dump(tree), "mine.yaml")
    sentence = draw(random.Random(2), ("conditional_if_then",))
    text = realize(sentence, lexicon)
    condition = text[len("Wenn ") :].partition(", dann ")[0]
    assert condition[0] + condition[-1] == "<>"
    assert text.count("<") == 1


def test_an_unknown_language_is_told_the_choices():
    with pytest.raises(ValueError, match="carroll, english, or give the path"):
        load_lexicon("klingon")


def test_a_missing_file_is_named():
    with pytest.raises(ValueError, match=r"nowhere\.yaml' does not exist; check the path"):
        load_lexicon("nowhere.yaml")


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
    (
        "if {A}, then {B}",
        "if {A}, then {C}",
        "unknown slot 'C' in `connectives.if_then.main`; the slots are A, B",
    ),
    ("if {A}, then {B}", "if {A}, then {B", "has a lone brace; write slots as `{slot.form}`"),
    ("if {A}, then {B}", "if {A}, then {B} }", "has a lone brace"),
    ("if {A}, then {B}", "if {A.last}, then {B}", "`clauses.atomic_monadic` has no form 'last'"),
    ('or: "{A} or {B}"', "or: [A, B]", "['A', 'B'] is no pattern; write one text"),
    ('sentence: "{A}."', 'sentence: " "', "the text is empty; write one"),
    ("  not: ", "  nor: ", "unknown key 'nor' in `connectives`"),
    ("  not: ", "  {not}: ", "a key in brackets or braces is no text; remove them"),
    ("relatives:", "relatives: 3\nunused:", "`relatives` is 3, but it should be a valid dict"),
]


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


def test_a_recursive_file_is_refused():
    with pytest.raises(YamlFileError):
        read_lexicon("name: mine\nbase: english\nconnectives: &a {and: *a}", "mine.yaml")


def test_every_section_is_about_something_that_exists():
    tree = yaml.safe_load(TEXT)
    assert list(tree["clauses"]) == list(SIMPLE_TYPES)
    assert list(tree["connectives"]) == list(CONNECTIVES)
