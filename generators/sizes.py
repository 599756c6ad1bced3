"""How many tasks a level has: asking for more is refused before any is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logic_curriculum.generators import registry


def available_tasks(
    family: str, level: int, split: str, options: Mapping[str, Any] | None = None
) -> int | None:
    """Return how many different tasks a split of a level has; None if practically endless.

    A family whose levels can be exhausted tells it by ``available_tasks(level, split, **options)``.

    Raises:
        ValueError: An option of the family has a value that can't be used.
    """
    found = registry.family(family)
    return found.available_tasks(level, found.read_options({**(options or {}), "split": split}))


def check_available(
    family: str, level: int, split: str, count: int, options: Mapping[str, Any] | None = None
) -> None:
    """Refuse to make more different tasks than there are.

    Raises:
        ValueError: The split has fewer than ``count`` tasks of this level.
    """
    found = available_tasks(family, level, split, options)
    if found is not None and found < count:
        remedy = f"ask for at most {found} there, or leave" if found else "leave"
        raise ValueError(
            f"{count} different {split} tasks of {family} were asked for at level {level}, which "
            f"has {found}: {remedy} the level out."
        )
