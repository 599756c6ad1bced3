"""Tasks for an evaluation: how many a level has, and some that all differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from logic_curriculum.generators import registry
from logic_curriculum.generators.family import check_integer
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import Task

REDRAWS = 100  # draws per wanted task, before a level counts as exhausted


def distinct_tasks(
    family: str, levels: Sequence[int], count: int, seed: int, split: str = "test", **options: Any
) -> list[Task]:
    """Return tasks of which no two of a level are equal, levels in turn.

    A task depends on its family, split, level, seed and number among the level's tasks alone, so
    other levels and more tasks leave it as it is. Levels may share a task: SLR's first two have
    questions in common. Too few is a ``ValueError``.
    """
    for level in levels:
        check_integer("level", level)
    purpose = "evaluation" if split == "test" else split
    order = [levels[number % len(levels)] for number in range(count)]
    made = {}
    for level, wanted in Counter(order).items():
        check_available(family, level, split, wanted, options)
        own: dict[str, Task] = {}
        for index in range(REDRAWS * wanted):
            task_seed = derive_seed(purpose, family, level, seed, index)
            task = registry.generate(family, level, task_seed, split=split, **options)
            own.setdefault(registry.family(family).fingerprint(task), task)
            if len(own) == wanted:
                break
        else:
            raise ValueError(
                f"{wanted} different {purpose} tasks of {family} were asked for at level {level}, "
                f"which gave only {len(own)}: ask for fewer, or for higher levels."
            )
        made[level] = iter(own.values())
    return [next(made[level]) for level in order]


def level_tasks(
    family: str,
    levels: Sequence[int] | None = None,
    tasks_per_level: int = 20,
    task_seed: int = 0,
    split: str = "test",
    **options: Any,
) -> list[Task]:
    """Return tasks that differ, as many of each level; by default of all, or of the preset's."""
    asked = list(levels or registry.family(family).levels(options.get("preset")))
    return distinct_tasks(family, asked, tasks_per_level * len(asked), task_seed, split, **options)


def published_tasks(
    family: str, levels: Sequence[int], seed: int, split: str = "test", **options: Any
) -> list[Task]:
    """Return as many tasks of each level as a published dataset has, of its kinds; all differ.

    A ``ValueError`` says that the dataset has no such split.
    """
    found = registry.family(family)
    tasks: list[Task] = []
    for level in levels:
        sizes = found.published_sizes(level, options.get("preset"))
        if split not in sizes:
            raise ValueError(
                f"split={split!r}: the published numbers of {options.get('preset') or family} are "
                f"of {', '.join(sizes)}. Choose that split, or say how many tasks are wanted."
            )
        parts = found.published_parts(split, level, sizes[split], options)
        for count, more in parts:
            tasks += distinct_tasks(family, [level], count, seed, split, **{**options, **more})
    return tasks


def available_tasks(
    family: str, level: int, split: str, options: Mapping[str, Any] | None = None
) -> int | None:
    """Return how many different tasks a split of a level has; None if practically endless."""
    found = registry.family(family)
    return found.available_tasks(level, found.read_options({**(options or {}), "split": split}))


def check_available(
    family: str, level: int, split: str, count: int, options: Mapping[str, Any]
) -> None:
    """Raise a ``ValueError`` if a split of a level has fewer tasks."""
    found = available_tasks(family, level, split, options)
    if found is not None and found < count:
        remedy = f"ask for at most {found} there, or leave" if found else "leave"
        raise ValueError(
            f"{count} different {split} tasks of {family} were asked for at level {level}, which "
            f"has {found}: {remedy} the level out."
        )
