"""Speed of the SLR judge beside the published design: on one core, in one run.

The published design starts one ``swipl`` process for each prediction, which loads a temporary file
with the validation program and the prediction. Ours judges the predictions of a task together, on
a persistent worker, over the extensional *and* the isomorphic program. The table has it twice:
each prediction run on both, and with proofs, where the run on the extensional program is spared
for predictions that provably can't tell it from its copy (the default; see docs/judge.md). Every
group has a fresh task, so loading its programs is part of the figure; generating and renaming the
task is not, since both happen once, when a dataset is made. Parent and worker share one core, and
the designs take turns.

    python benchmarks/judge_slr.py                 # levels 1, 8 and 20, about two minutes
    python benchmarks/judge_slr.py --seconds 5     # longer turns, less noise
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from machine import describe_machine

from generators import generate
from rewards.judges.prolog import Program, isomorphic_copy, judge_tasks
from rewards.judges.prolog.availability import swipl_path
from rewards.judges.prolog.pool import WORKERS_VARIABLE

FLOORS = {1: 250, 8: 150, 20: 60}
GROUP = 16
ROUNDS = 5
STYLES = (
    "eastbound(T) :- \\+ (has_car(T, C), car_color(C, red)).",
    "eastbound(T) :- has_car(T, A), has_car(T, B), A \\= B, car_color(A, X), car_color(B, X).",
    "eastbound(T) :- findall(C, (has_car(T, C), car_color(C, green)), L), length(L, N), N > 0.",
    "eastbound(T) :- forall((has_car(T, C), has_wall(C, full)), car_len(C, long)).",
    "eastbound(T) :- findall(X, (has_car(T, C), car_color(C, X)), L), sort(L, S), length(L, N), "
    "length(S, N).",
    "eastbound(T) :- findall(N, (has_car(T, C), car_num(C, N)), L), max_list(L, M), "
    "has_car(T, D), car_num(D, M), car_color(D, white).",
)
FAILURES = (
    "eastbound(T) :- has_car(T, C).",
    "eastbound(T) :- has_car(T, C), car_color(C, red)",
    "eastbound(train0).",
    "The rule is that some car is red.",
)
CHECK = """
check :-
    findall(T, (labelled_eastbound(T), \\+ catch(eastbound(T), _, fail)), Missed),
    findall(T, (labelled_westbound(T), catch(eastbound(T), _, fail)), Wrong),
    length(Missed, M), length(Wrong, W), format("~w ~w~n", [M, W]).
"""


@dataclass(frozen=True)
class Group:
    """A task and the predictions made for it."""

    extensional: str
    isomorphic: str
    heldout: str
    predictions: tuple[str, ...]


def make_groups(level: int, count: int) -> list[Group]:
    """Make tasks, each with 16 predictions.

    One is the right rule, two are failures (over-general, unreadable, naming an example, prose),
    three are rules in the styles of appendix E, ten are rules of other tasks of the level.
    """
    tasks = [generate("slr", level=level, seed=seed) for seed in range(count)]
    rules = [task.solution.removeprefix("[RULE]").removesuffix("[/RULE]").strip() for task in tasks]
    groups = []
    for index, task in enumerate(tasks):
        failures = [FAILURES[(index + step) % len(FAILURES)] for step in range(2)]
        styles = [STYLES[(index + step) % len(STYLES)] for step in range(3)]
        others = [rules[(index + step) % count] for step in range(1, GROUP)]
        validation = task.verification["validation_program"]
        groups.append(
            Group(
                extensional=validation,
                isomorphic=isomorphic_copy(Program.parse(validation)).text,
                heldout=task.verification["heldout_program"],
                predictions=tuple([rules[index], *failures, *styles, *others][:GROUP]),
            )
        )
    return groups


def judge_published(group: Group) -> int:
    """Judge the first prediction as the published design does: a file, a process."""
    labels = group.extensional.replace("eastbound(", "labelled_eastbound(")
    program = labels.replace("westbound(", "labelled_westbound(")
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
        file.write(f":- style_check(-discontiguous).\n{program}\n{group.predictions[0]}\n{CHECK}")
        file.flush()
        command = [swipl_path(), "-q", "-f", "none", "-s", file.name, "-g", "check", "-t", "halt"]
        subprocess.run(command, capture_output=True, timeout=60, check=True)
    return 1


def judge_both(group: Group) -> int:
    """Run all predictions on the isomorphic and on the extensional program."""
    programs = [Program.read(group.isomorphic), Program.read(group.extensional)]
    return len(judge_tasks([(programs, group.predictions)], use_proofs=False)[0])


def judge_with_proofs(group: Group) -> int:
    """Judge all predictions for both programs, as the rewards do."""
    programs = [Program.read(group.isomorphic), Program.read(group.extensional)]
    return len(judge_tasks([(programs, group.predictions)])[0])


def judge_heldout(group: Group) -> int:
    """Judge all predictions for both programs and the held-out one, as the rewards do."""
    texts = (group.isomorphic, group.extensional, group.heldout)
    programs = [Program.read(text) for text in texts]
    return len(judge_tasks([(programs, group.predictions)])[0])


DESIGNS: dict[str, Callable[[Group], int]] = {
    "published": judge_published,
    "both run": judge_both,
    "with proofs": judge_with_proofs,
    "and held-out": judge_heldout,
}


def measure(groups: Sequence[Group], seconds: float) -> dict[str, float]:
    """Return the judgements per second of each design, the median of rounds that take turns."""
    rates: dict[str, list[float]] = {name: [] for name in DESIGNS}
    turns = {name: itertools.cycle(groups) for name in DESIGNS}
    for _ in range(ROUNDS):
        for name, judge in DESIGNS.items():
            started, judged = time.perf_counter(), 0
            while time.perf_counter() - started < seconds:
                judged += judge(next(turns[name]))
            rates[name].append(judged / (time.perf_counter() - started))
    return {name: statistics.median(values) for name, values in rates.items()}


def prolog_version() -> str:
    """Return what ``swipl --version`` says."""
    found = subprocess.run([swipl_path(), "--version"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 8, 20])
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a turn")
    parser.add_argument("--tasks", type=int, default=40, help="fresh tasks for each level")
    arguments = parser.parse_args()
    os.environ[WORKERS_VARIABLE] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{prolog_version()} · {describe_machine()} · one core used")
    print("judgements per second, groups of 16, a fresh task for each group\n")
    print("| level | published | floor | both run | × | with proofs | × | and held-out | × |")
    print("|---|---|---|---|---|---|---|---|---|")
    for level in arguments.levels:
        groups = make_groups(level, arguments.tasks)
        for judge in DESIGNS.values():
            judge(groups[0])
        rates = measure(groups, arguments.seconds)
        base = rates.pop("published")
        ours = " | ".join(f"{rate:,.0f} | {rate / base:.0f}×" for rate in rates.values())
        print(f"| {level} | {base:.0f} | {FLOORS.get(level, '')}× | {ours} |", flush=True)


if __name__ == "__main__":
    main()
