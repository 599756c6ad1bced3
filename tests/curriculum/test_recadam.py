import copy
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from toy_task import ON_CPU
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

from logic_curriculum.curriculum.recadam import RecAdam, RecallArguments, annealed


def parameter(*values: float) -> nn.Parameter:
    return nn.Parameter(torch.tensor(values, dtype=torch.float64))


def take_steps(optimizer: torch.optim.Optimizer, weight: nn.Parameter, *gradients: float) -> None:
    for gradient in gradients:
        weight.grad = torch.full_like(weight, gradient)
        optimizer.step()


@pytest.mark.parametrize(
    ("function", "step", "value"),
    [
        ("sigmoid", 100, 0.4),  # the middle: half of the weight 0.8
        ("sigmoid", 105, 0.8 / (1 + 2.718281828459045**-1)),  # k (t - t0) = 0.2 * 5 = 1
        ("linear", 25, 0.2),  # a quarter of the way to 0.8
        ("linear", 300, 0.8),
        ("constant", 1, 0.8),
    ],
)
def test_the_weight_of_the_new_task_follows_its_shape(function: str, step: int, value: float):
    assert annealed(function, step, k=0.2, t0=100, weight=0.8) == pytest.approx(value)


def test_a_steep_sigmoid_far_from_its_middle_does_not_overflow():
    assert annealed("sigmoid", 1, k=1000.0, t0=10_000, weight=1.0) == 0.0


@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_without_a_pull_it_is_adamw(weight_decay: float):
    torch.manual_seed(0)
    ours, theirs = (nn.Parameter(torch.linspace(-1, 1, 5)) for _ in range(2))
    options = {"lr": 1e-2, "betas": (0.8, 0.95), "eps": 1e-6, "weight_decay": weight_decay}
    recadam = RecAdam([ours], anneal_fun="constant", **options)
    adamw = torch.optim.AdamW([theirs], **options)

    for _ in range(30):
        gradient = torch.randn(5)
        ours.grad, theirs.grad = gradient.clone(), gradient.clone()
        recadam.step()
        adamw.step()

    torch.testing.assert_close(ours, theirs)


def test_with_no_weight_on_the_task_the_way_back_shrinks_by_one_factor_a_step():
    weight = parameter(3.0, -2.0)
    optimizer = RecAdam([weight], lr=0.1, pretrain_cof=2.0, anneal_t0=1e9)  # λ stays 0
    take_steps(optimizer, weight, 1.0)  # recalls (3, -2) and stays there
    assert weight.tolist() == [3.0, -2.0]
    with torch.no_grad():
        weight.copy_(torch.tensor([4.0, -6.0]))

    take_steps(optimizer, weight, 5.0, -7.0, 0.5)

    left = (1 - 0.1 * 2.0) ** 3  # of the distances 1 and -4
    assert weight.tolist() == pytest.approx([3.0 + left, -2.0 - 4 * left])


def test_two_steps_are_those_computed_by_hand():
    weight = parameter(1.0)
    options = {"anneal_fun": "linear", "anneal_t0": 4, "pretrain_cof": 2.0}
    optimizer = RecAdam([weight], lr=0.1, betas=(0.5, 0.5), eps=0.0, **options)

    # t = 1: λ = 1/4; m̂ = 2, v̂ = 4, so the direction is 1; no pull yet.
    take_steps(optimizer, weight, 2.0)
    assert weight.item() == pytest.approx(1 - 0.1 * 0.25 * 1)  # 0.975

    # t = 2: λ = 1/2; m = 0.5 * 1 - 0.5 * 1 = 0, so there is no direction;
    # the pull is 0.1 * 2 * (1 - 1/2) = 0.1 of the distance 0.975 - 1.
    take_steps(optimizer, weight, -1.0)
    assert weight.item() == pytest.approx(0.975 + 0.1 * 0.025)  # 0.9775


def test_groups_have_their_own_rates_and_anneal_at_their_own_pace():
    slow, fast, alone = parameter(1.0), parameter(1.0), parameter(1.0)
    grouped = RecAdam(
        [{"params": [slow], "lr": 1e-3}, {"params": [fast], "lr": 1e-2, "anneal_t0": 3}],
        anneal_fun="linear",
        anneal_t0=10,
        pretrain_cof=5.0,
    )
    single = RecAdam([alone], lr=1e-2, anneal_fun="linear", anneal_t0=3, pretrain_cof=5.0)

    for gradient in (1.0, -0.3, 0.7, 0.2):
        slow.grad = torch.full_like(slow, gradient)
        take_steps(single, alone, gradient)
        take_steps(grouped, fast, gradient)

    assert fast.item() == alone.item()
    assert 0 < 1 - slow.item() < 1 - fast.item()


def test_a_parameter_without_gradient_is_neither_moved_nor_pulled():
    weight = parameter(1.0)
    optimizer = RecAdam([weight], lr=0.1, pretrain_cof=1.0)

    optimizer.step()

    assert weight.item() == 1.0
    assert not optimizer.state


