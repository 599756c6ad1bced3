import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from launching import Launch


def sft(launch: Launch, run: Path, *hardware: Any, **options: object):
    return launch(run, *hardware, recipe="sft_loginum", **options)


def answers(run: Path, name: str) -> Iterator[dict[str, Any]]:
    for line in (run / "evaluation" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@pytest.mark.slow
def test_a_run_measures_both_accuracies_before_and_after_with_and_without_examples(
    launch: Launch, tmp_path: Path
):
    run = sft(launch, tmp_path, shots=[0, 1], eval_presets=["EL-EN", "HL-EN"])

    assert run.returncode == 0, run.stderr[-3000:]
    assert "| model | shots | EL-EN Proc | EL-EN Ans | HL-EN Proc | HL-EN Ans |" in run.stdout
    for name in ("before", "after"):
        rows = list(answers(tmp_path, name))
        found = [(row["metadata"]["preset"], row["shots"]) for row in rows]
        assert sorted(set(found)) == [("EL-EN", 0), ("EL-EN", 1), ("HL-EN", 0), ("HL-EN", 1)]
        assert len(found) == 24
    summaries = json.loads((tmp_path / "accuracies.json").read_text())
    assert [s["model"] for s in summaries] == ["before"] * 4 + ["after"] * 4
    assert (tmp_path / "accuracies.md").read_text() in run.stdout


@pytest.mark.slow
def test_recall_adam_trains_an_adapter_and_an_interrupted_run_goes_on(
    launch: Launch, tmp_path: Path
):
    options = {
        "use_peft": True,
        "lora_target_modules": ["q_proj", "v_proj"],
        "recadam": True,
        "learning_rate": 1e-5,
        "save_strategy": "steps",
        "save_steps": 1,
    }
    first = sft(launch, tmp_path, **options)
    assert first.returncode == 0, first.stderr[-3000:]
    assert (tmp_path / "trained" / "adapter_model.safetensors").is_file()
    (tmp_path / "trained" / "training.json").unlink()  # as if killed after its last checkpoint
    (tmp_path / "evaluation" / "after.jsonl").unlink()
    before = (tmp_path / "evaluation" / "before.jsonl").stat().st_mtime_ns

    second = sft(launch, tmp_path, **options, resume_from_checkpoint="true")

    assert second.returncode == 0, second.stderr[-3000:]
    assert "warm-up loss" not in second.stdout
    assert json.loads((tmp_path / "trained" / "training.json").read_text())["steps"] == 2
    assert (tmp_path / "evaluation" / "before.jsonl").stat().st_mtime_ns == before


@pytest.mark.slow
def test_two_processes_share_training_and_evaluation(launch: Launch, tmp_path: Path):
    run = sft(launch, tmp_path, "cpu-2")

    assert "Processes: 2" in run.stdout, run.stderr[-3000:]
    assert len(list(answers(tmp_path, "after"))) == 6, run.stderr[-3000:]
    assert (tmp_path / "accuracies.json").is_file(), run.stderr[-3000:]


def test_a_benchmark_without_learning_rate_is_refused(launch: Launch, tmp_path: Path):
    run = sft(launch, tmp_path / "run", benchmark="GSM8k")

    assert run.returncode != 0
    assert "benchmark is 'GSM8k', for which the configuration has no learning rate" in run.stderr
