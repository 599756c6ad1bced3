"""Memory of GPUs: the arithmetic against real models, and every configuration for GPUs."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from peft import LoraConfig, get_peft_model
from torch.distributed._tools.mem_tracker import MemTracker
from transformers import AutoConfig, AutoModelForCausalLM
from trl.trainer import utils as trl_utils

from logic_curriculum.curriculum import cli
from logic_curriculum.curriculum.gpu_memory import arithmetic, prompts
from logic_curriculum.curriculum.gpu_memory.__main__ import (
    FILES,
    KNOWN,
    Estimate,
    config_of,
    estimate,
    shape_of,
)
from logic_curriculum.curriculum.gpu_memory.arithmetic import GIB, Hardware, Training
from logic_curriculum.curriculum.gpu_memory.loads import hardware_of, of_peft_transfer
from logic_curriculum.generators import generate, registry

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "recipes" / "configs"
PUBLISHED = {
    "meta-llama/Llama-3.1-8B-Instruct": 8_030_261_248,
    "meta-llama/Llama-3.2-3B-Instruct": 3_212_749_824,
    "meta-llama/Llama-3.2-1B-Instruct": 1_235_814_400,
    "Qwen/Qwen2.5-1.5B-Instruct": 1_543_714_304,
    "Qwen/Qwen3-1.7B": 1_720_574_976,
}
"""Parameters of the weights on the hub."""
LLAMA_8B = ["--model_name_or_path", "meta-llama/Llama-3.1-8B-Instruct"]
QWEN = ["--model_name_or_path", "Qwen/Qwen3-1.7B"]
GPU_CONFIGS: dict[str, list[str]] = {
    "grpo_logicskills/llama3.2-3b": [],
    "grpo_loginum/qwen3-1.7b": [],
    "grpo_sat/qwen3-1.7b": [],
    "grpo_slr/llama3.1-8b": [],
    "grpo_slr/qwen2.5-1.5b": [],
    "peft_transfer/llama3.2-3b": [],
    "sft_loginum/llama3.2-1b": [],
    "sft_loginum/qwen3-1.7b": [],
    "sft_slr/llama3.1-8b-paper": [],
    "sft_slr/llama3.1-8b-qlora": [],
    "evaluate/logicskills": LLAMA_8B,
    "evaluate/loginum": QWEN,
    "evaluate/ltgen": LLAMA_8B,
    "evaluate/slr-bench": LLAMA_8B,
}
"""Configuration -> what it leaves to the command line. Each is for GPUs of 80 GB."""
KNOWN_FLAWS = {
    "sft_slr/llama3.1-8b-paper": [
        "max_length 6000 cuts prompts of levels 12-15: raise it, lower last_level, or choose a "
        "shorter style.",
        "It fits without offload: multi_gpu is faster than zero3.",
    ],
}
"""What is the paper's."""
SIZES = {
    **{"hidden_size": 64, "intermediate_size": 192, "num_hidden_layers": 2, "vocab_size": 97},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16},
}
KINDS = [
    Training(),
    Training(weight=4),
    Training(rank=8),
    Training(weight=4, rank=8, targets=["q_proj", "down_proj"]),
]


def estimated(name: str, *words: str, hardware: str | None = None, gpus: int | None = None):
    """Return the estimate for a configuration, on the hardware of its comment or another."""
    folder = name.split("/")[0]
    file = CONFIGS / f"{name}.yaml"
    launch = r"accelerate_configs/(\w+)\.yaml(?: --num_processes (\d+))?"
    found = re.search(launch, file.read_text())
    hardware = hardware or (found[1] if found else "single_gpu")
    gpus = gpus or (int(found[2]) if found and found[2] else None)
    recipe = folder if (ROOT / "recipes" / f"{folder}.py").is_file() else "grpo_slr"
    on = hardware_of(FILES / f"{hardware}.yaml", 80, gpus)
    return estimate(recipe, on, ["--config", str(file), *GPU_CONFIGS.get(name, []), *words])


def test_every_configuration_for_gpus_is_listed():
    """Those with a comment of where they were not run yet; the harness plans its batches itself."""
    named = {
        f"{path.parent.name}/{path.stem}"
        for path in CONFIGS.glob("*/*.yaml")
        if "this file has not met its hardware yet" in path.read_text()
    }
    downstream = {f"evaluate_downstream/{name}" for name in ("llama3.1-8b", "loginum-qwen3-1.7b")}
    assert named - set(GPU_CONFIGS) == downstream
    assert set(GPU_CONFIGS) - named == set()


