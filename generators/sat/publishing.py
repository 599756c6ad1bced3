"""What a dataset of this family needs beside its tasks: columns, sizes, and what not to share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from logic_curriculum.generators.sat.levels import find_preset
from logic_curriculum.generators.splits import Split
from logic_curriculum.generators.task import Task

TEST_SHARE = 0.2
"""Share of all shapes that only the test split uses."""
VALIDATION_SHARE = 0.1
"""Share of all shapes that only the validation split uses."""


def digest(text: str) -> str:
    """Return a hash of 32 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def side_of(shape: str) -> Split:
    """Return the one split to which the tasks of a shape belong."""
    fraction = int(digest(shape)[:15], 16) / 16**15
    if fraction < TEST_SHARE:
        return "test"
    return "validation" if fraction < TEST_SHARE + VALIDATION_SHARE else "train"


def published_sizes(level: int, *, preset: str | None = None) -> dict[str, int]:
    """Return the number of tasks of a level by split: of a preset (Table 3), or of the ladder.

    Raises:
        ValueError: There is no such preset.
    """
    if preset is None:
        return {"train": 1000, "validation": 20, "test": 50}
    return {"test": sum(find_preset(preset).counts[level])}


def published_parts(
    split: str, level: int, count: int, options: Mapping[str, Any]
) -> list[tuple[int, dict[str, str]]]:
    """Return how many tasks are consistent, and how many are not, with the ``target`` of each.

    A level of a preset that has as many tasks as Table 3 counts has them as Table 3 counts them.
    The two kinds come from the same seeds, so each of the rarer kind has its match in the other;
    the rest of the commoner one is without. Else a coin decides, as in the ladder.
    """
    preset = options.get("preset")
    if preset is None or options.get("target") is not None:
        return [(count, {})]
    if count != published_sizes(level, preset=preset).get(split):
        return [(count, {})]
    counts = zip(find_preset(preset).counts[level], ("sat", "unsat"), strict=True)
    return [(number, {"target": target}) for number, target in counts if number]


def fingerprint(task: Task) -> str:
    """Return a hash that is equal for tasks with the same clauses about the same things.

    The order of the clauses and the style of the prompt don't count.
    """
    payload = task.verification
    return digest(json.dumps([sorted(payload["formulas"]), payload["atoms"]], sort_keys=True))


def leak_key(task: Task) -> str:
    """Return what the tasks of other splits must not share.

    It is a hash of the structures with their signs and of how often each variable is affirmed and
    negated, whatever the names and the order; the two sets of a pair share it.
    """
    return str(task.metadata["shape_key"])


def published_columns(task: Task) -> dict[str, Any]:
    """Return the task in raw columns."""
    about, payload = task.metadata, task.verification
    return {
        "id": fingerprint(task),
        "text": " ".join(about["statements"]),
        "clauses": payload["formulas"],
        "atoms": json.dumps(payload["atoms"]),
        "consistent": payload["satisfiable"],
        "variables": about["variables"],
        "models": about["models"],
    }


def versions() -> dict[str, str]:
    """Return nothing: no library decides what a task looks like."""
    return {}
