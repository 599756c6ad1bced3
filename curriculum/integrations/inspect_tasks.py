"""Our families as a task of Inspect: ``inspect eval logic_curriculum/logic -T family=slr``.

Inspect finds it by the entry point of this package. An answer that could not be graded is our
failure, never a 0: its score is unscored, which Inspect keeps in the log and leaves out of every
metric. No completion can bring that about.
"""

from collections.abc import Sequence
from typing import Any

from logic_curriculum.curriculum import require
from logic_curriculum.generators.sampling import level_tasks
from logic_curriculum.rewards import judge

require("inspect_ai", extra="inspect")

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate


@task
def logic(
    family: str = "slr",
    levels: int | Sequence[int] | None = None,
    tasks_per_level: int = 20,
    task_seed: int = 0,
    split: str = "test",
    **options: Any,
) -> Task:
    """Ask tasks of a family: those that ``recipes/evaluate.py`` asks for the same values.

    Args:
        levels: One or several; by default all of the family, or of its preset.
        split: ``train``, ``validation`` or ``test``.
        options: Those of the family, such as ``style``.
    """
    asked = [levels] if isinstance(levels, int) else [int(level) for level in levels or ()]
    samples = [
        Sample(
            input=made.prompt,
            target=made.solution,
            id=f"{made.family}-{made.level}-{made.seed}",
            metadata={
                "family": made.family,
                "level": made.level,
                "seed": made.seed,
                "verification": dict(made.verification),
            },
        )
        for made in level_tasks(family, asked, tasks_per_level, task_seed, split, **options)
    ]
    dataset = MemoryDataset(samples, name=family)
    return Task(dataset=dataset, solver=generate(), scorer=verdict(), name=f"logic_{family}")


@scorer(metrics=[grouped(mean(), "level", name_template="level_{group_name}"), stderr()])
def verdict() -> Scorer:
    """Score an answer by its family's judge: the reward, with its mean by level and in all."""

    async def score(state: TaskState, target: Target) -> Score:
        found = judge(
            state.metadata["family"], state.output.completion, state.metadata["verification"]
        )
        if found.reward is None:
            return Score.unscored(
                reason="scoring_failed", answer=found.answer, explanation=found.explanation
            )
        scores = {"solved": found.solved, "syntax": found.syntax, "partial": found.partial}
        return Score(
            value=found.reward,
            answer=found.answer,
            explanation=found.explanation,
            metadata={**scores, **found.metrics},
        )

    return score
