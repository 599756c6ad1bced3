"""Answers to a task that are there to be tried: right, wrong and sly ones, each by its judge."""

from collections.abc import Iterator
from typing import NamedTuple

from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.rewards import judge_batch

OTHERS = 30
"""Other tasks of a level that are tried for one whose solution is wrong here."""


class Prepared(NamedTuple):
    """An answer to a task, and what it is."""

    kind: str  # right, wrong or sly; the last two are not solved
    name: str  # what it says, in a few words
    completion: str


def prepared_answers(task: Task) -> list[Prepared]:
    """Return answers to a task, the right ones first. What the judge sees otherwise is left out.

    Sly ones mean to pass without solving the task: those of :meth:`.Family.sly_answers`, and two
    that have the right answer where it does not count.
    """
    offered = list(_offered(task))
    completions = [answer.completion for answer in offered]
    verdicts = judge_batch(task.family, completions, [task.verification] * len(offered))
    return [
        answer
        for answer, verdict in zip(offered, verdicts, strict=True)
        if verdict.reward is not None and verdict.solved is (answer.kind == "right")
    ]


def _offered(task: Task) -> Iterator[Prepared]:
    other = _wrong_solution(task)
    yield Prepared("right", "the task's solution", task.solution)
    if other is not None:
        thought = f"<think>\nPerhaps this?\n{other.solution}\nNo.\n</think>\n\n{task.solution}"
        yield Prepared("right", "a wrong one in a thought, then the solution", thought)
        name = f"the solution of another task, seed {other.seed}"
        yield Prepared("wrong", name, other.solution)
    yield Prepared("wrong", "nothing", "")
    yield Prepared("wrong", "the prompt again", task.prompt)
    for name, completion in registry.family(task.family).sly_answers(task).items():
        yield Prepared("sly", name, completion)
    if other is not None:
        both = f"{task.solution}\n\nOr else:\n\n{other.solution}"
        yield Prepared("sly", "the solution, then another answer", both)
    unfinished = f"<think>\nIt must be this:\n{task.solution}"
    yield Prepared("sly", "the solution in a thought that never ends", unfinished)


def _wrong_solution(task: Task) -> Task | None:
    """Return the first other task of the level whose solution is wrong here, if there is one."""
    for seed in range(task.seed + 1, task.seed + 1 + OTHERS):
        other = generate(task.family, task.level, seed)
        (verdict,) = judge_batch(task.family, [other.solution], [task.verification])
        if verdict.reward is not None and not verdict.solved:
            return other
    return None
