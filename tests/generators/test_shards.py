"""Datasets that several jobs build: by shard, merged, and equal to what one command builds."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from sums import SumFamily, digests, register

from logic_curriculum.generators import build_dataset
from logic_curriculum.generators.__main__ import main as generate_command
from logic_curriculum.generators.dataset import merge_dataset, pieces
from logic_curriculum.generators.dataset.__main__ import main as merge_command
from logic_curriculum.generators.shard import Shard

LARGE: dict[str, Any] = {"levels": [1, 2, 3], "sizes": {"train": 8, "test": 50}, "num_proc": 1}


@pytest.fixture(autouse=True)
def sum_family(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the family, for one test, and cut files into pieces of five candidates."""
    register(monkeypatch)
    monkeypatch.setattr(pieces, "FEWEST", 5)


def build_shards(folder: Path, of: int, numbers: Any = None, **arguments: Any) -> Path:
    given = {"levels": [2, 3], "sizes": {"train": 23, "test": 12}, "num_proc": 1, **arguments}
    for number in numbers or range(1, of + 1):
        build_dataset("sum", out=folder, shard=Shard(number, of), **given)
    return folder


@pytest.mark.parametrize("of", [3, 20])
@pytest.mark.parametrize(
    "arguments",
    [
        {"levels": [2, 3], "sizes": {"train": 23, "test": 12}},
        {"levels": [1], "sizes": {"train": 8, "test": 8}},  # many candidates are repeated
        {"levels": [2], "sizes": {"train": 23}, "style": "two kinds"},
    ],
)
def test_merged_shards_are_the_dataset_of_one_command_byte_for_byte(tmp_path, of, arguments):
    one = build_dataset("sum", out=tmp_path / "one", num_proc=1, **arguments)
    folder = build_shards(tmp_path / "shards", of, **arguments)
    assert not list(folder.rglob("*.parquet"))
    assert digests(merge_dataset(folder, num_proc=1)) == digests(one)


def test_shards_of_separate_folders_are_merged_when_copied_into_one(tmp_path):
    one = build_shards(tmp_path / "one", 1)
    merge_dataset(one)
    for number in (1, 2, 3):
        build_shards(tmp_path / f"{number}", 3, [number])
        shutil.copytree(tmp_path / f"{number}", tmp_path / "all", dirs_exist_ok=True)
    assert digests(merge_dataset(tmp_path / "all")) == digests(one)


def test_each_shard_makes_a_part_of_a_single_large_file(tmp_path):
    shares = []
    for number in (1, 2, 3):
        folder = build_shards(tmp_path / f"{number}", 3, [number], levels=[2], sizes={"train": 30})
        shares.append({path.name for path in folder.rglob("*.arrow")})
    assert [len(share) for share in shares] == [2, 2, 2]
    assert len(set.union(*shares)) == 6


def test_a_shard_that_was_killed_makes_only_what_is_missing(tmp_path):
    folder = build_shards(tmp_path / "set", 2)
    kept, *lost = sorted(folder.rglob("*.arrow"))
    before = kept.stat().st_mtime_ns
    for path in lost:
        path.rename(path.with_name(f"{path.name}.host-1.partial"))  # a kill leaves such files
    build_shards(folder, 2)
    assert kept.stat().st_mtime_ns == before
    one = build_shards(tmp_path / "one", 1)
    assert digests(merge_dataset(folder)) == digests(merge_dataset(one))


def test_the_same_command_without_a_shard_builds_on_what_shards_made(tmp_path):
    folder = build_shards(tmp_path / "set", 2, [1])
    sizes = {"train": 23, "test": 12}
    build_dataset("sum", [2, 3], out=folder, sizes=sizes, num_proc=1)
    one = merge_dataset(build_shards(tmp_path / "one", 1))
    assert digests(folder) == digests(one)


def test_a_missing_shard_is_told_with_the_command_that_makes_it(tmp_path, capsys):
    folder = build_shards(tmp_path / "set", 4, [1, 3])
    assert merge_command([str(folder)]) == 1
    assert capsys.readouterr().err == (
        f"logic-curriculum merge: error: {folder} lacks all or some of shard 2,4 of 4. Run "
        "logic-curriculum generate sum --level 2-3 --count train=23,test=12 --seed 0 "
        f"--out {folder} --shard 2/4; likewise 4. Nothing that is there is made again.\n"
    )
    assert not list(folder.rglob("*.parquet"))


