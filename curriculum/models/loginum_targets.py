"""What a model is trained to write about a world: the summary alone, or a search before it."""

from __future__ import annotations

from dataclasses import replace

from logic_curriculum.curriculum.models.loginum_search import Search, World, world_of
from logic_curriculum.generators import Task
from logic_curriculum.generators.loginum.prompts import step_line
from logic_curriculum.generators.loginum.synthesis import Step
from logic_curriculum.rewards.engines.numeric.parser import parse_fact

TARGETS = ("summary", "searched")


def check_target(target: str, language: str) -> None:
    """Refuse a target that nothing writes, or nothing in this language.

    Raises:
        ValueError: The message says what to choose.
    """
    if target not in TARGETS:
        raise ValueError(
            f"target is {target!r}, which nothing writes: choose from {', '.join(TARGETS)}."
        )
    if target == "searched" and language != "clauses":
        raise ValueError(
            f"target is searched, and language {language!r}: a search quotes clauses. Set language "
            "to clauses, or target to summary."
        )


def with_target(task: Task, target: str) -> Task:
    """Return the task with the solution that is to be learnt.

    Args:
        task: A task of the family.
        target: One of :data:`TARGETS`; ``searched`` is for tasks in the language ``clauses``.
    """
    if target == "summary":
        return task
    return replace(task, solution=solution(world_of(task), task))


def solution(world: World, task: Task) -> str:
    """Return a search in a world for what a task asks, the summary and the answer.

    Args:
        world: The task's, or a part of it in which the gold process is found.
        task: Says what is asked and how it is found.
    """
    search = Search(world, gold_steps(task))
    steps = [step_line(step, number) for number, step in enumerate(search.steps, start=1)]
    answer = f"Answer: \\boxed{{{task.verification['answer']}}}"
    return "\n".join([*search.lines, "Reasoning:", *steps, answer])


def gold_steps(task: Task) -> list[Step]:
    """Return the steps of the task's payload."""
    return [
        Step(
            step["rule"], tuple(step["facts"]), tuple(step["steps"]), parse_fact(step["conclusion"])
        )
        for step in task.verification["steps"]
    ]
