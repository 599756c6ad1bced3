"""Which version of a family's tasks and of its reward this library has, and who may use them.

The task version of a family rises when the same arguments make another task, another prompt or
another payload. Its reward version rises when the same completion is paid differently. Rows, run
folders and checkpoints carry both, and one of other versions is refused: its figures would mean
something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from logic_curriculum.rewards.payload import as_mapping

TASK_VERSIONS = {
    "slr": 3,
    "symbolization": 2,
    "countermodel": 2,
    "validity": 2,
    "loginum": 2,
    "sat": 2,
}
"""Family → version of its tasks; a family that is not listed here has version 1."""
REWARD_VERSIONS = {
    "slr": 3,
    "symbolization": 2,
    "countermodel": 2,
    "validity": 2,
    "loginum": 2,
    "sat": 2,
}
"""Family → version of its reward."""

_FIRST_SLR = ("isomorphic_program", "heldout_threshold")
"""Payload keys that only version 1 of slr wrote, before rows carried versions."""


def versions_of(family: str) -> dict[str, int]:
    """Return the current ``task_version`` and ``reward_version`` of a family."""
    return {
        "task_version": TASK_VERSIONS.get(family, 1),
        "reward_version": REWARD_VERSIONS.get(family, 1),
    }


def versions_of_all(families: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return ``task_versions`` and ``reward_versions``, each by family, for a record of a run."""
    found = {family: versions_of(family) for family in families}
    return {
        f"{name}s": {family: versions[name] for family, versions in found.items()}
        for name in ("task_version", "reward_version")
    }


def check_versions(family: str, payload: Mapping[str, Any]) -> None:
    """Refuse a payload of other versions. One without versions, as made by hand, is accepted.

    Raises:
        ValueError: When it has a ``task_version`` or ``reward_version`` other than the current
            one, or is of version 1 of slr.
    """
    for name, current in versions_of(family).items():
        given = payload.get(name)
        if given is not None and given != current:
            raise ValueError(_refusal(f"The row has {name} {given!r} of {family}", name, current))
    if family == "slr" and payload.get("task_version") is None:
        _check_not_first(payload)


def _check_not_first(payload: Mapping[str, Any]) -> None:
    # Rows of version 1 had no version. Published rows and rows made by hand have neither key.
    first = next((key for key in _FIRST_SLR if payload.get(key) not in (None, "")), None)
    if first is not None:
        given = f"The row has {first!r} and no task_version, so it has task_version 1 of slr"
        raise ValueError(_refusal(given, "task_version", TASK_VERSIONS["slr"]))


def _refusal(given: str, name: str, current: int) -> str:
    return (
        f"{given}, but this library has {name} {current}, whose rewards mean something else: make "
        "the rows again with this library, or install the version of it that made them."
    )


def check_verification(family: str, verification: Any) -> None:
    """Check the versions of a payload or of its JSON text; see :func:`check_versions`.

    Raises:
        ValueError: Also when it is neither.
    """
    check_versions(family, as_mapping(verification))


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
