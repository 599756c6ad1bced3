"""The dataset builder on the real inductive family: same bytes everywhere, and no leaks."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
import slr_bench
from sums import digests

from logic_curriculum.generators import generate
from logic_curriculum.generators.dataset import build_dataset

BUILD = ["slr", "--level", "1,6,13", "--count", "train=24,test=6", "--seed", "11"]


def start(arguments: list[str], folder: Path, hash_seed: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "logic_curriculum.generators", *arguments, "--out", folder],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )


def hear_ctrl_c() -> None:
    """Undo that a job which a shell starts in the background ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start_build(folder: Path, *, num_proc: int, hash_seed: str) -> subprocess.Popen[bytes]:
    return start([*BUILD, "--num-proc", str(num_proc)], folder, hash_seed)


def wait_for_piece(folder: Path) -> Path:
    """Return the first piece of candidates as soon as there is one."""
    deadline = time.monotonic() + 100
    while not (found := list(folder.rglob("*.arrow"))):
        assert time.monotonic() < deadline, "no piece was written"
        time.sleep(0.01)
    return found[0]


def build(folder: Path, *, num_proc: int, hash_seed: str) -> Path:
    process = start_build(folder, num_proc=num_proc, hash_seed=hash_seed)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors.decode()
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build that the others are compared to."""
    return build(tmp_path_factory.mktemp("whole") / "set", num_proc=1, hash_seed="0")


def column(folder: Path, split: str, name: str) -> list[str]:
    files = sorted((folder / "data" / split).glob("*.parquet"))
    return [value for file in files for value in pq.read_table(file)[name].to_pylist()]


def test_bytes_do_not_depend_on_processes_or_hash_seed(whole, tmp_path):
    other = build(tmp_path / "set", num_proc=2, hash_seed="4242")
    assert digests(other) == digests(whole)
    assert len(digests(whole)) == 3 * 2 + 2  # files, card, manifest


def test_a_killed_build_resumes_to_the_same_bytes_and_leaves_no_process(whole, tmp_path):
    folder = tmp_path / "set"
    process = start_build(folder, num_proc=2, hash_seed="7")
    first = wait_for_piece(folder)
    os.kill(process.pid, signal.SIGKILL)
    # The workers share this pipe: it closes when the last of them has ended.
    process.communicate(timeout=20)
    assert not (folder / "README.md").exists()
    assert first.exists()
    build(folder, num_proc=2, hash_seed="8")
    assert digests(folder) == digests(whole)


def test_ctrl_c_ends_all_processes_and_says_how_to_continue(tmp_path):
    long_build = ["slr", "--level", "13", "--count", "train=1000", "--num-proc", "2"]
    process = start(long_build, tmp_path / "set", hash_seed="0")
    while not any((tmp_path / "set" / "candidates").glob("*")):
        time.sleep(0.01)  # then the workers are at work, for many seconds to come
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"the same command continues" in errors


@pytest.mark.parametrize("language", ["houses", "file"])
def test_another_language_builds_the_same_way(tmp_path, language):
    if language == "file":
        language = tmp_path / "mine.yaml"
        shipped = resources.files("logic_curriculum.generators.slr.languages") / "houses.yaml"
        language.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    sizes = {"train": 3, "test": 2}
    folder = build_dataset(
        "slr", [1, 8], out=tmp_path / "set", sizes=sizes, num_proc=1, language=language
    )
    assert all("house" in program for program in column(folder, "test", "validation program"))
    assert f"| language | {language} |" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_build_works_after_prolog_was_used_in_the_calling_process(whole, tmp_path):
    generate("slr", 6, 1)
    sizes = {"train": 24, "test": 6}
    folder = build_dataset("slr", [1, 6, 13], out=tmp_path / "s", sizes=sizes, seed=11, num_proc=2)
    assert digests(folder) == digests(whole)
    generate("slr", 6, 2)


def literals(body: str) -> list[str]:
    """Split a clause body at the commas outside brackets."""
    parts, depth = [""], 0
    for character in body:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def matched(literal: str, other: str, names: dict[str, str]) -> dict[str, str] | None:
    """Extend a one-to-one renaming of variables so that it makes two literals equal."""
    words, others = (re.findall(r"\w+|[^\w\s]", text) for text in (literal, other))
    if len(words) != len(others):
        return None
    names = dict(names)
    for word, twin in zip(words, others, strict=True):
        is_variable = word[0].isupper() or word[0] == "_"
        if not is_variable and word != twin:
            return None
        if is_variable and names.setdefault(word, twin) != twin:
            return None
    return names if len(set(names.values())) == len(names) else None


def equivalent(body: list[str], other: list[str], names: dict[str, str]) -> bool:
    """Whether some order of the literals and some renaming makes two clause bodies equal."""
    if len(body) != len(other):
        return False
    if not body:
        return True
    for place, candidate in enumerate(other):
        extended = matched(body[0], candidate, names)
        rest = other[:place] + other[place + 1 :]
        if extended is not None and equivalent(body[1:], rest, extended):
            return True
    return False


def same_rule(rule: str, other: str) -> bool:
    """Compare rules by trying everything; shares no code with the generator's canonical form."""
    (head, _, body), (twin, _, other_body) = (
        text.strip().rstrip(".").partition(":-") for text in (rule, other)
    )
    names = matched(head.strip(), twin.strip(), {})
    return names is not None and equivalent(literals(body), literals(other_body), names)


