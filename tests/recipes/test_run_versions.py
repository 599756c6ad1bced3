"""Run folders record task and reward versions; runs of other versions are neither continued nor
compared.
"""

from __future__ import annotations

import json
from pathlib import Path

import compare
import pytest
from evaluation_records import run
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.evaluation.levels import compare_trainings
from logic_curriculum.curriculum.evaluation.records import write_records
from logic_curriculum.curriculum.evaluation.run import EvaluationArguments, claim, settings_of
from logic_curriculum.curriculum.run_settings import (
    check_same_versions,
    read_settings,
    write_settings,
)
from logic_curriculum.curriculum.training_run import begin_training
from logic_curriculum.rewards.registry import judge_of, versions_of_all


def settings(families: tuple[str, ...] = ("validity",), **changes: object) -> dict[str, object]:
    return {"families": list(families), **versions_of_all(families), **changes}


def evaluated(folder: Path, model: str, **changes: object) -> Path:
    """Return a finished evaluation's folder."""
    write_records(folder / "records.jsonl", run("10", model=model, family="validity"))
    write_settings(folder, settings(**changes))
    return folder


def training(folder: Path, resume: bool | None = None) -> SFTConfig:
    return SFTConfig(
        str(folder), resume_from_checkpoint=resume, use_cpu=True, bf16=False, report_to="none"
    )


def checkpoint(folder: Path) -> None:
    """Make the file of a checkpoint that says that it is whole."""
    (folder / "checkpoint-2").mkdir()
    (folder / "checkpoint-2" / "trainer_state.json").write_text('{"global_step": 2}')


def test_an_evaluation_records_the_versions_of_its_families(tmp_path):
    script = EvaluationArguments(output_dir=str(tmp_path), families=["loginum", "validity"])
    found = settings_of(script, ModelConfig("tiny"))
    assert versions_of_all(["loginum", "validity"]).items() <= found.items()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"task_versions": {"validity": 0}},
            "has task_version 0 of validity, but this library has",
        ),
        (
            {"reward_versions": {"validity": 9}},
            "has reward_version 9 of validity, but this library has",
        ),
        ({"task_versions": None}, "records no task_version of validity, but this library has"),
    ],
)
def test_an_evaluation_of_other_versions_or_of_none_is_not_continued(tmp_path, changes, said):
    evaluated(tmp_path / "run", "o3", **changes)
    with pytest.raises(SystemExit) as raised:
        claim(tmp_path / "run", settings())
    assert str(raised.value).startswith(f"The run in {tmp_path / 'run'} {said}")
    assert "\n" not in str(raised.value)


def test_a_run_that_was_killed_while_it_wrote_its_settings_begins_anew(tmp_path):
    for name in ("evaluation", "training", "resumed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json.partial").write_text('{"families": ["va')
    claim(tmp_path / "evaluation", settings())
    for name, resume in (("training", None), ("resumed", True)):
        begin_training(training(tmp_path / name, resume), ModelConfig("tiny"), ["validity"], "")
    for folder in tmp_path.iterdir():
        assert read_settings(folder)["families"] == ["validity"]
        assert not (folder / "run.json.partial").exists()


def test_an_evaluation_of_the_same_versions_goes_on(tmp_path):
    claim(evaluated(tmp_path / "run", "o3"), settings())


def test_runs_of_different_versions_are_not_compared(tmp_path):
    new = evaluated(tmp_path / "new", "o3")
    old = evaluated(tmp_path / "old", "o4", reward_versions={"validity": 0})
    before = evaluated(tmp_path / "before", "o4", task_versions=None, reward_versions=None)
    for other, said in ((old, "reward_version 0"), (before, "task_version none")):
        for path in (other, other / "records.jsonl"):
            with pytest.raises(
                SystemExit, match=rf"new records .* of validity and {other} {said}, so"
            ):
                compare.main([str(new), str(path)])


def test_runs_of_one_version_and_files_without_a_run_are_compared(tmp_path, capsys):
    new, other = evaluated(tmp_path / "new", "o3"), evaluated(tmp_path / "other", "o4")
    compare.main([str(new), str(other)])
    loose = tmp_path / "answers.jsonl"
    write_records(loose, run("10", model="o5", family="validity"))
    compare.main([str(new), str(loose)])
    assert "| validity | o3 | o5 | 2 |" in capsys.readouterr().out


def test_versions_of_a_family_that_is_not_shared_do_not_matter(tmp_path):
    write_settings(
        tmp_path / "one",
        settings(
            ("validity", "slr"),
            task_versions={"validity": judge_of("validity").task_version, "slr": 0},
        ),
    )
    write_settings(tmp_path / "two", settings(("validity", "loginum")))
    check_same_versions([tmp_path / "one", tmp_path / "two"])


def test_a_training_records_its_versions_and_goes_on_with_the_same(tmp_path):
    begin_training(training(tmp_path / "run"), ModelConfig(), ["validity"], "")
    assert read_settings(tmp_path / "run") == settings(model=None, weights=None)
    # A folder with nothing but settings is of a run that never began.
    begin_training(training(tmp_path / "run"), ModelConfig(), ["validity"], "")
    checkpoint(tmp_path / "run")
    begin_training(training(tmp_path / "run", resume=True), ModelConfig(), ["validity"], "")
    with pytest.raises(SystemExit, match="is not empty, and a new run would overwrite"):
        begin_training(training(tmp_path / "run"), ModelConfig(), ["validity"], "")


@pytest.mark.parametrize("there", [settings(task_versions={"validity": 0}), None])
def test_a_training_of_other_versions_or_of_none_is_not_continued(tmp_path, there):
    checkpoint(tmp_path)
    if there:
        write_settings(tmp_path, there)
    said = "has task_version 0" if there else "records no task_version"
    with pytest.raises(SystemExit, match=f"{said} of validity, but .* begin a new run in another"):
        begin_training(training(tmp_path, resume=True), ModelConfig(), ["validity"], "")


def test_trainings_that_were_evaluated_differently_are_not_compared(tmp_path):
    for name, levels in (("a", {"1": [4, 1]}), ("b", {"1": [4, 1], "2": [4, 0]})):
        (tmp_path / name).mkdir()
        line = {"step": 0, "split": "validation", "levels": levels}
        (tmp_path / name / "evaluation.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(SystemExit, match="different splits or levels"):
        compare_trainings({name: [tmp_path / name] for name in ("a", "b")})


def test_trainings_of_different_versions_are_not_compared(tmp_path):
    line = {"step": 0, "split": "validation", "levels": {"1": [4, 1]}}
    for name in ("new", "old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "evaluation.jsonl").write_text(json.dumps(line) + "\n")
    ways = {name: [tmp_path / name] for name in ("new", "old")}
    compare_trainings(ways)
    write_settings(tmp_path / "new", settings(("slr",)))
    said = rf"new records task_version {judge_of('slr').task_version} of slr and .*old .* none"
    with pytest.raises(SystemExit, match=said):
        compare_trainings(ways)
