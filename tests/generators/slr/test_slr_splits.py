"""Splits: test rules are never trained on, no question is shared, empty splits are an error."""

import random
import re
from collections import Counter
from functools import cache
from itertools import permutations, product

import pytest
from slr_small_tasks import drawn_tasks, enumerated_tasks, small

from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.slr.enumeration import holds, shortest_conjunctions
from logic_curriculum.generators.slr.examples import is_test_rule, split_of
from logic_curriculum.generators.slr.family import SlrOptions
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.rules import (
    Rule,
    RuleUnavailableError,
    canonical_rule,
    draw_schema_rule,
    draw_uniform_rule,
)
from logic_curriculum.generators.slr.synthesis import SynthesisError, synthesize
from logic_curriculum.generators.task import SPLITS


@cache
def tasks(level, split, language="trains", count=12):
    return [
        generate("slr", level, seed, split=split, language=language, style="compact")
        for seed in range(count)
    ]


@cache
def enumerated_questions(name):
    """The questions of levels 1 to 3: level, split, hash; one for each task."""
    return [
        (task.level, split, small(name).question(task)) for split, task in enumerated_tasks(name)
    ]


def check_that_rules_are_apart(language, count):
    tested = [
        family("slr").leak_key(task)
        for level in range(1, 21)
        for task in tasks(level, "test", language, count)
    ]
    others = [
        family("slr").leak_key(task)
        for level in range(1, 21)
        for split in ("train", "validation")
        for task in tasks(level, split, language, count if split == "train" else 1)
    ]
    assert set(tested).isdisjoint(others)
    assert all(map(is_test_rule, tested))
    assert not any(map(is_test_rule, others))


@pytest.mark.parametrize("language", ["trains", pytest.param("houses", marks=pytest.mark.slow)])
def test_no_test_rule_occurs_in_train_or_validation_at_any_level(language):
    check_that_rules_are_apart(language, 1)


@pytest.mark.slow
def test_no_test_rule_occurs_among_thousands_of_tasks():
    check_that_rules_are_apart("trains", 60)


@pytest.mark.parametrize("language", ["trains", pytest.param("houses", marks=pytest.mark.slow)])
def test_thousands_of_rules_keep_their_side_under_other_names(language):
    loaded = load_language(language)
    sides = Counter()
    for level in range(1, 21):
        for source in (draw_uniform_rule, draw_schema_rule)[: 2 if level >= 6 else 1]:
            rng = random.Random(level)
            for _ in range(40):
                rule = source(loaded, level_of(level), rng)
                renamed = rule.text.replace("(", "( ").replace("C", "Renamed").replace("D", "C")
                side = is_test_rule(rule.canonical)
                assert is_test_rule(canonical_rule(renamed)) == side
                sides[side] += 1
    # A quarter of the rules is held out; rules repeat at the small levels, hence the margin.
    assert 0.18 < sides[True] / sides.total() < 0.32


@pytest.mark.parametrize("name", ["trains", "houses"])
def test_no_question_of_levels_one_to_three_stands_in_two_splits(name):
    assert len(drawn_tasks(name)) == 120 + 540 + 2640
    asked = enumerated_questions(name)
    questions = {split: {item for _, at, item in asked if at == split} for split in SPLITS}
    assert questions["train"].isdisjoint(questions["validation"])
    assert questions["test"].isdisjoint(questions["train"] | questions["validation"])
    counts = Counter((level, split) for level, split, _ in asked)
    for level, split in product((1, 2, 3), SPLITS):
        assert counts[level, split] == family("slr").available_tasks(level, SlrOptions(split, name))


@pytest.mark.parametrize("name", ["trains", "houses"])
def test_a_question_and_the_same_with_its_labels_exchanged_are_of_one_split(name):
    """Else one labelling alone could be trained on, and the trains would tell the labels."""
    told = {
        split: {(task.yes, task.no) for at, task in enumerated_tasks(name) if at == split}
        for split in SPLITS
    }
    for split, other in permutations(SPLITS, 2):
        exchanged = {(no, yes) for yes, no in told[split]}
        assert exchanged.isdisjoint(told[other])


def question(task):
    """The labelled examples of a task's program as text, without names and order."""
    program = re.sub(r"(?:train|car)\d+", "it", task.verification["validation_program"])
    return frozenset(re.split(r"\n(?=\w+bound)", program))


def test_generated_tasks_of_the_lowest_levels_share_no_question():
    listed = enumerated_questions("trains")
    asked = {}
    for level, split in product((1, 2, 3), SPLITS):
        made = tasks(level, split, count=25)
        told = {task.metadata["question"] for task in made}
        assert told <= {item for at, of, item in listed if (at, of) == (level, split)}
        for task in made:
            assert asked.setdefault(question(task), split) == split
    assert len(asked) > 60