def test_the_command_that_is_told_makes_the_missing_shard(tmp_path, capsys):
    folder = build_shards(tmp_path / "set", 4, [1, 2, 3])
    merge_command([str(folder)])
    told = capsys.readouterr().err.partition("logic-curriculum generate ")[2].partition(". ")[0]
    assert generate_command(told.split()) == 0
    assert "shard 4/4 is complete" in capsys.readouterr().out
    assert merge_command([str(folder)]) == 0


def test_shards_of_other_arguments_are_refused(tmp_path, capsys):
    build_shards(tmp_path / "other", 2, [1], seed=1)
    folder = build_shards(tmp_path / "set", 2, [2])
    shutil.copytree(tmp_path / "other" / "candidates", folder / "candidates", dirs_exist_ok=True)
    assert merge_command([str(folder)]) == 2
    told = capsys.readouterr().err
    assert "is of a shard with other arguments (seed: 1 there, 0 asked): nothing was" in told
    assert told.count("\n") == 1


def test_a_build_on_shards_of_other_arguments_is_refused(tmp_path):
    folder = build_shards(tmp_path / "other", 1, seed=1)
    manifest = build_shards(tmp_path / "set", 2, [2]) / "manifest.json"
    shutil.copy(manifest, folder / "manifest.json")
    with pytest.raises(ValueError, match="seed: 1 there, 0 asked"):
        build_dataset("sum", [2, 3], out=folder, sizes={"train": 23, "test": 12}, num_proc=1)
    assert not list(folder.rglob("*.parquet"))


def test_shards_of_another_version_are_refused(tmp_path, monkeypatch):
    folder = build_shards(tmp_path / "set", 2)
    monkeypatch.setattr(SumFamily, "versions", lambda _: {"adder": "2.0"})
    with pytest.raises(ValueError, match=r"versions: .*'adder': '1.0'.*'adder': '2.0'"):
        merge_dataset(folder)


def test_a_damaged_piece_is_named(tmp_path):
    folder = build_shards(tmp_path / "set", 1)
    piece = min(folder.rglob("*.arrow"))
    piece.write_bytes(piece.read_bytes()[:100])
    with pytest.raises(RuntimeError, match=f"{piece} is damaged .*: delete it"):
        merge_dataset(folder)


@pytest.mark.parametrize("text", ["0/4", "5/4", "a/b", "3", "-1/4", "1/0", "1/4/2", "²/4", ""])
def test_what_is_no_shard_is_named_with_an_example(text, capsys, tmp_path):
    words = ["sum", "--out", str(tmp_path / "set"), f"--shard={text}"]
    with pytest.raises(SystemExit):
        generate_command(words)
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{text!r} is no shard: write two whole numbers, such as 3/64" in last
    assert not (tmp_path / "set").exists()


def test_a_folder_without_shards_is_named(tmp_path, capsys):
    assert merge_command([str(tmp_path)]) == 2
    assert f"{tmp_path} holds no dataset of this builder" in capsys.readouterr().err


def test_a_folder_that_cant_be_written_is_told_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "set"
    assert generate_command(["sum", "--out", str(folder), "--shard", "1/2"]) == 1
    told = capsys.readouterr().err
    assert f"error: {folder} can't be written (Not a directory). What is there is kept" in told
    assert told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_device_is_told_in_one_line_and_costs_no_piece(tmp_path, capsys, monkeypatch):
    folder = build_shards(tmp_path / "set", 2, [1])
    kept = digests(folder)
    full = Path("/dev/full")
    monkeypatch.setattr(pieces, "atomic_write", lambda *_, **__: WithPath(full))
    words = ["sum", "--level", "2-3", "--count", "train=23,test=12", "--out", str(folder)]
    assert generate_command([*words, "--shard", "2/2", "--num-proc", "1"]) == 1
    told = capsys.readouterr().err
    assert f"{folder} can't be written (No space left on device). What is there is kept" in told
    assert told.count("\n") == 1
    assert digests(folder) == kept


class WithPath:
    """A context that yields a path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Path:
        return self._path

    def __exit__(self, *_: object) -> None:
        pass


def test_jobs_that_start_together_on_one_folder_all_succeed(tmp_path, monkeypatch):
    """The manifest of another job appears between two looks at the folder."""
    build_shards(tmp_path / "set", 2, [1])
    manifest = tmp_path / "set" / "manifest.json"
    looked = iter([False])
    real = Path.is_file

    def is_file(path: Path) -> bool:
        return next(looked, real(path)) if path == manifest else real(path)

    monkeypatch.setattr(Path, "is_file", is_file)
    build_shards(tmp_path / "set", 2, [2])
    merge_dataset(tmp_path / "set")
