"""What is told of prompts that are too long."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from datasets import Dataset
from transformers import AutoTokenizer
from trl import GRPOConfig

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler
from logic_curriculum.curriculum.models import pretrained
from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.curriculum.training_run import warn_of_cut_prompts, warn_of_long_prompts
from logic_curriculum.generators import generate

CONFIGS = Path(__file__).parents[2] / "recipes" / "configs"
GPU_CONFIGS = (
    "grpo_logicskills/llama3.2-3b.yaml",
    "grpo_loginum/qwen3-1.7b.yaml",
    "grpo_sat/qwen3-1.7b.yaml",
    "grpo_slr/llama3.1-8b.yaml",
    "grpo_slr/qwen2.5-1.5b.yaml",
)
OPTIONS = {"slr": {"style": "natural"}}


@pytest.fixture(scope="module")
def tokenizer():
    return make_tokenizer([generate("slr", level, 0, style="natural") for level in (1, 8)])


@pytest.fixture(scope="module")
def longest(tokenizer) -> dict[int, int]:
    """Return the tokens of the first prompt of levels 1 to 8."""
    prompts = {level: generate("slr", level, 0, style="natural").prompt for level in range(1, 9)}
    return {level: len(tokenizer(prompt)["input_ids"]) for level, prompt in prompts.items()}


def grpo(**options: object) -> GRPOConfig:
    return GRPOConfig(
        use_cpu=True, bf16=False, report_to="none", **{"max_completion_length": 10, **options}
    )


def warn(tokenizer, context: int | None, args: GRPOConfig) -> None:
    """Warn of levels 1 to 8, for a model that reads ``context`` tokens."""
    model = SimpleNamespace(config=SimpleNamespace(max_position_embeddings=context))
    trainer = SimpleNamespace(args=args, model=model, processing_class=tokenizer)
    warn_of_long_prompts(trainer, OPTIONS, range(1, 9), conversational=False)


def test_levels_whose_prompts_leave_no_room_for_a_completion_are_told(tokenizer, longest, caplog):
    warn(tokenizer, longest[7] + 10, grpo())
    assert f"about {longest[8]:,} tokens at level 8" in caplog.text
    assert "(levels 8)" in caplog.text


@pytest.mark.parametrize("context", [None, 100_000])
def test_nothing_is_told_where_all_prompts_fit(tokenizer, caplog, context):
    warn(tokenizer, context, grpo())
    assert not caplog.records


@pytest.mark.slow  # needs the small model
@pytest.mark.parametrize("name", GPU_CONFIGS)
def test_the_levels_of_a_gpu_configuration_fit_its_context(name, caplog):
    config = yaml.safe_load((CONFIGS / name).read_text())
    curriculum = {key: config[key] for key in ("families", "last_level") if key in config}
    trained = [
        level
        for family in config["families"]
        for level in CurriculumScheduler(CurriculumConfig(**curriculum)).strategy(family).levels
    ]
    tokenizer = AutoTokenizer.from_pretrained(pretrained.make())
    model = SimpleNamespace(config=SimpleNamespace(max_position_embeddings=None))
    sizes = {key: config[key] for key in ("max_completion_length", "vllm_max_model_length")}
    args = grpo(**sizes)
    trainer = SimpleNamespace(args=args, model=model, processing_class=tokenizer)
    levels = [*trained, *range(1, config["eval_levels"] + 1)]
    warn_of_long_prompts(trainer, config["task_options"], levels, conversational=True)
    assert not caplog.records


def test_examples_that_were_cut_are_counted_by_level(caplog):
    lengths = {1: [3, 4], 2: [5, 5, 4], 3: [5]}
    encoded = {
        level: Dataset.from_dict({"input_ids": [[0] * n for n in sizes]})
        for level, sizes in lengths.items()
    }
    warn_of_cut_prompts(encoded, 5)
    assert "max_length is 5: 2 of 3 at level 2, 1 of 1 at level 3 are that long" in caplog.text
    caplog.clear()
    warn_of_cut_prompts(encoded, 6)
    warn_of_cut_prompts(encoded, None)
    assert not caplog.records
