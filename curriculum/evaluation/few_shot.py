"""Worked examples in front of a question."""

from __future__ import annotations

from collections.abc import Sequence

from logic_curriculum.curriculum.evaluation.answering import Question
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.loginum.prompts import INSTRUCTIONS
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.splits import split_of_examples


def examples(
    family: str,
    levels: Sequence[int],
    count: int,
    seed: int,
    index: int,
    split: str = "test",
    **options: object,
) -> list[Task]:
    """Return worked examples for one question.

    They come from another split, so that they share nothing with what is asked that a leak could be
    made of, and from seeds of their own.

    Args:
        family: The family.
        levels: Levels, drawn in turn, beginning at another one for each question.
        count: Number of examples.
        seed: Seed of the evaluation.
        index: Number of the question; each has its own examples.
        split: Split of the question.
        options: Options of ``logic_curriculum.generators.generate``.
    """
    return [
        generate(
            family,
            levels[(index + number) % len(levels)],
            derive_seed("few-shot", seed, index, number),
            **{**options, "split": split_of_examples(split)},
        )
        for number in range(count)
    ]


def in_context(task: Task, shown: Sequence[Task], sample: int = 0) -> Question:
    """Return the question with examples between the instructions, if there are any, and the task.

    Examples and question are told in the same way. LogiNumSynth's instructions are given once, as
    in its Table 8; other families' are part of each question.

    Args:
        task: What is asked.
        shown: The examples.
        sample: Number of the answer that is wanted.
    """
    if not shown:
        return Question(task, task.prompt, 0, sample)
    instructions = INSTRUCTIONS if task.prompt.startswith(INSTRUCTIONS) else ""
    parts = [f"{_question(other)}\n{other.solution}\n\n" for other in shown]
    prompt = f"{instructions}{''.join(parts)}{_question(task)}"
    return Question(task, prompt, len(shown), sample)


def _question(task: Task) -> str:
    return task.prompt.removeprefix(INSTRUCTIONS)
