"""Accuracy, precision, recall and F1 of runs, and how alike repeated answers are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from logic_curriculum.curriculum.sat_metrics.answers import Answer


@dataclass(frozen=True)
class Counts:
    """Answers by truth and verdict; *positive* is consistent."""

    true_positive: int = 0
    false_positive: int = 0
    true_negative: int = 0
    false_negative: int = 0
    unanswered_positive: int = 0
    """Consistent texts of which the model said neither."""
    unanswered_negative: int = 0
    """Inconsistent texts of which it said neither."""

    @property
    def positives(self) -> int:
        """Answers to consistent texts."""
        return self.true_positive + self.false_negative + self.unanswered_positive

    @property
    def negatives(self) -> int:
        """Answers to inconsistent texts."""
        return self.false_positive + self.true_negative + self.unanswered_negative

    @property
    def total(self) -> int:
        """All answers."""
        return self.positives + self.negatives

    @property
    def accuracy(self) -> float | None:
        """Share of right verdicts, in [0, 1]; no verdict is a wrong one."""
        return _share(self.true_positive + self.true_negative, self.total)

    @property
    def precision(self) -> float | None:
        """Share of consistent texts among those called consistent."""
        return _share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> float | None:
        """Share of consistent texts that are called consistent."""
        return _share(self.true_positive, self.positives)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall: 2 TP / (TP + FP + consistent texts)."""
        called = self.true_positive + self.false_positive
        return _share(2 * self.true_positive, called + self.positives)

    @property
    def false_positive_rate(self) -> float | None:
        """Share of inconsistent texts that are called consistent."""
        return _share(self.false_positive, self.negatives)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


_FIELDS = {
    (True, True): "true_positive",
    (True, False): "false_negative",
    (True, None): "unanswered_positive",
    (False, True): "false_positive",
    (False, False): "true_negative",
    (False, None): "unanswered_negative",
}


def count(answers: Iterable[Answer]) -> Counts:
    """Return how many answers there are of each kind."""
    return Counts(**Counter(_FIELDS[answer.consistent, answer.said] for answer in answers))


MEASURES = ("accuracy", "precision", "recall", "f1")
"""Properties of :class:`Counts` that Table 1 of the paper has."""
TITLES = ("accuracy", "precision", "recall", "F1")
"""Their names for a reader."""


@dataclass(frozen=True)
class Spread:
    """A measure over repeated runs."""

    mean: float
    deviation: float | None
    """Standard deviation of the runs' values (n - 1 in the denominator); None with one run."""


def spread(values: Iterable[float | None]) -> Spread | None:
    """Return mean and deviation of the values that exist, or None when none does."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return Spread(fmean(known), stdev(known) if len(known) > 1 else None)


def by_run(answers: Iterable[Answer]) -> dict[int, list[Answer]]:
    """Return the answers of each run, in the order of their numbers."""
    runs: dict[int, list[Answer]] = {}
    for answer in answers:
        runs.setdefault(answer.run, []).append(answer)
    return dict(sorted(runs.items()))


def over_runs(answers: Iterable[Answer]) -> dict[str, Spread | None]:
    """Return each of :data:`MEASURES` over the runs, as Table 1 of the paper has them."""
    counts = [count(run) for run in by_run(answers).values()]
    return {name: spread(getattr(each, name) for each in counts) for name in MEASURES}


def homogeneity(said: Sequence[bool | None]) -> float:
    """Return the share of a text's answers that are the most frequent one, in percent (App. B.2).

    H = max over values of count(value) / number of answers · 100. No verdict is a value of its
    own.

    >>> homogeneity([True, True, False, None])
    50.0
    """
    return 100 * max(Counter(said).values()) / len(said)


def mean_homogeneity(answers: Iterable[Answer]) -> float | None:
    """Return the mean of the homogeneity over texts, in percent.

    Texts with one answer are left out, since one answer can't vary; None when there is no other.
    """
    texts: dict[str, list[bool | None]] = {}
    for answer in answers:
        texts.setdefault(answer.task, []).append(answer.said)
    repeated = [homogeneity(said) for said in texts.values() if len(said) > 1]
    return fmean(repeated) if repeated else None


def predictions(counts: Counts) -> Mapping[bool, tuple[float, float, float]]:
    """Return what is said of consistent and of inconsistent texts, in percent (Figure 2).

    Returns:
        Truth → shares of "consistent", of "inconsistent" and of neither; a truth of which there is
        no text is left out.
    """
    cells = {
        True: (counts.true_positive, counts.false_negative, counts.unanswered_positive),
        False: (counts.false_positive, counts.true_negative, counts.unanswered_negative),
    }
    return {
        truth: (100 * yes / total, 100 * no / total, 100 * neither / total)
        for truth, (yes, no, neither) in cells.items()
        if (total := yes + no + neither)
    }
