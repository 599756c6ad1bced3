"""Where a model's curriculum should begin and end, from several answers to each task."""

from collections.abc import Sequence
from math import comb
from statistics import fmean
from typing import NamedTuple

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.evaluation.records import Record, grouped
from logic_curriculum.curriculum.evaluation.tables import Table
from logic_curriculum.curriculum.strategies import wilson_bounds
from logic_curriculum.generators import registry

LEAST_USEFUL = 0.1
"""Share of useful groups from which on a level is worth training from the start."""


class LevelRate(NamedTuple):
    """What a model does at a level."""

    level: int
    tasks: int
    pass_rate: float  # mean over tasks
    low: float  # lower 95 % bound of it, each task counted once
    high: float
    useful: float  # expected share of groups in which some completions are right and some wrong


def measure(records: Sequence[Record], group: int) -> list[LevelRate]:
    """Return the rates of one family's levels, for groups of ``group`` completions.

    Raises:
        ValueError: If a task has fewer graded answers than a group has completions.
    """
    rates = []
    for level, own in sorted(grouped(records, lambda record: record.level).items()):
        tasks = grouped([record for record in own if record.graded], lambda record: record.id)
        counts = [(len(each), sum(r.solved for r in each)) for each in tasks.values()]
        fewest = min((answers for answers, _ in counts), default=0)
        if fewest < group:
            raise ValueError(
                f"Level {level} has a task with {fewest} graded answers, which is less than a "
                f"group of {group}: evaluate with --epochs {group} or more, or give a smaller "
                "--group."
            )
        rate = fmean(solved / answers for answers, solved in counts)
        low, high = wilson_bounds(rate, len(counts))
        useful = fmean(useful_share(answers, solved, group) for answers, solved in counts)
        rates.append(LevelRate(level, len(counts), rate, low, high, useful))
    return rates


def useful_share(answers: int, solved: int, group: int) -> float:
    """Return the chance that ``group`` answers to a task are neither all right nor all wrong.

    >>> useful_share(answers=4, solved=1, group=2)  # 3 of the 6 pairs hold the right one
    0.5
    """
    alike = comb(solved, group) + comb(answers - solved, group)
    return 1 - alike / comb(answers, group)


def recommend(rates: Sequence[LevelRate], threshold: float) -> tuple[int, int]:
    """Return the start level, the first not passed, and the last level worth training.

    The last one is one above the levels which, from the start on, have useful groups; a curriculum
    that reaches it can be continued with a higher ``last_level``.
    """
    open_levels = [rate for rate in rates if rate.low < threshold] or [rates[-1]]
    last = open_levels[0].level
    for rate in open_levels[1:]:
        if rate.useful < LEAST_USEFUL:
            break
        last = rate.level
    return open_levels[0].level, min(last + 1, rates[-1].level)


def table(name: str, records: Sequence[Record], group: int) -> Table:
    """Return the rates of a model on one family, with the options of a training to begin with."""
    rates, known = measure(records, group), registry.family(records[0].family)
    threshold = CurriculumConfig.pass_threshold
    rows = []
    for rate in rates:
        tasks = known.available_tasks(rate.level, known.read_options({"split": "train"}))
        row = [str(rate.level), str(rate.tasks), f"{rate.pass_rate:.2f}"]
        row += [f"{rate.low:.2f} to {rate.high:.2f}", f"{rate.useful:.2f}"]
        rows.append([*row, "endless" if tasks is None else str(tasks)])
    start, last = recommend(rates, threshold)
    note = f"A curriculum could begin with --start_level {start} --last_level {last}."
    if all(rate.low >= threshold for rate in rates):
        note = "All levels are passed already: evaluate higher ones."
    elif not any(rate.useful for rate in rates):
        note = (
            "No level has a group with right and wrong answers, so nothing can be learnt: train on "
            "solutions first, or evaluate other levels."
        )
    header = ["level", "tasks", "pass rate", "95 %", f"useful groups of {group}", "training tasks"]
    return Table(f"Where to begin: {name}, {known.name}", header, rows, note)
