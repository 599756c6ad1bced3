"""Right answers behind a thought are paid, whoever takes the thought out of a message."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from byte_model import byte_tokenizer, tiny_model
from toy_task import make_task, toy_scheduler
from trl import GRPOConfig
from trl.chat_template_utils import add_response_schema

from logic_curriculum.curriculum import CurriculumGRPOTrainer
from logic_curriculum.rewards import validity_reward

TEMPLATES = ("qwen3_5_think", "qwen3_6", "nemotron_3_nano", "deepseek_r1_distill")
CASES = [
    (template, parsed_by)
    for template in TEMPLATES
    for parsed_by in ("the tokenizer", "tools", "nothing")
    if (template, parsed_by) != ("deepseek_r1_distill", "tools")  # it can't call tools
]
RIGHT, WRONG = r"\boxed{1}", r"\boxed{2}"
WRITTEN = {
    "a thought, then the answer": (f"So 2 or 1?\n</think>\n\n{RIGHT}", 1.0),
    "a thought with the right answer, then a wrong one": (f"{RIGHT}\n</think>\n\n{WRONG}", 0.0),
    "a thought that never ends": (f"It may be {RIGHT}", 0.0),
    "an empty thought": (f"\n</think>\n\n{RIGHT}", 1.0),
}


def look_up(name: str) -> str:
    """Look something up.

    Args:
        name: What is looked up.
    """
    return name


def paid(folder: Path, template: str, parsed_by: str, texts: list[str]) -> list[float]:
    """Return what completions of these texts are paid."""
    seen: list[float] = []

    def watched(**given: Any) -> list[float]:
        seen.extend(validity_reward(**given))
        return seen

    source = files("trl").joinpath(f"chat_templates/{template}.jinja")
    if not source.is_file():
        pytest.skip(f"the installed TRL has no chat template {template}")
    tokenizer = byte_tokenizer(source.read_text())
    if parsed_by == "the tokenizer":
        add_response_schema(tokenizer)

    def written(prompts: list[Any], trainer: Any) -> dict[str, Any]:
        asked = tokenizer.apply_chat_template(
            prompts, add_generation_prompt=True, tokenize=True, return_dict=False
        )
        answers = [[*tokenizer(text)["input_ids"], tokenizer.eos_token_id] for text in texts]
        return {"prompt_ids": asked, "completion_ids": answers, "logprobs": None}

    args = GRPOConfig(
        str(folder),
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=64,
        max_steps=1,
        logging_steps=1,
        save_strategy="no",
        bf16=False,
        use_cpu=True,
        report_to="none",
        disable_tqdm=True,
    )
    trainer = CurriculumGRPOTrainer(
        tiny_model(len(tokenizer)),
        watched,
        args,
        processing_class=tokenizer,
        curriculum=toy_scheduler(families=["validity"]),
        make_task=lambda *about: {
            **make_task(*about),
            "verification": {"correct": [1], "options": 2},
        },
        conversational=True,
        rollout_func=written,
        tools=[look_up] if parsed_by == "tools" else None,
    )
    trainer.train()
    return seen


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("template", "parsed_by"), CASES)
def test_the_answer_behind_the_thought_counts(
    tmp_path: Path, template: str, parsed_by: str
) -> None:
    texts, rewards = zip(*WRITTEN.values(), strict=True)
    found = paid(tmp_path, template, parsed_by, list(texts))
    assert dict(zip(WRITTEN, found, strict=True)) == dict(zip(WRITTEN, rewards, strict=True))
