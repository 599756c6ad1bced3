"""Judging a large file: by several processes, in order, and on after a kill."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
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
    """A file of predictions, its verdicts and the table of scores, judged at a stretch."""
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


@pytest.mark.parametrize("written", [0, 1, 40, 99, 100])
def test_a_run_that_was_killed_goes_on_where_it_ended(
    whole, tmp_path, written, capsys, monkeypatch
):
    predictions, verdicts, table = whole
    out = tmp_path / "again.jsonl"
    partial = begin(predictions, out, monkeypatch)
    lines = verdicts.splitlines(keepends=True)
    torn = lines[written][:9] if written < len(lines) else b""
    partial.write_bytes(b"".join(lines[:written]) + torn)
    capsys.readouterr()
    judge(predictions, out)
    assert out.read_bytes() == verdicts
    assert capsys.readouterr().out == table
    assert sorted(path.name for path in tmp_path.glob("again*")) == ["again.jsonl"]


class StoppedError(Exception):
    """The end of a run before its first line."""


def begin(predictions: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Begin a run that ends before its first line is judged, and return the file that it leaves."""

    def stop(*_: object) -> None:
        raise StoppedError

    with monkeypatch.context() as changed:
        changed.setattr("logic_curriculum.rewards.__main__._chunks", stop)
        with pytest.raises(StoppedError):
            judge(predictions, out)
    (partial,) = out.parent.glob(f"{out.name}.*.partial")
    return partial


def test_verdicts_on_another_file_are_left_alone(whole, tmp_path, monkeypatch):
    predictions, _, _ = whole
    out = tmp_path / "v.jsonl"
    partial = begin(predictions, out, monkeypatch)
    partial.write_text("hours of work\n")
    predictions.write_text(predictions.read_text().replace("Answer", "answer", 1))
    judge(predictions, out)
    assert len(out.read_text().splitlines()) == 100
    assert partial.read_text() == "hours of work\n"


def test_a_file_that_another_process_writes_is_refused(whole, tmp_path, capsys, monkeypatch):
    predictions, _, _ = whole
    out = tmp_path / "v.jsonl"
    monkeypatch.setattr(fcntl, "lockf", lambda *_: (_ for _ in ()).throw(BlockingIOError))
    assert judge(predictions, out) == 1
    assert ".partial is being written by another process" in capsys.readouterr().err


def test_no_process_is_a_mistake(tmp_path, capsys):
    predictions = write_predictions(tmp_path / "p.jsonl", 1)
    with pytest.raises(SystemExit):
        judge(predictions, tmp_path / "v.jsonl", "--num-proc", "0")
    assert "--num-proc 0: at least 1 process judges" in capsys.readouterr().err


def written(out: Path) -> int:
    """Return the size of what will be a file of verdicts."""
    return sum(partial.stat().st_size for partial in out.parent.glob(f"{out.name}.*.partial"))


@pytest.mark.slow
def test_kill_9_loses_and_doubles_nothing(tmp_path):
    predictions = write_predictions(tmp_path / "p.jsonl", 60_000)
    out = tmp_path / "v.jsonl"
    words = ["validity", "--predictions", str(predictions), "--num-proc", "2"]
    command = [sys.executable, "-m", "logic_curriculum.rewards", *words, "--out"]
    kills = 0
    while not out.exists():
        size = written(out)
        process = subprocess.Popen([*command, str(out)], stderr=subprocess.DEVNULL)
        while process.poll() is None and kills < 3:
            if written(out) > size + 500_000:
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
                break
            time.sleep(0.01)
        process.wait(250)
    assert kills == 3
    subprocess.run([*command, str(tmp_path / "whole.jsonl")], stderr=subprocess.DEVNULL)
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert out.read_bytes().count(b"\n") == 60_000
