"""Where a model's curriculum should begin and end, from the records of an evaluation.

logic-curriculum evaluate --families slr --samples 8 --temperature 1 --split train \\
    --model_name_or_path MODEL --output_dir runs/before
logic-curriculum calibrate runs/before --tasks 2000 --out curriculum.yaml
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import yaml

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.evaluation.records import Record, grouped, read_records
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.run_settings import read_settings
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
        fewest = min((answers for answers, _ in counts), default=0)
        if fewest < group:
            raise ValueError(
                f"Level {level} has a task with {fewest} graded answers, which is less than a "
                f"group of {group}: evaluate with --samples {group} or more, or give a smaller "
                "--num_generations."
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rates, write the levels to a YAML file, and return the exit status."""
    args = _arguments(arguments)
    try:
        records = read_records(args.run / "records.jsonl")
        families = grouped(records, lambda record: record.family)
        rates = {name: measure(own, args.num_generations) for name, own in families.items()}
        tops = [len(registry.family(name).tiers) for name in families]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not rates:
        print(f"{args.run} holds no answers: finish the evaluation first.", file=sys.stderr)
        return 2
    options = read_settings(args.run).get("task_options", {})
    for family, measured in rates.items():
        own_options = options.get(family, {})
        for warning in warnings(family, measured, own_options, args.tasks, args.pass_threshold):
            print(warning, file=sys.stderr)
    notes = "\n".join(f"{family}\n{table(measured)}\n" for family, measured in rates.items())
    print(notes)
    ranges = [recommend(measured, args.pass_threshold) for measured in rates.values()]
    start, last = min(first for first, _ in ranges), min(max(last for _, last in ranges), *tops)
    found = {
        "families": list(families),
        "start_level": start,
        "last_level": last,
        "pass_threshold": args.pass_threshold,
        "num_generations": args.num_generations,
    }
    comments = "".join(f"# {line}".rstrip() + "\n" for line in notes.splitlines())
    args.out.write_text(comments + yaml.safe_dump(found, sort_keys=False))
    print(f"{args.out}: start_level {start}, last_level {last}")
    return 0


def warnings(
    family: str,
    rates: Sequence[LevelRate],
    options: Mapping[str, Any],
    asked: int,
    threshold: float,
) -> list[str]:
    """Return warnings about training on these levels, such as too few tasks."""
    found = []
    if all(rate.low >= threshold for rate in rates):
        found.append(f"All levels of {family} are passed already: evaluate higher ones.")
    elif not any(rate.useful for rate in rates):
        found.append(
            f"No level of {family} has a group with right and wrong answers, so nothing can be "
            "learnt: train on solutions first, or evaluate other levels."
        )
    known = registry.family(family)
    for rate in rates:
        count = known.available_tasks(rate.level, known.read_options({**options}))
        if count is not None and count < asked:
            found.append(
                f"Level {rate.level} of {family} has {count} training tasks, and the run asks for "
                f"{asked}: tasks will repeat; start higher or train shorter."
            )
    return found


def table(rates: Sequence[LevelRate]) -> str:
    """Return the rates in Markdown."""
    rows = [
        [
            *(str(rate.level), str(rate.tasks), f"{rate.pass_rate:.2f}"),
            *(f"{rate.low:.2f} to {rate.high:.2f}", f"{rate.useful:.2f}"),
        ]
        for rate in rates
    ]
    return markdown_table(["level", "tasks", "pass rate", "95 %", "useful groups"], rows)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        allow_abbrev=False,
        prog="logic-curriculum calibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", type=Path, help="folder of an evaluation, with records.jsonl")
    add, passed = parser.add_argument, CurriculumConfig.pass_threshold
    add("--num_generations", type=int, default=8, help="completions per group; default: 8")
    text = f"pass rate at which a level is passed; default: {passed}"
    add("--pass_threshold", type=float, default=passed, help=text)
    text = "training tasks per level, to warn of repeats; default: no warning"
    add("--tasks", type=int, default=0, help=text)
    text = "YAML file to write; default: curriculum.yaml"
    add("--out", type=Path, default=Path("curriculum.yaml"), help=text)
    args = parser.parse_args(arguments)
    if not (args.run / "records.jsonl").is_file():
        parser.error(
            f"{args.run} holds no records.jsonl: name the folder of an evaluation, --output_dir of "
            "`logic-curriculum evaluate`"
        )
    if args.num_generations < 2:
        parser.error(
            f"--num_generations is {args.num_generations}, but a group has two completions or more"
        )
    try:
        CurriculumConfig(pass_threshold=args.pass_threshold)
    except ValueError as error:
        parser.error(str(error))
    if not args.out.parent.is_dir():
        parser.error(f"--out {args.out} is in a folder that is not there: make it first")
    if args.out.exists():
        parser.error(f"--out {args.out} is there already: name another file, or remove it")
    return args


if __name__ == "__main__":
    sys.exit(main())
