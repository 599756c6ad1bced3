"""Speed of the generator of consistency tasks, sentences and prompts included, on one core.

    python benchmarks/generate_sat.py [--tasks 300] [--variables 4 10 19]

The themes are read before the clock starts, as they are once for each process.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean

from machine import describe_machine

from logic_curriculum.generators.sat.family import LEVELS, generate
from logic_curriculum.generators.sat.levels import PRESETS
from logic_curriculum.generators.sat.themes import theme_names

TARGET = 500
"""Tasks per second that are asked for with ten variables."""


def measure(name: str, level: int, preset: str | None, count: int) -> None:
    """Print a row: tasks per second by the clock and by CPU time, and what the tasks are like."""
    wall, cpu = time.perf_counter(), time.process_time()
    tasks = [generate(level, seed, preset=preset) for seed in range(count)]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    about = [task.metadata for task in tasks]
    print(
        f"| {name} | {about[0]['variables']} | {fmean(each['clauses'] for each in about):.1f} "
        f"| {fmean(len(task.prompt) for task in tasks):.0f} | {count / wall:.0f} "
        f"| {count / cpu:.0f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=300, help="tasks of each row")
    parser.add_argument("--variables", type=int, nargs="*", default=[4, 10], help="of presets")
    arguments = parser.parse_args()
    for theme in theme_names():
        generate(1, 0, theme=theme)
    print(f"{describe_machine()} · target: {TARGET} tasks/s with 10 variables\n")
    print("| tasks | n_V | n_C | characters | tasks/s | tasks per CPU s |")
    print("|:---|---:|---:|---:|---:|---:|")
    for level in range(1, LEVELS + 1):
        measure(f"level {level}", level, None, arguments.tasks)
    for preset in PRESETS:
        for variables in arguments.variables:
            measure(preset, variables, preset, arguments.tasks)


if __name__ == "__main__":
    main()
