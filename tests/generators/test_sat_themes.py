"""The theme banks: what is shipped, and what a bad file is told."""

import re
from collections.abc import Iterator

import pytest
from lemminflect import getInflection

from logic_curriculum.common.yaml_file import YamlFileError
from logic_curriculum.generators.sat.sentences import SHIPPED, Atom, load_theme, read_theme

SUBJECTS = "[the cook, the porter, the driver, the guard]"
PREDICATES = """
      sings in a choir: does not sing in a choir
      owns a red boat: does not own a red boat
      was born in Malta: was not born in Malta
      has signed the form: has not signed the form
      can read old maps: cannot read old maps
"""
THEME = f"""
title: Castle
topic: people who work in a castle
text: A castle has a kitchen.
groups:
  - subjects: {SUBJECTS}
    predicates:{PREDICATES}"""


def splits(atom: Atom) -> Iterator[tuple[str, str]]:
    """Yield what may be the predicate of a sentence and of its negation, after each subject."""
    words = atom.text.split()
    for end in range(1, len(words)):
        subject = " ".join(words[:end]) + " "
        if atom.negation.startswith(subject):
            yield atom.text.removeprefix(subject), atom.negation.removeprefix(subject)


def negates(predicate: str, negation: str) -> bool:
    """Say whether a negation is what English grammar makes of a predicate in the singular."""
    verb, _, rest = predicate.partition(" ")
    auxiliary = {"is": "is not", "was": "was not", "has": "has not", "can": "cannot"}.get(verb)
    if auxiliary and negation == f"{auxiliary} {rest}":
        return True
    if article := re.fullmatch(r"is an? (.*)", predicate):
        return negation == f"is no {article[1]}"
    form = re.fullmatch(r"(does|did) not (\S+) (.*)", negation)
    tag = {"does": "VBZ", "did": "VBD"}
    return bool(form) and predicate in [
        f"{inflected} {form[3]}" for inflected in getInflection(form[2], tag[form[1]])
    ]


@pytest.fixture(scope="module", params=SHIPPED)
def theme(request):
    return load_theme(request.param)


def test_a_shipped_theme_has_two_hundred_sentences_and_a_paragraph(theme):
    assert len(theme.atoms) >= 200
    assert 80 <= len(theme.text.split()) <= 150
    assert theme.title
    assert theme.topic


def test_texts_and_negations_of_a_shipped_theme_are_all_different(theme):
    texts = [text.casefold() for atom in theme.atoms for text in (atom.text, atom.negation)]
    assert len(set(texts)) == len(texts)


def test_a_shipped_negation_changes_nothing_but_the_verb(theme):
    for atom in theme.atoms:
        assert any(negates(*split) for split in splits(atom)), atom


def test_a_file_of_one_s_own_is_a_theme(tmp_path):
    file = tmp_path / "castle.yaml"
    file.write_text(THEME, encoding="utf-8")
    theme = load_theme(file)
    assert theme.topic == "people who work in a castle"
    assert len(theme.atoms) == 20
    assert theme.atoms[4] == Atom("the cook can read old maps", "the cook cannot read old maps")


@pytest.mark.parametrize("name", ["bank", "../banking.yaml", "themes\\banking"])
def test_a_theme_that_is_not_there_is_refused(name):
    with pytest.raises(ValueError, match=r"no theme 'bank': choose one of airport, |not exist"):
        load_theme(name)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    file = tmp_path / "castle.yaml"
    file.write_bytes("title: café".encode("latin-1"))
    with pytest.raises(ValueError, match="not UTF-8"):
        load_theme(file)


BAD = {
    "connective": ("owns a red boat:", "owns a boat or a car:", "connective 'or'"),
    "connective in capitals": ("does not own a red", "does not own But a red", "connective 'but'"),
    "quantifier": ("owns a red boat:", "owns some red boats:", "'some', whose negation"),
    "comma": ("owns a red boat:", "'owns a big, red boat':", "contains ','"),
    "full stop": ("owns a red boat:", "owns a red boat.:", r"contains '\.'"),
    "line separator": ("owns a red boat:", '"owns a red\\u200bboat":', r"contains '\\u200b'"),
    "twice": ("the porter", "the cook", "occurs twice"),
    "twice in capitals": ("the porter", "The Cook", "begins with a capital"),
    "affirmative twice": ("owns a red boat:", "sings in a choir:", "occurs twice"),
    "negation of two": ("not own a red boat", "not sing in a choir", "occurs twice"),
    "one begins with another": ("owns a red boat:", "sings in a choir abroad:", "begins with"),
    "no negation": ("does not own a red boat", "owns a blue boat", "0 words that negate"),
    "negation equal": ("does not own a red boat", "owns a red boat", "0 words that negate"),
    "negative sentence": ("owns a red boat:", "has no red boat:", "contains 'no'"),
    "too short": ("owns a red boat:", "swims:", "has 3 words"),
    "too long": ("owns a red boat:", "owns a boat on the lake near the road to the old inn:",
     "has 15 words"),
    "long negation": ("does not own a red boat", "does not own a boat that is red in June",
     "words"),
    "empty negation": ("does not own a red boat", "''", "is empty"),
    "missing section": ("topic: people", "about: people", "`topic` is missing"),
    "list of predicates": ("owns a red boat: does not own a red boat", "- a", "not valid YAML"),
    "no subject": (SUBJECTS, "[]", "at least 1 item"),
    "subject not a list": (SUBJECTS, "the cook", "valid list"),
    "too few": (SUBJECTS, "[the cook, the porter, the driver]", "has 15 sentences"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_theme_is_told_what_is_wrong_and_where(case):
    old, new, problem = BAD[case]
    assert old in THEME
    with pytest.raises(YamlFileError, match=problem) as error:
        read_theme(THEME.replace(old, new), "castle.yaml")
    assert str(error.value).startswith("castle.yaml, line ")


@pytest.mark.parametrize("text", ["", "# nothing", "[", "a: \x00"])
def test_what_is_no_yaml_mapping_is_refused(text):
    with pytest.raises(YamlFileError, match=r"castle\.yaml"):
        read_theme(text, "castle.yaml")
