"""Prompts that rows share are read once, and answers and gradients stay the same."""

from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from logic_curriculum.curriculum.models import shared_prompts

PAD = 0


@pytest.fixture(scope="module")
def model() -> Any:
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    config = LlamaConfig(vocab_size=50, pad_token_id=PAD, **sizes, **heads)
    return LlamaForCausalLM(config).eval()


def prompts(repeats: int) -> dict[str, torch.Tensor]:
    """Return three prompts, one of them padded on the left, each so many times."""
    ids = torch.arange(3, 30).reshape(3, 9)
    mask = torch.ones_like(ids)
    ids[1, :4], mask[1, :4] = PAD, 0
    both = {"input_ids": ids, "attention_mask": mask}
    return {name: values.repeat_interleave(repeats, 0) for name, values in both.items()}


@pytest.mark.parametrize("options", [{"do_sample": False}, {"do_sample": True, "temperature": 2.0}])
@pytest.mark.parametrize("repeats", [1, 4])
def test_answers_are_those_of_generate(model: Any, options: dict[str, Any], repeats: int) -> None:
    given = {**prompts(repeats), "max_new_tokens": 12, **options}
    torch.manual_seed(1)
    expected = model.generate(**given)
    torch.manual_seed(1)
    assert torch.equal(shared_prompts.generate(model, **given), expected)


def test_each_prompt_is_read_once(model: Any) -> None:
    rows: list[tuple[int, int]] = []
    hook = model.model.embed_tokens.register_forward_pre_hook(
        lambda module, given: rows.append(tuple(given[0].shape))
    )
    shared_prompts.generate(model, **prompts(4), max_new_tokens=2, do_sample=False)
    hook.remove()
    assert rows == [(3, 8), (12, 1), (12, 1)]
