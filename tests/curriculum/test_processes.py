"""Agreement of processes, and resuming after a kill, on real CPU processes.

Each run is judged by what its processes wrote, not by its return code: CPU processes that talk
over gloo may abort while the interpreter shuts down.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from logic_curriculum.curriculum.checkpoints import MANIFEST, PREEMPTED
from logic_curriculum.curriculum.strategies import STRATEGIES

SCRIPT = Path(__file__).with_name("toy_run.py")
CONFIGS = Path(__file__).parents[2] / "accelerate_configs"
LIMIT = 240.0  # seconds for one run, on a busy machine
STEPS = 12
CHECKPOINT = 4
KILL = 6  # step in which the run is killed
GROUP = 8

Seen = dict[int, dict[str, Any]]


def launch(processes: int, out: Path, *options: str) -> None:
    """Run the script on that many processes, until they have ended in one way or another."""
    config = CONFIGS / ("cpu-2.yaml" if processes == 2 else "cpu.yaml")
    command = [sys.executable, "-m", "accelerate.commands.launch", f"--config_file={config}"]
    command += ["--main_process_port=0", str(SCRIPT), "--out", str(out), *options]
    # One thread per process: sums are then added up in the same order in every run.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    with (out / "output.txt").open("ab") as log:
        subprocess.run(command, stdout=log, stderr=log, env=environment, timeout=LIMIT, check=False)


def train(processes: int, out: Path, *options: str) -> None:
    """Train to the end."""
    launch(processes, out, *options)
    if len(outcomes(out)) != processes:
        pytest.fail(
            f"not every process came to its end:\n{(out / 'output.txt').read_text()[-3000:]}"
        )


def train_and_kill(processes: int, out: Path, *options: str) -> None:
    """Train past a checkpoint, up to a kill -9 of every process between completions and update."""
    launch(processes, out, "--die-at", str(KILL), *options)
    assert [max(rank) for rank in seen(out)] == [KILL] * processes
    assert (out / f"checkpoint-{CHECKPOINT}").is_dir()
    assert not outcomes(out)


def seen_in(path: Path) -> Seen:
    """Return the last record of each step; after a resume the repeated steps count."""
    lines = path.read_text().splitlines(keepends=True)
    records = [json.loads(line) for line in lines if line.endswith("\n")]
    return {record["step"]: record for record in records}


def seen(out: Path) -> list[Seen]:
    return [seen_in(path) for path in sorted(out.glob("seen.*.jsonl"))]


def outcomes(out: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(out.glob("done.*"))]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an uninterrupted run on two processes."""
    folder = tmp_path_factory.mktemp("on-two")
    train(2, folder)
    return folder


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an uninterrupted run on one process."""
    folder = tmp_path_factory.mktemp("on-one")
    train(1, folder)
    return folder


def test_two_processes_really_train_together(two: Path) -> None:
    assert [outcome["world"] for outcome in outcomes(two)] == [2, 2]
    assert len(seen(two)) == 2


def test_a_manifest_lists_the_files_of_all_processes(two: Path) -> None:
    for checkpoint in two.glob("checkpoint-*"):
        listed = json.loads((checkpoint / MANIFEST).read_text())
        assert {"rng_state_0.pth", "rng_state_1.pth"} <= {*listed}
        assert {*listed, MANIFEST} == {path.name for path in checkpoint.iterdir()}


def test_all_processes_see_the_same_level_at_the_same_step(two: Path) -> None:
    first, second = seen(two)
    assert list(first) == list(second) == list(range(STEPS))
    levels = [first[step]["level"] for step in first]
    assert levels == [second[step]["level"] for step in second]
    assert len(set(levels)) > 3  # the level moved, within one call of train


def test_all_processes_end_in_the_same_state(two: Path) -> None:
    first, second = outcomes(two)
    assert first == second


def test_no_row_is_above_the_level_of_its_step(two: Path) -> None:
    for records in seen(two):
        for record in records.values():
            assert max(record["levels"]) <= record["level"]


def test_every_group_shares_its_prompt(two: Path) -> None:
    ranks = seen(two)
    assert len(ranks[0][0]["prompts"]) % GROUP != 0  # groups straddle processes
    require_whole_groups(ranks)


def require_whole_groups(ranks: list[Seen]) -> None:
    for step in range(STEPS):
        for column in ("prompts", "slots", "levels"):
            values = [value for rank in ranks for value in rank[step][column]]
            groups = [values[i : i + GROUP] for i in range(0, len(values), GROUP)]
            assert all(len(set(group)) == 1 for group in groups), (step, column)


def test_only_the_main_process_writes_the_record(two: Path) -> None:
    records = [json.loads(line) for line in (two / "curriculum.jsonl").open()]
    attempts = sum(record["attempts"] for record in records)
    graded = [reward for rank in seen(two) for step in rank.values() for reward in step["rewards"]]
    assert attempts == sum(reward is not None for reward in graded)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("strategy", sorted(STRATEGIES.keys() - {"threshold"}))
def test_a_killed_run_of_another_strategy_continues(
    tmp_path: Path, strategy: str, processes: int
) -> None:
    folders = [tmp_path / "whole", tmp_path / "parts"]
    for folder in folders:
        folder.mkdir()
    options = ("--strategy", strategy)
    train(processes, folders[0], *options)
    train_and_kill(processes, folders[1], *options)
    train(processes, folders[1], *options, "--resume", str(folders[1] / f"checkpoint-{CHECKPOINT}"))
    assert seen(folders[0]) == seen(folders[1])
    assert outcomes(folders[0]) == outcomes(folders[1])


@pytest.mark.slow
def test_a_killed_run_continues_on_one_process(one: Path, tmp_path: Path) -> None:
    train_and_kill(1, tmp_path)
    train(1, tmp_path, "--resume", str(tmp_path / f"checkpoint-{CHECKPOINT}"))
    assert_equal(tmp_path, one)


@pytest.mark.slow
def test_a_run_that_is_asked_to_end_and_then_killed_continues_as_if_nothing_had_happened(
    two: Path, tmp_path: Path
) -> None:
    launch(2, tmp_path, "--ask-at", "2")  # one process is asked, and both end
    assert not outcomes(tmp_path)
    assert (tmp_path / PREEMPTED).read_text() == "step 3\n"

    train_and_kill(2, tmp_path, "--resume", str(tmp_path / "checkpoint-3"))
    train(2, tmp_path, "--resume", str(tmp_path / f"checkpoint-{CHECKPOINT}"))

    assert not (tmp_path / PREEMPTED).exists()
    assert_equal(tmp_path, two)


def assert_equal(run: Path, other: Path) -> None:
    """Compare two runs' slots, prompts, completions, rewards and levels, step by step and rank."""
    assert seen(run) == seen(other)
    assert outcomes(run) == outcomes(other)
    assert (run / "curriculum.jsonl").read_text() == (other / "curriculum.jsonl").read_text()


@pytest.mark.slow
def test_data_loader_workers_change_nothing(one: Path, tmp_path: Path) -> None:
    train(1, tmp_path, "--workers", "2")
    assert seen(tmp_path) == seen(one)
    assert outcomes(tmp_path) == outcomes(one)


@pytest.mark.slow
def test_an_ordinary_trainer_agrees_across_processes(tmp_path: Path) -> None:
    train(2, tmp_path, "--watched")
    first, second = seen(tmp_path)
    levels = [first[step]["level"] for step in range(STEPS)]
    assert levels == [second[step]["level"] for step in range(STEPS)]
    assert len(set(levels)) > 2
    assert outcomes(tmp_path)[0] == outcomes(tmp_path)[1]
    require_whole_groups([first, second])