def test_saved_and_loaded_it_continues_with_the_weights_it_recalled_first():
    whole, first = parameter(1.0, 2.0), parameter(1.0, 2.0)
    options: dict[str, Any] = {"lr": 0.01, "pretrain_cof": 3.0, "anneal_t0": 3}
    uninterrupted = RecAdam([whole], **options)
    take_steps(uninterrupted, whole, 1.0, 0.5, -2.0, 0.25)

    before = RecAdam([first], **options)
    take_steps(before, first, 1.0, 0.5)
    second = nn.Parameter(first.detach().clone())
    after = RecAdam([second], **options)
    after.load_state_dict(copy.deepcopy(before.state_dict()))
    take_steps(after, second, -2.0, 0.25)

    assert torch.equal(second, whole)


def test_a_closure_is_evaluated_with_gradients():
    weight = parameter(2.0)
    optimizer = RecAdam([weight], lr=0.1, anneal_fun="constant")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (weight**2).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 4.0
    assert weight.item() == pytest.approx(1.9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"anneal_fun": "cosine"}, "'cosine', but it has to be one of sigmoid, linear, constant"),
        ({"anneal_w": 0.0}, r"anneal_w is 0.0, but it has to be in \(0, 1\]"),
        ({"anneal_t0": 0}, "anneal_t0 is 0, but it has to be above 0"),
        ({"betas": (0.9, 1.0)}, "betas"),
        ({"lr": -1.0}, "lr is -1.0"),
        ({"lr": 1e-3}, r"0.001 \* 3000 \* 1 = 3, so the pull .* overshoots"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        RecAdam([parameter(1.0)], **options)


def test_a_group_whose_rate_is_too_high_for_the_pull_is_refused():
    optimizer = RecAdam([parameter(1.0)], lr=1e-5)

    with pytest.raises(ValueError, match="overshoots"):
        optimizer.add_param_group({"params": [parameter(1.0)], "lr": 1e-2})


def test_a_rate_that_a_scheduler_raised_too_far_is_refused():
    weight = parameter(1.0)
    optimizer = RecAdam([weight], lr=1e-5)
    optimizer.param_groups[0]["lr"] = 1e-2

    with pytest.raises(ValueError, match="overshoots"):
        take_steps(optimizer, weight, 1.0)


def test_a_sparse_gradient_is_refused_and_no_weight_moves():
    words = nn.Embedding(3, 2, sparse=True)
    before = words.weight.tolist()
    words(torch.tensor([1])).sum().backward()
    with pytest.raises(ValueError, match=r"shape \(3, 2\) is sparse, .* give .* sparse=False"):
        RecAdam(words.parameters()).step()
    assert words.weight.tolist() == before


def tiny_adapter() -> Any:
    torch.manual_seed(0)
    sizes = {"vocab_size": 16, "hidden_size": 16, "intermediate_size": 32}
    base = LlamaForCausalLM(LlamaConfig(**sizes, num_hidden_layers=1, num_attention_heads=2))
    return get_peft_model(base, LoraConfig(r=2, target_modules=["q_proj", "v_proj"]))


def train(folder: Path, steps: int, resume: bool = False, **options: Any) -> Any:
    """Train a tiny adapter by transformers' Trainer, saving every two steps."""
    rows = [{"input_ids": [i % 16, 3, 5], "labels": [i % 16, 3, 5]} for i in range(32)]
    sizes = {"max_steps": steps, "save_steps": 2, "per_device_train_batch_size": 4}
    rate = {"learning_rate": 1e-2, "lr_scheduler_type": "constant"}
    trainer = Trainer(
        model=tiny_adapter(),
        args=TrainingArguments(str(folder), **sizes, **rate, **ON_CPU),
        train_dataset=rows,
        optimizer_cls_and_kwargs=(RecAdam, {"lr": 1e-2, **options}),
    )
    trainer.train(resume_from_checkpoint=resume)
    return {name: p.detach() for name, p in trainer.model.named_parameters() if p.requires_grad}


def test_an_adapter_resumed_from_a_checkpoint_ends_with_the_same_weights(tmp_path: Path):
    options = {"pretrain_cof": 50.0, "anneal_fun": "linear", "anneal_t0": 6}
    whole = train(tmp_path / "whole", 4, **options)

    train(tmp_path / "parts", 2, **options)
    resumed = train(tmp_path / "parts", 4, resume=True, **options)

    assert all(torch.equal(resumed[name], whole[name]) for name in whole)


def test_a_pulled_adapter_stays_nearer_to_the_pretrained_weights(tmp_path: Path):
    free = train(tmp_path / "free", 4, anneal_fun="constant")
    pulled = train(tmp_path / "pulled", 4, anneal_fun="linear", anneal_t0=4, pretrain_cof=50.0)

    def distance(weights: dict[str, torch.Tensor]) -> float:
        """Norm of all B, which are zero where the merged weights are the pretrained ones."""
        return sum(float(w.norm()) for name, w in weights.items() if "lora_B" in name)

    assert 0 < distance(pulled) < distance(free)


def test_recall_adam_takes_the_trainers_options():
    args = TrainingArguments("unused", learning_rate=1e-7, adam_beta2=0.99, use_cpu=True)

    assert RecallArguments().for_trainer(args) is None
    kind, options = RecallArguments(recadam=True, anneal_t0=50).for_trainer(args) or (None, {})

    assert kind is RecAdam
    assert (options["lr"], options["betas"], options["anneal_t0"]) == (1e-7, (0.9, 0.99), 50)