@pytest.mark.parametrize("name", GPU_CONFIGS)
def test_a_configuration_fits_its_gpus_at_all_of_its_levels(name):
    found = estimated(name)
    assert found.warnings() == KNOWN_FLAWS.get(name, [])
    served = re.search(r"--max-model-len (\d+)", (CONFIGS / f"{name}.yaml").read_text())
    assert found.longest <= int(served[1] if served else found.shape.context)
    cells = {**found.training, **found.generation}
    assert cells
    assert max(cell.gib for cell in cells.values()) > 2  # something was counted


@pytest.mark.parametrize("name", [*GPU_CONFIGS, "evaluate_downstream/llama3.1-8b"])
def test_attention_is_named(name):
    config = yaml.safe_load((CONFIGS / f"{name}.yaml").read_text())
    assert config["attn_implementation"] == "sdpa"


@pytest.mark.parametrize(
    ("name", "words", "warning"),
    [
        ("grpo_slr/qwen2.5-1.5b", ["--last_level", "20"], "Training does not fit at levels"),
        ("grpo_slr/qwen2.5-1.5b", ["--last_level", "13"], "vllm_max_model_length"),
        ("grpo_slr/qwen2.5-1.5b", ["--dtype", "bfloat16"], "rounds small updates away"),
        ("grpo_slr/qwen2.5-1.5b", ["--vllm_gpu_memory_utilization", "0.05"], "not even one row"),
        ("grpo_sat/qwen3-1.7b", ["--lora_dropout", "0.05"], "noisy"),
        ("grpo_sat/qwen3-1.7b", ["--chat_template_kwargs", "{}"], "thinks"),
        ("sft_slr/llama3.1-8b-qlora", ["--style", "prolog"], "cuts prompts of levels 13-15"),
        (
            "sft_slr/llama3.1-8b-paper",
            ["--per_device_eval_batch_size", "8"],
            "Generation does not fit at levels 16-20, but at 1-15",
        ),
    ],
)
def test_what_does_not_fit_or_is_unwise_is_told(name, words, warning):
    assert warning in "\n".join(estimated(name, *words).warnings())


def test_full_fine_tuning_fits_as_the_comment_says():
    comment = (CONFIGS / "grpo_slr" / "llama3.1-8b.yaml").read_text()
    words = ["--use_peft", "false", "--learning_rate", "1e-6"]
    words += ["--per_device_train_batch_size", "4", "--gradient_accumulation_steps", "16"]
    assert all(" ".join(words[at : at + 2]) in comment for at in range(0, len(words), 2))
    assert not estimated("grpo_slr/llama3.1-8b", *words, hardware="zero2", gpus=7).warnings()


def test_small_updates_of_weights_in_bfloat16_are_lost():
    for dtype, moves in ((torch.bfloat16, False), (torch.float32, True)):
        weight = torch.nn.Parameter(torch.full((8,), 0.02, dtype=dtype))
        optimizer = torch.optim.AdamW([weight], lr=1e-6, weight_decay=0.0)
        before = weight.detach().clone()
        for _ in range(10):
            weight.grad = torch.ones_like(weight)
            optimizer.step()
        assert (not torch.equal(weight.detach(), before)) == moves


@pytest.mark.parametrize("model", KNOWN)
def test_parameters_are_those_of_the_model(model):
    with torch.device("meta"):
        network = AutoModelForCausalLM.from_config(config_of(model))
    counted = shape_of(config_of(model)).parameters
    assert counted == sum(weight.numel() for weight in network.parameters()) == PUBLISHED[model]


def network(kind: str, how: Training, **changed: Any) -> tuple[Any, Any]:
    """Return a small network, with adapters if it is trained so, and its shape."""
    config = AutoConfig.for_model(kind, **{**SIZES, **changed}, attn_implementation="sdpa")
    model = AutoModelForCausalLM.from_config(
        config, dtype=(torch.bfloat16, torch.float32)[how.weight == 4]
    )
    if how.rank:
        model = get_peft_model(model, LoraConfig(r=how.rank, target_modules=how.targets))
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
    if how.checkpoints:
        model.gradient_checkpointing_enable()
        model.enable_input_require_grads()
    return model.train(), shape_of(config)


@pytest.mark.parametrize("targets", ["all-linear", ["q_proj", "v_proj", "down_proj"], None])
def test_adapters_have_the_parameters_of_peft(targets):
    how = Training(rank=8, targets=targets)
    model, shape = network("llama", how)
    trained = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    assert how.trained(shape) == trained


