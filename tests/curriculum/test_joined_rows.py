"""Log-probabilities of completions of one prompt, computed in one row, are those of rows apart."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from peft import LoraConfig, PromptTuningConfig
from toy_task import toy_model, toy_reward, toy_scheduler, toy_tokenizer
from transformers import AutoConfig, AutoModelForCausalLM
from trl import GRPOConfig, RLOOConfig
from trl.trainer.utils import add_fused_lm_head

from logic_curriculum.curriculum import CurriculumGRPOTrainer, CurriculumRLOOTrainer
from logic_curriculum.curriculum.models import shared_prompts

PAD, KEPT = 0, 5
JOINED = ["llama", "qwen2", "qwen3", "mistral", "gemma", "olmo2", "granite", "gpt_neox", "smollm3"]
APART = ["gemma3_text", "gpt2", "bloom", "mamba", "gpt_oss", "qwen3_next"]


def config_of(kind: str, attention: str = "sdpa") -> Any:
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    options = {"sliding_window": None} if kind in ("mistral", "mixtral") else {}
    tokens = {"vocab_size": 50, "pad_token_id": PAD, "bos_token_id": 1, "eos_token_id": 2}
    config = AutoConfig.for_model(kind, **sizes, **heads, **tokens, **options)
    config._attn_implementation = attention
    return config


def network(kind: str, attention: str = "sdpa") -> Any:
    torch.manual_seed(0)
    options = {"attn_implementation": attention, "dtype": torch.float32}
    model = AutoModelForCausalLM.from_config(config_of(kind), **options)
    add_fused_lm_head(model, outputs=("log_probs",))
    return model


def rows() -> tuple[torch.Tensor, torch.Tensor]:
    """Return 8 rows of two prompts, mixed, with completions of none to 5 of 5 tokens."""
    torch.manual_seed(1)
    ids = torch.randint(3, 50, (8, 12 + KEPT))
    ids[:5, :12], ids[5:, :12] = ids[0, :12].clone(), ids[5, :12].clone()
    mask = torch.ones_like(ids)
    mask[:5, :4] = 0
    for row, length in enumerate([5, 3, 0, 1, 2, 5, 4, 5]):
        mask[row, 12 + length :] = 0
    order = torch.randperm(8)
    return ids.masked_fill(mask == 0, PAD)[order], mask[order]


def apart(model: Any, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    labels = ids.masked_fill(mask == 0, -100)
    labels[:, :-KEPT] = -100
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    given = {"input_ids": ids, "attention_mask": mask, "position_ids": positions}
    return model(**given, labels=labels, fused_lm_head=True).log_probs[:, -KEPT:]


def together(model: Any, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    joined = shared_prompts.join(ids, mask, KEPT, torch.float32)
    assert joined is not None
    assert joined.inputs["input_ids"].shape == (2, 11 + 14)
    return joined.apart(model(**joined.inputs, fused_lm_head=True).log_probs)


def gradient(model: Any, logps: torch.Tensor) -> torch.Tensor:
    weights = torch.linspace(-1, 1, logps.numel()).reshape(logps.shape)
    model.zero_grad()
    (logps * weights).sum().backward()
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("kind", JOINED)
def test_values_and_gradients_are_those_of_rows_apart(kind: str, attention: str) -> None:
    model, (ids, mask) = network(kind, attention), rows()
    assert shared_prompts.can_join(model)
    one, other = apart(model, ids, mask), together(model, ids, mask)
    torch.testing.assert_close(other, one * mask[:, -KEPT:], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(gradient(model, other), gradient(model, one), rtol=1e-3, atol=1e-4)


def joinable(config: Any, *adapters: Any) -> bool:
    return shared_prompts.can_join(
        SimpleNamespace(config=config, peft_config=dict(enumerate(adapters)))
    )


@pytest.mark.parametrize("kind", APART)
def test_other_attention_is_left_alone(kind: str) -> None:
    assert not joinable(config_of(kind))


def test_flash_attention_is_left_alone() -> None:
    assert joinable(config_of("llama"))
    assert not joinable(config_of("llama", "flash_attention_2"))


@pytest.mark.parametrize(
    "adapter",
    [
        PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4),
        LoraConfig(task_type="CAUSAL_LM", alora_invocation_tokens=[3]),
    ],
)
def test_adapters_that_count_a_row_s_tokens_are_left_alone(adapter: Any) -> None:
    assert joinable(config_of("llama"), LoraConfig())
    assert not joinable(config_of("llama"), adapter)


@pytest.mark.parametrize("change", [{"rope_type": "dynamic"}, {"llama_4_scaling_beta": 0.1}])
def test_angles_that_depend_on_the_row_s_length_are_left_alone(change: dict[str, Any]) -> None:
    config = config_of("llama")
    config.rope_parameters = {**config.rope_parameters, **change}
    assert not joinable(config)


def test_a_loss_over_routers_is_left_alone() -> None:
    config = config_of("mixtral")
    assert joinable(config)
    config.output_router_logits = True
    assert not joinable(config)


def test_rows_that_share_nothing_are_not_joined() -> None:
    ids = torch.arange(36).reshape(2, 18)
    assert shared_prompts.join(ids, torch.ones_like(ids), KEPT, torch.float32) is None


def test_long_completions_of_short_prompts_are_not_joined() -> None:
    ids = torch.ones(8, 60, dtype=torch.long)
    assert shared_prompts.join(ids, torch.ones_like(ids), 50, torch.float32) is None


TRAINERS = [(CurriculumGRPOTrainer, GRPOConfig), (CurriculumRLOOTrainer, RLOOConfig)]


def trained(folder: Path, kinds: Any, options: dict[str, Any]) -> tuple[torch.Tensor, list[int]]:
    """Return the weights after three steps, and how many tokens the network read to learn."""
    trainer = kinds[0](
        model=toy_model(),
        reward_funcs=toy_reward,
        args=kinds[1](
            str(folder),
            per_device_train_batch_size=16,
            num_generations=8,
            max_completion_length=4,
            max_steps=3,
            learning_rate=1e-2,
            beta=0.0,
            use_cpu=True,
            bf16=False,
            save_strategy="no",
            report_to="none",
            **options,
        ),
        processing_class=toy_tokenizer(),
        curriculum=toy_scheduler(),
        make_task=lambda family, level, seed: {"prompt": "level 1 say " + "a b c d " * (5 + level)},
    )
    read: list[int] = []
    trainer.model.model.embed_tokens.register_forward_pre_hook(
        lambda module, given: read.append(given[0].numel()) if torch.is_grad_enabled() else None
    )
    trainer.train()
    return torch.cat([p.detach().flatten() for p in trainer.model.parameters()]), read


@pytest.mark.parametrize("kinds", TRAINERS)
@pytest.mark.parametrize("options", [{}, {"num_iterations": 2}, {"gradient_accumulation_steps": 2}])
def test_a_trainer_learns_the_same_from_fewer_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: Any, options: dict[str, Any]
) -> None:
    weights, read = trained(tmp_path / "joined", kinds, options)
    monkeypatch.setattr(shared_prompts, "can_join", lambda model: False)
    expected, read_before = trained(tmp_path / "apart", kinds, options)
    torch.testing.assert_close(weights, expected, rtol=1e-3, atol=1e-4)
    assert len(read) == len(read_before)
    assert 2 * sum(read) < sum(read_before)
