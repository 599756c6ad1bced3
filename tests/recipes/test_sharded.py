"""SFT with its judge and GRPO with its evaluation end on two processes, whole and sharded.

Each kind of hardware takes one launch. Every rank makes the same forward passes, whatever its rows
hold: otherwise ZeRO-3 and FSDP 2, whose forward passes are collective, would wait for ever.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from launching import accelerate, levels, run
from sft_launching import make_base

LIMIT = 240  # seconds for one launch, which takes about 40 beside another test
Runs = Callable[[str, tuple[str, ...]], Path]

pytestmark = pytest.mark.timeout(LIMIT + 60, func_only=True)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    base = make_base(tmp_path_factory.mktemp("base"))

    def launched(hardware: str, flags: tuple[str, ...] = ()) -> Path:
        out = tmp_path_factory.mktemp(hardware)
        words = accelerate("tests/recipes/sharded_runs.py", {}, hardware, flags)
        given = {"OUT": str(out), "BASE": str(base), "LIMIT": str(LIMIT), "OMP_NUM_THREADS": "1"}
        try:
            ended = run(words, LIMIT + 30, **given)
            output = f"{ended.stdout[-2000:]}\n{ended.stderr[-6000:]}"
        except subprocess.TimeoutExpired as error:
            output = str(error)
        stacks = "\n".join(f"{p.name}: {p.read_text()}" for p in sorted(out.glob("stacks.*")))
        processes = 1 if hardware == "cpu" else 2
        done = [path.name for path in out.glob("done.*")]
        assert len(done) == processes, f"{done} of {processes} ended\n{stacks}\n{output}"
        return out

    return launched


@pytest.fixture(scope="module")
def one(runs: Runs) -> Path:
    """Return the folder of the runs on one process."""
    return runs("cpu", ())


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.open()]


def losses(run: Path) -> list[float]:
    history = json.loads((run / "trainer_state.json").read_text())["log_history"]
    return [entry["loss"] for entry in history if "loss" in entry]


def test_two_processes_train_and_evaluate_as_one_does(
    one: Path, runs: Runs, pair: tuple[str, tuple[str, ...]]
) -> None:
    two = runs(*pair)

    sft = [folder / "sft_slr" for folder in (one, two)]
    assert losses(sft[1]) == pytest.approx(losses(sft[0]), abs=1e-3)
    judged = [read(folder / "evaluation.jsonl") for folder in sft]
    assert [line["step"] for line in judged[1]] == [0, 2, 4]
    assert judged[1] == judged[0]

    grpo = [folder / "grpo_slr" for folder in (one, two)]
    trained = [read(folder / "curriculum.jsonl") for folder in grpo]
    asked = [[(line["step"], line["level"], line["attempts"]) for line in t] for t in trained]
    assert asked[1] == asked[0]
    measured = [read(folder / "pass_rates.jsonl") for folder in grpo]
    for lines in measured:
        assert [(line["step"], line["completions"]) for line in lines] == [(0, 0), (1, 12), (2, 24)]
    (level, _) = levels(grpo[1])
    assert (level["level"], level["tasks"]) == ("1", "5")
    for folder in grpo:
        left = {path.name for path in folder.iterdir()}
        assert {"model.safetensors", "tokenizer.json", "run.json", "summary.json"} <= left
        assert {"curriculum.png", "pass_rates.png"} <= left
