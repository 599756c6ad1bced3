"""Speed of the LogicSkills generators, and how many of their tasks are distinct.

    python benchmarks/generate_logicskills.py                 # a few minutes
    python benchmarks/generate_logicskills.py --full          # and 100,000 tasks of two families

Each process first makes one task, so that loading models and words is not counted in the rates by
level; it is counted in the ``--full`` figures, which are those of two fresh processes. Tasks count
as equal if they differ in symbols and in the order of premises only (symbolization: if they have
the same sentence). For validity, the naive way is beside it: draw premises and conclusions at
random, and ask the solver about each.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from machine import describe_machine

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.logicskills.constructions import Vocabulary
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.generators.logicskills.sentences import Sentence, draw
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.fol.prover import entails, satisfiable

FAMILIES = ("symbolization", "countermodel", "validity")
GOAL = 100_000
PROCESSES = 2
CHUNK = 500
CANDIDATES = 20
"""Conclusions that the naive way asks about for each set of premises."""


@dataclass(frozen=True)
class Rate:
    """What making tasks of one level took, in one process."""

    tasks: int
    distinct: int
    wall: float
    """Seconds."""
    cpu: float
    """Seconds."""


def measure(family: str, level: int, seconds: float) -> Rate:
    """Make tasks of a level for some CPU seconds."""
    generate(family, level, 0)
    wall, cpu = time.perf_counter(), time.process_time()
    made: list[Task] = []
    while time.process_time() - cpu < seconds:
        made.append(generate(family, level, len(made)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    fingerprint = registry.family(family).fingerprint
    return Rate(len(made), len({fingerprint(task) for task in made}), wall, cpu)


def report_levels(family: str, seconds: float) -> None:
    """Print a row for each level, and one for as many tasks of each."""
    rates = [measure(family, level, seconds) for level in registry.family(family).levels()]
    for level, rate in zip(registry.family(family).levels(), rates, strict=True):
        cells = [f"{rate.distinct:,} of {rate.tasks:,}", *speeds(rate.wall, rate.cpu, rate.tasks)]
        print(f"| {family} | {level} | {' | '.join(cells)} |", flush=True)
    wall, cpu = (
        sum(getattr(rate, name) / rate.tasks for rate in rates) for name in ("wall", "cpu")
    )
    print(f"| {family} | all | | {' | '.join(speeds(wall, cpu, len(rates)))} |", flush=True)


def speeds(wall: float, cpu: float, tasks: int) -> list[str]:
    """Return tasks per second, per CPU second, and how long 100,000 take on two idle cores."""
    minutes = GOAL * cpu / tasks / PROCESSES / 60
    return [f"{tasks / wall:,.0f}", f"{tasks / cpu:,.0f}", f"{minutes:.1f} min"]


def make_chunk(job: tuple[str, int, int]) -> list[str]:
    """Return the fingerprints of some tasks of a level; runs in a worker process."""
    family, level, start = job
    fingerprint = registry.family(family).fingerprint
    return [fingerprint(generate(family, level, seed)) for seed in range(start, start + CHUNK)]


def report_full(family: str) -> None:
    """Make 100,000 distinct tasks in the published sizes' proportions, and print the time."""
    sizes = {
        level: registry.family(family).published_sizes(level)["train"]
        for level in registry.family(family).levels()
    }
    found: dict[str, None] = {}
    made = 0
    wall, cpu = time.perf_counter(), cpu_of_children()
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        start = dict.fromkeys(sizes, 0)
        while len(found) < GOAL:
            jobs = []
            missing = GOAL - len(found)
            for level, size in sizes.items():
                wanted = -(-size * missing // sum(sizes.values()))
                jobs += [(family, level, start[level] + i) for i in range(0, wanted, CHUNK)]
                start[level] += -(-wanted // CHUNK) * CHUNK
            for fingerprints in pool.imap(make_chunk, jobs):
                made += len(fingerprints)
                found.update(dict.fromkeys(fingerprints))
        pool.close()
        pool.join()
    wall, cpu = time.perf_counter() - wall, cpu_of_children() - cpu
    print(
        f"{family}: {len(found):,} distinct tasks out of {made:,} in {wall / 60:.1f} minutes with "
        f"{PROCESSES} processes, which used {cpu / 60:.1f} CPU minutes",
        flush=True,
    )


def cpu_of_children() -> float:
    """Return the CPU seconds of all processes that this one started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def naive_arguments(seconds: float) -> tuple[int, float]:
    """Count the valid arguments that a solver call for each candidate finds, in CPU seconds."""
    symbols = Vocabulary("abc", "MNO", "FG", "PQ")
    found, started = 0, time.process_time()
    for number in count():
        spent = time.process_time() - started
        if spent >= seconds:
            return found, spent
        rng = stream("naive", number)
        premises = [draw(rng, vocabulary=symbols) for _ in range(rng.randint(3, 5))]
        conclusions = [draw(rng, vocabulary=symbols) for _ in range(CANDIDATES)]
        found += any(is_argument(premises, conclusion) for conclusion in conclusions)
    raise AssertionError("count() has no end")


def is_argument(premises: Sequence[Sentence], conclusion: Sentence) -> bool:
    """Say whether a conclusion follows from consistent premises, but not from a single one."""
    formulas = [premise.formula for premise in premises]
    goal = conclusion.formula
    return (
        entails([DOMAIN_AXIOM, *formulas], goal) is True
        and satisfiable([DOMAIN_AXIOM, *formulas]) is True
        and all(entails([DOMAIN_AXIOM, formula], goal) is False for formula in formulas)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--seconds", type=float, default=6, help="CPU seconds for each level")
    parser.add_argument("--naive", type=float, default=30, help="CPU seconds of the naive way")
    parser.add_argument("--full", action="store_true", help="make 100,000 tasks of two families")
    arguments = parser.parse_args()
    print(f"{describe_machine()}\n")
    print("| family | level | distinct | tasks/s | tasks per CPU s | 100,000 with 2 CPUs |")
    print("|---|---|---:|---:|---:|---:|")
    for family in arguments.families:
        report_levels(family, arguments.seconds)
    if "validity" in arguments.families and arguments.naive > 0:
        found, seconds = naive_arguments(arguments.naive)
        print(
            f"\nThe naive way: {found} valid arguments in {seconds:.0f} CPU seconds, "
            f"{found / seconds:.2f} per CPU second, without distractors"
        )
    if arguments.full:
        print()
        for family in arguments.families:
            if family != "validity":
                report_full(family)


if __name__ == "__main__":
    main()
