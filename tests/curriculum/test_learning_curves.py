"""Pass rates over completions, drawn from what runs have written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from logic_curriculum.curriculum.evaluation.charts import learning_curves, save


def written(path: Path, *rates: dict[str, float]) -> Path:
    """Write the pass rates of evaluations that are 64 completions apart."""
    lines = [{"step": n, "completions": 64 * n, "rates": each} for n, each in enumerate(rates)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_curve_is_the_mean_over_the_levels_of_a_split(tmp_path: Path) -> None:
    rates = {"validation_1": 0.5, "validation_2": 0.1, "validation_1_partial": 0.9, "test_1": 0.2}
    more = {**rates, "validation_2": 0.3, "slr_validation_3": 0.1}
    chart = learning_curves({"target": written(tmp_path / "one.jsonl", rates, more)})
    seen = {each.name: [(p.x, round(p.value, 2)) for p in each.points] for each in chart.series}
    assert seen == {
        "target, validation": [(0, 0.3), (64, 0.3)],
        "target, test": [(0, 0.2), (64, 0.2)],
    }


def test_two_runs_are_drawn_side_by_side(tmp_path: Path) -> None:
    rates = {"validation_1": 0.5, "test_1": 0.2}
    runs = {name: written(tmp_path / f"{name}.jsonl", rates) for name in ("target", "uniform")}
    save(tmp_path / "pass_rates.png", [learning_curves(runs)], columns=1)
    assert (tmp_path / "pass_rates.png").read_bytes().startswith(b"\x89PNG")
    colours = {each.name: each.colour for each in learning_curves(runs).series}
    assert colours["target, test"] != colours["uniform, test"]


def test_a_file_without_pass_rates_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"empty\.jsonl holds no pass rates"):
        learning_curves({"x": written(tmp_path / "empty.jsonl")})
