"""Estimates, tests and correlations over the tasks of an evaluation.

Bootstrap intervals resample tasks, since the answers to one task depend on each other (a cluster
bootstrap), and each level by itself, since its number of tasks is fixed.

Source: Efron, "Bootstrap Methods" (1979), percentile intervals; Chen et al., "Evaluating Large
Language Models Trained on Code" (2021), section 2.1, for pass@k; McNemar, "Note on the sampling
error of the difference between correlated proportions or percentages" (1947); Holm, "A simple
sequentially rejective multiple test procedure" (1979).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from math import asin, comb, isclose, pi, sqrt
from statistics import correlation
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000
COVERAGE = 0.95


class Estimate(NamedTuple):
    """A mean, or a sum of means, with its 95 % interval by the bootstrap.

    An interval without width means that all tasks have the same value, not that there is no doubt.
    """

    value: float
    low: float
    high: float
    tasks: int  # Number of tasks

    def times(self, factor: float) -> Estimate:
        """Return the estimate of a multiple."""
        return Estimate(factor * self.value, factor * self.low, factor * self.high, self.tasks)


class Mean(NamedTuple):
    """A mean of shares with its standard error, both in percent."""

    value: float
    error: float
    items: int  # Number of shares

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}" if self.items else "–"


def mean_percent(shares: Sequence[float], degrees_lost: int = 1) -> Mean:
    """Return the mean of numbers in [-1, 1] in percent, 0 for none of them.

    With ``degrees_lost`` 1 the variance is estimated without bias, with 0 it is the numbers' own.

    >>> mean_percent([0.0, 1.0, 1.0, 0.0])
    Mean(value=50.0, error=28.867513459481287, items=4)
    """
    count = len(shares)
    if count == 0:
        return Mean(0.0, 0.0, 0)
    centre = sum(shares) / count
    variance = sum((share - centre) ** 2 for share in shares) / max(1, count - degrees_lost)
    return Mean(100 * centre, 100 * sqrt(variance / count), count)


def mean(strata: Mapping[int, Sequence[float]], *scope: str | int) -> Estimate:
    """Return the mean over all tasks, of which there is at least one.

    ``strata`` has the values of each level's tasks, ``scope`` names the seed of the resampling.
    """
    total = sum(len(values) for values in strata.values())
    return _estimate(strata, {n: len(values) / total for n, values in strata.items()}, *scope)


def sum_of_means(strata: Mapping[int, Sequence[float]], *scope: str | int) -> Estimate:
    """Return the sum of the means by level, such as LRL (SLR, section 5); see :func:`mean`."""
    return _estimate(strata, dict.fromkeys(strata, 1.0), *scope)


def _estimate(
    strata: Mapping[int, Sequence[float]], weights: Mapping[int, float], *scope: str | int
) -> Estimate:
    levels = [level for level, values in strata.items() if values]
    value = sum(weights[level] * float(np.mean(strata[level])) for level in levels)
    means = [weights[level] * resampled_means(strata[level], *scope, level) for level in levels]
    tail = 50 * (1 - COVERAGE)
    low, high = np.percentile(np.asarray(sum(means)), [tail, 100 - tail])
    return Estimate(value, float(low), float(high), sum(len(strata[level]) for level in levels))


def resampled_means(values: Sequence[float], *scope: str | int) -> np.ndarray:
    """Return means of resamples with replacement, drawn by SHAKE-256: equal with every numpy."""
    count = len(values)
    seed = json.dumps(scope).encode()
    bits = hashlib.shake_256(seed).digest(4 * RESAMPLES * count)
    drawn = np.frombuffer(bits, dtype="<u4").astype(np.uint64)
    index = ((drawn * np.uint64(count)) >> np.uint64(32)).astype(np.intp)
    means: np.ndarray = np.asarray(values, float)[index].reshape(RESAMPLES, count).mean(axis=1)
    return means


def pass_at(k: int, answers: int, solved: int) -> float:
    """Return the chance that one of k answers solves the task, without bias.

    It is 1 - C(n-c, k) / C(n, k), where c of n answers were right.

    >>> pass_at(2, answers=4, solved=1)  # of the 6 pairs, 3 hold the right one
    0.5

    Fewer than k answers are a ValueError.
    """
    if not 1 <= k <= answers:
        raise ValueError(
            f"pass@{k} was asked for, but the task has {answers} graded answers: k is from 1 to "
            "their number."
        )
    return 1 - comb(answers - solved, k) / comb(answers, k)


def mcnemar(worse: int, better: int) -> float:
    """Return the exact two-sided p-value of McNemar's test, for tasks that one of two runs solves.

    >>> mcnemar(1, 5)  # 2 * (C(6, 0) + C(6, 1)) / 2**6
    0.21875
    """
    count = worse + better
    tail = sum(comb(count, number) for number in range(min(worse, better) + 1))
    return min(1.0, 2 * tail / 2**count)


def bootstrap_p(gains: Mapping[int, Sequence[float]], *scope: str | int) -> float:
    """Return the two-sided p-value of a mean gain by the centred bootstrap; see :func:`mean`."""
    total = sum(map(len, gains.values()))
    measured = sum(map(sum, gains.values())) / total
    resampled = sum(
        len(values) / total * resampled_means(values, *scope, level)
        for level, values in gains.items()
    )
    beyond = np.abs(np.asarray(resampled) - measured) >= abs(measured) - 1e-12
    return float((1 + beyond.sum()) / (1 + RESAMPLES))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's method for their number, in their order."""
    corrected = list(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(corrected)), key=corrected.__getitem__)):
        highest = max(highest, min(1.0, (len(corrected) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected


class Correlation(NamedTuple):
    """Pearson's correlation over groups."""

    r: float | None  # Coefficient in [-1, 1]; None if one of the two quantities never varies
    p: float | None  # Two-sided p-value by Student's t; None with fewer than three groups
    points: int  # Number of groups


def correlate(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Return the correlation of two quantities, given for the same groups."""
    constant = any(
        all(isclose(value, values[0], rel_tol=1e-12, abs_tol=1e-12) for value in values)
        for values in (x, y)
    )
    r = None if constant else correlation(x, y)
    p = None if r is None or len(x) < 3 else _correlation_p(r, len(x) - 2)
    return Correlation(r, p, len(x))


def _correlation_p(r: float, degrees: int) -> float:
    """Return the two-sided p-value of a coefficient.

    With t = r √(ν / (1 - r²)), the angle θ = arctan(t / √ν) has sin θ = |r|, and the chance of a
    smaller |t| is a finite sum of powers of cos θ (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    sine, cosine = abs(r), sqrt(max(0.0, 1 - r * r))
    first = degrees % 2
    term = cosine if first else 1.0
    terms = 0.0
    for power in range(first, degrees - 1, 2):
        terms += term
        term *= (power + 1) / (power + 2) * cosine**2
    inside = sine * terms
    return max(0.0, 1 - (2 / pi * (asin(min(1.0, sine)) + inside) if first else inside))
