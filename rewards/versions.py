"""The versions of tasks and rewards in the records of runs, and who may use them."""

from __future__ import annotations

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

    Args:
        what: What was given, as the beginning of a sentence, e.g. ``"The checkpoint"``.
        record: Holds what :func:`versions_of_all` returned then.
        families: The families that matter.

    Raises:
        ValueError: When the versions differ or are not recorded.
    """
    for names, current in versions_of_all(families).items():
        there = record.get(names) or {}
        for family, version in current.items():
            if there.get(family) != version:
                raise ValueError(_recorded_refusal(what, names, there.get(family), family, version))


def _recorded_refusal(what: str, names: str, there: Any, family: str, current: int) -> str:
    name = names.removesuffix("s")
    given = f"records no {name}" if there is None else f"has {name} {there!r}"
    return (
        f"{what} {given} of {family}, but this library has {name} {current}, and the two can't be "
        "mixed: begin a new run in another folder, or install the version of the library that "
        "made it."
    )
