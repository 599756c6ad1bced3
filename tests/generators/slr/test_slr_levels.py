"""The twenty levels: our table against the paper's, and generated tasks against our table."""

import re
from functools import cache
from itertools import pairwise

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import LEVELS, level_of, range_text

SEEDS = range(2)

# Table 2 of the paper, column by column.
CONSTANTS = ["1"] * 3 + ["2"] * 4 + ["2-3"] * 3 + ["2-4"] * 2 + ["4-6"] * 3 + ["5-6"] * 5
PREDICATES = [5, 5, 5, 5, 5, 5, 6, 6, 6, 7, 7, 9, 9, 9, 9, 10, 10, 12, 12, 12]
KAPPA = [2, 2, 4, 4, 6, 6, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32]
LENGTHS = ["1"] + ["1-2"] * 7 + ["2-3"] * 3 + ["3-4"] * 2 + ["4-5"] * 5 + ["5"] * 2


@cache
def task(level, seed, language="trains"):
    return generate("slr", level, seed, language=language)


def examples(program):
    """The examples of a program: label, name, and the values of each part by predicate."""
    found = []
    parts = {}
    for line in program.split("\n"):
        name, first, second = re.fullmatch(r"(\w+)\((\w+)(?:, (\w+))?\)\.", line).groups()
        if second is None:
            parts = {}
            found.append((name, first, parts))
        elif first == found[-1][1]:
            parts[second] = {}
        else:
            parts[first][name] = second
    return found


def every_task():
    return [
        (level, task(level.number, seed, language))
        for language in ("trains", "houses")
        for level in LEVELS
        for seed in SEEDS
    ]


def test_the_levels_are_the_rows_of_table_2():
    assert [level.number for level in LEVELS] == list(range(1, 21))
    assert [range_text(level.parts) for level in LEVELS] == CONSTANTS
    assert [level.predicates for level in LEVELS] == PREDICATES
    assert [level.kappa for level in LEVELS] == KAPPA
    assert [range_text(level.rule_length) for level in LEVELS] == LENGTHS
    assert [level.background for level in LEVELS] == ["mirror"] * 5 + ["uniform"] * 15
    assert [level.guided_share for level in LEVELS] == [0.0] * 5 + [0.3] * 15
    tiers = [tier for tier in ("basic", "easy", "medium", "hard") for _ in range(5)]
    assert [level.tier for level in LEVELS] == tiers


@pytest.mark.parametrize("level", [0, 21, -1])
def test_a_level_outside_the_table_is_refused(level):
    with pytest.raises(ValueError, match="1 to 20"):
        level_of(level)


def test_tasks_have_kappa_examples_half_of_them_positive():
    for level, made in every_task():
        payload = made.verification
        labels = [label for label, _, _ in examples(payload["validation_program"])]
        assert len(labels) == level.kappa
        assert labels.count(payload["positive"]) == level.kappa // 2
        assert labels.count(payload["negative"]) == level.kappa // 2


def test_tasks_have_thirty_two_fresh_examples_of_each_class_from_level_four_up():
    for level, made in every_task():
        payload = made.verification
        if level.number < 4:
            continue
        found = examples(payload["heldout_program"])
        labels = [label for label, _, _ in found]
        assert labels.count(payload["positive"]) == labels.count(payload["negative"]) == 32
        shown = {name for _, name, _ in examples(payload["validation_program"])}
        assert shown.isdisjoint(name for _, name, _ in found)
        assert found[0][1] in ("train100", "house100")
        low, high = level.parts
        assert all(low <= len(parts) <= high for _, _, parts in found)


def values(example):
    """What an example is, without names."""
    return tuple(tuple(part.values()) for part in example[2].values())


def test_no_fresh_example_is_shown():
    for level, made in every_task():
        if level.number >= 4:
            payload = made.verification
            shown = map(values, examples(payload["validation_program"]))
            assert set(shown).isdisjoint(map(values, examples(payload["heldout_program"])))


def test_at_levels_one_to_three_every_possible_example_is_held_out_once():
    for level, made in every_task():
        if level.number < 4:
            found = [values(item) for item in examples(made.verification["heldout_program"])]
            assert len(found) == len(set(found)) == 20  # 5 colours, 2 lengths, 2 walls
            shown = [values(item) for item in examples(made.verification["validation_program"])]
            assert set(shown) <= set(found)


def test_no_two_examples_of_a_task_are_equal():
    for _, made in every_task():
        found = [
            [list(part.values()) for part in parts.values()]
            for _, _, parts in examples(made.verification["validation_program"])
        ]
        assert all(found.count(item) == 1 for item in found)


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_no_example_breaks_a_grammar_constraint(language):
    constraints = load_language(language).constraints
    for level in (12, 16, 18, 20):
        for seed in SEEDS:
            made = task(level, seed, language)
            known = level_of(level).predicates
            names = [item.predicate for item in load_language(language).vocabulary(known)]
            for _, _, parts in examples(made.verification["heldout_program"]):
                for part in parts.values():
                    values = {k: int(v) if v.isdigit() else v for k, v in part.items()}
                    for rule in constraints:
                        if all(name in names for name in rule.predicates):
                            assert rule.allows(values)


def test_three_rules_in_ten_are_guided_from_level_six_up():
    # 120 tasks, 30 % expected: a standard deviation is 4.2 percentage points.
    guided = [task(6, seed).metadata["rule_sampling"] == "schema" for seed in range(120)]
    assert 0.17 < sum(guided) / 120 < 0.43
    assert all(task(5, seed).metadata["rule_sampling"] == "uniform" for seed in range(20))


def test_neither_place_nor_name_of_an_example_tells_its_class():
    # 120 tasks with 3 of 6 positive: each place is positive in half of them, s.d. 5.5 tasks.
    positive = [0] * 6
    alternating = 0
    for seed in range(120):
        payload = task(6, seed).verification
        labels = [
            label == payload["positive"] for label, _, _ in examples(payload["validation_program"])
        ]
        positive = [count + label for count, label in zip(positive, labels, strict=True)]
        alternating += all(a != b for a, b in pairwise(labels))
    assert all(40 < count < 80 for count in positive)
    # 2 of the 20 orders alternate: 12 of 120 are expected, s.d. 3.3.
    assert 1 < alternating < 25
