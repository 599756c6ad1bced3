"""Start and end of a curriculum, from the records of an evaluation."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from evaluation_records import made_up

from logic_curriculum.curriculum import CurriculumConfig
from logic_curriculum.curriculum.calibrate import main, measure, recommend, useful_share


def answers(level: int, *tasks: str) -> list:
    """Return the records of tasks; each text holds a 1 for each right answer."""
    return [
        made_up(number, mark == "1", level=level, sample=sample)
        for number, marks in enumerate(tasks)
        for sample, mark in enumerate(marks)
    ]


@pytest.mark.parametrize(("size", "solved", "group"), [(6, 2, 3), (8, 8, 4), (5, 0, 2), (4, 2, 4)])
def test_useful_groups_are_counted_over_all_groups_of_the_answers(size, solved, group):
    groups = list(combinations([True] * solved + [False] * (size - solved), group))
    expected = sum(len(set(each)) > 1 for each in groups) / len(groups)
    assert useful_share(size, solved, group) == pytest.approx(expected)


def test_a_task_counts_once_in_rate_and_bounds():
    (rate,) = measure(answers(3, "1111", "0000", "1100"), group=2)
    assert (rate.level, rate.tasks, rate.pass_rate) == (3, 3, 0.5)
    assert rate.low < 0.2 < 0.8 < rate.high
    assert rate.useful == pytest.approx((0 + 0 + 4 / 6) / 3)


def test_too_few_answers_for_a_group_are_refused():
    with pytest.raises(ValueError, match="evaluate with --samples 4"):
        measure(answers(1, "110"), group=4)


def test_training_starts_at_the_first_level_that_is_not_passed_and_ends_where_nothing_is_solved():
    passed, mixed, never = ["1111"] * 40, ["1100"] * 40, ["0000"] * 40
    records = [
        record
        for level, tasks in enumerate([passed, mixed, mixed, never, never, mixed], 1)
        for record in answers(level, *tasks)
    ]
    assert recommend(measure(records, 4), threshold=0.8) == (2, 4)  # one above the last useful one


def test_the_file_is_read_as_a_curriculum_and_small_levels_are_warned_of(tmp_path: Path, capsys):
    records = answers(1, *["1100"] * 9) + answers(2, *["1000"] * 9)
    (tmp_path / "records.jsonl").write_text("".join(f"{r.to_json()}\n" for r in records))
    out = tmp_path / "curriculum.yaml"
    words = [str(tmp_path), "--num_generations", "4", "--tasks", "1000", "--out", str(out)]
    assert main(words) == 0
    written = yaml.safe_load(out.read_text())
    assert written.pop("num_generations") == 4
    assert CurriculumConfig(**written).last_level == 2
    assert "# | 1 | 9 | 0.50 |" in out.read_text()
    printed = capsys.readouterr()
    assert "| 1 | 9 | 0.50 |" in printed.out
    assert "Level 1 of slr has 26 training tasks" in printed.err
    with pytest.raises(SystemExit):
        main(words)  # what is there already stays
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("marks", "warning"),
    [("0000", "No level of slr has a group with right and wrong"), ("1111", "evaluate higher")],
)
def test_a_model_with_nothing_to_learn_is_told_so(tmp_path: Path, capsys, marks, warning):
    records = answers(1, *[marks] * 20)
    (tmp_path / "records.jsonl").write_text("".join(f"{r.to_json()}\n" for r in records))
    assert main([str(tmp_path), "--num_generations", "4", "--out", str(tmp_path / "out.yaml")]) == 0
    assert warning in capsys.readouterr().err


def test_families_share_the_levels_that_all_of_them_have(tmp_path: Path):
    records = [record for level in range(1, 16) for record in answers(level, *["1100"] * 3)]
    records += [replace(record, family="sat") for record in answers(1, *["1100"] * 3)]
    (tmp_path / "records.jsonl").write_text("".join(f"{r.to_json()}\n" for r in records))
    out = tmp_path / "out.yaml"
    assert main([str(tmp_path), "--num_generations", "4", "--out", str(out)]) == 0
    assert yaml.safe_load(out.read_text())["last_level"] == 10


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        ("", (), "holds no answers"),
        ("{}\n", (), "records.jsonl"),
        ("", ("--pass_threshold", "80"), "lies in"),
        ("", ("--out", "missing/out.yaml"), "make it first"),
    ],
)
def test_bad_input_gets_one_line(tmp_path: Path, capsys, text, options, problem):
    (tmp_path / "records.jsonl").write_text(text)
    try:
        status = main([str(tmp_path), *options])
    except SystemExit as error:
        status = error.code
    assert status == 2
    assert problem in capsys.readouterr().err.splitlines()[-1]


def test_a_folder_without_records_is_named(tmp_path: Path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "holds no records.jsonl" in capsys.readouterr().err


def test_a_group_of_one_is_refused(tmp_path: Path, capsys):
    (tmp_path / "records.jsonl").write_text("")
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--num_generations", "1"])
    assert "a group has two completions or more" in capsys.readouterr().err
