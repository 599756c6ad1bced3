"""Where a model's curriculum should begin and end, from an evaluation of it.

python recipes/evaluate.py --families slr --samples 8 --temperature 1 --output_dir runs/before …
python -m logic_curriculum.curriculum.calibrate runs/before --out curriculum.yaml
accelerate launch recipes/grpo_slr.py --config my.yaml --start_level … --last_level …
"""

import argparse
import sys
from collections.abc import Sequence
from math import comb
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import yaml

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.evaluation.records import Record, grouped, read_records
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.strategies import wilson_bounds
from logic_curriculum.generators import registry

LEAST_USEFUL = 0.1
"""Share of useful groups from which on a level is worth training from the start."""


class LevelRate(NamedTuple):
    """What a model does at a level."""

    level: int
    tasks: int
    pass_rate: float
    """Mean over tasks."""
    low: float
    """Lower 95 % bound of it, each task counted once."""
    high: float
    useful: float
    """Expected share of groups in which some completions are right and some wrong."""


def measure(records: Sequence[Record], group: int) -> list[LevelRate]:
    """Return the rates of one family's levels, for groups of ``group`` completions.

    Raises:
        ValueError: If a task has fewer graded answers than a group has completions.
    """
    rates = []
    for level, own in sorted(grouped(records, lambda record: record.level).items()):
        tasks = grouped([record for record in own if record.graded], lambda record: record.id)
        counts = [(len(each), sum(r.verdict.solved for r in each)) for each in tasks.values()]
        if min(answers for answers, _ in counts) < group:
            raise ValueError(
                f"Level {level} has tasks with fewer than {group} graded answers, so it can't be "
                f"told how groups of {group} would come out: evaluate with --samples {group} or "
                "more, or give a smaller --num_generations."
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
    """Return the start level, the first not passed, and the last one worth training.

    The last one is the highest from the start on up to which every level has useful groups; a
    curriculum that reaches it can be continued with a higher ``last_level``.
    """
    open_levels = [rate for rate in rates if rate.low < threshold] or [rates[-1]]
    last = open_levels[0].level
    for rate in open_levels[1:]:
        if rate.useful < LEAST_USEFUL:
            break
        last = rate.level
    return open_levels[0].level, min(last + 1, rates[-1].level)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the rates, and write the levels to a YAML file."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum calibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", type=Path, help="folder of an evaluation, with records.jsonl")
    parser.add_argument("--num_generations", type=int, default=8, help="completions in a group")
    parser.add_argument("--pass_threshold", type=float, default=CurriculumConfig.pass_threshold)
    parser.add_argument("--tasks", type=int, help="tasks that the run will ask at each level")
    parser.add_argument("--out", type=Path, default=Path("curriculum.yaml"))
    args = parser.parse_args(arguments)
    families = grouped(read_records(args.run / "records.jsonl"), lambda record: record.family)
    ranges = {}
    for family, records in families.items():
        rates = measure(records, args.num_generations)
        print(f"{family}\n{table(rates)}\n")
        ranges[family] = recommend(rates, args.pass_threshold)
        asked = registry.family(family)
        for rate in rates:
            available = asked.available_tasks(rate.level, asked.read_options({}))
            if available is not None and args.tasks and available < args.tasks:
                print(
                    f"Level {rate.level} of {family} has {available} training tasks, and the run "
                    f"asks for {args.tasks}: tasks will repeat; start higher or train shorter.",
                    file=sys.stderr,
                )
    start = min(first for first, _ in ranges.values())
    last = max(last for _, last in ranges.values())
    content = {"families": list(ranges), "start_level": start, "last_level": last}
    args.out.write_text(yaml.safe_dump(content, sort_keys=False))
    print(f"{args.out}: start_level {start}, last_level {last}")


def table(rates: Sequence[LevelRate]) -> str:
    """Return the rates in Markdown."""
    rows = [
        [
            str(r.level),
            str(r.tasks),
            f"{r.pass_rate:.2f}",
            f"{r.low:.2f}-{r.high:.2f}",
            f"{r.useful:.2f}",
        ]
        for r in rates
    ]
    return markdown_table(["level", "tasks", "pass rate", "95 %", "useful groups"], rows)
