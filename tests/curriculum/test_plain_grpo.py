"""A curriculum changes which tasks are trained, and nothing else of GRPO, for any model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from peft import LoraConfig, PrefixTuningConfig
from toy_task import ON_CPU, WORDS, make_task, toy_model, toy_scheduler, toy_tokenizer
from transformers import FalconMambaConfig, MambaConfig, MptConfig, RecurrentGemmaConfig, RwkvConfig
from transformers.models.auto import AutoModelForCausalLM
from trl import GRPOConfig, GRPOTrainer

from logic_curriculum.curriculum import CurriculumDataset, CurriculumGRPOTrainer
from logic_curriculum.curriculum.dataset import SLOT

COMMON = {"vocab_size": len(WORDS), "pad_token_id": 0, "eos_token_id": 1, "bos_token_id": None}
SMALL = {**COMMON, "hidden_size": 16, "num_hidden_layers": 1}
CONFIGS = {
    "MPT": lambda: MptConfig(**COMMON, d_model=16, n_heads=2, n_layers=1, max_seq_len=64),
    "Mamba": lambda: MambaConfig(**SMALL, state_size=4),
    "FalconMamba": lambda: FalconMambaConfig(**SMALL, state_size=4),
    "RWKV": lambda: RwkvConfig(
        **{**SMALL, "num_hidden_layers": 2}, context_length=64, attention_hidden_size=16
    ),
    "RecurrentGemma": lambda: RecurrentGemmaConfig(
        **{**SMALL, "num_hidden_layers": 3},
        intermediate_size=32,
        num_attention_heads=2,
        lru_width=16,
    ),
}
OPTIONS = {
    "per_device_train_batch_size": 8,
    "num_generations": 4,
    "max_completion_length": 4,
    "max_steps": 2,
    "learning_rate": 1e-2,
    "logging_steps": 1,
    "save_strategy": "no",
    **ON_CPU,
}
Seen = list[tuple[str, str]]


def train(folder: Path, model: Any, plain: bool, options: Any, **given: Any) -> tuple[Any, Seen]:
    """Train on the tasks of the first slots, and return the trainer and what was written."""
    seen: Seen = []

    def lengths(prompts: list[str], completions: list[str], **_: Any) -> list[float]:
        seen.extend(zip(prompts, completions, strict=True))
        return [float(len(text) % 3) for text in completions]

    args = GRPOConfig(str(folder), **{**OPTIONS, "shuffle_dataset": not plain, **options})
    common = {**given, "args": args, "processing_class": toy_tokenizer(), "reward_funcs": lengths}
    scheduler = toy_scheduler(strategy="uniform")
    if plain:
        rows = CurriculumDataset(scheduler, make_task).rows(range(8))
        rows = [{name: row[name] for name in row if name != SLOT} for row in rows]
        trainer = GRPOTrainer(model, train_dataset=Dataset.from_list(rows), **common)
    else:
        trainer = CurriculumGRPOTrainer(model, curriculum=scheduler, make_task=make_task, **common)
    trainer.train()
    return trainer, seen


def compare(folder: Path, make: Any, options: Any = None, **given: Any) -> None:
    results = [train(folder, make(), plain, options or {}, **given) for plain in (True, False)]
    (plain, expected), (own, seen) = results
    assert seen == expected
    names = ("loss", "grad_norm", "reward", "entropy")
    logged = [
        [entry[name] for entry in trainer.state.log_history if "loss" in entry for name in names]
        for trainer in (plain, own)
    ]
    assert logged[0] == logged[1]
    weights = own.model.state_dict()
    for name, weight in plain.model.state_dict().items():
        assert torch.equal(weight, weights[name]), name


def parameters(names: Any, default: str) -> Any:
    """One of these by default: no code of ours knows the kind of a model or a cache."""
    slow = pytest.mark.slow
    return [pytest.param(name, marks=() if name == default else slow) for name in names]


@pytest.mark.parametrize("name", parameters(CONFIGS, "MPT"))
def test_any_architecture_trains_as_without_a_curriculum(tmp_path: Path, name: str) -> None:
    def make() -> Any:
        torch.manual_seed(0)
        return AutoModelForCausalLM.from_config(CONFIGS[name]())

    compare(tmp_path, make)


GENERATION = {
    "no cache by generation_kwargs": {"generation_kwargs": {"use_cache": False}},
    "a static cache": {"cache_implementation": "static"},
    "a dynamic cache": {"cache_implementation": "dynamic"},
    "beams": {"generation_kwargs": {"num_beams": 2}},
}


@pytest.mark.parametrize("name", parameters(GENERATION, "a static cache"))
def test_any_way_of_generating_is_trls_own(tmp_path: Path, name: str) -> None:
    compare(tmp_path, toy_model, GENERATION[name])


@pytest.mark.parametrize("place", parameters(["config", "generation_config"], "config"))
def test_a_model_without_a_cache_generates_as_without_a_curriculum(
    tmp_path: Path, place: str
) -> None:
    def make() -> Any:
        model = toy_model()
        getattr(model, place).use_cache = False
        return model

    compare(tmp_path, make)


@pytest.mark.slow
def test_a_model_loaded_without_a_cache_does_too(tmp_path: Path) -> None:
    toy_model().save_pretrained(tmp_path / "model")
    options = {"model_init_kwargs": {"use_cache": False}}
    compare(tmp_path, lambda: str(tmp_path / "model"), options)


@pytest.mark.parametrize(
    "adapter",
    [
        LoraConfig(target_modules="all-linear", task_type="CAUSAL_LM"),
        PrefixTuningConfig(num_virtual_tokens=3, task_type="CAUSAL_LM"),
    ],
    ids=["LoRA", "prefix tuning"],
)
def test_any_adapter_trains_as_without_a_curriculum(tmp_path: Path, adapter: Any) -> None:
    compare(tmp_path, toy_model, peft_config=adapter)
