"""Prompts of several rows are read once, and what is generated and learnt stays the same."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from accelerate import DistributedType
from datasets import Dataset
from peft import LoraConfig, PromptTuningConfig
from toy_task import toy_model, toy_tokenizer
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    DynamicCache,
    LlamaForCausalLM,
    StaticCache,
)
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer
from trl.trainer.utils import add_fused_lm_head

from logic_curriculum.curriculum.models import shared_prompts
from logic_curriculum.curriculum.models.shared_prompts import MODELS, SharedPrompts, sharing

FIRST, TOKENS = 12, 17  # the first column of completions, and the number of columns


class SharedGRPOTrainer(SharedPrompts, GRPOTrainer):
    pass


class SharedRLOOTrainer(SharedPrompts, RLOOTrainer):
    pass


def network(kind: str, attention: str = "sdpa", **options: Any) -> Any:
    """Return a model with weights so large that each token it attends to matters."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8}
    tokens = {"vocab_size": 50, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    window = {"sliding_window": None} if kind == "mistral" else {}
    config = AutoConfig.for_model(kind, **{**sizes, **heads, **tokens, **window, **options})
    model = AutoModelForCausalLM.from_config(
        config, attn_implementation=attention, dtype=torch.float32
    )
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(torch.randn_like(weights), alpha=0.15)
    add_fused_lm_head(model, outputs=("log_probs", "entropy"))
    return model.eval()


def rows() -> tuple[torch.Tensor, torch.Tensor]:
    """Return 8 rows of two prompts, mixed, with completions of none to 5 of 5 tokens."""
    torch.manual_seed(1)
    ids = torch.randint(3, 50, (8, TOKENS))
    ids[:5, :FIRST], ids[5:, :FIRST] = ids[0, :FIRST].clone(), ids[5, :FIRST].clone()
    mask = torch.ones_like(ids)
    mask[:5, :4] = 0
    for row, length in enumerate([5, 3, 0, 1, 2, 5, 4, 5]):
        mask[row, FIRST + length :] = 0
    order = torch.randperm(8)
    return ids.masked_fill(mask == 0, 0)[order], mask[order]


def scoring() -> dict[str, Any]:
    """Return the arguments of TRL's call."""
    ids, mask = rows()
    labels = ids.masked_fill(mask == 0, -100)
    labels[:, :FIRST] = -100
    given = {"input_ids": ids, "attention_mask": mask, "labels": labels}
    return {**given, "fused_lm_head": True}


def scores(model: Any) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Return all that the model says of completions, and a gradient of the log-probabilities."""
    found = model(**scoring())
    weights = torch.linspace(-1, 1, found.log_probs.numel()).reshape(found.log_probs.shape)
    model.zero_grad()
    (found.log_probs * weights).sum().backward()
    parts = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
    return dict(found), torch.cat(parts)


def generated(model: Any, **options: Any) -> torch.Tensor:
    prompts = torch.arange(27).reshape(3, 9) % 20 + 4
    mask = torch.ones_like(prompts)
    prompts[1, :4] = mask[1, :4] = 0
    torch.manual_seed(3)
    return model.generate(
        input_ids=prompts.repeat_interleave(4, 0),
        attention_mask=mask.repeat_interleave(4, 0),
        **{"do_sample": True, "max_new_tokens": 12, **options},
    )


@contextmanager
def reading(model: Any) -> Iterator[list[tuple[int, ...]]]:
    """Yield the shapes of what a model is given to read; of None nothing."""
    shapes: list[tuple[int, ...]] = []
    if model is None:
        yield shapes
        return
    hook = model.get_input_embeddings().register_forward_pre_hook(
        lambda module, given: shapes.append(tuple(given[0].shape))
    )
    yield shapes
    hook.remove()


every_model = pytest.mark.parametrize("kind", MODELS)
every_attention = pytest.mark.parametrize("attention", ["sdpa", "eager"])


@every_model
@every_attention
def test_scores_and_gradients_are_those_of_rows_apart(kind: str, attention: str) -> None:
    model = network(kind, attention)
    expected, slope = scores(model)
    with sharing(model), reading(model) as shapes:
        found, shared_slope = scores(model)
    assert shapes == [(2, FIRST - 1 + 14)]
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(shared_slope, slope, rtol=1e-3, atol=1e-4 * slope.abs().max().item())


@every_attention
def test_scores_are_those_of_rows_apart_under_autocast(attention: str) -> None:
    model = network("llama", attention)
    with torch.autocast("cpu", torch.bfloat16):
        expected = model(**scoring()).log_probs
        with sharing(model):
            found = model(**scoring()).log_probs
    torch.testing.assert_close(found, expected, rtol=0.05, atol=0.2)


@every_model
@every_attention
def test_answers_are_those_of_generate(kind: str, attention: str) -> None:
    model = network(kind, attention)
    expected = generated(model)
    with sharing(model), reading(model) as shapes:
        assert torch.equal(generated(model), expected)
    assert shapes == [(3, 9), *[(12, 1)] * 11]


@pytest.mark.parametrize(
    "options", [{"do_sample": False}, {"prefill_chunk_size": 4}, {"num_beams": 2}, {"use_cache": 0}]
)
def test_other_ways_of_generating_stay_right(options: dict[str, Any]) -> None:
    model = network("llama")
    options = {name: bool(v) if name == "use_cache" else v for name, v in options.items()}
    expected = generated(model, **options)
    with sharing(model):
        assert torch.equal(generated(model, **options), expected)


def prefill(**options: Any) -> dict[str, Any]:
    ids, mask = torch.ones(4, 9).long(), torch.ones(4, 9).long()
    cache = DynamicCache(config=network("llama").config)
    return {"input_ids": ids, "attention_mask": mask, "past_key_values": cache, **options}


def test_other_calls_of_a_reading_model_are_left_alone() -> None:
    config = network("llama").config
    used = prefill()
    network("llama")(**used)
    sliding = DynamicCache(config=network("mistral", sliding_window=4).config)
    others = [
        {"past_key_values": None},
        {"past_key_values": StaticCache(config=config, max_cache_len=20)},
        {"past_key_values": sliding},
        {"past_key_values": used["past_key_values"]},
        {"inputs_embeds": torch.ones(4, 9, 32)},
        {"attention_mask": torch.ones(4, 1, 9, 9).long()},
        {"input_ids": torch.arange(36).reshape(4, 9)},
    ]
    assert shared_prompts.read_once(None, prefill())
    assert not any(shared_prompts.read_once(None, prefill(**other)) for other in others)


def test_other_calls_of_a_scoring_model_are_left_alone() -> None:
    given = scoring()
    ids, mask, labels = given["input_ids"], given["attention_mask"], given["labels"]
    gap, late, none = mask.clone(), labels.clone(), torch.full_like(labels, -100)
    gap[:, FIRST - 2] = 0
    late[:, FIRST] = -100
    tool = labels.clone()
    tool[labels[:, FIRST + 1] > 0, FIRST + 1] = -100  # read, but not scored
    others = [
        {"output_router_logits": True},
        {"fused_lm_head": False},
        {"attention_mask": gap},
        {"labels": late},
        {"labels": tool},
        {"labels": none},
        {"input_ids": ids + torch.arange(8)[:, None]},
    ]
    model = network("llama")
    assert shared_prompts.score_once(model, given)
    assert not any(shared_prompts.score_once(model, {**given, **other}) for other in others)


def test_long_completions_of_short_prompts_are_not_joined() -> None:
    ids = torch.ones(8, 60, dtype=torch.long)
    assert shared_prompts.join(ids, torch.ones_like(ids), 50, hidden=64)
    assert not shared_prompts.join(ids, torch.ones_like(ids), 10, hidden=64)


def make_trainer(
    kind: Any, folder: Path, model: Any = None, peft_config: Any = None, **options: Any
) -> Any:
    """Return a trainer of four long prompts, eight completions each, two prompts a batch."""
    letters = ["a b c", "d e f g", "h i j", "a c e g i"]
    prompts = [{"prompt": f"level 1 say {letter} " * 3} for letter in letters]
    config = RLOOConfig if issubclass(kind, RLOOTrainer) else GRPOConfig
    defaults = {
        "per_device_train_batch_size": 16,
        "per_device_eval_batch_size": 16,
        "num_generations": 8,
        "max_completion_length": 4,
        "max_steps": 3,
        "learning_rate": 1e-2,
        "beta": 0.0,
        "use_cpu": True,
        "bf16": False,
        "save_strategy": "no",
        "report_to": "none",
        "logging_steps": 1,
        "disable_tqdm": True,
    }
    return kind(
        model=model or toy_model(),
        reward_funcs=lambda completions, **_: [float(len(set(text))) for text in completions],
        args=config(str(folder), **{**defaults, **options}),
        train_dataset=Dataset.from_list(prompts),
        eval_dataset=Dataset.from_list(prompts),
        processing_class=toy_tokenizer(),
        peft_config=peft_config,
    )


LORA = LoraConfig(target_modules="all-linear", r=4, init_lora_weights="gaussian")
GRPO, RLOO = (SharedGRPOTrainer, GRPOTrainer), (SharedRLOOTrainer, RLOOTrainer)
RUNS: list[Any] = [
    pytest.param(GRPO, {}, marks=pytest.mark.slow),
    pytest.param(GRPO, {"peft_config": LORA}, marks=pytest.mark.slow),
    (GRPO, {"peft_config": LORA, "beta": 0.1}),
    (GRPO, {"beta": 0.1, "gradient_accumulation_steps": 2}),  # with a reference model
    pytest.param(
        GRPO, {"num_iterations": 2, "gradient_accumulation_steps": 2}, marks=pytest.mark.slow
    ),
    pytest.param(RLOO, {}, marks=pytest.mark.slow),
]


def trained(trainer: Any) -> tuple[torch.Tensor, list[dict[str, float]], list[int]]:
    """Return the weights and the log after training and evaluation, and how much was read."""
    with reading(trainer.model) as shapes, reading(trainer.ref_model) as reference:
        trainer.train()
        trainer.evaluate()
    logs = [
        {name: value for name, value in entry.items() if "time" not in name and "per_s" not in name}
        for entry in trainer.state.log_history
    ]
    weights = torch.cat([p.detach().flatten() for p in trainer.model.parameters()])
    return weights, logs, [sum(map(math.prod, read)) for read in (shapes, reference)]


@pytest.mark.parametrize(("kinds", "options"), RUNS)
def test_a_trainer_learns_the_same_from_fewer_tokens(
    tmp_path: Path, kinds: Any, options: dict[str, Any]
) -> None:
    toy_model().save_pretrained(tmp_path)
    given = {"model": str(tmp_path), "model_init_kwargs": {"dtype": "float32"}, **options}
    weights, logs, read = trained(make_trainer(kinds[0], tmp_path / "shared", **given))
    expected, expected_logs, expected_read = trained(
        make_trainer(kinds[1], tmp_path / "plain", **given)
    )
    torch.testing.assert_close(weights, expected, rtol=1e-3, atol=1e-4)
    assert logs == [pytest.approx(entry, rel=1e-3, abs=1e-3) for entry in expected_logs]
    assert all(2 * new <= old for new, old in zip(read, expected_read, strict=True))


def state(model: Any) -> list[tuple[str, list[str], dict[str, int]]]:
    """Return what each module of a model holds, and how many hooks."""
    return [
        (
            name,
            sorted(vars(module)),
            {key: len(value) for key, value in vars(module).items() if "hooks" in key},
        )
        for name, module in model.named_modules()
    ]


@pytest.mark.parametrize("peft_config", [None, LORA])
def test_nothing_is_left_on_the_model(tmp_path: Path, peft_config: Any) -> None:
    trainers = [
        make_trainer(k, tmp_path, None, peft_config) for k in (SharedGRPOTrainer, GRPOTrainer)
    ]
    for trainer in trainers:
        trainer.train()
        trainer.evaluate()
    assert state(trainers[0].model) == state(trainers[1].model)
    assert generated(trainers[0].model).shape[1] > 9


def test_nothing_is_left_after_a_failed_call() -> None:
    model = network("llama")
    before = state(model)
    given = scoring()
    given["input_ids"][:, 0] = 50  # which is no token
    with pytest.raises(IndexError), sharing(model):
        model(**given)
    assert state(model) == before


def of_model(kind: str, name: str = "model", **options: Any) -> Any:
    return lambda trainer: setattr(trainer, name, network(kind, "eager", **options))


def of(name: str, **options: Any) -> Any:
    """Return what sets attributes of something that a trainer holds."""
    return lambda trainer: vars(attrgetter(name)(trainer)).update(options)


def processes(kind: DistributedType) -> Any:
    return lambda trainer: setattr(trainer, "accelerator", SimpleNamespace(distributed_type=kind))


def use_vllm(trainer: Any) -> None:
    trainer.args.use_vllm = True
    del trainer.generation_config  # which TRL does not make then


class OwnModel(LlamaForCausalLM):
    pass


REFUSED = [
    *(("model_type", of_model(kind)) for kind in ("gpt2", "mpt", "bloom", "mamba", "qwen3_next")),
    ("model_type", of_model("gpt2", "ref_model")),
    ("class", lambda trainer: setattr(trainer, "model", OwnModel(trainer.model.config))),
    ("attn_implementation", of("model.config", _attn_implementation_internal="flash_attention_2")),
    ("rope_type", of("model.config", rope_parameters={"rope_type": "dynamic"})),
    ("is_causal", of("model.config", is_causal=False)),
    ("sliding_window", of_model("mistral", sliding_window=4)),
    ("layer_types", of("model.config", layer_types=["full_attention", "sliding_attention"])),
    ("devices", of("model", hf_device_map={"a": 0, "b": 1})),
    ("peft_type", of("model", peft_config={"": PromptTuningConfig()})),
    (
        "alora_invocation_tokens",
        of("model", peft_config={"": LoraConfig(alora_invocation_tokens=[3])}),
    ),
    ("use_vllm", use_vllm),
    ("continuous_batching", of("args", use_transformers_continuous_batching=True)),
    ("torch_compile", of("args", torch_compile=True)),
    ("parallelism_config", of("args", parallelism_config="tensor")),
    ("GPUs", of("args", _n_gpu=2)),
    ("distributed_type", processes(DistributedType.DEEPSPEED)),
    ("distributed_type", processes(DistributedType.FSDP)),
    ("num_beams", of("model.generation_config", num_beams=2)),
    ("use_cache", of("model.generation_config", use_cache=False)),
    ("cache_implementation", of("model.generation_config", cache_implementation="static")),
]


@pytest.mark.parametrize(("name", "change"), REFUSED)
def test_what_was_not_tested_is_refused(tmp_path: Path, name: str, change: Any) -> None:
    class Changed(GRPOTrainer):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            change(self)

    class Shared(SharedPrompts, Changed):
        pass

    with pytest.raises(ValueError, match=f"^.*{name}.* is .*leave out share_prompts.*$"):
        make_trainer(Shared, tmp_path)


@pytest.mark.parametrize("given", [{"num_beams": 2}, {"cache_implementation": "static"}])
def test_the_trainer_s_own_options_of_generation_are_checked(tmp_path: Path, given: Any) -> None:
    with pytest.raises(ValueError, match="leave out share_prompts"):
        make_trainer(SharedGRPOTrainer, tmp_path, generation_kwargs=given)


@pytest.mark.parametrize("kind", [DistributedType.MULTI_CPU, DistributedType.MULTI_GPU])
def test_plain_data_parallelism_is_allowed(kind: DistributedType, tmp_path: Path) -> None:
    trainer = make_trainer(GRPOTrainer, tmp_path)
    processes(kind)(trainer)
    assert all(given in (None, *allowed) for _, given, allowed in shared_prompts._of_run(trainer))