def test_unknown_targets_are_refused():
    with pytest.raises(ValueError, match="c_attn, whose size is not known"):
        Training(rank=8, targets=["c_attn"]).trained(shape_of(AutoConfig.for_model("llama")))


def test_a_token_has_the_keys_and_values_of_a_real_cache():
    model, shape = network("qwen3", Training(checkpoints=False))
    cache = model(torch.ones(2, 7, dtype=torch.long), use_cache=True).past_key_values
    held = sum(part.nbytes for layer in cache.layers for part in (layer.keys, layer.values))
    assert held == 2 * 7 * shape.kv_bytes


def saved_bytes(kind: str, how: Training, layers: int, rows: int, tokens: int) -> int:
    """Return the bytes that autograd keeps of a backbone's forward pass, weights left out."""
    model, _ = network(kind, how, num_hidden_layers=layers)
    weights = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    kept: dict[int, Any] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.untyped_storage().data_ptr() not in weights:
            kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    backbone = (model.get_base_model() if how.rank else model).model
    ids = torch.randint(0, 97, (rows, tokens))
    seen = torch.ones_like(ids)
    seen[0, :3] = 0  # padding, so that attention has a mask
    hooks = torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor)
    with hooks, torch.autocast("cpu", torch.bfloat16):
        backbone(input_ids=ids, attention_mask=seen, use_cache=False)
    return sum(tensor.untyped_storage().nbytes() for tensor in kept.values())


@pytest.mark.parametrize("kind", ["llama", "qwen3"])
@pytest.mark.parametrize("how", KINDS, ids=str)
def test_a_layer_keeps_what_autograd_saves(kind, how):
    rows, tokens = 2, 50
    how = how._replace(checkpoints=False)
    one, two = (saved_bytes(kind, how, layers, rows, tokens) for layers in (1, 2))
    shape = network(kind, how, num_hidden_layers=1)[1]
    expected = rows * tokens * arithmetic.saved_by_layer(shape, how)
    expected += 2 * rows * tokens**2  # the mask in bfloat16
    expected += 2 * how.trained(shape) * bool(how.rank)  # copies of adapters, and of matrices
    expected += 2 * shape.in_linears * (how.weight == 4)
    assert two - one == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("how", [Training(), Training(weight=4)], ids=str)
def test_with_checkpoints_a_layer_keeps_its_input(how):
    one, two = (saved_bytes("llama", how, layers, 2, 50) for layers in (1, 2))
    assert two - one == 2 * 50 * 64 * how.weight


@pytest.mark.parametrize("how", [*KINDS[:2], Training(checkpoints=False)], ids=str)
def test_the_peak_of_real_steps_is_at_most_the_estimate_and_not_far_below(how, monkeypatch):
    """Of few scored positions: TRL's head works in place by Triton, and with copies without it."""
    monkeypatch.setattr(trl_utils, "_use_triton", lambda device: True)  # but for the kernels
    sizes = {"hidden_size": 128, "intermediate_size": 384, "head_dim": 32, "vocab_size": 500}
    model, shape = network("llama", how, **sizes)
    trl_utils.add_fused_lm_head(model)
    optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
    ids = torch.randint(0, 97, (2, 200))
    labels = ids.masked_fill(torch.arange(200) < 190, -100)
    mask = torch.ones_like(ids)
    mask[0, :3] = 0
    tracker = MemTracker()
    tracker.track_external(model, optimizer)
    with tracker:
        for _ in range(2):  # the second step finds the optimizer's states
            tracker.reset_mod_stats()
            with torch.autocast("cpu", torch.bfloat16):
                found = model(
                    input_ids=ids, attention_mask=mask, shift_labels=labels, fused_lm_head=True
                )
            found.loss.backward()
            optimizer.step()
    peak = sum(each["Total"] for each in tracker.get_tracker_snapshot("peak").values())
    parts = {
        **arithmetic.static(shape, how, Hardware()),
        **arithmetic.step(shape, how, 2, 190, 10),
    }
    assert peak <= sum(parts.values()) <= 1.5 * peak


