"""Datasets of at most so many tasks a level: where it has fewer, all there are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sums import SumFamily, digests, register

from logic_curriculum.generators import build_dataset
from logic_curriculum.generators.__main__ import main as generate_command
from logic_curriculum.generators.dataset import files
from logic_curriculum.generators.dataset.plan import make_plan

MANY: dict[str, Any] = {"sizes": {"train": 20, "test": 12}, "at_most": True, "num_proc": 1}
HELD = {"train": [8, 20, 20], "test": [8, 12, 12]}  # level 1 of the family has but eight tasks
TABLE = "| 1 | 8 | 8 |\n| 2 | 20 | 12 |\n| 3 | 20 | 12 |\n| all | 48 | 32 |\n"


@pytest.fixture(autouse=True)
def sum_family(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the family, for one test, and look less long for more tasks."""
    register(monkeypatch)
    monkeypatch.setattr(files, "PATIENCE", 60)


@pytest.fixture(params=["found when it is built", "known before"])
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the family tell the number of level 1's tasks, or leave it to be found."""
    if request.param == "known before":
        known = {1: 8}
        monkeypatch.setattr(
            SumFamily, "available_tasks", lambda _, level, options: known.get(level)
        )


def held(folder: Path) -> dict[str, list[int]]:
    return {
        split: [
            pq.read_metadata(folder / f"data/{split}/level-{level:02d}.parquet").num_rows
            for level in (1, 2, 3)
        ]
        for split in ("train", "test")
    }


@pytest.mark.usefixtures("counted")
def test_a_level_with_fewer_tasks_gives_all_it_has_and_the_card_says_how_many(tmp_path):
    folder = build_dataset("sum", out=tmp_path / "set", **MANY)
    assert held(folder) == HELD
    rows = pq.read_table(folder / "data/train/level-01.parquet").to_pylist()
    assert sorted(row["prompt"] for row in rows) == [f"{n} + 1 = ?" for n in range(8)]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert TABLE in card
    assert "# sum: 80 tasks at 3 levels" in card


@pytest.mark.usefixtures("counted")
def test_the_command_on_the_card_builds_the_same_bytes(tmp_path, capsys):
    folder = build_dataset("sum", out=tmp_path / "set", seed=3, **MANY)
    card = (folder / "README.md").read_text(encoding="utf-8")
    (command,) = [line for line in card.splitlines() if line.startswith("logic-curriculum gen")]
    words = shlex.split(command.replace("DIR", str(tmp_path / "again")))
    assert generate_command(words[2:]) == 0
    assert digests(tmp_path / "again") == digests(folder)
    assert TABLE in capsys.readouterr().out


@pytest.mark.usefixtures("counted")
def test_the_same_call_finds_everything_done(tmp_path):
    folder = build_dataset("sum", out=tmp_path / "set", **MANY)
    before = digests(folder)
    (folder / "data/train/level-02.parquet").unlink()
    assert digests(build_dataset("sum", out=folder, **MANY)) == before


@pytest.mark.parametrize(("first", "second"), [({}, {"at_most": False}), ({"at_most": False}, {})])
def test_another_promise_about_the_sizes_is_another_dataset(tmp_path, first, second):
    arguments = {**MANY, "levels": [2], "out": tmp_path / "set"}
    build_dataset("sum", **{**arguments, **first})
    with pytest.raises(ValueError, match=r"other arguments \(at_most: "):
        build_dataset("sum", **{**arguments, **second})


def test_enough_tasks_make_the_same_files_as_without(tmp_path):
    for name, at_most in (("one", True), ("two", False)):
        given = {**MANY, "levels": [2, 3], "at_most": at_most}
        build_dataset("sum", out=tmp_path / name, **given)
    one, two = (digests(tmp_path / name / "data") for name in ("one", "two"))
    assert one == two


def test_the_manifest_of_other_datasets_says_nothing_of_it():
    plan = make_plan("sum", [2], splits=None, sizes={"train": 5}, seed=0, options={})
    assert "at_most" not in plan.manifest()


def test_a_level_without_any_task_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(SumFamily, "available_tasks", lambda *_: 0)
    with pytest.raises(ValueError, match="at level 1, which has 0: leave the level out"):
        build_dataset("sum", out=tmp_path / "set", **MANY)
    assert not (tmp_path / "set").exists()


def test_it_is_of_sizes_and_refused_without(tmp_path):
    with pytest.raises(ValueError, match=r"at_most is of sizes, .*--count"):
        build_dataset("sum", out=tmp_path / "set", at_most=True)
    assert not (tmp_path / "set").exists()


def test_an_error_about_too_few_tasks_names_the_option(tmp_path):
    with pytest.raises(RuntimeError, match=r"at most 8 .*, take all .* --at-most \(at_most=True\)"):
        build_dataset("sum", [1], out=tmp_path / "set", sizes={"train": 9}, num_proc=1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--at-most", "--out", "x"], "--count"),
        (["--at-most", "--show"], "--at-most is of a dataset"),
        (["--at-most", "--describe"], "--at-most"),
    ],
)
def test_the_option_is_refused_where_it_would_have_no_effect(arguments, named, capsys):
    assert generate_command(["sum", *arguments]) == 2
    assert named in capsys.readouterr().err


def test_slr_gives_all_questions_of_its_first_level(tmp_path, capsys):
    command = ["slr", "--level", "1", "--count", "train=25000", "--at-most", "--num-proc", "1"]
    assert generate_command([*command, "--out", str(tmp_path / "set")]) == 0
    assert "| 1 | 28 |\n| all | 28 |" in capsys.readouterr().out
