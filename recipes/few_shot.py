"""Worked examples in front of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generators import Task, generate
from generators.loginum.prompts import INSTRUCTIONS
from generators.seeding import derive_seed


def examples(
    levels: Sequence[int], count: int, seed: int, index: int, **options: object
) -> list[Task]:
    """Return worked examples for one question.

    They come from the validation split, so that they share no gold process with what is trained on
    or asked, and from seeds of their own.

    Args:
        levels: Levels, drawn in turn, beginning at another one for each question.
        count: Number of examples.
        seed: Seed of the evaluation.
        index: Number of the question; each has its own examples.
        options: Options of ``generators.generate``.
    """
    return [
        generate(
            "loginum",
            levels[(index + number) % len(levels)],
            derive_seed("few-shot", seed, index, number),
            **{**options, "split": "validation"},
        )
        for number in range(count)
    ]


def with_examples(task: Task, shown: Sequence[Task]) -> Task:
    """Return the task with examples between the instructions, if there are any, and its question.

    Examples and question are told in the same way; the instructions are given once, as in Table 8.
    """
    if not shown:
        return task
    instructions = INSTRUCTIONS if task.prompt.startswith(INSTRUCTIONS) else ""
    parts = [f"{_question(other)}\n{other.solution}\n\n" for other in shown]
    return replace(task, prompt=f"{instructions}{''.join(parts)}{_question(task)}")


def _question(task: Task) -> str:
    return task.prompt.removeprefix(INSTRUCTIONS)
