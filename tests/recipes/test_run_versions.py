"""Run folders record task and reward versions; runs of other versions are neither continued nor
compared.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.run_settings import read_settings, write_settings
from logic_curriculum.curriculum.training_run import begin_training
from logic_curriculum.rewards.registry import versions_of_all


def settings(families: tuple[str, ...] = ("validity",), **changes: object) -> dict[str, object]:
    return {"families": list(families), **versions_of_all(families), **changes}


def training(folder: Path, resume: bool | None = None) -> SFTConfig:
    return SFTConfig(
        str(folder), resume_from_checkpoint=resume, use_cpu=True, bf16=False, report_to="none"
    )


def checkpoint(folder: Path) -> None:
    """Make the file of a checkpoint that says that it is whole."""
    (folder / "checkpoint-2").mkdir()
    (folder / "checkpoint-2" / "trainer_state.json").write_text('{"global_step": 2}')


def test_a_run_that_was_killed_while_it_wrote_its_settings_begins_anew(tmp_path):
    for name in ("training", "resumed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json.partial").write_text('{"families": ["va')
    for name, resume in (("training", None), ("resumed", True)):
        begin_training(training(tmp_path / name, resume), ModelConfig("tiny"), ["validity"], "")
    for folder in tmp_path.iterdir():
        assert read_settings(folder)["families"] == ["validity"]
        assert not (folder / "run.json.partial").exists()


def test_a_training_records_its_versions_and_goes_on_with_the_same(tmp_path):
    begin_training(training(tmp_path / "run"), ModelConfig(), ["validity"], "")
    assert read_settings(tmp_path / "run") == settings(model=None)
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
