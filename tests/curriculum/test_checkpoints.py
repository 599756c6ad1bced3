"""Which checkpoint a run continues from when files of the newest one are lost or changed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from accelerate import PartialState
from saving_run import STEPS, make_trainer, outcome, whole_run
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum import checkpoints
from logic_curriculum.curriculum.checkpoints import MANIFEST, damage, newest_checkpoint
from logic_curriculum.curriculum.run_settings import write_settings
from logic_curriculum.curriculum.training_run import begin_training
from logic_curriculum.rewards.registry import versions_of_all


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Any, ...]]:
    return whole_run(tmp_path_factory.mktemp("whole"))


def shortened(name: str) -> Callable[[Path], None]:
    """Return what cuts a file of a checkpoint in half, as a kill or a full disk does."""

    def cut(checkpoint: Path) -> None:
        os.truncate(checkpoint / name, (checkpoint / name).stat().st_size // 2)

    return cut


def without(*names: str) -> Callable[[Path], None]:
    def remove(checkpoint: Path) -> None:
        for name in names:
            (checkpoint / name).unlink()

    return remove


def zeroed(name: str) -> Callable[[Path], None]:
    """Return what makes the middle of a file zero, as a disk does that lost a block."""

    def clear(checkpoint: Path) -> None:
        content = bytearray((checkpoint / name).read_bytes())
        third = len(content) // 3
        content[third : 2 * third] = bytes(third)
        (checkpoint / name).write_bytes(content)

    return clear


def unlisted(change: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return what takes a checkpoint's manifest away, and then does more to it."""

    def remove(checkpoint: Path) -> None:
        (checkpoint / MANIFEST).unlink()
        change(checkpoint)

    return remove


def with_states_of(*ranks: int) -> Callable[[Path], None]:
    """Return what makes a checkpoint look like one of several processes, before its manifest."""

    def copy(checkpoint: Path) -> None:
        for rank in ranks:
            shutil.copy(checkpoint / "rng_state.pth", checkpoint / f"rng_state_{rank}.pth")
        (checkpoint / "rng_state.pth").unlink()

    return unlisted(copy)


STATE = ("optimizer.pt", "scheduler.pt", "rng_state.pth")
DAMAGES = {
    "weights lost": without("model.safetensors"),
    "optimizer lost": without("optimizer.pt"),
    "schedule lost": without("scheduler.pt"),
    "random state lost": without("rng_state.pth"),
    "weights zeroed": zeroed("model.safetensors"),
    "optimizer zeroed": zeroed("optimizer.pt"),
    "tokenizer zeroed": zeroed("tokenizer.json"),
    "manifest zeroed": zeroed(MANIFEST),
    "manifest cut": shortened(MANIFEST),
    "trainer state cut": shortened("trainer_state.json"),
    "trainer state lost": without("trainer_state.json"),
    "other process slower": with_states_of(0),
    "unlisted, state cut": unlisted(shortened("trainer_state.json")),
    "unlisted, state lost": unlisted(without("trainer_state.json")),
}


def copy_of(whole: Path, folder: Path) -> Path:
    """Copy both checkpoints of a run, and return the newer one."""
    for step in (6, STEPS):
        shutil.copytree(whole / f"checkpoint-{step}", folder / f"checkpoint-{step}")
    return folder / f"checkpoint-{STEPS}"


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_the_newest_whole_checkpoint_is_taken_and_a_damaged_one_set_aside(
    tmp_path, whole, caplog, damage
):
    damage(copy_of(whole[0], tmp_path))
    assert newest_checkpoint(tmp_path) == str(tmp_path / "checkpoint-6")
    assert {path.name for path in tmp_path.iterdir()} == {
        "checkpoint-6",
        f"damaged-checkpoint-{STEPS}",
    }
    assert f"checkpoint-{STEPS} is not whole" in caplog.text


@pytest.mark.parametrize(
    "change",
    [
        lambda checkpoint: None,
        lambda checkpoint: (checkpoint / "notes.txt").write_text("mine"),
        without(MANIFEST),  # killed just before
        unlisted(without(*STATE)),  # of a trainer with save_only_model
        with_states_of(0, 1),
    ],
)
def test_a_whole_checkpoint_is_taken_with_a_manifest_or_without(tmp_path, whole, change):
    newest = copy_of(whole[0], tmp_path)
    change(newest)
    assert newest_checkpoint(str(tmp_path)) == str(newest)


