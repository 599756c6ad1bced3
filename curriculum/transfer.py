"""Does training one skill help another? Accuracies, transfer matrix and skill profile.

Source: LogicSkills (arXiv:2602.06533), section 5.3, Table 1 (matrix) and Figure 2 (profile).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from logic_curriculum.curriculum.metrics import markdown_table

Outcomes = Sequence[bool | None]
"""Whether each item was solved; ``None`` where it could not be graded."""

BASE = "base"
"""Name of the model that nothing was trained on top of."""

PAPER_DELTAS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "symbolization": {"symbolization": 80.7, "countermodel": 0.0, "validity": -4.3},
        "countermodel": {"symbolization": -3.0, "countermodel": 15.7, "validity": -6.4},
        "symbolization+countermodel": {
            "symbolization": 84.0,
            "countermodel": 25.6,
            "validity": -5.7,
        },
    }
)
"""Table 1 of the paper: what was trained on → skill → change in accuracy points."""


class Setting(NamedTuple):
    """What is asked, and in which words."""

    skill: str
    language: str | None
    """Lexicon of the sentences, or ``None`` where there are none."""

    def __str__(self) -> str:
        return self.skill if self.language is None else f"{self.skill} ({self.language})"


Scores = Mapping[Setting, Outcomes]
"""What a model solved in each setting; the items are the same, in the same order, for all models
that are compared."""


class Estimate(NamedTuple):
    """A number in accuracy points, i.e. percent."""

    value: float
    error: float
    """Standard error."""
    items: int
    """Graded items that it rests on."""


def accuracy(outcomes: Outcomes) -> Estimate:
    """Return the share of graded items that were solved, with its binomial standard error.

    Raises:
        ValueError: If no item was graded.
    """
    graded = [outcome for outcome in outcomes if outcome is not None]
    _check_graded(graded, len(outcomes))
    share = sum(graded) / len(graded)
    return Estimate(100 * share, 100 * math.sqrt(share * (1 - share) / len(graded)), len(graded))


def difference(base: Outcomes, tuned: Outcomes) -> Estimate:
    """Return how much more of the same items the tuned model solves than the base.

    The standard error is that of the paired differences d_i = tuned_i - base_i in {-1, 0, 1}:
    sd(d) / √n. Items that either model was not graded on are left out.

    Raises:
        ValueError: If the two differ in length, or no item was graded for both.
    """
    if len(base) != len(tuned):
        raise ValueError(
            f"The base has {len(base)} outcomes and the tuned model {len(tuned)}, so they can't be "
            "paired: evaluate both on the same items."
        )
    gains = [
        int(after) - int(before)
        for before, after in zip(base, tuned, strict=True)
        if before is not None and after is not None
    ]
    _check_graded(gains, len(base))
    mean = sum(gains) / len(gains)
    variance = sum((gain - mean) ** 2 for gain in gains) / len(gains)
    return Estimate(100 * mean, 100 * math.sqrt(variance / len(gains)), len(gains))


def _check_graded(graded: Sequence[Any], items: int) -> None:
    if not graded:
        raise ValueError(
            f"None of {items} items was graded, so there is no accuracy: evaluate at least one "
            "item, and see the explanations of those that could not be graded."
        )


def skills(scores: Scores) -> list[str]:
    """Return the skills that were asked, in order."""
    return list(dict.fromkeys(setting.skill for setting in scores))


def pooled(scores: Scores, skill: str) -> list[bool | None]:
    """Return the outcomes of a skill in all its languages, one after the other."""
    return [
        outcome for setting, items in scores.items() if setting.skill == skill for outcome in items
    ]


def format_matrix(models: Mapping[str, Scores]) -> str:
    """Return the transfer matrix in Markdown: changes in accuracy points beside the paper's.

    Args:
        models: Scores by what was trained on, :data:`BASE` among them; languages are pooled.
    """
    base = models[BASE]
    header = ["trained on"]
    first = [f"nothing: {BASE} accuracy"]
    for skill in skills(base):
        header += [f"{skill} Δ", "paper Δ"]
        first += [_plain(accuracy(pooled(base, skill))), ""]
    rows = [first]
    for name, scores in models.items():
        if name == BASE:
            continue
        row = [name]
        for skill in skills(base):
            row += [
                _signed(difference(pooled(base, skill), pooled(scores, skill))),
                _paper(name, skill),
            ]
        rows.append(row)
    return markdown_table(header, rows)


def format_profile(models: Mapping[str, Scores]) -> str:
    """Return the skill profile in Markdown: accuracy in %, a row a model, a column a setting."""
    settings = list(next(iter(models.values())))
    rows = [
        [name, *(_plain(accuracy(scores[setting])) for setting in settings)]
        for name, scores in models.items()
    ]
    return markdown_table(["model", *map(str, settings)], rows)


def _plain(estimate: Estimate) -> str:
    return f"{estimate.value:.1f} ± {estimate.error:.1f}"


def _signed(estimate: Estimate) -> str:
    return f"{estimate.value:+.1f} ± {estimate.error:.1f}"


def _paper(name: str, skill: str) -> str:
    delta = PAPER_DELTAS.get(name, {}).get(skill)
    return "–" if delta is None else f"{delta:+.1f}"


def summarize(models: Mapping[str, Scores]) -> dict[str, Any]:
    """Return JSON-able data: accuracies of every model and setting, and differences to the base.

    Returns:
        ``accuracy``: model → setting → value, error, items; ``difference``: model → skill → the
        same, with ``paper`` where the paper has a figure. All in accuracy points.
    """
    base = models[BASE]
    return {
        "accuracy": {
            name: {str(setting): accuracy(items)._asdict() for setting, items in scores.items()}
            for name, scores in models.items()
        },
        "difference": {
            name: {
                skill: {
                    **difference(pooled(base, skill), pooled(scores, skill))._asdict(),
                    "paper": PAPER_DELTAS.get(name, {}).get(skill),
                }
                for skill in skills(base)
            }
            for name, scores in models.items()
            if name != BASE
        },
    }
