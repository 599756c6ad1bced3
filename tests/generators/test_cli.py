"""The command line of the generators, run as a user runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from logic_curriculum.generators import dataset, registry
from logic_curriculum.generators.__main__ import main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "logic_curriculum.generators", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_show_prints_prompt_and_solution():
    done = run("slr", "--level", "1", "--show", "--seed", "5")
    assert done.returncode == 0
    assert done.stdout.startswith("slr · level 1 · train · seed 5\n")
    assert "[RULE]" in done.stdout
    assert "eastbound(T) :- " in done.stdout.partition("Solution:\n")[2]


def test_out_writes_the_dataset(tmp_path):
    folder = tmp_path / "set"
    done = run("slr", "--level", "1,3", "--count", "2", "--out", str(folder), "--num-proc", "1")
    assert done.returncode == 0, done.stderr
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.parquet"))
    assert files == [
        f"data/{split}/level-{level:02d}.parquet"
        for split in ("test", "train", "validation")
        for level in (1, 3)
    ]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["chess", "--show"], "'slr'"),
        (["slr", "--level", "21", "--show"], "1 to 20"),
        (["slr", "--level", "3-1", "--show"], "1-3,5"),
        (["slr", "--level", "two", "--show"], "1-3,5"),
        (["slr", "--split", "dev", "--show"], "train, validation, test"),
        (["slr", "--style", "haiku", "--show"], "prolog"),
        (["slr", "--language", "boats", "--show"], "trains"),
        (["slr", "--count", "0", "--out", "x"], "at least 1"),
        (["slr", "--count", "train=1,dev=2", "--out", "x"], "train, validation, test"),
        (["slr", "--count", "train=1", "--split", "test", "--out", "x"], "one of the two"),
        (["slr", "--level", "1"], "--out DIR"),
        (["countermodel", "--show", "--language", "carroll"], "--language carroll"),
    ],
)
def test_bad_arguments_exit_with_2_and_name_the_choices(arguments, named, capsys, tmp_path):
    try:
        status = main(arguments)
    except SystemExit as stop:  # how argparse ends
        status = stop.code
    assert status == 2
    assert named in capsys.readouterr().err


def test_counts_and_splits_that_agree_are_one_question(tmp_path):
    for count in ("2", "test=2"):
        words = ["sat", "--level", "1", "--count", count, "--split", "test", "--num-proc", "1"]
        assert main([*words, "--out", str(tmp_path / count)]) == 0
        assert [path.name for path in (tmp_path / count / "data").iterdir()] == ["test"]


def test_level_and_levels_are_one_option(capsys):
    shown = []
    for words in (["--level", "2"], ["--levels", "2"], ["--levels=2"]):
        assert main(["sat", *words, "--show"]) == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1
    assert "level 2" in shown[0]


def test_a_folder_of_someone_else_is_refused(tmp_path: Path, capsys):
    (tmp_path / "thesis.tex").write_text("years of work")
    assert main(["slr", "--level", "1", "--count", "1", "--out", str(tmp_path)]) == 2
    assert "not a dataset of this builder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_more_tasks_than_a_level_has_exit_with_2_and_their_number(capsys, monkeypatch):
    monkeypatch.setattr(dataset, "write_files", None)  # nothing may be built before
    assert main(["slr", "--level", "1", "--count", "500", "--out", "set"]) == 2
    assert capsys.readouterr().err == (
        "logic-curriculum generate: error: "
        "500 different train tasks of slr were asked for at level 1, which has 28: ask for at "
        "most 28 there, or leave the level out.\n"
    )


def test_help_lists_the_values_that_an_option_may_have():
    shown = run("sat", "--help").stdout
    for told in ("--target {sat,unsat}", "--preset {hard3sat,", "airport, bakery, "):
        assert told in shown


def test_describe_prints_our_twenty_levels(capsys):
    assert main(["slr", "--describe"]) == 0
    out = capsys.readouterr().out
    assert out.rstrip("\n") == registry.family("slr").describe()
    lines = [line for line in out.splitlines() if line[:1].isdigit()]
    assert [int(line.split()[0]) for line in lines] == list(range(1, 21))


@pytest.mark.parametrize("arguments", [["--describe"], ["--show", "--count", "3"]])
def test_a_reader_who_leaves_early_ends_the_command_without_a_message(arguments):
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "logic_curriculum.generators", "slr", *arguments],
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        os.close(write)
    assert done.stderr == ""
    assert done.returncode == 128 + signal.SIGPIPE
