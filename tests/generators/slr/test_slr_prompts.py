"""What prompts say: the acceptance rule in every style, and English that reads well."""

import re
from itertools import product

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.prompts import STYLES

LANGUAGES = ("trains", "houses")
LONG_STYLES = ("prolog", "natural")


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


@pytest.mark.parametrize("style", LONG_STYLES)
def test_prompts_say_that_a_rule_sees_one_example_alone(style):
    for level in (1, 8, 20):
        prompt = generate("slr", level, 0, style=style, language="houses").prompt
        assert "run on one example at a time. It sees the facts about that house alone" in prompt
        assert "and no names" in prompt
        assert "at most" in prompt.split("Write at most")[1]
        assert "copies" not in prompt


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
    for level in range(1, 21):
        prompt = generate("slr", level, 0, language=name, style="natural").prompt
        sentences = prompt.split("Examples:\n")[1].split("\n\n")[0]
        for pattern in BAD_ENGLISH:
            assert not re.search(pattern, sentences), pattern
        assert not re.search(r"\ba X\b", prompt)
