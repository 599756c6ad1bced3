"""Symbolization tasks: sentences of their own, parts that agree, and what a dataset needs."""

import json

import pytest

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.logicskills import split_of
from logic_curriculum.generators.logicskills.symbolization import LEVELS, shuffled
from logic_curriculum.generators.task import SPLITS
from logic_curriculum.rewards.engines.fol import entails, satisfiable
from logic_curriculum.rewards.engines.fol.syntax import parse, signature, to_ast

NUMBERS = range(1, 11)
FAMILY = registry.family("symbolization")


def seeds_of(level, count):
    """Return the first seeds: fewer at level 3, where each begins a set that is read whole once."""
    return range(min(count, 5) if level == 3 else count)


def make(level, seed, **options):
    return generate("symbolization", level, seed, **options)


def formula_of(task):
    return task.verification["formula"]


@pytest.mark.parametrize(("size", "key"), [(1, 0), (2, 5), (7, 1), (64, 9), (100, 2), (5000, 3)])
def test_a_shuffle_sends_every_number_to_a_place_of_its_own(size, key):
    assert sorted(shuffled(index, size, key) for index in range(size)) == list(range(size))


@pytest.mark.parametrize("level", NUMBERS)
def test_every_number_of_a_set_is_a_sentence_of_its_own(level):
    for group in LEVELS[level - 1].sets[:3]:
        step = max(1, group.size // 100)
        numbers = range(0, group.size, step)
        assert len({group.sentence(number) for number in numbers}) == len(numbers)


@pytest.mark.parametrize("level", [5, 6, 7, 8, 9, 10])
def test_seeds_in_a_row_give_different_tasks(level):
    tasks = [make(level, seed) for seed in range(400)]
    assert len({FAMILY.fingerprint(task) for task in tasks}) == len(tasks)


@pytest.mark.parametrize("level", [1, 2, 4])
def test_a_small_level_gives_everything_before_it_repeats(level):
    (group,) = LEVELS[level - 1].sets
    splits = {split: [] for split in SPLITS}
    for sentence in group.pools[0]:
        splits[split_of(str(sentence.formula))].append(str(sentence.formula))
    for split, formulas in splits.items():
        drawn = [formula_of(make(level, seed, split=split)) for seed in range(len(formulas))]
        assert sorted(drawn) == sorted(formulas)


def test_no_sentence_is_in_two_levels():
    tasks = [make(level, seed) for level in NUMBERS for seed in seeds_of(level, 70)]
    assert len({task.metadata["sentence"] for task in tasks}) == len(tasks)


@pytest.mark.slow
def test_the_paper_s_training_set_has_no_sentence_twice():
    fingerprints = {
        FAMILY.fingerprint(make(level, seed, language="mixed"))
        for level in NUMBERS
        for seed in range(FAMILY.published_sizes(level)["train"])
    }
    assert len(fingerprints) == 100_000


@pytest.mark.slow
@pytest.mark.parametrize("level", [3, 5, 6, 7, 8, 9, 10])
def test_tens_of_thousands_of_seeds_give_different_tasks(level):
    seeds = range(80_000 if level == 3 else 100_000)
    fingerprints = {FAMILY.fingerprint(make(level, seed)) for seed in seeds}
    assert len(fingerprints) == len(seeds)


@pytest.mark.parametrize("level", NUMBERS)
def test_a_task_s_parts_agree(level):
    for seed in seeds_of(level, 20):
        for language in ("english", "carroll"):
            task = make(level, seed, language=language)
            columns = FAMILY.published_columns(task)
            formula = parse(formula_of(task))
            symbols = signature(formula)
            key = task.verification["abbreviations"]
            assert set(key) == {*symbols.arities, *symbols.constants}
            assert all(key[symbol].count("[") == n for symbol, n in symbols.arities.items())
            assert columns["formula"] == columns["label"] == formula_of(task)
            assert task.solution == f"<answer>{formula_of(task)}</answer>"
            assert json.loads(columns["ast"]) == to_ast(formula)
            assert json.loads(columns["key"]) == key
            assert task.prompt.count(columns["sentence"]) == 1
            assert f"{columns['type']}_{columns['subtype']}" == task.metadata["type"]


@pytest.mark.parametrize("level", NUMBERS)
def test_the_counterpart_is_the_same_seed_s_task_in_the_other_language(level):
    english, carroll = (make(level, 8, language=name) for name in ("english", "carroll"))
    assert english.solution == carroll.solution
    assert english.metadata["counterpart"] == carroll.metadata["sentence"]
    assert carroll.metadata["counterpart"] == english.metadata["sentence"]
    columns = [FAMILY.published_columns(task) for task in (english, carroll)]
    assert columns[0]["counterpart_sentence"] == columns[1]["sentence"]
    assert columns[0]["counterpart_id"] == columns[1]["id"]
    assert columns[1]["counterpart_id"] == columns[0]["id"]


def test_logic_alone_decides_no_sentence():
    tautology = parse("∀x(Fx→Fx)")
    for seed in range(60):  # level 10 is where chance would make most of them
        formula = LEVELS[9].sentence(seed, "test").formula
        assert satisfiable([formula])
        assert entails([tautology], formula) is False


def test_the_published_sizes_are_the_paper_s_in_all():
    sizes = [FAMILY.published_sizes(level) for level in NUMBERS]
    assert sum(size["train"] for size in sizes) == 100_000  # §5.3
    assert sum(size["test"] for size in sizes) == 600  # §4


def test_the_small_levels_hold_their_published_sizes():
    for level in (1, 2, 4):
        sides = [split_of(str(s.formula)) for s in LEVELS[level - 1].sets[0].pools[0]]
        for split, count in FAMILY.published_sizes(level).items():
            assert sides.count(split) >= count
