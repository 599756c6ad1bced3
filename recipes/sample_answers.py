"""A few held-out tasks with what the model answers and what the judge says of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from generators import Task
from rewards import judge


@torch.no_grad()
def answer(model: Any, tokenizer: Any, prompt: str, max_new_tokens: int) -> str:
    """Return the model's greedy completion of a plain-text prompt.

    Args:
        model: A whole model on one device; a sharded one can't generate on one rank alone.
        tokenizer: Its tokenizer.
        prompt: The text to complete.
        max_new_tokens: The longest answer, in tokens.
    """
    model.eval()
    inputs = tokenizer(prompt, return_tensors="pt").to(model.device)
    tokens = model.generate(
        input_ids=inputs["input_ids"],
        attention_mask=inputs["attention_mask"],
        max_new_tokens=max_new_tokens,
        do_sample=False,
    )
    return tokenizer.decode(tokens[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)


def show_answers(model: Any, tokenizer: Any, tasks: Iterable[Task], max_new_tokens: int) -> str:
    """Return a readable account of one answer per task."""
    parts = []
    for task in tasks:
        text = answer(model, tokenizer, task.prompt, max_new_tokens)
        verdict = judge(task.family, text, task.verification)
        parts.append(
            f"Level {task.level}\n{task.prompt}  model: {text}\n"
            f"  truth: {task.solution}\n  judge: {verdict.explanation}\n"
        )
    return "\n".join(parts)
