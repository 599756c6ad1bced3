"""Pools of names, attributes and relations: what is in them and how they are drawn from."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import lemminflect
import pytest
import yaml

from logic_curriculum.generators.loginum.vocabulary import draw_words, words_of

FOLDER = Path(__file__).parents[2] / "generators/loginum"
KINDS = ("names", "attributes", "relations")


def inflected(relation: str) -> set[str]:
    tags = ("VBZ", "VBN", "VBD", "VBG")
    return {relation, *(form for tag in tags for form in lemminflect.getInflection(relation, tag))}


def words_of_templates() -> set[str]:
    """Return the words of the templates, without those of their slots."""
    values: list[object] = [yaml.safe_load((FOLDER / "templates/english.yaml").read_text())]
    words: set[str] = set()
    while values:
        value = values.pop()
        if isinstance(value, str):
            words.update(re.findall(r"[a-z]+", re.sub(r"\{.*?\}", "", value.lower())))
        else:
            values.extend(value.values() if isinstance(value, dict) else value)
    return words


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
        ((3, 11, 3), r"11 attributes can't be drawn from 10, of which 10 look different"),
        ((3, 3, 11), r"11 relations can't be drawn from 10"),
        ((11, 3, 3), r"11 names can't be drawn from 10, of which \d+ look different: ask for"),
    ],
)
def test_too_small_a_pool_is_explained(numbers, problem):
    with pytest.raises(ValueError, match=problem):
        draw_words(random.Random(0), *numbers, limit=10)
