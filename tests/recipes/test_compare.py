"""compare.py from its command line: which runs it finds, and which it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import compare
import pytest
from evaluation_records import run

from logic_curriculum.curriculum.evaluation.compare import read_runs
from logic_curriculum.curriculum.evaluation.records import Record, write_records


def written(folder: Path, *records: Record) -> Path:
    """Return the folder of a run with these answers."""
    write_records(folder / "records.jsonl", records)
    return folder


def names(*paths: Path) -> list[str]:
    return [found.name for found in read_runs(paths)]


def refusal(*paths: Path) -> str:
    with pytest.raises(SystemExit) as raised:
        compare.main([str(path) for path in paths])
    return str(raised.value)


def test_answers_of_several_models_in_a_file_are_runs_of_their_own(tmp_path, capsys):
    both = written(tmp_path / "both", *run("1100", model="o3"), *run("1111", model="o4"))
    compare.main([str(both)])
    assert "| slr | o3 | o4 | 4 | 50.0 [" in capsys.readouterr().out


def test_runs_are_named_by_their_models_or_where_a_name_recurs_by_their_paths(tmp_path):
    one = written(tmp_path / "one", *run("1", model="o3"))
    two = written(tmp_path / "two", *run("1", model="o3"), *run("1", model="o4"))
    three = written(tmp_path / "three", *run("1", model="o5"))
    assert names(one, two, three) == [str(one), f"{two}: o3", "o4", "o5"]


def test_a_file_of_records_is_as_good_as_its_folder(tmp_path):
    one = written(tmp_path / "one", *run("1", model="o3"))
    two = written(tmp_path / "two", *run("1", model="o4"))
    assert names(one / "records.jsonl", two) == ["o3", "o4"]


def test_a_run_alone_is_named_and_refused(tmp_path):
    alone = written(tmp_path / "run", *run("10", model="o3"))
    assert refusal(alone).startswith(f"{alone} holds answers of o3 alone")


def test_a_run_that_stands_twice_is_refused(tmp_path):
    folder = written(tmp_path / "run", *run("10"))
    assert refusal(folder, Path(f"{folder}/")) == (
        f"{folder} stands twice among the runs: name each of them once."
    )


def test_a_run_that_stands_twice_is_refused_however_it_is_spelled(tmp_path):
    folder = written(tmp_path / "run", *run("10"))
    (tmp_path / "other").mkdir()
    for again in (folder / "records.jsonl", tmp_path / "other" / ".." / "run"):
        assert refusal(folder, again).startswith(f"{folder} stands twice among the runs")


def test_a_model_that_is_called_as_another_run_lies_is_named_by_its_own_path(tmp_path):
    one = written(tmp_path / "one", *run("1", model="o3"))
    two = written(tmp_path / "two", *run("1", model="o3"))
    three = written(tmp_path / "three", *run("1", model=str(two)))
    assert names(one, two, three) == [str(one), str(two), str(three)]


def test_two_answers_to_one_question_are_refused(tmp_path):
    joined = written(tmp_path / "joined", *run("10"), *run("11"))
    other = written(tmp_path / "other", *run("11", model="o3"))
    message = refusal(other, joined)
    assert "holds 2 answers of gpt-4o to the same question" in message
    assert "slr, 1, task-1-0, 0, 0" in message


def test_a_run_that_is_not_finished_or_empty_is_named(tmp_path):
    empty = written(tmp_path / "empty")
    assert f"{empty / 'records.jsonl'} holds no answers" in refusal(empty, tmp_path)
    assert f"{tmp_path / 'records.jsonl'} does not exist" in refusal(tmp_path, empty)


def test_a_file_for_the_page_is_refused_before_anything_is_compared(tmp_path, capsys):
    one = written(tmp_path / "one", *run("1", model="o3"))
    file = one / "records.jsonl"
    with pytest.raises(SystemExit):
        compare.main([str(one), str(one), "--out", str(file)])
    assert "records.jsonl is a file: name a folder" in capsys.readouterr().err


def trained(folder: Path, *solved: int) -> Path:
    folder.mkdir()
    lines = [
        {"step": step, "split": "validation", "levels": {"1": [4, count], "2": [4, 0]}}
        for step, count in enumerate(solved)
    ]
    (folder / "evaluation.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_ways_to_train_are_compared_at_their_end(tmp_path: Path, capsys):
    ordered = [trained(tmp_path / "a", 0, 1, 2), trained(tmp_path / "b", 1, 4)]
    shuffled = [trained(tmp_path / "c", 1, 3)]

    ways = {"in order": ordered, "random": shuffled}
    compare.main([f"{way}={','.join(map(str, folders))}" for way, folders in ways.items()])
    text = capsys.readouterr().out

    # in order: 2 and 4 of 4 solved at the end, so 75 % on average
    assert "| level | before (3 runs) | in order (2 runs) | random (1 runs) |" in text
    assert "| 1 | 17 (0–25) | 75 (50–100) | 75 (75–75) |" in text
    assert "| 2 | 0 (0–0) | 0 (0–0) | 0 (0–0) |" in text
    assert "| mean | 8 (0–12) | 38 (25–50) | 38 (38–38) |" in text


def test_a_folder_without_evaluation_is_named(tmp_path: Path):
    with pytest.raises(SystemExit, match="holds no evaluation"):
        compare.main([f"in order={tmp_path}"])
