"""The page of speed: python benchmarks/page.py [--out FILE] [--quick] [--rows 1000000].

All is measured in one run, of a quarter of an hour on two cores. What is compared takes turns,
and the table has the median of the turns. Rates of generators and rewards are per second of CPU
time of one core, children's included; with two cores, two processes run at the same time, and it
is the clock's second that counts. ``--quick`` takes a tenth of the time, to see that all runs.
"""

import argparse
import itertools
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import processes
import speed

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.generators import Task, families, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards.engines.prolog import pool
from logic_curriculum.rewards.functions import reward_function
from logic_curriculum.rewards.registry import judge_of

ROOT = Path(__file__).parents[1]
TURNS = 5
WARM_UP = 4  # groups that are judged before the clock starts
PROSE = "So far nothing follows from what is given, and I look at the next of the statements. " * 48
PEERS = ("knights_knaves", "propositional_logic", "syllogism", "circuit_logic", "zebra_puzzles")
"""Generators of reasoning-gym whose tasks are logic."""
MOST = 2000  # tasks of a turn


def generator_table(seconds: float) -> str:
    """Return the speed of generators, and that of the peers."""
    ladders = [(name, "") for name in families()]
    ladders += [(name, preset) for name in families() for preset in family(name).presets]
    makers: list[tuple[list[str], Callable[[int], object]]] = [
        ([name, preset, str(level)], partial(make, name, level, preset))
        for name, preset in ladders
        for level in family(name).levels(preset or None)
    ]
    missing = "\n\nreasoning-gym is not installed: no peers."
    if find_spec("reasoning_gym"):
        import reasoning_gym

        missing = ""
        for name in PEERS:
            tasks = reasoning_gym.create_dataset(name, size=TURNS * MOST + 1, seed=0)
            makers.append(([f"reasoning-gym: {name}", "", ""], tasks.__getitem__))
    rows = []
    for names, maker in makers:
        making(maker, range(TURNS * MOST, TURNS * MOST + 1))  # what a process does once
        first = making(maker, range(3)) or 1e-3
        count = max(1, min(MOST, round(seconds * 3 / first)))
        turns = [range(turn * count, (turn + 1) * count) for turn in range(TURNS)]
        rows.append([*names, f"{median(count / making(maker, turn) for turn in turns):,.0f}"])
        print(*rows[-1], file=sys.stderr, flush=True)
    return markdown_table(["family", "preset", "level", "tasks/s"], rows) + missing


def make(name: str, level: int, preset: str, seed: int) -> Task:
    return generate(name, level, seed, **({"preset": preset} if preset else {}))


def making(maker: Callable[[int], object], numbers: range) -> float:
    """Return the CPU seconds that the tasks of these numbers take."""
    began = time.process_time()
    for number in numbers:
        maker(number)
    return time.process_time() - began


Groups = list[tuple[str, list[str]]]  # a row's verification, and 16 completions for it
SEEDS = itertools.count()


def new_groups(name: str, level: int, seconds: float, kind: str = "reward") -> Groups:
    """Return groups of tasks that nothing has seen: as many as that time makes, 17 to 400.

    Completions are the right one and those of other tasks; for extraction, prose alone.
    """
    tasks: list[Task] = []
    end = time.perf_counter() + seconds
    while len(tasks) <= speed.GROUP or (len(tasks) < 400 and time.perf_counter() < end):
        tasks.append(generate(name, level, next(SEEDS)))
    solutions = [task.solution for task in tasks] * 2
    return [
        (
            task.to_row()["verification"],
            [PROSE] * speed.GROUP if kind == "extraction" else solutions[at : at + speed.GROUP],
        )
        for at, task in enumerate(tasks)
    ]


def judged(
    name: str, groups: Groups, kind: str = "reward", core: int = 0, start: float = 0.0
) -> tuple[float, float]:
    """Return judgements per second of the clock and of CPU time, by a process on one core.

    It begins when the monotonic clock shows ``start``.
    """
    os.sched_setaffinity(0, {core})
    reward, judge = reward_function(f"{name}_reward"), judge_of(name)
    began = began_cpu = 0.0
    for number, (verification, texts) in enumerate(groups):
        if number == WARM_UP:
            time.sleep(max(0.0, start - time.monotonic()))
            began, began_cpu = time.perf_counter(), cpu_seconds()
        rows = speed.fresh_rows(verification, len(texts), number)
        texts = [f"Try {number} of {at}.\n\n{text}" for at, text in enumerate(texts)]
        if kind == "evaluation":
            judge.measure_batch(texts, rows)
        else:
            paid = reward(completions=texts, verification=rows)
            assert (paid[0] == 1.0) is (kind == "reward"), (name, verification, paid[0])
    count = speed.GROUP * (len(groups) - WARM_UP)
    return count / (time.perf_counter() - began), count / (cpu_seconds() - began_cpu)


