"""Datasets that Ray Data builds, with two workers: the files of one machine, byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sums import digests

from logic_curriculum.generators import build_dataset
from logic_curriculum.generators.dataset.files import check_files, cluster
from logic_curriculum.generators.dataset.plan import make_plan

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
SMALL: dict[str, Any] = {"levels": [1, 2], "sizes": {"train": 24, "test": 10}, "seed": 3}
"""Level 1 of SLR has 26 training tasks, so many candidates are equal, and more are made."""


@pytest.fixture(scope="module")
def two_workers() -> Iterator[None]:
    """Start a cluster of this machine."""
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the dataset as processes of one machine build it."""
    return build_dataset("slr", out=tmp_path_factory.mktemp("one") / "set", num_proc=1, **SMALL)


@pytest.mark.usefixtures("two_workers")
def test_a_cluster_builds_the_files_of_one_machine(one_machine, tmp_path):
    folder = build_dataset("slr", out=tmp_path / "set", ray="local", **SMALL)
    assert digests(folder) == digests(one_machine)
    rows = pq.read_table(folder / "data/train/level-01.parquet").to_pylist()
    assert len({json.loads(row["metadata"])["fingerprint"] for row in rows}) == 24


def test_a_build_killed_on_a_cluster_continues_on_one_machine(one_machine, tmp_path):
    folder = tmp_path / "set"
    words = ["slr", "--level", "1,2", "--count", "train=24,test=10", "--seed", "3"]
    words += ["--ray", "local", "--out", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "logic_curriculum.generators", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 1200
    try:
        while not list(folder.rglob("*.arrow")):
            assert process.poll() is None, "the build ended early"
            assert time.monotonic() < deadline, "no piece was written"
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    assert not (folder / "README.md").exists()
    assert digests(build_dataset("slr", out=folder, num_proc=1, **SMALL)) == digests(one_machine)


@pytest.mark.usefixtures("two_workers")
def test_a_test_rule_in_another_split_and_a_task_twice_are_found(one_machine, tmp_path):
    plan = make_plan("slr", splits=None, options={}, **SMALL)
    files = [one_machine / file.path for file in plan.files()]
    for change, message in (
        (lambda rows: rows.take([*range(23), 0]), r"train/level-01.parquet holds task \w+ twice"),
        (lambda rows: leaking(rows, files), r"test/level-0[12].*and .*train/level-01.* share '"),
    ):
        for file in plan.files():
            (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(pq.read_table(one_machine / file.path), tmp_path / file.path)
        first = tmp_path / plan.files()[0].path
        pq.write_table(change(pq.read_table(first)), first)
        with pytest.raises(RuntimeError, match=message):
            check_files(plan.files(), tmp_path, cluster("local"))


def leaking(rows: Any, files: list[Path]) -> Any:
    """Put a task of the test split into a table of training tasks."""
    test = pq.read_table(files[2]).slice(0, 1).cast(rows.schema)
    return type(rows).from_batches([*rows.slice(1).to_batches(), *test.to_batches()])


@pytest.mark.usefixtures("two_workers")
def test_what_a_worker_refuses_is_told_in_one_line(tmp_path):
    def refuse(item: int) -> Any:
        raise ValueError(f"item {item} can't be made: make another")

    with pytest.raises(RuntimeError, match=r"^making on Ray failed: item 0 can't be made: make an"):
        cluster("local")(refuse, range(1), lambda groups: groups, "making")
