"""What is told of prompts that are too long."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from datasets import Dataset
from transformers import AutoTokenizer

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler
from logic_curriculum.curriculum.models import pretrained
from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.curriculum.prompt_lengths import warn_of_cut_prompts, warn_of_long_prompts
from logic_curriculum.generators import generate

CONFIGS = Path(__file__).parents[2] / "recipes" / "configs"
GPU_CONFIGS = {
    "grpo_logicskills/llama3.2-3b.yaml": None,
    "grpo_loginum/qwen3-1.7b.yaml": None,
    "grpo_sat/qwen3-1.7b.yaml": None,
    "grpo_slr/llama3.1-8b.yaml": 10240,  # of its server, whose command the file has
    "grpo_slr/qwen2.5-1.5b.yaml": None,
}
OPTIONS = {"slr": {"style": "natural"}}


@pytest.fixture(scope="module")
def tokenizer():
    return make_tokenizer([generate("slr", level, 0, style="natural") for level in (1, 8)])


@pytest.fixture(scope="module")
def longest(tokenizer) -> dict[int, int]:
    """Return the tokens of the first prompt of levels 1 to 8."""
    prompts = {level: generate("slr", level, 0, style="natural").prompt for level in range(1, 9)}
    return {level: len(tokenizer(prompt)["input_ids"]) for level, prompt in prompts.items()}


def test_levels_whose_prompts_leave_no_room_for_a_completion_are_told(tokenizer, longest, caplog):
    context = longest[7] + 10
    warn_of_long_prompts(tokenizer, context, 10, OPTIONS, range(1, 9), False)
    assert f"about {longest[8]:,} tokens at level 8" in caplog.text
    assert "(levels 8)" in caplog.text


@pytest.mark.parametrize("context", [None, 100_000])
def test_nothing_is_told_where_all_prompts_fit(tokenizer, caplog, context):
    warn_of_long_prompts(tokenizer, context, 10, OPTIONS, range(1, 9), False)
    assert not caplog.records


@pytest.mark.slow  # needs the small model
@pytest.mark.parametrize("name", sorted(GPU_CONFIGS))
def test_the_levels_of_a_gpu_configuration_fit_its_context(name, caplog):
    config = yaml.safe_load((CONFIGS / name).read_text())
    curriculum = {key: config[key] for key in ("families", "last_level") if key in config}
    trained = [
        level
        for family in config["families"]
        for level in CurriculumScheduler(CurriculumConfig(**curriculum)).strategy(family).levels
    ]
    warn_of_long_prompts(
        AutoTokenizer.from_pretrained(pretrained.make()),
        GPU_CONFIGS[name] or config["vllm_max_model_length"],
        config["max_completion_length"],
        config["task_options"],
        [*trained, *range(1, config["eval_levels"] + 1)],
        conversational=True,
    )
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