def test_stages_of_zero_are_those_of_its_paper():
    """Figure 1: 7.5 billion parameters on 64 GPUs, in GB: 120, 31.4, 16.6 and 1.9."""
    shape = shape_of(AutoConfig.for_model("llama"))
    scale = 7.5e9 / shape.parameters / 1e9
    for stage, gigabytes in ((1, 31.4), (2, 16.6), (3, 1.9)):
        parts = arithmetic.static(shape, Training(), Hardware(80, 64, stage))
        own = {2: 2.0 * arithmetic.BUCKET, 3: 2.0 * arithmetic.LIVE}.get(stage, 0)  # DeepSpeed's
        assert (sum(parts.values()) - own) * scale == pytest.approx(gigabytes, abs=0.06)


def test_qlora_has_the_bits_of_its_paper():
    """Section 3: 4 bits, with constants of 0.5 bits a weight, or 0.127 by double quantization."""
    shape = shape_of(AutoConfig.for_model("llama"))
    for nested, bits in ((False, 4.5), (True, 4.127)):
        how = Training(four_bit=True, nested=nested, rank=8)
        weights = arithmetic.static(shape, how, Hardware())["weights"]
        rest = 2 * (shape.parameters - shape.in_linears + how.trained(shape))
        assert (weights - rest) * 8 / shape.in_linears == pytest.approx(bits)


@pytest.mark.parametrize("column", prompts.read(), ids=lambda each: str(each.options))
def test_prompts_are_as_long_as_when_they_were_measured(column):
    levels = registry.family(column.family).levels(column.options.get("preset"))
    assert list(column.levels) == list(levels)
    for level in (levels[0], levels[-1]):
        tasks = [generate(column.family, level, seed, **column.options) for seed in range(6)]
        longest = max(len(task.prompt) for task in tasks)
        assert longest == pytest.approx(column.levels[level][2], rel=0.2)


def test_the_page_has_the_measured_numbers():
    table = runpy.run_path(str(ROOT / "benchmarks" / "prompt_tokens.py"))["table"]
    page = (ROOT / "docs" / "results" / "prompt-tokens.md").read_text()
    assert table(prompts.read()) in page


def test_a_folder_is_counted_by_its_own_tokenizer():
    class Letters:
        def __call__(self, text: str) -> dict[str, list[str]]:
            return {"input_ids": list(text)}

    found, _ = prompts.lengths("countermodel", {"style": "compact"}, Letters())
    first = max(len(generate("countermodel", 1, n, style="compact").prompt) for n in range(4))
    assert found[1] == first + prompts.TEMPLATE


def test_the_command_prints_parts_and_levels(monkeypatch, capsys):
    words = ["memory", "grpo_slr", "--config", "qwen2.5-1.5b", "--gpu", "24"]
    monkeypatch.setattr(sys, "argv", ["logic-curriculum", *words])
    assert cli.main() == 0
    said = capsys.readouterr().out
    for part in ("1,543,714,304 parameters", "128 rows", "| optimizer | 11.50 |", "| 12 | 3,973"):
        assert part in said
    assert "WARNING: Training" in said


def test_a_model_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="kind gpt2"):
        shape_of(AutoConfig.for_model("gpt2"))


def test_a_mixture_of_data_sets_is_estimated_as_its_parts():
    mixed = estimated("sft_loginum/qwen3-1.7b", "--train_preset", "EL-Train+EN-Train")
    assert set(mixed.training) == set(range(1, 7))


def test_symbolization_is_counted_at_the_levels_that_transfer_trains_on():
    given = {"levels": "{}", "style": "full", "train_language": "mixed", "max_new_tokens": 64}
    given |= dict.fromkeys(("per_device_train_batch_size", "per_device_eval_batch_size"), 8)
    levels = {load.family: list(load.levels) for load in of_peft_transfer(given)}
    assert levels["symbolization"] == [3, 5, 6, 7, 8, 9, 10]
    assert levels["validity"] == list(range(1, 11))


def test_what_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="were not measured"):
        estimated("grpo_slr/qwen2.5-1.5b", "--task_options", '{"slr": {"style": "compact"}}')


def no_network(model: str) -> None:
    raise OSError("We couldn't connect")


def test_without_a_network_the_command_has_one_line(monkeypatch, capsys):
    words = ["memory", "grpo_slr", "--model_name_or_path", "nobody/nothing"]
    monkeypatch.setattr(sys, "argv", ["logic-curriculum", *words])
    monkeypatch.setattr(AutoConfig, "from_pretrained", no_network)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert "nobody/nothing" in capsys.readouterr().err


def test_vllm_s_share_counts_in_gib():
    found: Estimate = estimated("grpo_slr/qwen2.5-1.5b")
    assert found.share == pytest.approx(0.3 * 80 * GIB)
    assert found.vllm_rows > 100
