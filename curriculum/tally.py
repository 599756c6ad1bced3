"""From the rewards of a generation batch to attempts and passes per family and level."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

PASS = 1.0
"""The reward from which on a completion counts as solved."""


class Tally(NamedTuple):
    """Graded completions of one family at one level."""

    family: str
    level: int
    attempts: int
    passes: int


def tally(rewards: Iterable[tuple[str, int, float | None]]) -> list[Tally]:
    """Count attempts and passes.

    Args:
        rewards: (family, level, reward) of each completion. ``None`` and NaN mean that the
            completion could not be graded; it is no attempt.

    Returns:
        One tally per family and level with an attempt, sorted, so that the order of the
        completions, and with it the number of processes, does not matter.
    """
    counts: dict[tuple[str, int], list[int]] = {}
    for family, level, reward in rewards:
        if reward is None or math.isnan(reward):
            continue
        count = counts.setdefault((family, level), [0, 0])
        count[0] += 1
        count[1] += reward >= PASS
    return [Tally(*key, *counts[key]) for key in sorted(counts)]
