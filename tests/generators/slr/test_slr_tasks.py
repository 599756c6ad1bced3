"""Generated tasks: determinism, prompts, answers, columns, payload."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import slr_bench

from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.slr.prompts import STYLES

SAMPLE = [(level, seed) for level in (1, 4, 6, 9, 12, 20) for seed in (0, 1)]
PRINT_ROWS = """
import hashlib, json
from logic_curriculum.generators import generate
for level, seed in {sample}:
    for language, split in (("trains", "train"), ("houses", "test")):
        row = generate("slr", level, seed, language=language, split=split).to_row()
        print(hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest())
"""
ROOT = Path(__file__).parents[3]


def rows_in_a_new_process(hash_seed, sample):
    return subprocess.run(
        [sys.executable, "-c", PRINT_ROWS.format(sample=sample)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    ).stdout


def test_tasks_are_equal_in_all_processes_hash_seeds_and_orders():
    sample = SAMPLE[::2]
    one = rows_in_a_new_process("0", sample).split()
    other = rows_in_a_new_process("4242", sample[::-1]).split()
    pairs = [other[at : at + 2] for at in range(0, len(other), 2)]
    assert one == [row for pair in pairs[::-1] for row in pair]
    assert len(set(one)) == len(one) == 2 * len(sample)


@cache
def task_of(level, seed, style="prolog"):
    return generate("slr", level, seed, style=style)


def test_the_same_arguments_give_the_same_task():
    for level, seed in SAMPLE:
        assert generate("slr", level, seed) == task_of(level, seed)


def test_neighbouring_seeds_give_different_tasks():
    found = [family("slr").fingerprint(generate("slr", 8, seed)) for seed in range(40)]
    assert len(set(found)) == 40


def test_the_style_changes_the_prompt_but_not_the_task():
    for level, seed in SAMPLE:
        made = [task_of(level, seed, style) for style in STYLES]
        assert len({task.prompt for task in made}) == 3
        assert len({json.dumps(task.verification, sort_keys=True) for task in made}) == 1
        assert len({task.metadata["rule"] for task in made}) == 1


@pytest.mark.parametrize("style", ["prolog", "natural"])
def test_prompts_end_in_the_answer_format(style):
    for level, seed in SAMPLE:
        prompt = task_of(level, seed, style).prompt
        assert prompt.endswith("[RULE]\neastbound(T) :- ...\n[/RULE]")


@pytest.mark.parametrize("style", ["prolog", "natural"])
def test_solutions_are_the_rule_in_the_answer_format(style):
    task = generate("slr", 5, 1, style=style)
    assert task.solution == f"[RULE]\n{task.metadata['rule']}\n[/RULE]"


def test_the_compact_solution_is_the_bare_rule():
    task = generate("slr", 5, 1, style="compact")
    assert task.solution == task.metadata["rule"]
    assert re.fullmatch(r"eastbound\(T\) :- has_car\(T, C\), .+\.", task.solution)


def test_the_prolog_prompt_shows_the_validation_program():
    for level, seed in SAMPLE:
        task = task_of(level, seed)
        assert task.verification["validation_program"] in task.prompt


def test_the_compact_prompt_has_one_line_per_example_and_one_group_per_part():
    task = generate("slr", 8, 3, style="compact")
    _, *lines, shown, end = task.prompt.split("\n")
    assert (shown, end) == ("Answer:", "")
    assert len(lines) == 8
    program = iter(task.verification["validation_program"].split("\n"))
    for line in lines:
        label, *cars = line.split(" | ")
        assert next(program).startswith(f"{label}(")
        for car in cars:
            next(program)  # has_car
            values = [re.search(r", (\w+)\)", next(program))[1] for _ in car.split(" ")]
            assert car == " ".join(values)
    assert next(program, None) is None


def test_the_natural_prompt_says_every_fact_in_words():
    prompt = generate("slr", 20, 2, style="natural").prompt
    examples = prompt.split("Examples:\n")[1].split("\n\n")[0]
    assert "(" not in examples
    assert re.search(r"^The train train0 is (east|west)bound\. It has the cars car0_1, ", examples)
    sentence = re.search(r"^The car car0_1 (.*)\.$", examples, re.MULTILINE)[1]
    assert sentence.startswith("is number 1 in its train, is ")
    assert len(re.split(", | and ", sentence)) == 11


def test_the_natural_prompt_tells_every_constant_that_a_rule_may_need():
    for level, seed in SAMPLE:
        task = task_of(level, seed, "natural")
        vocabulary = task.prompt.split("Predicates:\n")[1].split("\n\n")[0]
        words = set(re.findall(r"\w+", vocabulary))
        for _, value in re.findall(r"(\w+)\(\w+, ([a-z]\w*|\d+)\)", task.metadata["rule"]):
            assert value in words


@pytest.mark.parametrize("style", STYLES)
def test_prompts_do_not_show_the_rule(style):
    for level, seed in SAMPLE:
        task = task_of(level, seed, style)
        assert task.metadata["rule"] not in task.prompt
        assert task.metadata["rule"].split(":- ")[1] not in task.prompt


def test_the_judge_s_payload_has_outcomes_where_all_examples_are_enumerated_alone():
    for level, seed in SAMPLE:
        payload = task_of(level, seed).verification
        assert {"validation_program", "heldout_program", "positive", "negative"} <= set(payload)
        assert ("accepted" in payload) == (level == 1)
        assert not {"isomorphic_program", "heldout_threshold"} & set(payload)


def test_a_task_survives_its_row():
    for level, seed in SAMPLE:
        task = task_of(level, seed)
        row = task.to_row()
        same = {"family": "slr", "level": level, "seed": seed}
        assert row.items() >= {**same, "prompt": task.prompt, "completion": task.solution}.items()
        assert json.loads(row["verification"]) == task.verification
        assert json.loads(row["metadata"]) == task.metadata
        said = {
            "prompt": [{"role": "user", "content": task.prompt}],
            "completion": [{"role": "assistant", "content": task.solution}],
        }
        assert task.to_row(conversational=True) == {**row, **said}


def test_published_columns_have_the_published_names():
    columns = family("slr").published_columns(generate("slr", 9, 4))
    assert list(columns) == slr_bench.COLUMNS
    described = {name: columns[name] for name in list(columns)[5:13]}
    described.pop("rule sampling")
    assert described == {
        "curriculum level": 9,
        "curriculum tier": "easy",
        "rule complexity": "2-3",
        "background sampling": "uniform",
        "problem size": 10,
        "vocabulary predicates": 6,
        "vocabulary car constants": "2-3",
    }


def test_both_programs_of_the_published_columns_have_the_names_of_the_prompt():
    task = generate("slr", 3, 1)
    columns = family("slr").published_columns(task)
    assert columns["validation program"] == columns["validation_program_shortcuts"]
    assert columns["validation program"] in task.prompt


def test_symbols_list_the_vocabulary_of_the_level():
    assert generate("slr", 1, 0).metadata["symbols"].split("\n") == [
        "eastbound(train)",
        "westbound(train)",
        "has_car(train, car)",
        "car_num(car, num): 1",
        "car_color(car, color): red | blue | green | yellow | white",
        "car_len(car, len): short | long",
        "has_wall(car, wall): full | railing",
    ]


@pytest.mark.parametrize("level", range(1, 21))
def test_houses_makes_tasks_at_every_level(level):
    for style in STYLES if level % 5 == 0 else ["natural"]:
        task = generate("slr", level, 0, language="houses", style=style)
        assert task.verification["positive"] == "sold"
        assert task.metadata["rule"].startswith("sold(H) :- ")
        assert not re.search(
            r"train|\bcars?\b|car[_0-9]", task.prompt + json.dumps(task.verification)
        )


def test_a_language_file_of_one_s_own_is_used(tmp_path):
    text = (ROOT / "generators/slr/languages/houses.yaml").read_text(encoding="utf-8")
    file = tmp_path / "flats.yaml"
    file.write_text(text.replace("house", "flat").replace("sold", "let"), encoding="utf-8")
    for level in (1, 12):
        task = generate("slr", level, 0, language=file)
        assert task.verification["positive"] == "let"
        assert task.metadata["rule"].startswith("let(F) :- contains_room(F, R)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "dev"}, "split='dev' does not exist: choose one of train, validation, test"),
        ({"style": "terse"}, "style='terse' does not exist: choose one of prolog, natural"),
        ({"language": "planes"}, "choose one of houses, trains"),
    ],
)
def test_an_option_with_an_unknown_value_is_answered_with_the_choices(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        generate("slr", 1, 0, **options)
