"""How fast tasks are made, judged and built into a dataset, in one run: a table for each.

    python benchmarks/speed.py [--seconds 2] [--rows 10000]   # two quiet cores, some minutes

Tasks are made, and rewards judge, on one core. Groups of 16 completions, the right one and those of
other tasks, have a row that nothing has seen before. SLR's published design starts a ``swipl``
process for each prediction, which loads a file with the validation program; the two take turns.
Figures are the median of five turns.
"""

import argparse
import itertools
import os
import platform
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.generators import build_dataset, families, generate
from logic_curriculum.rewards import REWARDS
from logic_curriculum.rewards.engines.prolog import swipl_path

GROUP, TURNS = 16, 5
LEVELS = {"slr": (1, 8, 20)}
USUAL_LEVELS = (1, 6, 10)
CHECK = """
check :-
    findall(T, (labelled_eastbound(T), \\+ catch(eastbound(T), _, fail)), Missed),
    findall(T, (labelled_westbound(T), catch(eastbound(T), _, fail)), Wrong),
    length(Missed, M), length(Wrong, W), format("~w ~w~n", [M, W]).
"""

Group = tuple[str, list[str]]  # a task's verification as JSON text, and completions


def machine() -> str:
    """Return the processor, its number of cores, the version of Python and the load."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    return (
        f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores · "
        f"Python {platform.python_version()} · load {os.getloadavg()[0]:.1f} at the start"
    )


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return how much of some work is done in a second."""
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        done += work()
    return done / spent


def making(family: str, level: int, seeds: Iterator[int]) -> int:
    generate(family, level, next(seeds))
    return 1


def make_groups(family: str, level: int, count: int) -> list[Group]:
    tasks = [generate(family, level, seed) for seed in range(count)]
    solutions = [task.solution for task in tasks] * 2
    return [
        (task.to_row()["verification"], solutions[at : at + GROUP]) for at, task in enumerate(tasks)
    ]


def by_reward(family: str, groups: Iterator[Group], numbers: Iterator[int]) -> int:
    """Judge a group of completions, on a row whose text no cache knows."""
    verification, completions = next(groups)
    row = f'{{"number": {next(numbers)}, {verification[1:]}'
    paid = REWARDS[f"{family}_reward"](completions=completions, verification=[row] * GROUP)
    assert paid[0] == 1.0, (family, verification)
    return GROUP


def by_swipl(programs: Iterator[tuple[str, str]]) -> int:
    """Judge a prediction as the published design does: a file, a process."""
    program, rule = next(programs)
    program = re.sub(r"\b(east|west)bound\(", r"labelled_\1bound(", program)
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
        file.write(f":- style_check(-discontiguous).\n{program}\n{rule}\n{CHECK}")
        file.flush()
        command = [swipl_path(), "-q", "-f", "none", "-s", file.name, "-g", "check", "-t", "halt"]
        subprocess.run(command, capture_output=True, timeout=60, check=True)
    return 1


def in_turns(works: Sequence[Callable[[], int]], seconds: float) -> list[float]:
    """Return the rates of works that take turns, each its median."""
    for work in works:
        work()  # what is done once
    turns = [[rate(work, seconds / TURNS) for work in works] for _ in range(TURNS)]
    return [median(rates) for rates in zip(*turns, strict=True)]


def family_rows(family: str, level: int, seconds: float) -> list[str]:
    """Return how fast a level's tasks are made and judged, and what swipl does."""
    making_one = partial(making, family, level, itertools.count())
    groups = make_groups(family, level, max(GROUP + 1, min(400, round(100 * seconds))))
    works = [making_one, partial(by_reward, family, itertools.cycle(groups), itertools.count())]
    if family == "slr":
        tasks = [generate(family, level, seed) for seed in range(GROUP)]
        pairs = [(t.verification["validation_program"], str(t.metadata["rule"])) for t in tasks]
        works.append(partial(by_swipl, itertools.cycle(pairs)))
    made, judged, *published = in_turns(works, seconds)
    cells = [f"{published[0]:,.0f}", f"{judged / published[0]:.0f}×"] if published else ["", ""]
    return [family, str(level), f"{made:,.0f}", f"{judged:,.0f}", *cells]


def build_rate(rows: int, processes: int) -> float:
    """Return the rows a second of a dataset of symbolization tasks."""
    with tempfile.TemporaryDirectory() as folder:
        out, began = Path(folder) / "set", time.perf_counter()
        build_dataset("symbolization", [8], out=out, sizes={"train": rows}, num_proc=processes)
        return rows / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--rows", type=int, default=10_000, help="of the dataset")
    arguments = parser.parse_args()
    print(machine(), end="\n\n")
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    rows = [
        family_rows(family, level, arguments.seconds)
        for family in families()
        for level in LEVELS.get(family, USUAL_LEVELS)
    ]
    head = ["family", "level", "tasks/s", "judgements/s", "a swipl each", "slr_reward"]
    print(markdown_table(head, rows), flush=True)
    os.sched_setaffinity(0, cores)
    built = [
        [str(n), f"{build_rate(arguments.rows, n):,.0f}"] for n in dict.fromkeys((1, len(cores)))
    ]
    print("\n" + markdown_table(["processes", "rows/s of build_dataset"], built))


if __name__ == "__main__":
    main()
