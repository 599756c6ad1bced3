"""The versions of tasks and rewards in the records of runs, and who may use them."""

from collections.abc import Iterable, Mapping
from typing import Any

from logic_curriculum.rewards.registry import JUDGES, installed_families, judge_of

FIRST = {"task_version": 1, "reward_version": 1}
"""Versions of tasks and rewards that a user gives a trainer without a family and its judge."""


def versions_of_all(families: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return ``task_versions`` and ``reward_versions``, each by family, for a record of a run."""
    known = {*JUDGES, *installed_families()}
    found = {name: judge_of(name).versions if name in known else FIRST for name in families}
    return {
        f"{name}s": {family: versions[name] for family, versions in found.items()}
        for name in ("task_version", "reward_version")
    }


def check_recorded(what: str, record: Mapping[str, Any], families: Iterable[str]) -> None:
    """Refuse the record of a run that was made with other versions of these families, or before.

    ``record`` holds what :func:`versions_of_all` returned then; ``what`` begins the message, e.g.
    ``"The checkpoint"``.

    Raises:
        ValueError: When the versions differ or are not recorded.
    """
    for names, versions in versions_of_all(families).items():
        name, recorded = names.removesuffix("s"), record.get(names) or {}
        for family, current in versions.items():
            there = recorded.get(family)
            if there != current:
                given = f"records no {name}" if there is None else f"has {name} {there!r}"
                raise ValueError(
                    f"{what} {given} of {family}, but this library has {name} {current}, and the "
                    "two can't be mixed: begin a new run in another folder, or install the version "
                    "of the library that made it."
                )
