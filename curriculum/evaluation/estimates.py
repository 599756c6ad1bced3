"""Means with confidence intervals by the bootstrap, and pass@k without bias.

Resampling is over tasks: the answers to one task depend on each other, so they come and go together
(a cluster bootstrap). Each level is resampled by itself, since its number of tasks is no accident.

Source: Efron, "Bootstrap Methods" (1979), percentile intervals; Chen et al., "Evaluating Large
Language Models Trained on Code" (2021), section 2.1, for pass@k.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000
COVERAGE = 0.95


class Estimate(NamedTuple):
    """A mean, or a sum of means, and the interval it lies in with 95 % confidence.

    An interval without width means that all tasks came out alike, not that there is no doubt.
    """

    value: float
    low: float
    high: float
    tasks: int
    """Tasks that it rests on."""


def mean(strata: Mapping[int, Sequence[float]], *scope: str | int) -> Estimate | None:
    """Return the mean over all tasks, or None if there are none.

    Args:
        strata: Level → a value for each of its tasks.
        scope: Seed of the resampling: any names and numbers.
    """
    total = sum(len(values) for values in strata.values())
    weights = {level: len(values) / total for level, values in strata.items() if values}
    return _estimate(strata, weights, *scope)


def sum_of_means(strata: Mapping[int, Sequence[float]], *scope: str | int) -> Estimate | None:
    """Return the sum of the levels' means, such as the Logical Reasoning Level; see :func:`mean`.

    Source: SLR, section 5 ("Evaluation Setup").
    """
    return _estimate(strata, {level: 1.0 for level, values in strata.items() if values}, *scope)


def _estimate(
    strata: Mapping[int, Sequence[float]], weights: Mapping[int, float], *scope: str | int
) -> Estimate | None:
    if not weights:
        return None
    value = sum(weight * float(np.mean(strata[level])) for level, weight in weights.items())
    resampled = sum(
        weight * resampled_means(strata[level], *scope, level) for level, weight in weights.items()
    )
    low, high = interval(np.asarray(resampled))
    return Estimate(value, low, high, sum(len(strata[level]) for level in weights))


def resampled_means(values: Sequence[float], *scope: str | int) -> np.ndarray:
    """Return the means of resamples with replacement.

    Random numbers are made by SHAKE-256, so that they are the same with every version of numpy.
    """
    count = len(values)
    seed = json.dumps(scope).encode()
    bits = hashlib.shake_256(seed).digest(4 * RESAMPLES * count)
    drawn = np.frombuffer(bits, dtype="<u4").astype(np.uint64)
    index = ((drawn * np.uint64(count)) >> np.uint64(32)).astype(np.intp)
    means: np.ndarray = np.asarray(values, float)[index].reshape(RESAMPLES, count).mean(axis=1)
    return means


def interval(resampled: np.ndarray) -> tuple[float, float]:
    """Return the percentile interval of a resampled statistic."""
    tail = 50 * (1 - COVERAGE)
    low, high = np.percentile(resampled, [tail, 100 - tail])
    return float(low), float(high)


def pass_at(k: int, answers: int, solved: int) -> float:
    """Return the chance that one of k answers solves the task, without bias.

    1 - C(n-c, k) / C(n, k), where c of n answers were right.

    >>> pass_at(2, answers=4, solved=1)  # of the 6 pairs, 3 hold the right one
    0.5

    Raises:
        ValueError: If there are fewer than k answers.
    """
    if not 1 <= k <= answers:
        raise ValueError(
            f"pass@{k} was asked for, but the task has {answers} graded answers: k is from 1 to "
            "their number."
        )
    return 1 - comb(answers - solved, k) / comb(answers, k)