@pytest.mark.parametrize("change", [without(MANIFEST), without("optimizer.pt")])
def test_a_run_goes_on_exactly_from_either_checkpoint(tmp_path, whole, change):
    (tmp_path / "curriculum.jsonl").write_bytes((whole[0] / "curriculum.jsonl").read_bytes())
    change(copy_of(whole[0], tmp_path))
    again = make_trainer(tmp_path)
    again.train(resume_from_checkpoint=newest_checkpoint(tmp_path))
    assert outcome(again) == whole[1]


def test_a_manifest_lists_all_files_of_a_checkpoint(whole):
    checkpoint = whole[0] / "checkpoint-6"
    listed = json.loads((checkpoint / MANIFEST).read_text())
    assert {*listed, MANIFEST} == {path.name for path in checkpoint.iterdir()}
    assert {"model.safetensors", "trainer_state.json", *STATE} <= {*listed}


def test_a_manifest_is_written_anew_and_covers_folders(tmp_path):
    (tmp_path / "trainer_state.json").write_text('{"global_step": 1}')
    file = tmp_path / "global_step1" / "weights"
    file.parent.mkdir()
    for content in ("first", "other"):
        file.write_text(content)
        (tmp_path / f"{MANIFEST}.partial").touch()  # what a kill left
        checkpoints.write_manifest(tmp_path)
        assert damage(tmp_path, 1) is None
    file.write_text("third")
    assert damage(tmp_path, 1) == "global_step1/weights is not what was saved"


def test_one_of_three_random_states_that_is_missing_is_noticed(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(PartialState(), "num_processes", 3)
    with_states_of(0, 1)(copy_of(whole[0], tmp_path))
    assert newest_checkpoint(tmp_path) == str(tmp_path / "checkpoint-6")


@pytest.mark.parametrize("failing", ["rename", "open"])
@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_checkpoint_that_can_not_be_read_or_renamed_ends_in_one_line(
    tmp_path, whole, monkeypatch, failing, number
):
    without("optimizer.pt")(copy_of(whole[0], tmp_path))

    def refused(path: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, failing, refused)
    with pytest.raises(SystemExit) as raised:
        newest_checkpoint(tmp_path)
    line = str(raised.value)
    assert f"The run in {tmp_path} can't continue" in line
    assert os.strerror(number) in line
    assert "--output_dir" in line
    assert "\n" not in line


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Return what makes a small disk, or enlarges it, and returns its folder; sizes in kB."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def sized(size: int, mode: str = "rw") -> Path:
        options = f"{'remount,' * folder.is_mount()}size={size}k,{mode}"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("needs the right to mount a disk")
        return folder

    yield sized
    subprocess.run(["umount", str(folder)], check=False)


@pytest.mark.parametrize("resume", [True, "checkpoint-6"])
def test_a_run_on_a_disk_that_can_not_be_written_ends_in_one_line(whole, disk, resume):
    folder = disk(10_000)
    copy_of(whole[0], folder)
    write_settings(folder, {"families": ["slr"], **versions_of_all(["slr"])})
    disk(10_000, "ro")
    args = SFTConfig(
        str(folder), resume_from_checkpoint=resume, use_cpu=True, bf16=False, report_to="none"
    )
    with pytest.raises(SystemExit, match=r"can't be written \(Read-only file system\)") as raised:
        begin_training(args, ModelConfig("tiny"), ["slr"], "")
    assert "\n" not in str(raised.value)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, 10))
def test_a_run_whose_disk_was_full_goes_on_exactly_when_it_is_enlarged(whole, disk, part):
    size = sum(path.stat().st_size for path in whole[0].rglob("*") if path.is_file()) // 1000
    folder = disk(size * part // 10)
    with pytest.raises(Exception, match=r"."):  # each library that writes has its own
        make_trainer(folder).train()
    disk(4 * size)
    again = make_trainer(folder)
    again.train(resume_from_checkpoint=newest_checkpoint(folder))
    assert outcome(again) == whole[1]
    name = "curriculum.jsonl"
    assert (folder / name).read_bytes() == (whole[0] / name).read_bytes()


def test_a_run_without_a_checkpoint_has_none(tmp_path):
    assert newest_checkpoint(tmp_path / "nowhere") is None
    (tmp_path / "checkpoint-of-mine").mkdir()
    assert newest_checkpoint(tmp_path) is None
