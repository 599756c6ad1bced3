"""Launches of ``recipes/sft_slr.py`` that are small enough for tests, and what they leave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from launching import accelerate, run

from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    train_tiny_model,
    warm_up_tasks,
)

SMALL = {
    "last_level": 2,
    "train_sizes": [8, 16],
    "num_train_epochs": 2,
    "learning_rate": 1e-3,
    "logging_steps": 1,
    "judge_steps": 3,
    "judge_levels": 2,
    "judge_tasks": 4,
    "judge_splits": "validation",
    "max_new_tokens": 4,
    "per_device_eval_batch_size": 4,
    "save_strategy": "steps",
    "save_steps": 3,
}
"""Options that shrink the demo to six steps of eight tasks; it then learns nothing."""

DEMO = "recipes/configs/sft_slr/demo.yaml"
"""A model that the command line names gets no configuration of its own accord."""

STEPS = 6
LORA = {"use_peft": True, "lora_target_modules": "all-linear"}


def make_base(folder: Path) -> Path:
    """Return the folder of a small network that knows next to nothing."""
    tasks = warm_up_tasks([1, 2], 0, {"slr": {"style": "compact"}}, 50)
    size = TinyModelConfig(hidden_size=32, intermediate_size=64, layers=2, steps=2, batch_size=8)
    train_tiny_model(str(folder), 0, tasks, size)
    return folder


def sft(
    base: Path,
    output_dir: Path,
    hardware: str = "cpu",
    flags: Sequence[str] = (),
    script: str = "tests/recipes/recorded_sft.py",
    **options: object,
) -> str:
    """Run the recipe, and return its output; what its processes learnt from is in ``seen``.

    A run on several CPU processes may abort while the interpreter shuts down, so the return code
    says nothing.
    """
    merged = {**SMALL, "model_name_or_path": base, **options, "output_dir": output_dir}
    seen = output_dir.with_name(f"{output_dir.name}-seen")
    seen.mkdir(exist_ok=True)
    words = accelerate(script, merged, hardware, flags, ["--config", DEMO])
    launched = run(words, 1200, SEEN=str(seen), OMP_NUM_THREADS="1")
    return launched.stdout + launched.stderr[-4000:]


def seen(output_dir: Path, step: int | None = None) -> list[str]:
    """Return the texts that were learnt, in their order over all processes, at a step or at all.

    Processes take batches in turn, so the first batch of each comes before the second of any.
    """
    folder = output_dir.with_name(f"{output_dir.name}-seen")
    ranks = [
        [json.loads(line) for line in path.read_text().splitlines()]
        for path in sorted(folder.glob("*.jsonl"))
    ]
    in_turn = [batch for together in zip_longest(*ranks) for batch in together if batch]
    return [text for batch in in_turn if step in (None, batch["step"]) for text in batch["texts"]]


def trained_on(output_dir: Path) -> list[str]:
    """Return the texts of the training tasks, level by level, as they were built."""
    files = sorted((output_dir / "data").glob("level_*/data/train/*.parquet"))
    rows = [row for path in files for row in pq.read_table(path).to_pylist()]
    return [row["prompt"] + row["completion"] for row in rows]


def losses(output_dir: Path, step: int = STEPS) -> list[float]:
    """Return the loss of each step up to a checkpoint."""
    return [entry["loss"] for entry in state(output_dir, step)["log_history"] if "loss" in entry]


def state(output_dir: Path, step: int = STEPS) -> dict[str, Any]:
    """Return the trainer's state in a checkpoint."""
    return json.loads((output_dir / f"checkpoint-{step}" / "trainer_state.json").read_text())


def evaluations(output_dir: Path) -> list[dict[str, Any]]:
    """Return the lines of ``evaluation.jsonl``."""
    return [json.loads(line) for line in (output_dir / "evaluation.jsonl").open()]
