"""Answers to inductive tasks that name the positive examples: the plainest way to game a judge."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from logic_curriculum.generators import Task
from logic_curriculum.rewards.engines.prolog import Program


def with_shortcuts(tasks: Sequence[Task], share: float, seed: int) -> list[Task]:
    """Return the tasks, a share of them with :func:`named_examples` for their solution.

    Args:
        tasks: Tasks of the family ``slr``.
        share: In [0, 1].
        seed: Decides which tasks they are.

    Raises:
        ValueError: If the share is not in [0, 1].
    """
    if not 0 <= share <= 1:
        raise ValueError(
            f"warm_up_shortcuts is {share}, which is no share of the tasks: give a number from 0 "
            "(rules only) to 1 (shortcuts only)."
        )
    picked = set(random.Random(seed).sample(range(len(tasks)), round(share * len(tasks))))
    return [
        replace(task, solution=named_examples(task)) if number in picked else task
        for number, task in enumerate(tasks)
    ]


def named_examples(task: Task) -> str:
    """Return a rule that names the positive ones, ``eastbound(T) :- member(T, [train0, train3]).``

    They fit all examples run as one program, and no positive one that is judged alone.
    """
    payload = task.verification
    program = Program.parse(payload["validation_program"], payload["positive"], payload["negative"])
    labelled = zip(program.examples, program.labels, strict=True)
    names = ", ".join(example for example, positive in labelled if positive)
    return f"{program.positive}(T) :- member(T, [{names}])."
