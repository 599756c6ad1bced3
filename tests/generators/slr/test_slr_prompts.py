"""What prompts say: the acceptance rule in every style, and English that reads well."""

import re
from itertools import product
from pathlib import Path

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.language import grammar_of
from logic_curriculum.generators.slr.language_file import load_language, read_language
from logic_curriculum.generators.slr.prompts import STYLES

LANGUAGES = ("trains", "houses")
LONG_STYLES = ("prolog", "natural")
TRAINS = Path(__file__).parents[3] / "generators/slr/languages/trains.yaml"


@pytest.mark.parametrize("style", STYLES)
def test_prompts_from_level_four_up_tell_the_number_of_fresh_examples(style):
    """Levels 13 to 20 once judged by fresh examples without saying so."""
    for level, language in product((4, 12, 13, 20), LANGUAGES):
        task = generate("slr", level, 0, language=language, style=style)
        for label in (task.verification["positive"], task.verification["negative"]):
            assert re.search(rf"at least 24 of 32 (new )?{label}", task.prompt)
        assert "shown" in task.prompt


@pytest.mark.parametrize(
    ("level", "limit"), [(1, "a single condition"), (3, "at most 2 conditions")]
)
@pytest.mark.parametrize("style", LONG_STYLES)
def test_prompts_of_enumerated_levels_tell_which_outcomes_are_accepted(level, limit, style):
    prompt = generate("slr", level, 0, style=style).prompt
    assert f"A simple rule has {limit}" in prompt
    assert "the car has a certain value of an attribute, or that it does not have it" in prompt
    assert "over all 20 possible examples, it calls exactly the same ones eastbound" in prompt
    assert "at least three quarters of those that really are eastbound and of those" in prompt
    assert "24 of 32" not in prompt


def test_the_compact_prompt_has_one_line_about_acceptance_equal_for_all_tasks_of_a_level():
    for level in (1, 2, 3, 4, 13):
        made = [generate("slr", level, seed, style="compact") for seed in range(4)]
        first = {task.prompt.split("\n")[0] for task in made}
        assert len(first) == 1
        assert len(first.pop()) < 140
        for task in made:
            assert task.prompt.endswith("\nAnswer:\n")
            others = task.prompt.removesuffix("\nAnswer:\n").split("\n")[1:]
            assert all(re.match(r"(east|west)bound \| 1 ", line) for line in others)


@pytest.mark.parametrize("style", LONG_STYLES)
def test_prompts_say_that_a_rule_sees_one_example_alone(style):
    for level in (1, 8, 20):
        prompt = generate("slr", level, 0, style=style, language="houses").prompt
        assert "run on one example at a time. It sees the facts about that house alone" in prompt
        assert "neutral names" in prompt
        assert "copies" not in prompt


@pytest.mark.parametrize(("language", "verb"), [("trains", "has"), ("houses", "contains")])
def test_several_parts_are_listed_behind_one_verb(language, verb):
    part = load_language(language).part
    prompt = generate("slr", 20, 0, language=language, style="natural").prompt
    listed = re.findall(rf"It {verb} the {part}s (.*)\.", prompt)
    assert len(listed) == 32
    assert all(re.fullmatch(rf"({part}\w+, )+{part}\w+ and {part}\w+", item) for item in listed)
    one = generate("slr", 1, 0, language=language, style="natural").prompt
    assert f"It {verb} the {part} {part}0_1." in one


def test_a_language_without_a_plural_says_its_phrase_of_each_part():
    text = TRAINS.read_text(encoding="utf-8")
    language = read_language(text.replace("    plural: has the cars {value}\n", ""), "mine.yaml")
    assert language.say_parts(["a"]) == "has the car a"
    assert language.say_parts(["a", "b"]) == "has the car a and has the car b"


@pytest.mark.parametrize("name", LANGUAGES)
def test_each_value_has_a_phrase_of_its_own(name):
    for attribute in load_language(name).attributes:
        said = [attribute.say(value) for value in attribute.values]
        assert len(set(said)) == len(said)
        for value, phrase in zip(attribute.values, said, strict=True):
            plain = ("none", "nothing", "0", "1")
            assert str(value).replace("_", " ") in phrase or str(value) in plain


# What the prompts said once, and its like.
BAD_ENGLISH = (
    r"\b0 \w+s\b",  # carries 0 payload items
    r"\b1 (\w+ )?(items|doors|guests|passengers|pieces)\b",
    r"\bwith (sofa|piano|desk|bed|wardrobe|bookcase|nothing|none)\b",  # furnished with piano
    r"\ba [aeiou]\w+|\ban [^aeiou]\w+",
    r"\b(has|holds|carries) (the )?(none|nothing payload)\b",
    r"\b(no|the) none\b|\bnone\b",
    r"_\w*[a-z]",  # golden_vase
    r"\ba X\b",
    r"(has the car \w+,|contains the room \w+,)",
)


@pytest.mark.parametrize("name", LANGUAGES)
def test_sentences_about_examples_read_as_english(name):
    for level, seed in product(range(1, 21), range(2)):
        prompt = generate("slr", level, seed, language=name, style="natural").prompt
        sentences = prompt.split("Examples:\n")[1].split("\n\n")[0]
        for pattern in BAD_ENGLISH:
            assert not re.search(pattern, sentences), pattern
        assert not re.search(r"\ba X\b", prompt)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_sentence_tells_every_attribute_of_a_part(name):
    language = load_language(name)
    grammar = grammar_of(language, 12)
    prompt = generate("slr", 20, 1, language=name, style="natural").prompt
    sentences = re.findall(rf"^The {language.part} \w+ (is number .*)\.$", prompt, re.MULTILINE)
    assert len(sentences) >= 5 * 32
    for sentence in sentences:
        phrases = re.split(", | and ", sentence)
        assert len(phrases) == len(grammar.attributes)
        for attribute, phrase in zip(grammar.attributes, phrases, strict=True):
            values = attribute.values or range(1, 7)
            assert [attribute.say(value) for value in values].count(phrase) == 1
