"""A toy family for the curriculum's tests: no Prolog, no download, a model of a few kilobytes."""

from __future__ import annotations

import hashlib
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler, Ladder
from logic_curriculum.generators.seeding import stream

WORDS = ["<pad>", "<eos>", "level", "say", *"abcdefghij0123456789"]
ON_CPU: dict[str, Any] = {"bf16": False, "use_cpu": True, "gradient_checkpointing": False}
ON_CPU |= {"report_to": "none", "disable_tqdm": True}
"""Options of trainers for a short run."""


def make_task(family: str, level: int, seed: int) -> dict[str, Any]:
    """Return a row: the prompt names the level and some letters drawn from the seed."""
    rng = stream("toy", family, level, seed)
    letters = " ".join(rng.choice("abcdefghij") for _ in range(1 + level % 4))
    return {"prompt": f"level {level % 10} say {letters}", "answer": letters, "seed": seed}


def digest(text: object) -> str:
    return hashlib.sha256(repr(text).encode()).hexdigest()[:12]


def toy_reward(completions: list[str], trainer_state: Any, log_metric: Any, **_: Any) -> list[Any]:
    """Pass about three completions in four, whatever the model has learnt; one in 16 is None."""
    log_metric("toy/syntax_rate", 0.5)
    log_metric("toy/hacking_gap", 0.25)
    numbers = [int(digest((text, trainer_state.global_step)), 16) for text in completions]
    return [None if number % 16 == 0 else float(number % 4 != 1) for number in numbers]


def toy_tokenizer() -> PreTrainedTokenizerFast:
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>", padding_side="left"
    )


def toy_model() -> LlamaForCausalLM:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=64,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def toy_scheduler(**options: Any) -> CurriculumScheduler:
    """Return a scheduler over toy families of nine levels each."""
    # One batch of the tests' trainers is two tasks, and passes if all of their completions do.
    defaults = {"window": 2, "pass_threshold": 0.4, "replay_share": 0.0, "task_seed": 7}
    config = CurriculumConfig(**{"families": ["toy"], **defaults, **options})
    tiers = ("basic",) * 4 + ("hard",) * 5
    return CurriculumScheduler(config, [Ladder(family, tiers) for family in config.families])
