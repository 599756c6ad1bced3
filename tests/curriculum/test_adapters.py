"""Merging an adapter that was just trained."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from datasets import Dataset
from peft import AutoPeftModelForCausalLM
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer, set_seed
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.models.adapters import train_adapter
from logic_curriculum.curriculum.models.merging import whole_model
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.generators import generate

TASKS = [generate("slr", 1, seed, style="compact") for seed in range(24)]


@pytest.fixture
def base(tmp_path: Path) -> str:
    """Return the folder of a network with its first weights."""
    folder = str(tmp_path / "base")
    tokenizer = make_tokenizer(TASKS, 300)
    set_seed(0)
    make_model(tokenizer, TinyModelConfig(hidden_size=32, layers=2)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@torch.no_grad()
def logits(model: torch.nn.Module, tokenizer_folder: str) -> torch.Tensor:
    tokenizer = AutoTokenizer.from_pretrained(tokenizer_folder)
    inputs = tokenizer([task.prompt for task in TASKS[:4]], return_tensors="pt", padding=True)
    return model.eval()(**inputs).logits


def test_a_merged_adapter_is_an_ordinary_model_with_the_same_logits(base: str, tmp_path: Path):
    folder = tmp_path / "adapter"
    rows = [{"prompt": task.prompt, "completion": task.solution} for task in TASKS]
    args = SFTConfig(
        str(tmp_path),
        max_steps=3,
        per_device_train_batch_size=8,
        learning_rate=1e-2,
        use_cpu=True,
        bf16=False,
        report_to="none",
        disable_tqdm=True,
    )
    shape = ModelConfig(base, use_peft=True, lora_target_modules=["all-linear"])
    train_adapter(folder, "export", Dataset.from_list(rows), args, shape)

    whole = whole_model(str(folder))
    assert whole_model(whole) == whole

    tuned = logits(AutoPeftModelForCausalLM.from_pretrained(folder), base)
    merged = logits(AutoModelForCausalLM.from_pretrained(whole), whole)
    untrained = logits(AutoModelForCausalLM.from_pretrained(base), base)
    torch.testing.assert_close(merged, tuned, rtol=0, atol=1e-5)
    assert (tuned - untrained).abs().max() > 1e-2

    weights = folder / "adapter_model.safetensors"  # as when training goes on in the folder
    save_file({name: 2 * value for name, value in load_file(weights).items()}, weights)
    again = whole_model(str(folder))
    tuned = logits(AutoPeftModelForCausalLM.from_pretrained(folder), base)
    torch.testing.assert_close(
        logits(AutoModelForCausalLM.from_pretrained(again), again), tuned, rtol=0, atol=1e-4
    )
    assert (merged - tuned).abs().max() > 1e-2
