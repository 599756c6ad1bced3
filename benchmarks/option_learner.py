"""A learner that picks one of several options by hashed features: multinomial logit, in numpy."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

BUCKETS = 1 << 17
"""Weights that features are hashed to."""
EPOCHS = 12
BATCH = 64
"""Tasks per step."""
RATES = (0.3, 0.03, 0.003)
"""Learning rates; the one that does better on held-out training tasks is taken."""
HELD_OUT = 0.2
"""Share of the training tasks that choose the learning rate and the number of epochs."""

Features = Sequence[tuple[str, float]]
"""Names and values of what is seen of one option."""
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Encoded:
    """Tasks as sparse rows, one for each option, all options of a task in a row."""

    places: npt.NDArray[np.int64]
    """Buckets of all features, row after row."""
    values: Vector
    """Values of the same features, each row of length one."""
    starts: npt.NDArray[np.int64]
    """Where each row begins, and the end."""
    first_rows: npt.NDArray[np.int64]
    """The first row of each task, and the end."""

    def __len__(self) -> int:
        return len(self.first_rows) - 1

    def scores(self, weights: Vector, task: int) -> Vector:
        """Return the scores of a task's options."""
        low, high = self.first_rows[task], self.first_rows[task + 1]
        first, last = self.starts[low], self.starts[high]
        products = weights[self.places[first:last]] * self.values[first:last]
        return np.add.reduceat(products, self.starts[low:high] - first)


def encode(tasks: Iterable[Sequence[Features]]) -> Encoded:
    """Hash the features of tasks' options."""
    places: list[int] = []
    values: list[float] = []
    starts, first_rows = [0], [0]
    for options in tasks:
        for features in options:
            length = sum(value * value for _, value in features) ** 0.5 or 1.0
            places += [zlib.crc32(name.encode()) % BUCKETS for name, _ in features] or [0]
            values += [value / length for _, value in features] or [0.0]
            starts.append(len(places))
        first_rows.append(len(starts) - 1)
    return Encoded(np.array(places), np.array(values), np.array(starts), np.array(first_rows))


def train(data: Encoded, answers: Sequence[int]) -> Vector:
    """Return weights that make the answers likely.

    Args:
        data: The training tasks, in random order.
        answers: Place of each task's right option.
    """
    cut = int(len(data) * (1 - HELD_OUT))
    runs = [_run(data, answers, range(cut), rate) for rate in RATES]
    held_out = range(cut, len(data))
    scored = [
        (sum(_loss(data, answers, weights, task) for task in held_out), rate, epochs)
        for rate, run in zip(RATES, runs, strict=True)
        for epochs, weights in enumerate(run, start=1)
    ]
    _, rate, epochs = min(scored)
    return _run(data, answers, range(len(data)), rate, epochs)[-1]


def choose(data: Encoded, weights: Vector) -> list[int]:
    """Return the place of the likeliest option of each task."""
    return [int(data.scores(weights, task).argmax()) for task in range(len(data))]


def _run(
    data: Encoded, answers: Sequence[int], tasks: range, rate: float, epochs: int = EPOCHS
) -> list[Vector]:
    """Return the weights after each epoch of Adagrad."""
    weights, squares = np.zeros(BUCKETS), np.full(BUCKETS, 1e-8)
    found = []
    for _ in range(epochs):
        for start in range(tasks.start, tasks.stop, BATCH):
            batch = range(start, min(start + BATCH, tasks.stop))
            gradient = _gradient(data, answers, weights, batch)
            touched = np.flatnonzero(gradient)
            squares[touched] += gradient[touched] ** 2
            weights[touched] -= rate * gradient[touched] / np.sqrt(squares[touched])
        found.append(weights.copy())
    return found


def _gradient(data: Encoded, answers: Sequence[int], weights: Vector, batch: range) -> Vector:
    low, high = data.first_rows[batch.start], data.first_rows[batch.stop]
    excess = np.concatenate([_excess(data, answers, weights, task) for task in batch])
    first, last = data.starts[low], data.starts[high]
    per_feature = np.repeat(excess, np.diff(data.starts[low : high + 1]))
    changes: Vector = per_feature * data.values[first:last]
    return np.bincount(data.places[first:last], changes, minlength=BUCKETS).astype(np.float64)


def _excess(data: Encoded, answers: Sequence[int], weights: Vector, task: int) -> Vector:
    """Return how much likelier than it is each option of a task looks."""
    excess = _likelihoods(data, weights, task)
    excess[answers[task]] -= 1.0
    return excess


def _loss(data: Encoded, answers: Sequence[int], weights: Vector, task: int) -> float:
    return -float(np.log(_likelihoods(data, weights, task)[answers[task]] + 1e-12))


def _likelihoods(data: Encoded, weights: Vector, task: int) -> Vector:
    scores = data.scores(weights, task)
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
