"""The GRPO recipe on two CPU processes; with ZeRO-3 it is tested in test_grpo_slr.py."""

import json
from pathlib import Path

import pytest
from launching import Launch


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_processes_warm_up_train_and_evaluate_together(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run", "cpu-2", per_device_train_batch_size=4)

    assert "Processes: 2" in run.stdout, run.stderr[-3000:]
    assert (tmp_path / "run" / "model.safetensors").is_file(), run.stderr[-3000:]
    (level,) = json.loads((tmp_path / "run" / "levels.json").read_text())
    assert level["tasks"] == 8
    observed = [json.loads(line) for line in (tmp_path / "run" / "curriculum.jsonl").open()]
    assert sum(line["attempts"] for line in observed) == 3 * 2 * 4  # steps, processes, completions
