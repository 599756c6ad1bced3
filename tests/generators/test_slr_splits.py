"""Splits: test rules are never trained on, validation tasks are new, empty splits are an error."""

import random
from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest

from generators import generate
from generators.slr import fingerprint, leak_key, published_sizes
from generators.slr.canonical import canonical_rule
from generators.slr.grammar import grammar_of
from generators.slr.language import load_language
from generators.slr.levels import level_of
from generators.slr.programs import LabelledExample
from generators.slr.rules import Rule, UniformRules, write_rule
from generators.slr.schemata import SchemaRules
from generators.slr.splits import content_fingerprint, is_test_rule, split_of
from generators.slr.synthesis import SynthesisError, synthesize
from generators.splits import SPLITS


@cache
def tasks(level, split, language="trains", count=12):
    return [
        generate("slr", level, seed, split=split, language=language, style="compact")
        for seed in range(count)
    ]


def check_that_rules_are_apart(language, count):
    tested = [
        leak_key(task) for level in range(1, 21) for task in tasks(level, "test", language, count)
    ]
    others = [
        leak_key(task)
        for level in range(1, 21)
        for split in ("train", "validation")
        for task in tasks(level, split, language, count if split == "train" else 1)
    ]
    assert set(tested).isdisjoint(others)
    assert all(map(is_test_rule, tested))
    assert not any(map(is_test_rule, others))


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_no_test_rule_occurs_in_train_or_validation_at_any_level(language):
    check_that_rules_are_apart(language, 3)


@pytest.mark.slow
def test_no_test_rule_occurs_among_thousands_of_tasks():
    check_that_rules_are_apart("trains", 60)


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_thousands_of_rules_keep_their_side_under_other_names(language):
    loaded = load_language(language)
    sides = Counter()
    for level in range(1, 21):
        for source in (UniformRules(), SchemaRules())[: 2 if level >= 6 else 1]:
            rng = random.Random(level)
            for _ in range(60):
                rule = source.draw(loaded, level_of(level), rng)
                renamed = rule.text.replace("(", "( ").replace("C", "Renamed").replace("D", "C")
                side = is_test_rule(rule.canonical)
                assert is_test_rule(canonical_rule(renamed)) == side
                sides[side] += 1
    # A quarter of the rules is held out; rules repeat at the small levels, hence the margin.
    assert 0.18 < sides[True] / sides.total() < 0.32


def one_part_tasks(language):
    """Every task of levels 1 and 2: length of the rule, canonical rule, fingerprint."""
    grammar = grammar_of(language, 5)
    values = [item.values or (1,) for item in grammar.attributes]
    for count in (1, 2):
        for chosen in combinations(range(1, 4), count):
            free = [at for at in range(4) if at not in chosen]
            for positive in product(*values):
                literals = {at: positive[at] for at in chosen}
                rule = Rule(write_rule(language, grammar, [literals]), "uniform")
                for negative in product(*values):
                    if positive != negative and all(positive[at] == negative[at] for at in free):
                        pair = [LabelledExample((positive,), True)]
                        pair.append(LabelledExample((negative,), False))
                        yield count, rule.canonical, content_fingerprint(rule, grammar, pair)


@pytest.mark.parametrize("name", ["trains", "houses"])
def test_levels_one_and_two_hold_enough_tasks_for_the_published_sizes(name):
    counts = Counter()
    for length, canonical, hashed in one_part_tasks(load_language(name)):
        split = split_of(canonical, hashed)
        counts[2, split] += 1
        counts[1, split] += length == 1
    # 5 colours * 4 cars * 4 other colours + 2 * (2 values * 10 cars) tasks at level 1; at level 2
    # 2 * (10 value pairs * 2 cars * 9 other pairs) + 4 * 5 * 3 more.
    assert sum(counts[1, split] for split in SPLITS) == 120
    assert sum(counts[2, split] for split in SPLITS) == 540
    for level in (1, 2):
        for split in SPLITS:
            assert counts[level, split] >= 1.1 * published_sizes(level)[split]


def test_train_validation_and_test_share_no_task_at_the_smallest_level():
    found = {split: {fingerprint(task) for task in tasks(1, split, count=150)} for split in SPLITS}
    assert found["train"].isdisjoint(found["validation"])
    assert found["test"].isdisjoint(found["train"] | found["validation"])
    assert min(map(len, found.values())) > 10


def test_each_task_belongs_to_exactly_the_split_that_was_asked_for():
    for level in (1, 5, 9, 14, 20):
        for split in SPLITS:
            for task in tasks(level, split, count=3):
                assert split_of(leak_key(task), fingerprint(task)) == split


def test_published_sizes_are_the_paper_s():
    train = [published_sizes(level)["train"] for level in range(1, 21)]
    assert train == [26, 234, 793] + [1000] * 17
    assert sum(train) == 18_053
    assert {published_sizes(level)["validation"] for level in range(1, 21)} == {10}
    assert {published_sizes(level)["test"] for level in range(1, 21)} == {50}


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
        rules = [UniformRules().draw(language, level_of(1), random.Random(s)) for s in range(200)]
        if not any(is_test_rule(rule.canonical) for rule in rules):
            break
    with pytest.raises(SynthesisError, match=r"split 'test'.*1000 belong to another split; give"):
        generate("slr", 1, 0, split="test", language=file)


class OneRule:
    """A rule source that knows a single rule."""

    def __init__(self, text):
        self.rule = Rule(text, "fixed")

    def draw(self, language, level, rng):
        return self.rule


@pytest.mark.parametrize(
    "text",
    [
        "eastbound(T) :- has_car(T, C).",
        "eastbound(T) :- has_car(T, C), car_num(C, 77).",
        "eastbound(T) :- forall(has_car(T, C), car_color(C, red)).",
    ],
    ids=["always true", "never true", "far too rare"],
)
def test_a_rule_that_can_not_be_balanced_is_given_up(text):
    split = "test" if is_test_rule(canonical_rule(text)) else "train"
    level = level_of(20)
    sources = {"uniform": OneRule(text), "guided": OneRule(text)}
    with pytest.raises(SynthesisError, match=r"level 20 .*do not split random examples") as error:
        synthesize(load_language("trains"), level, 0, split, sources)
    assert "choose another level" in str(error.value)


def test_a_position_of_every_example_can_not_be_mirrored():
    text = "eastbound(T) :- has_car(T, C), car_num(C, 2)."
    split = "test" if is_test_rule(canonical_rule(text)) else "train"
    with pytest.raises(SynthesisError, match="level 4"):
        synthesize(load_language("trains"), level_of(4), 0, split, {"uniform": OneRule(text)})
