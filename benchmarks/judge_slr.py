"""Speed of slr_reward beside the published design: on one core, in one run.

The published design starts one ``swipl`` process for each prediction, which loads a temporary file
with the validation program and the prediction. Ours is the function that a trainer calls, with all
that belongs to it: reading the row, finding the rule in the completion, judging it on the examples
shown, and on the fresh ones if it fits. Every group of 16 completions has a row that was not seen
before. Parent and worker share one core, and the designs take turns.

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

from logic_curriculum.generators import generate
from logic_curriculum.rewards import slr_reward
from logic_curriculum.rewards.engines.prolog import swipl_path
from logic_curriculum.rewards.engines.prolog.pool import WORKERS_VARIABLE

FLOORS = {1: 250, 8: 150, 20: 60}
AIMS = {1: 500, 8: 400, 20: 150}
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
    "eastbound(T) :- T = train0.",
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
    """A task's row and the completions for it."""

    program: str
    verification: str
    """The row's payload, JSON text as in a dataset."""
    predictions: tuple[str, ...]


def make_groups(level: int, count: int) -> list[Group]:
    """Make tasks, each with 16 predictions.

    One is the right rule, two are failures (over-general, unreadable, naming an example, prose),
    three are rules in the styles of appendix E, ten are rules of other tasks of the level.
    """
    tasks = [generate("slr", level=level, seed=seed) for seed in range(count)]
    rules = [str(task.metadata["rule"]) for task in tasks]
    groups = []
    for index, task in enumerate(tasks):
        failures = [FAILURES[(index + step) % len(FAILURES)] for step in range(2)]
        styles = [STYLES[(index + step) % len(STYLES)] for step in range(3)]
        others = [rules[(index + step) % count] for step in range(1, GROUP)]
        predictions = tuple([rules[index], *failures, *styles, *others][:GROUP])
        program = task.verification["validation_program"]
        groups.append(Group(program, task.to_row()["verification"], predictions))
    return groups


def judge_published(group: Group, _: Sequence[str]) -> int:
    """Judge the first prediction as the published design does: a file, a process."""
    labels = group.program.replace("eastbound(", "labelled_eastbound(")
    program = labels.replace("westbound(", "labelled_westbound(")
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
        file.write(f":- style_check(-discontiguous).\n{program}\n{group.predictions[0]}\n{CHECK}")
        file.flush()
        command = [swipl_path(), "-q", "-f", "none", "-s", file.name, "-g", "check", "-t", "halt"]
        subprocess.run(command, capture_output=True, timeout=60, check=True)
    return 1


def judge_by_reward(group: Group, rows: Sequence[str]) -> int:
    """Judge all predictions by the reward function."""
    completions = [f"[RULE]{prediction}[/RULE]" for prediction in group.predictions]
    return len(slr_reward(completions=completions, verification=rows))


def read_rows(group: Group) -> list[str]:
    """Return the group's row for each prediction, each a text of its own, as a dataset gives it."""
    first, rest = group.verification[:1], group.verification[1:]
    return ["".join([first, rest]) for _ in group.predictions]


DESIGNS: dict[str, Callable[[Group, Sequence[str]], int]] = {
    "published": judge_published,
    "slr_reward": judge_by_reward,
}


def measure(groups: Sequence[Group], seconds: float) -> dict[str, float]:
    """Return the judgements per second of each design, the median of rounds that take turns."""
    rates: dict[str, list[float]] = {name: [] for name in DESIGNS}
    turns = {name: itertools.cycle(groups) for name in DESIGNS}
    for _ in range(ROUNDS):
        for name, judge in DESIGNS.items():
            spent, judged = 0.0, 0
            while spent < seconds:
                group = next(turns[name])
                rows = read_rows(group)
                started = time.perf_counter()
                judged += judge(group, rows)
                spent += time.perf_counter() - started
            rates[name].append(judged / spent)
    return {name: statistics.median(values) for name, values in rates.items()}


def prolog_version() -> str:
    """Return what ``swipl --version`` says."""
    found = subprocess.run([swipl_path(), "--version"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 8, 20])
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a turn")
    parser.add_argument("--tasks", type=int, default=80, help="fresh tasks for each level")
    arguments = parser.parse_args()
    os.environ[WORKERS_VARIABLE] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{prolog_version()} · {describe_machine()} · one core used")
    print("judgements per second, groups of 16, a fresh row for each group\n")
    print("| level | published | slr_reward | × | floor | aim |")
    print("|---:|---:|---:|---:|---:|---:|")
    for level in arguments.levels:
        groups = make_groups(level, arguments.tasks)
        for judge in DESIGNS.values():
            judge(groups[0], read_rows(groups[0]))
        rates = measure(groups, arguments.seconds)
        base, rate = rates["published"], rates["slr_reward"]
        bounds = f"{FLOORS.get(level, '')}× | {AIMS.get(level, '')}×"
        print(f"| {level} | {base:.0f} | {rate:,.0f} | {rate / base:.0f}× | {bounds} |", flush=True)


if __name__ == "__main__":
    main()
