"""Judging a large file: by several processes, in order, written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from logic_curriculum.rewards import __main__ as judging
from logic_curriculum.rewards.__main__ import main

PAYLOAD = {"correct": [2], "options": 6}


def write_predictions(path: Path, count: int) -> Path:
    """Write rows of which a third is right and a seventh can't be judged, and blank lines."""
    with path.open("w") as file:
        for number in range(count):
            row = {"completion": f"Answer: {number % 3}", "verification": PAYLOAD, "level": 1}
            text = "{" if number % 7 == 6 else json.dumps({**row, "level": 1 + number % 2})
            file.write(f"{text}\n" + "\n" * (number % 11 == 0))
    return path


def judge(predictions: Path, out: Path, *options: str) -> int:
    return main(["validity", "--predictions", str(predictions), "--out", str(out), *options])


@pytest.fixture
def small_chunks(monkeypatch):
    """Give processes few lines at a time, so that several have something to do."""
    monkeypatch.setattr(judging, "CHUNK", 700)


@pytest.fixture
def whole(tmp_path, small_chunks, capsys):
    """A file of predictions, its verdicts and the table of scores, by two processes."""
    predictions, out = write_predictions(tmp_path / "p.jsonl", 100), tmp_path / "whole.jsonl"
    assert judge(predictions, out, "--num-proc", "2") == 1  # some lines can't be judged
    return predictions, out.read_bytes(), capsys.readouterr().out


def test_two_processes_write_one_verdict_for_each_line_in_the_order_of_the_file(whole):
    predictions, verdicts, _ = whole
    asked = [n for n, line in enumerate(predictions.read_text().split("\n"), 1) if line]
    found = [json.loads(line) for line in verdicts.splitlines()]
    assert [line["line"] for line in found] == asked
    assert [line.get("solved") for line in found] == [
        None if n % 7 == 6 else n % 3 == 2 for n in range(100)
    ]


def test_one_process_finds_the_same(whole, tmp_path, capsys):
    predictions, verdicts, table = whole
    judge(predictions, out := tmp_path / "again.jsonl", "--num-proc", "1")
    assert out.read_bytes() == verdicts
    assert capsys.readouterr().out == table


def test_what_ends_a_run_leaves_the_earlier_verdicts(whole, tmp_path, monkeypatch, capsys):
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(judging, "_chunks", stop)
    predictions, verdicts, _ = whole
    assert judge(predictions, tmp_path / "whole.jsonl") == 130
    assert (tmp_path / "whole.jsonl").read_bytes() == verdicts


def test_no_process_is_a_mistake(tmp_path, capsys):
    predictions = write_predictions(tmp_path / "p.jsonl", 1)
    with pytest.raises(SystemExit):
        judge(predictions, tmp_path / "v.jsonl", "--num-proc", "0")
    assert "--num-proc 0: at least 1 process judges" in capsys.readouterr().err
