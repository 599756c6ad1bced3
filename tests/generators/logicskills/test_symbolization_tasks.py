"""Symbolization tasks: levels, splits, prompts, and what a dataset needs."""

import json
import pickle
import re

import pytest

from logic_curriculum.generators import build_dataset, generate, registry
from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.logicskills import split_of
from logic_curriculum.generators.logicskills.constructions import PUBLISHED_NESTED
from logic_curriculum.generators.logicskills.lexicon import load_lexicon
from logic_curriculum.generators.logicskills.sentences import contradicts_itself
from logic_curriculum.generators.logicskills.symbolization import LEVELS, shuffled
from logic_curriculum.generators.task import SPLITS
from logic_curriculum.rewards.engines.fol import entails, satisfiable
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import signature, to_ast

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


def test_another_key_is_another_shuffle_that_leaves_little_in_place():
    shuffles = [[shuffled(index, 1000, key) for index in range(1000)] for key in (1, 2)]
    kept = [sum(place == index for index, place in enumerate(shuffle)) for shuffle in shuffles]
    equal = sum(a == b for a, b in zip(*shuffles, strict=True))
    assert max(*kept, equal) < 10  # one is expected


@pytest.mark.parametrize("level", NUMBERS)
def test_every_number_of_a_set_is_a_sentence_of_its_own(level):
    for group in LEVELS[level - 1].sets[:3]:
        step = max(1, group.size // 100)
        numbers = range(0, group.size, step)
        assert len({group.sentence(number) for number in numbers}) == len(numbers)


def test_a_set_holds_exactly_its_size():
    group = LEVELS[2].sets[0]  # two of 114 clauses, in order
    sentences = {group.sentence(number) for number in range(group.size)}
    assert len(sentences) == group.size == 114 * 113


def test_levels_can_be_pickled():
    for level, copy in zip(LEVELS[3:6], pickle.loads(pickle.dumps(LEVELS[3:6])), strict=True):
        assert copy.sentence(3, "train") == level.sentence(3, "train")


def test_no_two_clauses_of_a_compound_are_equal():
    for level in (3, 6, 10):
        for group in LEVELS[level - 1].sets:
            sentence = group.sentence(group.size - 1)
            texts = re.split(" and | or |, then | only if ", str(sentence.formula))
            assert len(set(texts)) == len(texts)


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
    assert columns[0]["counterpart_id"] == columns[1]["id"]
    assert columns[1]["counterpart_id"] == columns[0]["id"]


def test_mixed_is_about_half_of_each_language():
    tasks = [make(6, seed, language="mixed") for seed in range(400)]
    share = sum(task.metadata["language"] == "carroll" for task in tasks) / len(tasks)
    assert 0.4 < share < 0.6  # 4 standard deviations
    for task in tasks[:20]:
        assert task.prompt == make(6, task.seed, language=task.metadata["language"]).prompt


def test_no_formula_is_in_two_splits():
    for level in NUMBERS:
        for split in SPLITS:
            tasks = [make(level, seed, split=split) for seed in seeds_of(level, 60)]
            assert {split_of(FAMILY.leak_key(task)) for task in tasks} == {split}


@pytest.mark.parametrize("level", [3, 5, 6, 7])
def test_no_clause_of_a_task_denies_another(level):
    seeds = range(0, 2000, 60) if level == 3 else range(2000)
    sentences = [LEVELS[level - 1].sentence(seed, "train") for seed in seeds]
    assert not any(map(contradicts_itself, sentences))


def test_logic_alone_decides_no_sentence():
    tautology = parse("∀x(Fx→Fx)")
    for seed in range(60):  # level 10 is where chance would make most of them
        formula = LEVELS[9].sentence(seed, "test").formula
        assert satisfiable([formula])
        assert entails([tautology], formula) is False


def test_half_of_level_6_are_the_paper_s_nested_conditional():
    level = LEVELS[5]
    (nested,) = (group for group in level.sets if group.shape == PUBLISHED_NESTED)
    assert sum(group.weight for group in level.sets) == 2 * nested.weight


def test_the_ladder_rises():
    sizes = {level.number: level.size for level in LEVELS}
    assert (sizes[1], sizes[2], sizes[4]) == (114, 531, 1107)
    assert min(sizes[number] for number in (3, 5, 6, 7, 8, 9, 10)) > 100_000
    length = [
        sum(len(formula_of(make(level, seed))) for seed in range(100))
        for level in NUMBERS
        if level != 3
    ]
    assert length[0] < length[1] < length[2] < length[4] < length[6] < length[7] < length[8]


def test_keys_are_in_alphabetic_order_whatever_the_formula():
    for seed in range(50):
        key = list(make(8, seed).verification["abbreviations"])
        assert key == sorted(key)


def test_the_full_prompt_says_what_is_accepted_and_shows_an_example_of_other_words():
    task = make(5, 2)
    example = task.prompt.partition("Example\n")[2].partition("\n\nSentence:")[0]
    for word in [*load_lexicon("english").key_entries.values()]:
        assert word.replace("[1] ", "") not in example
    for symbol in "¬∧∨→↔∀∃":
        assert symbol in task.prompt
    assert parse(re.search("<answer>(.*)</answer>", example)[1])
    assert task.prompt.endswith("\n<answer>...</answer>")


def test_the_compact_prompt_is_sentence_and_key_and_asks_for_the_bare_formula():
    task = make(1, 0, style="compact")
    entries = ", ".join(f"{s} {text}" for s, text in task.verification["abbreviations"].items())
    assert task.prompt == f"{task.metadata['sentence']}\n{entries}\nAnswer:\n"
    assert task.solution == formula_of(make(1, 0))


def test_the_paper_s_prompt_asks_for_the_bare_formula():
    task = make(1, 0, style="paper")
    assert task.prompt.startswith("Your task is to translate the provided sentence into formal")
    assert task.solution == formula_of(make(1, 0))
    for about in (FAMILY.fingerprint, FAMILY.leak_key):
        assert about(task) == about(make(1, 0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "dev"}, "choose one of train, validation, test"),
        ({"style": "haiku"}, "choose one of full, compact, spaced, paper"),
        ({"language": "klingon"}, "choose one of english, carroll"),
    ],
)
def test_an_option_that_does_not_exist_is_told_the_choices(options, message):
    with pytest.raises(ValueError, match=message):
        make(1, 0, **options)


