"""LogiNumSynth's words, and what is said in English and in clauses.

``test_loginum_reverified`` reads the sentences back.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass

import lemminflect
import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.language import (
    Speaker,
    clause,
    draw_words,
    english,
    words_of,
)
from logic_curriculum.rewards.engines.numeric.syntax import Expression, Rule, parse_rule

KINDS = ("names", "attributes", "relations")


def test_there_are_as_many_templates_as_in_the_paper():
    def size(part: object) -> object:
        if isinstance(part, dict):
            return {name: len(bank) for name, bank in part.items()}
        return len(part)

    assert {name: size(part) for name, part in english().items() if not isinstance(part, str)} == {
        "attribute_facts": 222,
        "assignments": 147,
        "relation_facts": 20,
        "implications": 26,
        "retrievals": 16,
        "calculations": {
            "addition": 15,
            "subtraction": 15,
            "increase": 6,
            "decrease": 6,
            "product": 6,
        },
        "aggregations": {"max": 6, "min": 6, "addition": 6, "subtraction": 6},
        "queries": 6,
    }


def test_an_expression_without_templates_is_named():
    @dataclass(frozen=True)
    class Sine(Expression):
        value = None

        def __str__(self):
            return "sine"

    parsed = parse_rule("is(?x, cold, 4) -> is(?x, legal, 1)")
    strange = Rule(parsed.conditions, parsed.conclusion._replace(expression=Sine()))
    with pytest.raises(TypeError, match="no templates for Sine: add a bank"):
        Speaker(random.Random(0)).rule(strange)


def test_clauses_mean_what_the_rules_mean():
    hard = ("exHL-HN", 7, 51)  # a rule of seven variables
    for preset, level, seed in [*(("HL-HN", 4, seed) for seed in range(30)), hard]:
        options = {"preset": preset, "style": "compact"}
        told = generate("loginum", level, seed, language="clauses", **options)
        formal = generate("loginum", level, seed, language="formal", **options)

        assert told.verification == formal.verification
        for sentence, text in zip(
            told.metadata["rule_sentences"], told.verification["rules"], strict=True
        ):
            assert sentence in told.prompt
            head, body = sentence.split(" <- ")
            assert clause(parse_rule(f"{body} -> {head}")) == clause(parse_rule(text)) == sentence


def inflected(relation: str) -> set[str]:
    tags = ("VBZ", "VBN", "VBD", "VBG")
    return {relation, *(form for tag in tags for form in lemminflect.getInflection(relation, tag))}


def templates(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    entries = content.values() if isinstance(content, dict) else content
    return [text for entry in entries for text in templates(entry)]


def words_of_templates() -> set[str]:
    """Return the words of the templates, without those of their slots."""
    said = re.sub(r"\{.*?\}", " ", " ".join(templates(english())).lower())
    return set(re.findall(r"[a-z]+", said))


def test_the_pools_have_the_sizes_of_the_papers():
    # The paper's: 7,944 names, 1,366 attributes and 976 relations
    assert {kind: len(words_of(kind)) for kind in KINDS} == {
        "names": 7272,
        "attributes": 1045,
        "relations": 411,
    }


def test_no_name_is_another_word_as_well():
    others = set(words_of("attributes")) | words_of_templates()
    others.update(form for relation in words_of("relations") for form in inflected(relation))
    assert [name for name in words_of("names") if name.lower() in others] == []


def test_no_form_of_a_relation_is_one_of_another_or_an_attribute():
    seen = Counter(form for relation in words_of("relations") for form in inflected(relation))
    assert [form for form, times in seen.items() if times > 1] == []
    assert [word for word in words_of("attributes") if word in seen] == []


@pytest.mark.parametrize("limit", [None, 50])
def test_a_draw_has_as_many_different_words_as_asked_for(limit):
    rng = random.Random(1)
    for _ in range(300):
        words = draw_words(rng, 30, 40, 40, limit)
        assert [len(set(pool)) for pool in words] == [30, 40, 40]
        for kind, pool in zip(KINDS, words, strict=True):
            assert set(pool) <= set(words_of(kind)[:limit])


def test_names_that_look_alike_are_not_drawn_together():
    assert {"Bradly", "Bradley", "Kathryn", "Katherine"} <= set(words_of("names"))
    rng = random.Random(3)
    for _ in range(300):
        entities = draw_words(rng, 30, 1, 1).entities
        skeletons = {name[0] + re.sub("[aeiouyh]", "", name[1:]) for name in entities}
        assert len(skeletons) == 30


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        ((3, 11, 3), r"11 attributes that look different, and the first 10 have 10\."),
        ((3, 3, 11), r"vocabulary=10: a task of this level needs 11 relations"),
        ((11, 3, 3), r"11 names that look different, and the first 10 have \d+\. Raise it"),
    ],
)
def test_too_small_a_pool_is_explained(numbers, problem):
    with pytest.raises(ValueError, match=problem):
        draw_words(random.Random(0), *numbers, limit=10)