@pytest.mark.slow
def test_generated_tasks_of_the_higher_levels_ask_questions_of_their_split():
    asked = {}
    for level, split in product(range(4, 21), SPLITS):
        for task in tasks(level, split, count=12 if level < 13 else 4):
            hashed = task.metadata["question"]
            assert re.fullmatch("[0-9a-f]{32}", hashed)
            assert split_of(hashed) == split
            assert asked.setdefault(question(task), split) == split
    assert len(asked) > 350


@pytest.mark.parametrize("level", [4, 8, 12])
def test_shortest_rules_that_fit_pass_on_the_fresh_examples(level):
    """Levels 4 to 12 draw examples again until this holds; before, a fourth failed at level 4."""
    language = load_language("trains")
    for seed in range(10):
        sources = {"uniform": draw_uniform_rule, "guided": draw_schema_rule}
        made = synthesize(language, level_of(level), seed, "train", sources)
        shown, fresh = (
            [[item.parts for item in items if item.positive == label] for label in (True, False)]
            for items in (made.examples, made.held_out)
        )
        for rule in shortest_conjunctions(*shown):
            assert sum(holds(rule, item) for item in fresh[0]) >= 24
            assert sum(not holds(rule, item) for item in fresh[1]) >= 24


# ------------------------------------------------------------------ raising instead of looping

SMALL = """
name: small
objects: [box, item]
labels: {{positive: good(box), negative: bad(box)}}
domains: {{place: position, one: [a, b], two: [a, b], three: [a, b]}}
predicates:
  - {{signature: 'holds(box, item)', phrase: 'holds {{value}}'}}
  - {{signature: 'place(item, place)', phrase: 'is at {{value}}'}}
  - {{signature: '{0}_one(item, one)', phrase: 'is {{value}}'}}
  - {{signature: '{0}_two(item, two)', phrase: 'is {{value}}'}}
  - {{signature: '{0}_three(item, three)', phrase: 'is {{value}}'}}
"""


def test_a_language_whose_test_split_is_empty_is_an_error(tmp_path):
    """Six rules exist at level 1; under some names none of them is a test rule."""
    file = tmp_path / "small.yaml"
    for prefix in "abcdefghijklmnopqrstuvwxyz":
        file.write_text(SMALL.format(prefix), encoding="utf-8")
        language = load_language(file)
        rules = [draw_uniform_rule(language, level_of(1), random.Random(s)) for s in range(200)]
        if not any(is_test_rule(rule.canonical) for rule in rules):
            break
    with pytest.raises(RuleUnavailableError, match=r"that the split may have .*; give"):
        generate("slr", 1, 0, split="test", language=file)


class OneRule:
    """A rule source that knows a single rule."""

    def __init__(self, text):
        self.rule = Rule(text, "fixed")

    def __call__(self, language, level, rng):
        return self.rule


@pytest.mark.parametrize(
    "text",
    [
        "eastbound(T) :- has_car(T, C).",
        "eastbound(T) :- has_car(T, C), car_num(C, 1), car_num(C, 2).",
        "eastbound(T) :- forall(has_car(T, C), car_color(C, red)).",
    ],
    ids=["always true", "never true", "far too rare"],
)
def test_a_rule_that_can_not_be_balanced_is_given_up(text, monkeypatch):
    monkeypatch.setattr("logic_curriculum.generators.slr.synthesis.ATTEMPTS", 20)
    split = "test" if is_test_rule(canonical_rule(text)) else "train"
    level = level_of(20)
    sources = {"uniform": OneRule(text), "guided": OneRule(text)}
    with pytest.raises(SynthesisError, match=r"level 20 .*do not split random examples") as error:
        synthesize(load_language("trains"), level, 0, split, sources)
    assert "choose another level" in str(error.value)


def test_a_position_of_every_example_can_not_be_mirrored(monkeypatch):
    monkeypatch.setattr("logic_curriculum.generators.slr.synthesis.ATTEMPTS", 100)
    text = "eastbound(T) :- has_car(T, C), car_num(C, 2)."
    split = "test" if is_test_rule(canonical_rule(text)) else "train"
    with pytest.raises(SynthesisError, match="level 4"):
        synthesize(load_language("trains"), level_of(4), 0, split, {"uniform": OneRule(text)})


def test_a_rule_that_short_rules_always_miss_is_given_up_after_some_redraws(monkeypatch):
    draws = Counter()

    def unfair(*_):
        draws["seen"] += 1
        return False

    monkeypatch.setattr("logic_curriculum.generators.slr.synthesis.is_fair", unfair)
    monkeypatch.setattr("logic_curriculum.generators.slr.synthesis.ATTEMPTS", 3)
    monkeypatch.setattr("logic_curriculum.generators.slr.synthesis.REDRAWS", 4)
    text = "eastbound(T) :- has_car(T, C), car_len(C, short)."
    split = "test" if is_test_rule(canonical_rule(text)) else "train"
    sources = {"uniform": OneRule(text)}
    with pytest.raises(SynthesisError, match="3 are too often missed by the shortest rules"):
        synthesize(load_language("trains"), level_of(4), 0, split, sources)
    assert draws["seen"] == 3 * 4
