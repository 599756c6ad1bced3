"""The published training set-up, value by value: SLR, appendix G.1."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import deepspeed_ops
import pytest
import yaml
from byte_model import byte_tokenizer, tiny_model
from launching import ROOT, accelerate, run
from sft_slr import DEMO, SLRArguments
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum import CurriculumConfig
from logic_curriculum.curriculum.training_run import parse
from logic_curriculum.generators.registry import family

PAPER = ROOT / "recipes" / "configs" / "sft_slr" / "llama3.1-8b-paper.yaml"
HARDWARE = ROOT / "accelerate_configs" / "zero3.yaml"
GPUS = 8


@dataclass(frozen=True)
class Setup:
    """The options, as the recipe reads them."""

    script: SLRArguments
    curriculum: CurriculumConfig
    args: SFTConfig
    model: ModelConfig


@pytest.fixture(scope="module")
def setup() -> Setup:
    with pytest.MonkeyPatch.context() as patch:
        without_gpu: Sequence[str] = ("--bf16", "false", "--use_cpu", "true")
        patch.setattr(sys, "argv", ["sft_slr.py", "--config", str(PAPER), *without_gpu])
        return Setup(*parse((SLRArguments, CurriculumConfig, SFTConfig, ModelConfig), DEMO))


@pytest.fixture(scope="module")
def deepspeed() -> dict[str, Any]:
    named = yaml.safe_load(HARDWARE.read_text())["deepspeed_config"]["deepspeed_config_file"]
    return json.loads((ROOT / named).read_text())


def test_the_model_is_llama_with_lora_adapters(setup: Setup):
    assert setup.model.model_name_or_path == "meta-llama/Llama-3.1-8B-Instruct"
    assert setup.model.use_peft


def test_two_epochs_go_through_17_thousand_tasks_of_the_basic_easy_and_medium_tiers(setup: Setup):
    levels = range(setup.curriculum.first_level, setup.curriculum.last_level + 1)

    assert {family("slr").tier(level) for level in levels} == {"basic", "easy", "medium"}
    assert {family("slr").tier(level) for level in range(levels.stop, 21)} == {"hard"}
    assert len(setup.script.train_sizes) == len(levels)
    assert round(sum(setup.script.train_sizes), -3) == 17_000
    assert setup.args.num_train_epochs == 2


def test_the_small_levels_have_their_published_sizes_as_far_as_there_are_tasks(setup: Setup):
    small = [family("slr").published_sizes(level)["train"] for level in (1, 2, 3)]

    assert setup.script.train_sizes[:3] == small == [26, 68, 388]


def test_tasks_come_in_order_and_are_not_regrouped(setup: Setup):
    assert setup.args.train_sampling_strategy == "sequential"
    assert not setup.args.packing
    assert not setup.script.gate


def test_a_step_learns_from_80_tasks(setup: Setup):
    assert setup.args.per_device_train_batch_size == 5
    assert setup.args.gradient_accumulation_steps == 2
    assert yaml.safe_load(HARDWARE.read_text())["num_processes"] == GPUS
    assert 5 * 2 * GPUS == 80


@pytest.mark.parametrize("config", [PAPER, PAPER.with_name("llama3.1-8b-qlora.yaml")])
def test_an_epoch_has_no_last_step_that_the_first_level_fills_up(config: Path):
    assert sum(yaml.safe_load(config.read_text())["train_sizes"]) % 80 == 0


def test_adamw_follows_a_warm_up_and_a_cosine(setup: Setup):
    assert setup.args.optim == "adamw_torch"
    assert setup.args.learning_rate == 2e-4
    assert setup.args.lr_scheduler_type == "cosine"
    assert setup.args.warmup_steps == 0.03  # below 1 it is a share, as warmup_ratio was
    assert setup.args.get_warmup_steps(1000) == 30


def test_inputs_have_at_most_6k_tokens_and_the_loss_is_over_the_rule(setup: Setup):
    assert setup.args.max_length == 6000
    assert setup.args.completion_only_loss is True


def test_precision_is_bfloat16_or_float16_by_itself(deepspeed: dict[str, Any]):
    assert yaml.safe_load(PAPER.read_text())["bf16"] is True
    assert deepspeed["bf16"]["enabled"] == deepspeed["fp16"]["enabled"] == "auto"


def test_zero_3_offloads_optimizer_and_parameters_to_pinned_memory(deepspeed: dict[str, Any]):
    zero = deepspeed["zero_optimization"]

    assert zero["stage"] == 3
    assert zero["offload_optimizer"] == {"device": "cpu", "pin_memory": True}
    assert zero["offload_param"] == {"device": "cpu", "pin_memory": True}


def test_communication_overlaps_gradients_are_contiguous_and_16_bit_weights_are_saved(
    deepspeed: dict[str, Any],
):
    zero = deepspeed["zero_optimization"]

    assert zero["overlap_comm"] is True
    assert zero["contiguous_gradients"] is True
    assert zero["stage3_gather_16bit_weights_on_model_save"] is True


def test_what_the_paper_leaves_open_is_the_default_of_the_tool_that_it_names(setup: Setup):
    """LLaMA-Factory: rank 8, alpha twice the rank, no dropout, all linear layers."""
    assert (setup.model.lora_r, setup.model.lora_alpha, setup.model.lora_dropout) == (8, 16, 0.0)
    assert setup.model.lora_target_modules == "all-linear"


CHAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@pytest.mark.slow
@pytest.mark.timeout(900, func_only=True)
def test_two_steps_and_an_evaluation_under_zero_3_end(
    request: pytest.FixtureRequest, tmp_path: Path
):
    deepspeed_ops.build(request.config)
    tokenizer = byte_tokenizer(CHAT)
    tokenizer.save_pretrained(tmp_path / "model")
    tiny_model(len(tokenizer)).save_pretrained(tmp_path / "model")
    options = {
        "model_name_or_path": tmp_path / "model",
        "output_dir": tmp_path / "run",
        "train_sizes": [26, 68],
        "last_level": 2,
        "max_steps": 2,
        "judge_steps": 1,
        "judge_levels": 2,
        "judge_tasks": 5,
        "max_new_tokens": 8,
        "use_cpu": True,
        "bf16": False,
        "dtype": "float32",
    }
    flags = ("--num_processes", "2", "--mixed_precision", "no")
    words = accelerate("recipes/sft_slr.py", options, "zero3", flags, ["--config", str(PAPER)])
    launched = run(words, 600, OMP_NUM_THREADS="1")

    output = launched.stdout + launched.stderr[-4000:]
    assert "Processes: 2" in output
    lines = [json.loads(line) for line in (tmp_path / "run" / "evaluation.jsonl").open()]
    assert [line["step"] for line in lines] == [0, 1, 2], output
    assert lines[0]["levels"] == {"1": [5, 0], "2": [5, 0]}
    assert (tmp_path / "run" / "adapter_model.safetensors").is_file(), output
