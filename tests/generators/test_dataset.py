"""The dataset builder on a small family made up here; the real families have their own files."""

from __future__ import annotations

import dataclasses
import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import datasets
import pyarrow.parquet as pq
import pytest
import yaml
from sums import SumFamily, digests, generate_sum, register

from logic_curriculum.common.files import told
from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.dataset import build_dataset, files
from logic_curriculum.generators.dataset.files import TooFewTasksError
from logic_curriculum.generators.task import Task


@pytest.fixture(autouse=True)
def sum_family(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the family, for one test."""
    register(monkeypatch)


def test_default_sizes_are_the_published_ones(tmp_path):
    folder = build_dataset("sum", out=tmp_path / "set", num_proc=1)
    counts = {
        split: [
            pq.read_metadata(folder / f"data/{split}/level-{level:02d}.parquet").num_rows
            for level in (1, 2, 3)
        ]
        for split in ("train", "validation", "test")
    }
    assert counts == {"train": [6, 7, 8], "validation": [2, 2, 2], "test": [3, 3, 3]}


def test_files_do_not_depend_on_the_number_of_processes(tmp_path):
    one = build_dataset("sum", [1, 2], out=tmp_path / "one", sizes={"train": 7}, num_proc=1)
    three = build_dataset("sum", [1, 2], out=tmp_path / "three", sizes={"train": 7}, num_proc=3)
    assert digests(one) == digests(three)
    assert len(digests(one)) == 4  # two files, the card, the manifest


def test_another_seed_gives_other_tasks(tmp_path):
    a = build_dataset("sum", [2], out=tmp_path / "a", sizes={"train": 5}, seed=1, num_proc=1)
    b = build_dataset("sum", [2], out=tmp_path / "b", sizes={"train": 5}, seed=2, num_proc=1)
    file = "data/train/level-02.parquet"
    prompts = [set(pq.read_table(f / file)["prompt"].to_pylist()) for f in (a, b)]
    assert prompts[0].isdisjoint(prompts[1])


def test_a_task_does_not_depend_on_the_other_levels_and_splits_of_its_dataset(tmp_path):
    sizes = [({"train": 5}, [2]), ({"train": 5, "test": 3}, [1, 2, 3])]
    built = [build_dataset("sum", levels, out=tmp_path / str(len(levels)), sizes=size, num_proc=1)
             for size, levels in sizes]  # fmt: skip
    alone, among = (pq.read_table(folder / "data/train/level-02.parquet") for folder in built)
    assert alone.equals(among)


def test_a_small_level_is_exhausted_without_duplicates(tmp_path):
    folder = build_dataset("sum", [1], out=tmp_path / "set", sizes={"train": 8}, num_proc=2)
    rows = pq.read_table(folder / "data/train/level-01.parquet").to_pylist()
    assert sorted(row["prompt"] for row in rows) == [f"{n} + 1 = ?" for n in range(8)]


def test_a_file_holds_the_first_distinct_candidates_in_order(tmp_path):
    small = build_dataset("sum", [1], out=tmp_path / "small", sizes={"train": 4}, num_proc=2)
    large = build_dataset("sum", [1], out=tmp_path / "large", sizes={"train": 8}, num_proc=3)
    file = "data/train/level-01.parquet"
    seeds = [pq.read_table(f / file)["seed"].to_pylist() for f in (small, large)]
    assert seeds[0] == seeds[1][:4]


def test_a_level_with_too_few_tasks_says_which_and_how_many(tmp_path, monkeypatch):
    given: dict[str, Any] = {"out": tmp_path / "set", "sizes": {"train": 9}, "num_proc": 1}
    with pytest.raises(TooFewTasksError, match=r"level 1, split 'train'.* held only 8"):
        build_dataset("sum", [1], **given)
    assert not list((tmp_path / "set").rglob("*.parquet"))
    monkeypatch.setattr(SumFamily, "available_tasks", lambda *_: 0)
    with pytest.raises(ValueError, match="at level 1, which has 0: leave the level out"):
        build_dataset("sum", [1], **given)


def test_each_row_can_be_generated_again_from_its_own_columns(tmp_path):
    folder = build_dataset("sum", [2], out=tmp_path / "set", sizes={"test": 3}, num_proc=1)
    for row in pq.read_table(folder / "data/test/level-02.parquet").to_pylist():
        again = generate(row["family"], row["level"], row["seed"], split="test")
        assert again.prompt == row["prompt"]
        assert json.loads(row["verification"]) == again.verification


def test_load_dataset_reads_all_levels_by_default_and_one_by_name(tmp_path):
    folder = build_dataset("sum", [1, 3], out=tmp_path / "set", num_proc=1)
    cache = str(tmp_path / "cache")
    whole = datasets.load_dataset(str(folder), cache_dir=cache)
    sizes = {split: len(part) for split, part in whole.items()}
    assert sizes == {"train": 6 + 8, "validation": 4, "test": 6}
    one = datasets.load_dataset(str(folder), "level_3", cache_dir=cache)
    assert set(one["train"]["level"]) == {3}
    assert whole["train"].column_names[0] == "first number"
    about = json.loads(whole["train"][0]["metadata"])
    assert set(about) == {"first", "split", "fingerprint", "leak_key"}


def test_finished_files_are_not_built_again(tmp_path):
    folder = build_dataset("sum", [1, 2], out=tmp_path / "set", num_proc=1)
    whole = digests(folder)
    kept = folder / "data/train/level-01.parquet"
    before = kept.stat().st_mtime_ns
    (folder / "data/train/level-02.parquet").unlink()
    (folder / "data/train/level-02.parquet.partial").write_bytes(b"half a file")
    build_dataset("sum", [1, 2], out=folder, num_proc=1)
    assert digests(folder) == whole
    assert kept.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"seed": 1}, "seed"),
        ({"levels": [1]}, "sizes"),
        ({"sizes": {"train": 2}}, "sizes"),
        ({"style": "compact"}, "options"),
    ],
)
def test_other_arguments_for_the_same_folder_are_refused(tmp_path, changed, named):
    build_dataset("sum", [1, 2], out=tmp_path / "set", sizes={"train": 3}, num_proc=1)
    before = digests(tmp_path / "set")
    arguments = {"levels": [1, 2], "sizes": {"train": 3}, "num_proc": 1, **changed}
    with pytest.raises(ValueError, match=rf"other arguments \({named}: "):
        build_dataset("sum", out=tmp_path / "set", **arguments)
    assert digests(tmp_path / "set") == before


@pytest.mark.parametrize("there", [{"sum": 0}, None])
def test_a_dataset_of_another_version_or_of_none_is_refused(tmp_path, there):
    folder = build_dataset("sum", [1], out=tmp_path / "set", sizes={"train": 3}, num_proc=1)
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "task_versions": there}))
    before = digests(folder)
    named = rf"task_versions: {there} there, {{'sum': 1}} asked"
    with pytest.raises(ValueError, match=f"set holds a dataset with other arguments .*{named}"):
        build_dataset("sum", [1], out=folder, sizes={"train": 3}, num_proc=1)
    assert digests(folder) == before


def test_a_changed_language_file_is_noticed(tmp_path):
    language = tmp_path / "mine.yaml"
    language.write_text("a: 1\n")
    arguments = {"sizes": {"train": 2}, "num_proc": 1, "language": language}
    build_dataset("sum", [1], out=tmp_path / "set", **arguments)
    language.write_text("a: 2\n")
    with pytest.raises(ValueError, match="option_files"):
        build_dataset("sum", [1], out=tmp_path / "set", **arguments)


def test_a_folder_of_someone_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ValueError, match="not a dataset of this builder"):
        build_dataset("sum", [1], out=tmp_path, num_proc=1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"levels": [0, 1]}, r"Levels \[0\].*levels 1 to 3"),
        ({"levels": [1.0]}, "level is 1.0 of type float.*Pass an int"),
        ({"seed": "7"}, "seed is '7' of type str.*Pass an int"),
        ({"sizes": {"train": 2.5}}, "2.5 tasks for split 'train'"),
        ({"levels": []}, "list is empty"),
        ({"sizes": {"dev": 3}}, "'dev'.*train, validation, test"),
        ({"sizes": {"train": 0}}, "0 tasks for split 'train'"),
        ({"splits": ["eval"]}, "'eval'.*train, validation, test"),
        ({"splits": ["test"], "sizes": {"train": 3}}, "Give one of the two"),
        ({"num_proc": 0}, r"num_proc is 0: give at least 1 \(--num-proc 1\), or leave it out"),
    ],
)
def test_bad_arguments_are_named_with_the_valid_choices(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        build_dataset("sum", out=tmp_path / "set", **arguments)
    assert not (tmp_path / "set").exists()


def test_a_test_rule_in_train_is_found_across_levels(tmp_path, monkeypatch):
    def leaking(family: str, level: int, seed: int, *, split: str = "train", **_: str) -> Task:
        if split == "test" and level == 2:
            task = generate_sum(family, 1, seed)
            return dataclasses.replace(task, level=2, prompt=f"{task.prompt} ")
        return generate_sum(family, level, seed, split=split)

    monkeypatch.setattr(registry, "generate", leaking)
    sizes = {"train": 8, "test": 3}
    with pytest.raises(RuntimeError, match=r"test/level-02.*train/level-01.*share '[0-7]'"):
        build_dataset("sum", [1, 2], out=tmp_path / "set", sizes=sizes, num_proc=1)
    assert not (tmp_path / "set" / "README.md").exists()


def test_a_validation_task_in_train_is_found(tmp_path, monkeypatch):
    def leaking(family: str, level: int, seed: int, *, split: str = "train", **_: str) -> Task:
        return generate_sum(family, 1, seed)

    monkeypatch.setattr(registry, "generate", leaking)
    sizes = {"train": 8, "validation": 1}
    with pytest.raises(RuntimeError, match=r"nothing of validation may occur in train"):
        build_dataset("sum", [1], out=tmp_path / "set", sizes=sizes, num_proc=1)


def test_a_question_of_two_splits_is_found(tmp_path, monkeypatch):
    def leaking(family: str, level: int, seed: int, *, split: str = "train", **_: str) -> Task:
        task = generate_sum(family, level, seed, split=split)
        return dataclasses.replace(task, metadata={**task.metadata, "question": "the same"})

    monkeypatch.setattr(registry, "generate", leaking)
    sizes = {"train": 2, "test": 2}
    with pytest.raises(RuntimeError, match="share 'the same', but nothing of test may occur in tr"):
        build_dataset("sum", [2], out=tmp_path / "set", sizes=sizes, num_proc=1)


def test_an_option_that_no_task_can_be_made_with_leaves_no_folder(tmp_path, monkeypatch):
    def refusing(*_: object, **options: str) -> Task:
        raise ValueError(f"no style {options['style']}")

    monkeypatch.setattr(registry, "generate", refusing)
    with pytest.raises(ValueError, match="no style haiku"):
        build_dataset("sum", [1], out=tmp_path / "set", num_proc=1, style="haiku")
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("rows", "said"),
    [([0, 1, 2, 3], "4 tasks, where 5 belong"), ([0, 1, 2, 3, 0], r"task \w+ twice")],
)
def test_a_file_that_lost_rows_or_holds_a_task_twice_is_found(tmp_path, rows, said):
    folder = build_dataset("sum", [2], out=tmp_path / "set", sizes={"train": 5}, num_proc=1)
    path = folder / "data/train/level-02.parquet"
    pq.write_table(pq.read_table(path).take(rows), path)
    with pytest.raises(RuntimeError, match=f"level-02.parquet holds {said}"):
        build_dataset("sum", [2], out=folder, sizes={"train": 5}, num_proc=1)


def test_tasks_of_two_kinds_are_mixed_by_their_fingerprints(tmp_path):
    given = {"levels": [2], "sizes": {"train": 23}, "style": "two kinds", "num_proc": 2}
    folder = build_dataset("sum", out=tmp_path / "set", **given)
    rows = pq.read_table(folder / "data/train/level-02.parquet").to_pylist()
    names = [json.loads(row["metadata"])["fingerprint"] for row in rows]
    assert names == sorted(names)
    assert sum(int(row["completion"]) > 10**6 for row in rows) in range(10, 13)


def test_a_column_may_be_empty_in_some_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FEWEST", 1)
    monkeypatch.setattr(
        SumFamily,
        "published_columns",
        lambda _, task: {"even": "yes" if task.metadata["first"] % 2 == 0 else None},
    )
    folder = build_dataset("sum", [1], out=tmp_path / "set", sizes={"train": 8}, num_proc=1)
    rows = pq.read_table(folder / "data/train/level-01.parquet").to_pylist()
    assert [row["even"] == "yes" for row in rows] == [
        json.loads(row["metadata"])["first"] % 2 == 0 for row in rows
    ]


def test_a_build_that_failed_makes_only_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FEWEST", 5)
    given: dict[str, Any] = {"levels": [2, 3], "sizes": {"train": 23, "test": 12}, "num_proc": 1}
    whole = build_dataset("sum", out=tmp_path / "whole", **given)
    folder = tmp_path / "set"
    with monkeypatch.context() as patch:
        patch.setattr(files, "_write", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build_dataset("sum", out=folder, **given)
    kept, *lost = sorted(folder.rglob("*.arrow"))
    before = kept.stat().st_mtime_ns
    for path in lost:
        path.rename(path.with_name(f"{path.name}.host-1.partial"))  # a kill leaves such files
    seen: list[int] = []
    write = files._write
    monkeypatch.setattr(
        files, "_write", lambda *a: (seen.append(kept.stat().st_mtime_ns), write(*a))
    )
    build_dataset("sum", out=folder, **given)
    assert set(seen) == {before}
    assert digests(folder) == digests(whole)


def test_a_folder_that_cant_be_written_is_told_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "set"
    assert main(["sum", "--count", "1", "--out", str(folder)]) == 1
    told = capsys.readouterr().err
    assert f"error: {folder} can't be written (Not a directory). What is there is kept" in told
    assert told.count("\n") == 1


def test_a_host_that_is_not_reached_is_no_fault_of_the_folder():
    for error in (ConnectionRefusedError(111, "no"), TimeoutError("no"), OSError("no")):
        assert told(error, "set") == str(error)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_device_is_told_in_one_line(tmp_path, capsys, monkeypatch):
    full = nullcontext(Path("/dev/full"))
    monkeypatch.setattr(files, "atomic_write", lambda *_, **__: full)
    words = ["sum", "--level", "2", "--count", "train=9", "--out", str(tmp_path / "set")]
    assert main([*words, "--num-proc", "1"]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert "set can't be written (No space left on device). What is there is kept" in told


def test_a_dataset_is_pushed_as_its_folder_once_it_is_whole(tmp_path, monkeypatch):
    calls: list[tuple[Any, ...]] = []
    folder = tmp_path / "set"

    def stub(name: str) -> Any:
        return lambda _, *words, **given: calls.append(
            (name, words, given, (folder / "README.md").exists())
        )

    for name in ("create_repo", "upload_folder"):
        monkeypatch.setattr(f"huggingface_hub.HfApi.{name}", stub(name))
    words = ["sum", "--level", "2", "--count", "train=2", "--out", str(folder), "--num-proc", "1"]
    assert main([*words, "--push-to-hub", "me/sums"]) == 0
    new, whole = {"repo_type": "dataset", "exist_ok": True}, {"folder_path": folder}
    whole |= {"repo_id": "me/sums", "repo_type": "dataset"}
    assert calls[0] == ("create_repo", ("me/sums",), new, False)
    assert calls[1] == ("upload_folder", (), whole, True)
    built = digests(folder)
    assert main([*words, "--push_to_hub", "me/sums"]) == 0  # what is built is pushed as it is
    assert [name for name, *_ in calls[2:]] == ["create_repo", "upload_folder"]
    assert digests(folder) == built


def test_the_card_states_sizes_columns_options_and_the_command(tmp_path):
    folder = build_dataset(
        "sum", [1, 2, 3], out=tmp_path / "set", seed=4, style="compact", num_proc=1
    )
    card = (folder / "README.md").read_text(encoding="utf-8")
    header = yaml.safe_load(card.split("---\n")[1])
    assert header["license"] == "mit"
    names = [config["config_name"] for config in header["configs"]]
    assert names == ["default", "level_1", "level_2", "level_3"]
    assert "| 3 | 8 | 2 | 3 |\n| all | 21 | 6 | 9 |" in card
    assert "| `first number` | int64 | the number to the left |" in card
    assert "no first number of `test` occurs in another split" in card
    assert "| adder | 1.0 |" in card
    call = "build_dataset('sum', [1, 2, 3], out='DIR', seed=4, style='compact', "
    assert f"{call}splits=['train', 'validation', 'test'])" in card


def test_the_card_says_that_prompts_in_the_words_of_a_paper_are_not_ours(tmp_path):
    folder = build_dataset("sum", [1], out=tmp_path / "set", style="paper", num_proc=1)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "license: other" in card
    assert "another.\n\nThe prompts have the style `paper`: the words around the" in card


def test_the_code_on_the_card_builds_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options: dict[str, Any] = {"minimal": False, "style": "compact", "sizes": {"test": 2}}
    folder = build_dataset("validity", [1], out="set", num_proc=1, seed=3, **options)
    card = (folder / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from logic_curriculum.*?)```", card, re.DOTALL)
    exec(code)
    assert digests(Path("DIR")) == digests(folder)
