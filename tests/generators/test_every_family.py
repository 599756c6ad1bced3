"""What tasks of all families promise: determinism, splits, styles, rows, refused arguments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from itertools import product

import pytest

import logic_curriculum.generators
from logic_curriculum.generators import Task, families, generate, registry
from logic_curriculum.generators.task import SPLITS
from logic_curriculum.rewards import judge_batch

FAMILIES = families()
LANGUAGES = {
    "slr": ("trains", "houses"),
    "symbolization": ("english", "carroll", "mixed"),
    "validity": ("english", "carroll", "mixed"),
    "loginum": ("english", "formal", "clauses"),
    "sat": ("english", "symbolic"),
}
STYLES = {
    "slr": ("prolog", "natural", "compact"),
    "symbolization": ("full", "compact", "spaced", "paper"),
    "countermodel": ("full", "compact", "spaced", "paper"),
    "validity": ("full", "compact", "spaced", "paper"),
    "loginum": ("full", "compact"),
    "sat": ("full", "compact", "certificate", "certificate_compact", "paper"),
}
PRINT_ROWS = """
import hashlib, json
from logic_curriculum.generators import generate
for family, level in {asked}:
    row = generate(family, level, 1, split="test").to_row()
    print(hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest())
"""


@cache
def task(family: str, level: int, seed: int, split: str = "train", **options: str) -> Task:
    return generate(family, level, seed, split=split, **options)


def test_tasks_are_equal_in_all_processes_hash_seeds_and_orders():
    asked = [(name, level) for name in FAMILIES for level in (1, 6)]
    asked += [("slr", 13)]
    made = [
        subprocess.run(
            [sys.executable, "-c", PRINT_ROWS.format(asked=order)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for hash_seed, order in (("0", asked), ("4242", asked[::-1]))
    ]
    assert made[0] == made[1][::-1]
    assert len(set(made[0])) == len(asked)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_arguments_make_the_same_task_and_others_another(family):
    assert generate(family, 5, 7) == task(family, 5, 7)
    assert generate(family, 5, 7, split="test").prompt != task(family, 5, 7).prompt
    prints = [registry.family(family).fingerprint(task(family, 5, seed)) for seed in range(30)]
    assert len(set(prints)) == 30


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_is_printed_in_a_line(family):
    task = generate(family, 3, 7)
    assert len(str(task)) < 300
    assert str(task).startswith(f"Task(family={family!r}, level=3, seed=7, prompt=")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_survives_its_row(family):
    one = task(family, 5, 7)
    row = one.to_row()
    same = {"family": family, "level": 5, "seed": 7}
    assert row.items() >= {**same, "prompt": one.prompt, "completion": one.solution}.items()
    assert json.loads(row["verification"]) == one.verification
    assert json.loads(row["metadata"]) == json.loads(json.dumps(one.metadata))
    said = {
        "prompt": [{"role": "user", "content": one.prompt}],
        "completion": [{"role": "assistant", "content": one.solution}],
    }
    assert one.to_row(conversational=True) == {**row, **said}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("level", [1, 5])
def test_splits_share_nothing_that_one_could_learn_by_heart(family, level):
    key = registry.family(family).leak_key
    keys = {split: {key(task(family, level, seed, split)) for seed in range(8)} for split in SPLITS}
    assert keys["test"].isdisjoint(keys["train"] | keys["validation"])


@pytest.mark.parametrize(("family", "style"), [(f, s) for f in FAMILIES for s in STYLES[f]])
def test_a_style_or_language_changes_the_prompt_alone_and_its_solution_is_right(family, style):
    for level, language in product((1, 7), LANGUAGES.get(family, ("",))):
        options = {"language": language} if language else {}
        plain, other = (
            task(family, level, 2, **options),
            task(family, level, 2, style=style, **options),
        )
        about = registry.family(family)
        if not style.startswith("certificate"):
            assert other.verification == plain.verification
            assert about.fingerprint(other) == about.fingerprint(plain)
        assert about.leak_key(other) == about.leak_key(plain)
        solved, echo = judge_batch(family, [other.solution, other.prompt], [other.verification] * 2)
        assert (solved.reward, echo.reward) == (1.0, 0.0), (level, language)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_option_that_does_not_exist_is_answered_with_the_choices(family):
    styles = ", ".join(STYLES[family])
    wrong = [("split", "dev", "choose one of train, validation, test")]
    wrong.append(("style", "haiku", f"style='haiku' does not exist: choose one of {styles}"))
    if family in LANGUAGES:
        wrong.append(("language", "klingon", "choose one of|english, formal"))
    if flag := {"validity": "minimal", "sat": "matched", "slr": "verify"}.get(family):
        wrong.append((flag, "false", f"{flag}='false' is neither True nor False: give one"))
    for name, value, message in wrong:
        with pytest.raises(ValueError, match=message):
            generate(family, 1, 0, **{name: value})


def test_an_unknown_family_is_answered_with_the_choices():
    with pytest.raises(ValueError, match=r"There is no task family 'slt': choose one of .*slr"):
        generate("slt", 1, 0)


@pytest.mark.parametrize("level", [0, 21])
def test_a_level_out_of_range_is_answered_with_the_range(level):
    with pytest.raises(ValueError, match=rf"slr has no level {level}: its levels are 1 to 20"):
        generate("slr", level, 0)


@pytest.mark.parametrize(
    ("level", "seed", "message"),
    [
        (3.0, 1, "level is 3.0 of type float"),
        (True, 1, "level is True of type bool"),
        ("3", 1, "level is '3' of type str"),
        (3, 1.0, "seed is 1.0 of type float"),
        (3, None, "seed is None of type NoneType"),
    ],
)
def test_a_level_or_seed_that_is_no_int_is_refused(level, seed, message):
    with pytest.raises(ValueError, match=rf"{message}.*Pass an int"):
        generate("slr", level, seed)


def test_importing_generators_brings_neither_prolog_nor_heavy_libraries():
    code = (
        "import sys, logic_curriculum.generators as generators; generators.families(); "
        "heavy = {'datasets', 'pyswip', 'torch', 'transformers', 'trl'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_build_dataset_is_offered_lazily():
    assert logic_curriculum.generators.build_dataset is logic_curriculum.generators.build_dataset
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = logic_curriculum.generators.no_such_name