def test_the_comparison_of_this_file_sees_renamed_and_reordered_rules():
    rule = "p(T) :- has_car(T, C), car_len(C, long), \\+ car_color(C, red)."
    assert same_rule(rule, "p(X) :- \\+ car_color(A, red), has_car(X, A), car_len(A, long).")
    assert not same_rule(rule, "p(X) :- \\+ car_color(X, red), has_car(X, A), car_len(A, long).")
    assert not same_rule(rule, "p(T) :- has_car(T, C), car_len(C, long), \\+ car_color(C, blue).")
    rule = "p(T) :- at(T, C, D), red(C), E is D + 1, at(T, F, E), blue(F)."
    assert same_rule(rule, "p(T) :- E is D + 1, at(T, A, D), at(T, B, E), blue(B), red(A).")
    assert not same_rule(rule, "p(T) :- E is D + 1, at(T, A, D), at(T, B, E), blue(A), red(B).")


@pytest.mark.slow
def test_no_test_rule_occurs_in_train_under_any_variable_names_or_literal_order(tmp_path):
    sizes = {"train": 26, "validation": 10, "test": 36}
    folder = build_dataset("slr", [1, 2, 6], out=tmp_path / "set", sizes=sizes, num_proc=2)
    rules = {split: column(folder, split, "ground-truth rule") for split in sizes}
    seen = dict.fromkeys(rules["train"] + rules["validation"])
    leaked = [rule for rule in dict.fromkeys(rules["test"]) for old in seen if same_rule(rule, old)]
    assert leaked == []


def test_the_columns_are_the_published_ones_and_ours(whole, tmp_path):
    loaded = datasets.load_dataset(str(whole), cache_dir=str(tmp_path / "cache"))
    assert set(loaded["test"].column_names) == {
        *slr_bench.COLUMNS,
        "completion",
        "family",
        "level",
        "seed",
        "verification",
        "metadata",
    }
    assert loaded["train"].num_rows == 3 * 24
    assert loaded["train"].features == loaded["test"].features


def test_each_row_can_be_generated_again_from_its_own_columns(whole):
    for row in pq.read_table(whole / "data/test/level-06.parquet").to_pylist():
        task = generate(row["family"], row["level"], row["seed"], split="test")
        assert (task.prompt, task.solution) == (row["prompt"], row["completion"])
        assert dict(task.verification) == json.loads(row["verification"])


def test_ids_are_distinct(whole):
    ids = column(whole, "train", "id") + column(whole, "test", "id")
    assert len(set(ids)) == len(ids)