def workers() -> list[int]:
    return [s._worker.pid for s in pool.pool()._supervisors if s._worker]


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and its Prolog workers so far, replaced ones too."""
    told = (Path(f"/proc/{pid}/schedstat").read_text() for pid in workers())
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    live = sum(int(text.split()[0]) for text in told) / 1e9
    return time.process_time() + live + ended.ru_utime + ended.ru_stime


def memory(seconds: float) -> list[list[str]]:
    """Return the memory of this process and of its worker, at first and after judging."""
    rows = []
    for groups in (new_groups("slr", 8, 0.0), new_groups("slr", 8, seconds)):
        judged("slr", groups)
        for who, pid in zip(("this process", "worker"), (os.getpid(), *workers()), strict=True):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            status = dict(line.split(":", 1) for line in lines)
            sizes = [f"{int(status[key].split()[0]) / 1e3:.0f}" for key in ("VmRSS", "VmHWM")]
            rows.append([f"after {len(groups)} groups", who, *sizes])
    return rows


def reward_tables(seconds: float) -> tuple[str, str]:
    """Return the rates of all rewards, of extraction and evaluation, and of slr by level."""
    rows, levels = [], []
    with ProcessPoolExecutor(2, get_context("spawn")) as both:
        for name in families():
            ladder = list(family(name).levels())
            for level in (ladder[0], ladder[len(ladder) // 2], ladder[-1]):
                wall, cpu = both.submit(judged, name, new_groups(name, level, seconds)).result()
                halves = [new_groups(name, level, seconds) for _ in (0, 1)]
                start = time.monotonic() + 3
                two = [
                    both.submit(judged, name, half, "reward", core, start)
                    for core, half in enumerate(halves)
                ]
                together = sum(each.result()[0] for each in two)
                cells = [
                    f"{cpu:,.0f}",
                    f"{wall:,.0f}",
                    f"{together:,.0f}",
                    f"{together / wall:.2f}",
                ]
                for kind in ("evaluation", "extraction"):
                    groups = new_groups(name, level, seconds / 2, kind)
                    cells.append(f"{both.submit(judged, name, groups, kind).result()[1]:,.0f}")
                rows.append([f"{name}_reward", str(level), *cells])
                print(*rows[-1], file=sys.stderr, flush=True)
        for level in family("slr").levels():
            groups = new_groups("slr", level, seconds / 2)
            size = sum(len(verification) for verification, _ in groups) / len(groups) / 1e3
            rate = both.submit(judged, "slr", groups).result()[1]
            levels.append([str(level), f"{size:.0f}", f"{1e6 / rate:.0f}"])
    head = [
        "reward",
        "level",
        "per CPU s",
        "one core",
        "two cores",
        "×",
        "evaluation",
        "extraction",
    ]
    growth = markdown_table(["level", "row, KB", "µs a judgement"], levels)
    return markdown_table(head, rows), growth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results" / "speed.md")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time")
    parser.add_argument("--rows", type=int, default=10**5, help="most rows; 1000000: +15 minutes")
    arguments = parser.parse_args()
    share = 0.1 if arguments.quick else 1.0
    os.environ[pool.WORKERS_VARIABLE] = "1"
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    top = f"Commit {commit}, {date.today()}: {speed.machine()}.\n\n{__doc__.split(chr(10), 2)[2]}"
    sizes = [10**n for n in range(3, 7) if 10**n <= (10**4 if arguments.quick else arguments.rows)]
    # First, while this process is small: a new process counts the memory of the one it comes from.
    rows = processes.table({"made": sizes, "judged": sizes}, [1, 2], "symbolization", 8)
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:  # pinned to a core
        slr = apart.submit(speed.slr_table, 2.0 * share).result()
    rewards, growth = reward_tables(2.0 * share)
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        memories = apart.submit(memory, 5 * share).result()
    generators = generator_table(0.15 * share)
    sections = {
        "SLR's judge beside the published design": f"{SLR_NOTE}\n\n{slr}",
        "Rewards, evaluation and extraction": f"{REWARDS_NOTE}\n\n{rewards}",
        "Memory": markdown_table(["", "process", "MB", "peak MB"], memories),
        "Generators": f"{GENERATORS_NOTE}\n\n{generators}",
        "Growth over SLR's levels": growth,
        "Growth over rows": f"{ROWS_NOTE}\n\n{rows}",
    }
    parts = [f"# Speed\n\n`make bench` writes this page. {top}"]
    parts += [f"## {title}\n\n{text}\n" for title, text in sections.items()]
    arguments.out.write_text("\n".join(parts))
    print(f"Written to {arguments.out}", file=sys.stderr)


SLR_NOTE = """Judgements per second on one core that parent and worker share, in groups of 16, a row
that was not seen before for each group. The published design starts a `swipl` process for each
prediction. The designs take turns. Floors and aims are those that we set ourselves when a pattern
found the answer; [the contract](../answers.md) of today takes some 20 µs to read one."""
REWARDS_NOTE = """Judgements per second, groups of 16 (a right answer and 15 of other tasks), a task
that nothing has seen before for each group. *One core* and *two cores* are by the clock, the others
per second of CPU time, workers included. *Evaluation* adds the paper's metrics; *extraction* reads
4,000 characters of prose that have no answer."""
GENERATORS_NOTE = """Tasks per second of CPU time by one process, prompts included, the median of
five turns. Level 3 of symbolization first lists its 115,000 sentences, some three seconds a
process, and makes 18,800 tasks a second from then on.
The papers' own generators are not run: they are no packages that one can install."""
ROWS_NOTE = """Symbolization tasks of level 8: `build_dataset` by shard, its
merge, and the judge command from file to file."""


if __name__ == "__main__":
    main()