def test_the_published_sizes_are_the_paper_s_in_all():
    sizes = [FAMILY.published_sizes(level) for level in NUMBERS]
    assert sum(size["train"] for size in sizes) == 100_000  # §5.3
    assert sum(size["test"] for size in sizes) == 600  # §4


def test_the_small_levels_hold_their_published_sizes():
    for level in (1, 2, 4):
        sides = [split_of(str(s.formula)) for s in LEVELS[level - 1].sets[0].pools[0]]
        for split, count in FAMILY.published_sizes(level).items():
            assert sides.count(split) >= count


def test_a_dataset_is_built_with_both_languages_and_the_counterpart(tmp_path):
    folder = build_dataset(
        "symbolization",
        [1, 6],
        out=tmp_path / "set",
        sizes={"train": 12, "test": 6},
        num_proc=1,
        language="mixed",
    )
    import datasets

    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: len(rows) for name, rows in loaded.items()} == {"train": 24, "test": 12}
    for row in loaded["train"]:
        other = {"english": "carroll", "carroll": "english"}[row["language"]]
        task = make(row["level"], row["seed"], language=other)
        assert task.metadata["sentence"] == row["counterpart_sentence"]
        assert json.loads(row["metadata"])["counterpart"] == row["counterpart_sentence"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "no formula of `test` occurs in another split" in card
    assert "`counterpart_sentence` | string | the same sentence in the other lexicon" in card


def test_the_command_line_shows_and_describes(capsys):
    assert main(["symbolization", "--show", "--level", "7", "--language", "carroll"]) == 0
    assert make(7, 0, language="carroll").prompt in capsys.readouterr().out
    assert main(["symbolization", "--describe"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == FAMILY.describe()
