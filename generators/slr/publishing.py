"""What a dataset of this family needs beside its tasks: columns, sizes, and what not to share."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from logic_curriculum.generators.slr.canonical import canonical_rule
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.sizes import count_tasks
from logic_curriculum.generators.task import Task

_SMALL_TRAIN_SETS = {1: 26, 2: 234, 3: 793}
"""Few different tasks exist at the first levels (§4 of the paper, footnote 1)."""


def published_sizes(level: int, *, language: str | Path = "trains") -> dict[str, int]:
    """Return the number of tasks of SLR-Bench for each split of a level, or all if there are fewer.

    Args:
        level: 1 to 20.
        language: A shipped language's name, or the path of a language file.

    Raises:
        ValueError: There is no such level or language.
    """
    published = {"train": _SMALL_TRAIN_SETS.get(level, 1000), "validation": 10, "test": 50}
    found = {split: available_tasks(level, split, language=language) for split in published}
    return {
        split: count if (known := found[split]) is None else min(count, known)
        for split, count in published.items()
    }


def available_tasks(
    level: int, split: str, *, language: str | Path = "trains", **_: Any
) -> int | None:
    """Return how many different tasks a split of a level has; None if practically endless.

    The number is exact, by enumeration. Options beside the language don't change it.

    Raises:
        ValueError: There is no such level or language.
    """
    counts = count_tasks(load_language(language), level_of(level))
    return None if counts is None else counts.get(split, 0)


def fingerprint(task: Task) -> str:
    """Return a hash of the task's content, equal for tasks with equal rule and backgrounds.

    Names and order of examples, prompt style and seed don't count.
    """
    return str(task.metadata["fingerprint"])


def leak_key(task: Task) -> str:
    """Return what the tasks of other splits must not share with a test task: its rule.

    The text is the same for all names of variables and orders of literals.
    """
    return canonical_rule(str(task.metadata["rule"]))


def published_columns(task: Task) -> dict[str, Any]:
    """Return the task under the column names of the published SLR-Bench.

    ``validation program`` and ``validation_program_shortcuts`` both hold the program with the names
    that the prompt shows: the judge gives objects neutral names itself.
    """
    about = task.metadata
    program = task.verification["validation_program"]
    return {
        "id": f"{about['language']}-{about['split']}-{task.level}-{task.seed}",
        "prompt": task.prompt,
        "ground-truth rule": about["rule"],
        "validation program": program,
        "symbols": about["symbols"],
        "curriculum level": task.level,
        "curriculum tier": about["tier"],
        "rule sampling": about["rule_sampling"],
        "rule complexity": about["rule_length"],
        "background sampling": about["background_sampling"],
        "problem size": about["problem_size"],
        "vocabulary predicates": about["vocabulary_predicates"],
        "vocabulary car constants": about["vocabulary_constants"],
        "validation_program_shortcuts": program,
    }


def versions() -> dict[str, str]:
    """Return the version of the engine that labels examples.

    Raises:
        logic_curriculum.rewards.engines.prolog.PrologUnavailable: SWI-Prolog is not installed.
    """
    from logic_curriculum.rewards.engines.prolog.availability import swipl_path

    told = subprocess.run([swipl_path(), "--version"], capture_output=True, text=True, check=True)
    return {"SWI-Prolog": told.stdout.split()[2]}
