"""Faster training on a processor computes the same."""

from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM
from trl.trainer import utils as trl_utils

from logic_curriculum.curriculum.models import on_cpu


def loss_and_gradient() -> tuple[torch.Tensor, torch.Tensor, list[int]]:
    """Return a network's loss and gradient at two labels of seven, and the positions projected."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=50, num_attention_heads=4, **sizes))
    trl_utils.add_fused_lm_head(model, outputs=("log_probs",))
    ids = torch.arange(3, 11).reshape(1, 8)
    labels = ids.clone()
    labels[:, :6] = -100
    projected: list[int] = []
    original = trl_utils._ChunkedLogProbFunction.apply

    def counted(hidden: torch.Tensor, *rest: Any) -> Any:
        projected.append(len(hidden))
        return original(hidden, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trl_utils._ChunkedLogProbFunction, "apply", counted)
        outputs = model(input_ids=ids, labels=labels, fused_lm_head=True)
    (-outputs.log_probs.sum()).backward()
    return outputs.log_probs.detach(), model.model.embed_tokens.weight.grad, projected


def test_only_positions_with_a_loss_are_projected(monkeypatch: pytest.MonkeyPatch) -> None:
    # A recipe that another test started in this process may have switched it on already.
    monkeypatch.setattr(trl_utils, "_use_triton", lambda device: False)
    before, gradient_before, projected_before = loss_and_gradient()
    on_cpu.score_answers_only()
    after, gradient_after, projected_after = loss_and_gradient()
    assert (projected_before, projected_after) == ([7], [2])
    torch.testing.assert_close(after[:, -2:], before[:, -2:])
    assert after[:, :-2].abs().sum() == 0
    torch.testing.assert_close(gradient_after, gradient_before)


def test_another_trl_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(trl_utils, "_use_triton")
    with pytest.raises(RuntimeError, match="install a version that this was written for"):
        on_cpu.score_answers_only()
