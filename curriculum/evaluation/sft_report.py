"""What an SFT run says at its end: pass rates by level, from the first evaluation to the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation.level_evaluation import best_constant
from logic_curriculum.curriculum.evaluation.sft_evaluation import FILE_NAME, read
from logic_curriculum.curriculum.ladder import ladder_of
from logic_curriculum.curriculum.metrics import (
    LevelScore,
    Profile,
    format_leaderboard,
    format_levels,
)
from logic_curriculum.generators import Task

COLUMNS = 6  # evaluations that a table shows at most
FAMILY = "slr"


def report(folder: Path, tasks: Sequence[Task], options: Mapping[str, Any]) -> str:
    """Return the tables of a run as Markdown, and write them to ``levels.md``.

    Args:
        folder: The run folder, with its ``evaluation.jsonl``.
        tasks: The tasks of its evaluations.
        options: Options of ``logic_curriculum.generators.generate`` that the tasks were made with.
    """
    lines = read(folder / FILE_NAME)
    text = "\n\n".join(
        _tables(split, [line for line in lines if line["split"] == split], tasks, options)
        for split in dict.fromkeys(line["split"] for line in lines)
    )
    (folder / "levels.md").write_text(text + "\n")
    return text


def _tables(
    split: str,
    lines: Sequence[Mapping[str, Any]],
    tasks: Sequence[Task],
    options: Mapping[str, Any],
) -> str:
    shown = {f"step {line['step']}": _profile(line["levels"]) for line in spread(lines, COLUMNS)}
    constant = constant_profile([t for t in tasks if t.metadata["split"] == split], options)
    columns = {"best constant": constant, **shown}
    return (
        f"Tasks of the {split} split: solved in %\n\n{format_levels(columns)}\n\n"
        f"{format_leaderboard(columns)}"
    )


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """Return the first, the last and evenly spread items in between, at most ``count`` in all."""
    if len(items) <= count:
        return list(items)
    return [items[round(place * (len(items) - 1) / (count - 1))] for place in range(count)]


def _profile(levels: Mapping[str, tuple[int, int]]) -> Profile:
    ladder = ladder_of(FAMILY)
    return Profile(
        tuple(
            LevelScore(int(level), ladder.tier(int(level)), *counts)
            for level, counts in levels.items()
        )
    )


def constant_profile(tasks: Sequence[Task], options: Mapping[str, Any]) -> Profile:
    """Return what each level's best single answer solves, picked on these tasks themselves."""
    levels = list(dict.fromkeys(task.level for task in tasks))
    counts = {}
    for level in levels:
        own = [task for task in tasks if task.level == level]
        counts[str(level)] = (len(own), round(best_constant(own, options) * len(own)))
    return _profile(counts)
