"""Accuracy on held-out tasks of each skill of LogicSkills and each language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation.answering import Question, answer_settings
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.curriculum.transfer import Setting
from logic_curriculum.generators import Task
from logic_curriculum.generators.sampling import distinct_tasks


def evaluation_tasks(
    levels: Mapping[str, Sequence[int]],
    languages: Sequence[str],
    count: int,
    seed: int,
    style: str,
) -> dict[Setting, list[Task]]:
    """Return distinct tasks of the test split for each skill and language.

    Args:
        levels: Levels of each skill, in turn; countermodels have no language.
        languages: Lexicons; the n-th task of one is drawn with the seed of the n-th of the others.
        count: Tasks per setting.
        seed: Seed of the tasks.
        style: Prompt style.
    """
    settings = [
        Setting(skill, language)
        for skill in levels
        for language in ([None] if skill == "countermodel" else languages)
    ]
    return {
        setting: distinct_tasks(
            setting.skill,
            levels[setting.skill],
            count,
            seed,
            style=style,
            **({"language": setting.language} if setting.language else {}),
        )
        for setting in settings
    }


def evaluate(
    path: Path,
    load: Callable[[], tuple[Any, Any]],
    tasks: Mapping[Setting, Sequence[Task]],
    decoding: Decoding,
    batch_size: int,
) -> dict[Setting, list[bool | None]]:
    """Return what a model solves in each setting; see ``answer_all``."""
    questions = {
        setting: [Question(task, task.prompt) for task in items] for setting, items in tasks.items()
    }
    answers = answer_settings(
        path, lambda: TransformersModel(*load(), decoding), questions, batch_size, seed=0
    )
    return {
        setting: [record.verdict.solved if record.graded else None for record in records]
        for setting, records in answers.items()
    }
