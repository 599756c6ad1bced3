"""Making and judging tasks by Ray Data; with Ray itself, on two nodes, in the slow test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import z3

from logic_curriculum.curriculum.integrations.ray_data import GenerateTasks, JudgeAnswers
from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge

ROOT = Path(__file__).parents[2]
LIBRARIES = Path(z3.__file__).parents[1]
"""Where the other dependencies are; what is installed for Ray comes before them."""
INSTALLED = ["ray==2.60.0", "click", "jsonschema", "jsonschema_specifications", "msgpack"]
INSTALLED += ["protobuf", "referencing", "rpds_py", "attrs", "typing_extensions"]
ROWS = 240


def made(count: int) -> pa.Table:
    asked = [{"level": 1 + seed % 3, "seed": seed, "note": f"n{seed}"} for seed in range(count)]
    return GenerateTasks("sat", {"split": "test"})(pa.Table.from_pylist(asked))


def test_rows_of_levels_and_seeds_become_the_tasks_of_generate():
    for row in made(6).to_pylist():
        task = generate("sat", row["level"], row["seed"], split="test")
        assert {name: row[name] for name in task.to_row()} == task.to_row()
        assert row["note"] == f"n{row['seed']}"


def test_a_row_may_have_its_own_split():
    row = {"level": 1, "seed": 5, "split": "validation"}
    (found,) = GenerateTasks("sat")(pa.Table.from_pylist([row])).to_pylist()
    assert found["prompt"] == generate("sat", 1, 5, split="validation").prompt


def test_judging_adds_what_judge_finds():
    (row,) = JudgeAnswers()(made(1)).to_pylist()
    verdict = judge("sat", row["completion"], row["verification"])
    assert {name: row[name] for name in ("solved", "reward", "answer", "explanation")} == {
        name: vars(verdict)[name] for name in ("solved", "reward", "answer", "explanation")
    }
    assert json.loads(row["metrics"]) == verdict.metrics


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"verification": "{"}, "is no JSON"),
        ({"completion": None}, "completion"),
        ({"family": "chess"}, "chess"),
    ],
)
def test_a_row_that_cant_be_judged_has_an_error_and_costs_the_others_nothing(change, error):
    good, bad, other = made(3).to_pylist()
    table = pa.Table.from_pylist([good, {**bad, **change}, other])
    found = JudgeAnswers()(table).to_pylist()
    assert [row["solved"] for row in found] == [True, None, True]
    assert error in found[1]["error"]


@pytest.mark.parametrize("kind", ["numpy", "pandas"])
def test_batches_of_other_formats_are_judged_alike(kind):
    table = made(3)
    numpy = {name: np.array(table[name].to_pylist(), dtype=object) for name in table.column_names}
    batch: Any = table.to_pandas() if kind == "pandas" else numpy
    assert JudgeAnswers()(batch).to_pylist() == JudgeAnswers()(table).to_pylist()


def test_an_unknown_family_fails_before_a_row_is_read():
    with pytest.raises(ValueError, match="chess"):
        GenerateTasks("chess")
    with pytest.raises(ValueError, match="chess"):
        JudgeAnswers("chess")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with Ray."""
    folder = tmp_path_factory.mktemp("ray") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps", *INSTALLED]
    subprocess.run(pip, check=True, timeout=800)
    (site / "libraries.pth").write_text(f"{LIBRARIES}\n")
    return folder / "bin" / "python"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_node_killed_half_way_loses_and_doubles_nothing(python, tmp_path):
    done = subprocess.run(
        [python, str(ROOT / "tests" / "curriculum" / "ray_run.py"), str(ROWS), str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["nodes"] == 2  # the one that was killed had made tasks
    assert ROWS / 3 <= found["killed_at"] < ROWS
    rows = sorted(found["rows"], key=lambda row: row["seed"])
    assert [row["seed"] for row in rows] == list(range(ROWS))
    for row in rows:
        task = generate("sat", row["level"], row["seed"], split="test")
        answer = [task.solution, "?", f"{task.solution} or not"][row["seed"] % 3]
        verdict = judge("sat", answer, task.verification)
        assert (row["prompt"], row["completion"]) == (task.prompt, answer)
        assert (row["reward"], row["explanation"]) == (verdict.reward, verdict.explanation)
