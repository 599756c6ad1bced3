"""How far a model gets: the Logical Reasoning Level, accuracy by tier, pass@1 and hacking gap.

Source: SLR, section 5 ("Evaluation Setup"), one attempt per task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from logic_curriculum.curriculum.ladder import Ladder


@dataclass(frozen=True)
class LevelScore:
    """What a model solved at one level."""

    level: int
    """The level, counted from 1."""
    tier: str
    """The tier that the level belongs to."""
    tasks: int
    """Tasks attempted, once each."""
    solved: int
    """Tasks solved."""

    @property
    def accuracy(self) -> float:
        """Return pass@1 at the level, in [0, 1]."""
        return self.solved / self.tasks


@dataclass(frozen=True)
class Profile:
    """What a model solved level by level; the numbers of a leaderboard follow from it."""

    levels: tuple[LevelScore, ...]
    """One entry per level with a task, lowest level first."""

    @property
    def logical_reasoning_level(self) -> float:
        """Return LRL = Σ_ℓ solved_ℓ / tasks_ℓ: between 0 and the number of levels attempted."""
        return sum(score.accuracy for score in self.levels)

    @property
    def tier_accuracy(self) -> dict[str, float]:
        """Return the share of solved tasks of each tier, in [0, 1], lowest tier first."""
        tiers = dict.fromkeys(score.tier for score in self.levels)
        return {tier: self._accuracy(tier) for tier in tiers}

    def _accuracy(self, tier: str) -> float:
        scores = [score for score in self.levels if score.tier == tier]
        return sum(score.solved for score in scores) / sum(score.tasks for score in scores)


def profile(outcomes: Iterable[tuple[int, bool]], ladder: Ladder) -> Profile:
    """Return the profile of a model on one family.

    Args:
        outcomes: (level, solved) of each task, in any order. Tasks that could not be graded are
            left out by the caller: they say nothing about the model.
        ladder: The family's levels.

    Raises:
        ValueError: If an outcome's level does not exist.
    """
    counts: dict[int, list[int]] = {}
    for level, solved in outcomes:
        count = counts.setdefault(level, [0, 0])
        count[0] += 1
        count[1] += bool(solved)
    return Profile(
        tuple(LevelScore(level, ladder.tier(level), *counts[level]) for level in sorted(counts))
    )


def hacking_gap(extensional: Sequence[float], isomorphic: Sequence[float]) -> float:
    """Return by how much the score drops when the objects are renamed.

    The mean score on the original programs minus that on isomorphic copies: 0 for rules that are
    induced, up to 1 for answers that name the objects of the task or use their order.

    Args:
        extensional: Score of each completion on the original program, in [0, 1].
        isomorphic: Score of the same completions on the isomorphic copy.

    Raises:
        ValueError: If the two differ in length, or are empty.
    """
    if len(extensional) != len(isomorphic) or not extensional:
        raise ValueError(
            f"{len(extensional)} extensional and {len(isomorphic)} isomorphic scores were given, "
            "but a gap needs both for each completion and at least one completion: pass two lists "
            "of equal length."
        )
    return (sum(extensional) - sum(isomorphic)) / len(extensional)


def format_levels(profiles: Mapping[str, Profile]) -> str:
    """Return a Markdown table of pass@1 in %, a row per level and a column per profile.

    Args:
        profiles: A profile for each column's title, e.g. ``{"before": ..., "after": ...}``.
    """
    tiers = {score.level: score.tier for item in profiles.values() for score in item.levels}
    rows = [
        [
            str(level),
            tiers[level],
            *(_percent(_pass_rate(item, level)) for item in profiles.values()),
        ]
        for level in sorted(tiers)
    ]
    return markdown_table(["level", "tier", *profiles], rows)


def format_leaderboard(profiles: Mapping[str, Profile]) -> str:
    """Return a Markdown table of LRL and tier accuracy in %, a row per profile.

    Args:
        profiles: A profile for each row's title, e.g. a model's name.
    """
    tiers = list(dict.fromkeys(tier for item in profiles.values() for tier in item.tier_accuracy))
    rows = [
        [
            name,
            f"{item.logical_reasoning_level:.1f}",
            *(_percent(item.tier_accuracy.get(tier)) for tier in tiers),
        ]
        for name, item in profiles.items()
    ]
    return markdown_table(["model", "LRL", *(f"{tier} (%)" for tier in tiers)], rows)


def _pass_rate(item: Profile, level: int) -> float | None:
    return next((score.accuracy for score in item.levels if score.level == level), None)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
