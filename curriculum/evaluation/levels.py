"""Pass rates level by level: profiles, and tables of training runs beside guessers.

Source: SLR, section 5 ("Evaluation Setup"), one attempt per task.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation.guessers import (
    Guesser,
    best_constant,
    nearest_neighbour,
    training_examples,
)
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.run_settings import StepLog
from logic_curriculum.curriculum.scheduler import Ladder, ladder_of
from logic_curriculum.generators import Task

FILE_NAME = "evaluation.jsonl"  # Evaluations of a run of SFT: one line per step and split
COLUMNS = 6  # Evaluations that a table shows at most
Lines = Sequence[Mapping[str, Any]]
"""Lines of :data:`FILE_NAME`: ``step``, ``split``, and by level the numbers of tasks and solved."""


@dataclass(frozen=True)
class Profile:
    """What a model solved level by level, one attempt per task."""

    counts: Mapping[int, Sequence[int]]  # Level → number of its tasks, and of those solved
    ladder: Ladder

    @property
    def accuracy(self) -> dict[int, float]:
        """Return pass@1 by level, in [0, 1]."""
        return {level: solved / tasks for level, (tasks, solved) in self.counts.items()}

    @property
    def logical_reasoning_level(self) -> float:
        """Return LRL, the sum of the accuracies: from 0 to the number of levels attempted."""
        return sum(self.accuracy.values())

    @property
    def tier_accuracy(self) -> dict[str, float]:
        """Return the share of solved tasks of each tier, in [0, 1], lowest tier first."""
        tiers = grouped(self.counts.items(), lambda item: self.ladder.tier(item[0]))
        counts = {tier: zip(*(pair for _, pair in own), strict=True) for tier, own in tiers.items()}
        return {tier: sum(solved) / sum(tasks) for tier, (tasks, solved) in counts.items()}


def profile(outcomes: Iterable[tuple[int, bool]], ladder: Ladder) -> Profile:
    """Return the profile of a model on one family from (level, solved) of each graded task."""
    levels = grouped(sorted(outcomes), lambda pair: pair[0])
    for level in levels:
        ladder.tier(level)  # refuses a level that does not exist
    return Profile({n: (len(own), sum(s for _, s in own)) for n, own in levels.items()}, ladder)


def format_levels(profiles: Mapping[str, Profile]) -> str:
    """Return a Markdown table of pass@1 in %, a row per level and a column per profile's name."""
    tiers = {n: item.ladder.tier(n) for item in profiles.values() for n in item.counts}
    rates = [item.accuracy for item in profiles.values()]
    rows = [
        [str(level), tiers[level], *(_percent(column.get(level)) for column in rates)]
        for level in sorted(tiers)
    ]
    return markdown_table(["level", "tier", *profiles], rows)


def format_leaderboard(profiles: Mapping[str, Profile]) -> str:
    """Return a Markdown table of LRL and tier accuracy in %, a row per profile's name."""
    tiers = list(dict.fromkeys(tier for item in profiles.values() for tier in item.tier_accuracy))
    rows = []
    for name, item in profiles.items():
        shares = [_percent(item.tier_accuracy.get(tier)) for tier in tiers]
        rows.append([name, f"{item.logical_reasoning_level:.1f}", *shares])
    return markdown_table(["model", "LRL", *(f"{tier} (%)" for tier in tiers)], rows)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}"


def report(folder: Path, tasks: Sequence[Task], options: Mapping[str, Any]) -> str:
    """Return the tables of the evaluations in a run folder, and write them to ``levels.md``."""
    lines = grouped(StepLog(folder / FILE_NAME).read(), lambda line: line["split"])
    asked = grouped(tasks, lambda task: task.metadata["split"])
    guessers: dict[str, Guesser] = {"best constant": partial(best_constant, task_options=options)}
    if examples := training_examples(folder):
        guessers["nearest neighbour"] = partial(nearest_neighbour, examples=examples)
    text = "\n\n".join(_tables(own, asked[split], guessers) for split, own in lines.items())
    (folder / "levels.md").write_text(text + "\n")
    return text


def _tables(lines: Lines, tasks: Sequence[Task], guessers: Mapping[str, Guesser]) -> str:
    ladder = ladder_of(tasks[0].family)
    columns = {}
    for name, guesser in guessers.items():
        solved = {
            level: (len(own), sum(guesser(own)))
            for level, own in grouped(tasks, lambda task: task.level).items()
        }
        columns[name] = Profile(solved, ladder)
    for line in spread(lines, COLUMNS):
        counts = {int(level): numbers for level, numbers in line["levels"].items()}
        columns[f"step {line['step']}"] = Profile(counts, ladder)
    return (
        f"Tasks of the {lines[0]['split']} split: solved in %\n\n{format_levels(columns)}\n\n"
        f"{format_leaderboard(columns)}"
    )


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """Return the first, the last and evenly spread items in between, at most ``count`` in all."""
    if len(items) <= count:
        return list(items)
    return [items[round(place * (len(items) - 1) / (count - 1))] for place in range(count)]
