"""Splits without a list of tasks: a hash says on which side a task stands."""

from __future__ import annotations

import hashlib

from logic_curriculum.generators.splits import Split

TEST_SHARE = 0.2
"""Share of all keys that only the test split uses."""
VALIDATION_SHARE = 0.1
"""Share of all keys that only the validation split uses."""
_SALT = "logicskills"


def side_of(key: str) -> Split:
    """Return the one split to which the tasks with a key belong, e.g. with a formula's text."""
    digest = hashlib.sha256(f"{_SALT} {key}".encode()).digest()
    fraction = int.from_bytes(digest[:8], "big") / 2**64
    if fraction < TEST_SHARE:
        return "test"
    return "validation" if fraction < TEST_SHARE + VALIDATION_SHARE else "train"
