"""Two models made on the spot: a tiny one, and an adapter that was trained further."""

from __future__ import annotations

from pathlib import Path

from datasets import Dataset
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.evaluation.downstream.arguments import DownstreamArguments
from logic_curriculum.curriculum.models.adapters import train_adapter
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    train_tiny_model,
    warm_up_tasks,
)

BATCH_SIZE = 32
EXAMPLES = 2_000


def make_tiny_models(script: DownstreamArguments) -> tuple[str, str]:
    """Return the folders of a tiny model and of an adapter for it, made if need be.

    The model has learnt the lowest of SLR's levels asked, the adapter all of them. Both know the
    ``compact`` style alone.
    """
    folder = Path(script.output_dir) / "tiny-model"
    levels = script.metadata.get("levels") or [1, 2, 3]
    style = {"slr": {"style": "compact"}}
    if not (folder / "model.safetensors").is_file():
        lowest = warm_up_tasks(levels[:1], script.seed, style, EXAMPLES)
        config = TinyModelConfig(steps=script.warm_up_steps, batch_size=BATCH_SIZE)
        train_tiny_model(str(folder), script.seed, lowest, config)
    adapter = Path(script.output_dir) / "tiny-adapter"
    tasks = warm_up_tasks(levels, script.seed + 1, style, EXAMPLES)
    rows = [{"prompt": task.prompt, "completion": task.solution} for task in tasks]
    args = SFTConfig(
        output_dir=str(adapter),
        max_steps=script.adapter_steps,
        per_device_train_batch_size=BATCH_SIZE,
        learning_rate=5e-3,
        warmup_steps=0.05,
        lr_scheduler_type="cosine",
        bf16=False,
        activation_checkpointing=False,
        use_cpu=True,
        logging_steps=max(1, script.adapter_steps // 4),
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        seed=script.seed,
    )
    low_rank = ModelConfig(
        model_name_or_path=str(folder),
        use_peft=True,
        lora_r=16,
        lora_alpha=32,
        lora_dropout=0.0,
        lora_target_modules=["all-linear"],
    )
    train_adapter(adapter, "adapter", Dataset.from_list(rows), args, low_rank)
    return str(folder), str(adapter)
