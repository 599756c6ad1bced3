"""What strategies may earn, and tables of what they earned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Results = Mapping[int, Mapping[str, Any]]
"""For each level what was measured: see ``measure`` in ``shortcuts_slr.py``."""


class Earned(NamedTuple):
    """What a strategy earned on the tasks of a level, as shares of the tasks."""

    paid: float
    fits: float = 0.0
    """Right on all examples shown."""
    unearned: float | None = None
    """Paid although the rule's true balanced accuracy is below .75; None if not measured."""
    share: float | None = None
    """Tasks in which the rule's true balanced accuracy is at least .75; None if not measured."""

    @property
    def excess(self) -> float:
        """Return by how much more is paid than the share, or a number that this can't exceed."""
        if self.share is not None:
            return self.paid - self.share
        return self.paid if self.unearned is None else self.unearned


@dataclass(frozen=True)
class Bound:
    """A bound on what a group of strategies earns."""

    group: str
    says: str
    most: Callable[[int, Mapping[str, Any]], float | None]
    """What a strategy may earn at a level; None where nothing is demanded."""
    least: bool = False
    """Whether it is the least that it should earn."""
    excess: bool = False
    """Whether what counts is what is paid beyond the share of rules that generalise."""


BEST = "best single rule: two literals, negation"
ONE = "best single rule: one attribute value"
SHORTEST = "a shortest conjunction of at most two values, where one fits"

BOUNDS = (
    Bound("constants", "at most the best single rule + .03", lambda _, row: row[BEST].paid + 0.03),
    Bound(
        "memorisers",
        "at most .05 from level 4 on, below the best single rule",
        lambda level, row: 0.05 if level >= 4 else row[BEST].paid,
    ),
    *(
        Bound(group, "at most .05 beyond the rules that generalise", lambda *_: 0.05, excess=True)
        for group in ("learners", "without labels")
    ),
    Bound("truth", "1.00", lambda *_: 1.0, least=True),
    Bound(
        "short",
        "at least .90 at levels 4 to 12",
        lambda level, _: 0.9 if 4 <= level <= 12 else None,
        least=True,
    ),
)


def table(results: Results, groups: Mapping[str, str]) -> str:
    """Return what each strategy earned, in brackets what it was paid for no rule that generalises.

    Args:
        results: What was measured.
        groups: The group of each strategy.
    """
    levels = sorted(results)
    lines = [
        f"| strategy | {' | '.join(map(str, levels))} |",
        f"|:---|{'---:|' * len(levels)}",
    ]
    for group in dict.fromkeys(groups.values()):
        lines.append(f"| **{group}** |{' |' * len(levels)}")
        for name in (name for name, its in groups.items() if its == group):
            cells = [_cell(results[level][name]) for level in levels]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(earned: Earned) -> str:
    paid = f"{earned.paid:.2f}".replace("0.", ".", 1)
    if not earned.unearned:
        return paid
    return f"{paid} ({earned.unearned:.2f})".replace("(0.", "(.")


def verdicts(results: Results, groups: Mapping[str, str]) -> str:
    """Return for each strategy its bound, the level where it is closest, and whether it is met."""
    lines = [
        "| strategy | bound | worst level | there | allowed | |",
        "|:---|:---|---:|---:|---:|:---|",
    ]
    for bound in BOUNDS:
        for name in (name for name, its in groups.items() if its == bound.group):
            lines.append(_verdict(bound, name, results))
    return "\n".join(lines)


def _verdict(bound: Bound, name: str, results: Results) -> str:
    rows: list[tuple[float, int, float, float]] = []
    for level, row in results.items():
        limit = bound.most(level, row)
        if limit is not None:
            earned = row[name].excess if bound.excess else row[name].paid
            margin = earned - limit if bound.least else limit - earned
            rows.append((margin, level, earned, limit))
    if not rows:
        return f"| {name} | {bound.says} | | | | not measured |"
    margin, level, earned, limit = min(rows)
    missed = [str(at) for its, at, _, _ in rows if its < -1e-9]
    result = f"**missed** at {_listed(missed)}" if missed else "met"
    return f"| {name} | {bound.says} | {level} | {earned:.2f} | {limit:.2f} | {result} |"


def _listed(levels: Sequence[str]) -> str:
    return ", ".join(sorted(levels, key=int))
