"""The arithmetic of benchmarks/curricula/experiment.py, on runs that were written by hand."""

from __future__ import annotations

import importlib
import json
from itertools import product
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
    """Write what a run leaves: two levels, whose mean rate is given after each 64 completions."""
    folder.mkdir()
    constants = [{"level": 1, "constant": 0.2}, {"level": 2, "constant": 0.0}]
    (folder / "levels.json").write_text(json.dumps(constants))
    lines = [
        {
            "completions": 64 * number,
            "rates": {"validation_1": mean + 0.1, "validation_2": mean - 0.1}
            | {"test_1": mean / 2, "test_2": mean / 2},
        }
        for number, mean in enumerate(means)
    ]
    (folder / "pass_rates.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = [{"curriculum/useful_groups": 0.5}, {"loss": 1.0}, {"curriculum/useful_groups": 0.25}]
    (folder / "trainer_state.json").write_text(json.dumps({"log_history": log}))
    return folder


def test_a_run_counts_completions_until_its_mean_less_the_constants_reaches_the_goal(
    experiment, tmp_path: Path
):
    run = experiment.measure(finished(tmp_path / "a", [0.2, 0.35, 0.5, 0.4]), goal=0.4)
    assert (run.completions, run.reached) == (128, True)
    found = (run.end, run.lowest_before, run.lowest, run.new, run.useful)
    assert found == pytest.approx((0.3, 0.3, 0.5, 0.2, 0.375))


def test_a_goal_that_was_reached_before_is_reached_at_the_first_evaluation(experiment, tmp_path):
    run = experiment.measure(finished(tmp_path / "a", [0.6, 0.6, 0.7]), goal=0.4)
    assert (run.completions, run.reached) == (64, True)


def test_a_run_that_never_gets_there_counts_all_it_generated(experiment, tmp_path: Path):
    run = experiment.measure(finished(tmp_path / "a", [0.2, 0.3, 0.4]), goal=0.4)
    assert (run.completions, run.reached) == (128, False)


def test_the_factor_is_the_geometric_mean_of_the_pairs_ratios(experiment, tmp_path: Path):
    def runs(*ends: int):
        made = experiment.Run(0, True, 0.3, 0.9, 0.8, 0.1, 0.5)
        return [made._replace(completions=end) for end in ends]

    name, completions, reached, factor, p, *_ = experiment.row("u", runs(200, 800), runs(100, 100))
    assert (name, completions, reached, p) == ("u", "500", "2 of 2", "0.500")
    assert factor.startswith("4.00 (")


def test_ends_are_compared_in_pairs(experiment):
    first = [experiment.Run(100, True, end, 0.9, 0.8, 0.1, 0.5) for end in (0.2, 0.3)]
    second = [run._replace(end=run.end + 0.1) for run in first]
    assert experiment.row("u", first, first)[5] == "0.250"
    assert experiment.row("t", second, first)[5] == "0.350 (+0.100, p 0.500)"


def test_two_runs_that_never_get_there_count_as_equal(experiment):
    lost = experiment.Run(900, False, 0.1, 0.9, 0.8, 0.1, 0.5)
    factor, p = experiment.row("u", [lost], [lost._replace(completions=100)])[3:5]
    assert (factor, p) == ("1.00 (1.00 to 1.00)", "1.000")


def test_the_sign_flip_test_is_exact(experiment):
    values = [0.5, 0.2, -0.1, 0.4]
    flipped = [
        sum(s * v for s, v in zip(signs, values, strict=True))
        for signs in product((1, -1), repeat=4)
    ]
    expected = sum(abs(total) >= abs(sum(values)) - 1e-12 for total in flipped) / 16
    assert experiment.sign_flip_p(values) == pytest.approx(expected)
    assert experiment.sign_flip_p([1.0] * 9) == pytest.approx(2 / 512)
