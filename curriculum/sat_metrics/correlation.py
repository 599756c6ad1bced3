"""Pearson's correlation coefficient and its p-value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, isclose, pi, sqrt
from statistics import fmean

FEWEST = 3
"""Fewest points that a p-value exists for."""


@dataclass(frozen=True)
class Correlation:
    """How two quantities go together over groups."""

    r: float | None
    """Pearson's coefficient in [-1, 1]; None when one of the two never varies."""
    p: float | None
    """Chance of a coefficient at least as far from 0 if the two were independent and normal; None
    with fewer than :data:`FEWEST` points."""
    points: int
    """Number of groups."""


def correlate(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Return the correlation of two lists of equal length.

    Raises:
        ValueError: If their lengths differ.
    """
    if len(x) != len(y):
        raise ValueError(
            f"{len(x)} and {len(y)} values were given, but a correlation is of pairs: give two "
            "lists of equal length."
        )
    r = pearson(x, y)
    p = None if r is None or len(x) < FEWEST else p_value(r, len(x))
    return Correlation(r, p, len(x))


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Σ(x-x̄)(y-ȳ) / √(Σ(x-x̄)² Σ(y-ȳ)²), or None when x or y never varies."""
    if len(x) < 2 or _is_constant(x) or _is_constant(y):
        return None
    mean_x, mean_y = fmean(x), fmean(y)
    products = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    squares_x = sum((a - mean_x) ** 2 for a in x)
    squares_y = sum((b - mean_y) ** 2 for b in y)
    return max(-1.0, min(1.0, products / sqrt(squares_x * squares_y)))


def _is_constant(values: Sequence[float]) -> bool:
    return all(isclose(value, values[0], rel_tol=1e-12, abs_tol=1e-12) for value in values)


def p_value(r: float, points: int) -> float:
    """Return the two-sided p-value of a coefficient, by Student's t with points - 2 degrees.

    With t = r √(ν / (1 - r²)), the angle θ = arctan(t / √ν) has sin θ = |r|, and the chance of a
    smaller |t| is a finite sum of powers of cos θ (Abramowitz and Stegun, 26.7.3 and 26.7.4). It is
    exact up to rounding, about 1e-15.

    Raises:
        ValueError: If there are fewer than :data:`FEWEST` points.
    """
    degrees = points - 2
    if degrees < 1:
        raise ValueError(f"{points} points have no p-value: give {FEWEST} or more")
    sine, cosine = abs(r), sqrt(1 - r * r)
    first = degrees % 2
    term = cosine if first else 1.0
    terms = 0.0
    for power in range(first, degrees - 1, 2):
        terms += term
        term *= (power + 1) / (power + 2) * cosine**2
    inside = sine * terms
    return max(0.0, 1 - (2 / pi * (asin(sine) + inside) if first else inside))
