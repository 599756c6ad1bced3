"""Speed of a family's generator, prompts included, on one core, as a Markdown table.

    python benchmarks/generate.py sat [--preset hard3sat] [--levels 4 10] [--tasks 300]

What is read once in each process, such as words and themes, is read before the clock starts.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean

from machine import describe_machine

from logic_curriculum.generators import families, generate
from logic_curriculum.generators.registry import family


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", choices=families())
    parser.add_argument("--preset", help="a published dataset instead of the ladder of levels")
    parser.add_argument("--levels", type=int, nargs="*", help="all by default")
    parser.add_argument("--tasks", type=int, default=300, help="tasks of each level")
    arguments = parser.parse_args()
    name, count = arguments.family, arguments.tasks
    options = {} if arguments.preset is None else {"preset": arguments.preset}
    print(f"{describe_machine()}\n")
    print("| level | characters | tasks/s | tasks per CPU s |\n|---:|---:|---:|---:|")
    for level in arguments.levels or family(name).levels(arguments.preset):
        for seed in range(-1, -count - 1, -1):
            generate(name, level, seed, **options)
        wall, cpu = time.perf_counter(), time.process_time()
        tasks = [generate(name, level, seed, **options) for seed in range(count)]
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        characters = fmean(len(task.prompt) for task in tasks)
        print(
            f"| {level} | {characters:.0f} | {count / wall:.0f} | {count / cpu:.0f} |", flush=True
        )


if __name__ == "__main__":
    main()
