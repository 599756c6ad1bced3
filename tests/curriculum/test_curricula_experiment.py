"""The arithmetic of benchmarks/curricula/experiment.py, on runs that were written by hand."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

CURRICULA = Path(__file__).parents[2] / "benchmarks" / "curricula"


@pytest.fixture(scope="module")
def experiment():
    """The benchmark's module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(CURRICULA)
        yield importlib.import_module("experiment")


def finished(folder: Path, means: list[float]) -> Path:
    """Write what a run leaves: two levels, whose mean rate is given after each 48 completions."""
    folder.mkdir(parents=True)
    lines = [
        {
            "step": number,
            "completions": 48 * number,
            "rates": {"test_2": mean / 2, "test_1": mean / 2, "test_1_partial": 0.9}
            | {"validation_2": mean - 0.1, "validation_1": mean + 0.1},
        }
        for number, mean in enumerate(means)
    ]
    (folder / "pass_rates.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = [{"step": number, "num_tokens": 1000.0 * number} for number in range(1, len(means))]
    (folder / "trainer_state.json").write_text(json.dumps({"log_history": [*log, {"step": 9}]}))
    levels = [{"level": 1, "groups": 3, "useful_groups": 2}]
    levels += [{"level": 2, "groups": 1, "useful_groups": 1}]
    summary = {"families": {"slr": {"levels": levels}}}
    (folder / "summary.json").write_text(json.dumps(summary))
    (folder / "seconds.txt").write_text("12\n")
    return folder


def test_a_run_is_read_from_its_folder(experiment, tmp_path: Path):
    run = experiment.measure(finished(tmp_path / "uniform-9-0-2", [0.2, 0.4]))
    assert (run.arm, run.start, run.seed) == ("uniform-9", 0, 2)
    assert (run.completions, run.tokens) == ([0, 48], [0, 1000])
    assert run.known[1] == pytest.approx([0.5, 0.3])
    assert run.new[1] == pytest.approx([0.2, 0.2])
    assert (run.useful, run.levels, run.seconds) == (0.75, {"1": 3, "2": 1}, 12.0)


def test_arms_are_compared_in_pairs_of_start_and_seed(experiment, tmp_path: Path, capsys):
    ends = {"uniform": (0.4, 0.6, 0.5), "threshold": (0.5, 0.8, 0.8)}
    for arm, values in ends.items():
        for (start, seed), end in zip(((0, 0), (0, 1), (1, 0)), values, strict=True):
            finished(tmp_path / f"{arm}-{start}-{seed}", [0.2, 0.4, end])
    experiment.table(tmp_path)
    _, _, first, second = capsys.readouterr().out.splitlines()
    assert first.split(" | ")[:3] == ["| uniform, 3", "0.40", "1.00"]
    name, before, after, less, by_start, *_, tokens, reached, useful = second.split(" | ")
    assert (name, before, after, useful) == ("| threshold, 3", "0.40", "1.40", "0.75 |")
    assert less == "+0.40 (-0.10 to +0.90)"  # t(2) of 0.2, 0.4, 0.6
    assert by_start == "+0.30, +0.60"
    assert tokens == "2,000"
    assert reached == "64"  # from 0.80 to 1.40 between 48 and 96
    experiment.table(tmp_path / "results.jsonl")
    assert capsys.readouterr().out.splitlines()[-1] == second


def test_an_arm_that_never_gets_there_is_said_to(experiment, tmp_path: Path):
    run = experiment.measure(finished(tmp_path / "target-0-0", [0.2, 0.3]))
    assert experiment.reached([run], goal=0.9) == "not reached"


def test_a_folder_without_a_finished_run_is_refused(experiment, tmp_path: Path):
    with pytest.raises(SystemExit, match="holds no finished run"):
        experiment.table(tmp_path)
