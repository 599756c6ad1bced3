"""A few held-out tasks with what the model answers and what the judge says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from logic_curriculum.curriculum.evaluation.answering import Question
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.generators import Task
from logic_curriculum.rewards import judge


def show_answers(model: Any, tokenizer: Any, tasks: Sequence[Task], max_new_tokens: int) -> str:
    """Return a readable account of one greedy answer per task, asked as plain text.

    Args:
        model: A whole model on one device; a sharded one can't generate on one rank alone.
        tokenizer: Its tokenizer.
        tasks: The tasks.
        max_new_tokens: The longest answer, in tokens.
    """
    asked = TransformersModel(model, tokenizer, Decoding(max_new_tokens))
    parts = []
    for task in tasks:
        (reply,) = asked.answer([Question(task, task.prompt)], seed=0)
        verdict = judge(task.family, reply.text, task.verification)
        parts.append(
            f"Level {task.level}\n{task.prompt}  model: {reply.text}\n"
            f"  truth: {task.solution}\n  judge: {verdict.explanation}\n"
        )
    return "\n".join(parts)
