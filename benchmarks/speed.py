"""``slr_reward`` beside the published design, on one core: a table for ``page.py``.

The published design starts a ``swipl`` process for each prediction, which loads a file with the
validation program. ``slr_reward`` does all that a trainer pays for; every group of 16 completions
has a row that was not seen before. The designs take turns.
"""

import itertools
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from logic_curriculum.common.processes import WORKERS_VARIABLE
from logic_curriculum.generators import generate
from logic_curriculum.rewards import slr_reward
from logic_curriculum.rewards.engines.prolog import swipl_path


def machine() -> str:
    """Return the processor, its number of cores, the version of Python and the load."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    return (
        f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores · "
        f"Python {platform.python_version()} · load {os.getloadavg()[0]:.1f} at the start"
    )


BOUNDS = {1: "250× | 500×", 8: "150× | 400×", 20: "60× | 150×"}
"""Level → floor and aim of the speed-up."""
GROUP = 16
TASKS = 80  # of each level
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


class Group(NamedTuple):
    """A task and 16 predictions for it."""

    program: str  # for validation
    verification: str  # the payload as JSON text
    predictions: Sequence[str]


def make_groups(level: int, count: int) -> list[Group]:
    """Make tasks, each with 16 predictions.

    One is the right rule, two are failures (over-general, unreadable, naming an example, prose),
    three are rules in the styles of appendix E, ten are rules of other tasks of the level.
    """
    tasks = [generate("slr", level=level, seed=seed) for seed in range(count)]
    rules = [str(task.metadata["rule"]) for task in tasks]
    groups = []
    for index, task in enumerate(tasks):
        kinds = ((rules, 1), (FAILURES, 2), (STYLES, 3), ((*rules[1:], rules[0]), GROUP - 6))
        predictions = [
            texts[(index + n) % len(texts)] for texts, most in kinds for n in range(most)
        ]
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


def fresh_rows(verification: str, count: int, number: int) -> list[str]:
    """Return a group's rows, a text each as a dataset gives it, that no cache has seen before."""
    return [f'{{"number": {number}, {verification[1:]}' for _ in range(count)]


DESIGNS = {"published": judge_published, "slr_reward": judge_by_reward}


def take_turns(groups: Sequence[Group], seconds: float) -> dict[str, float]:
    """Return the judgements per second of each design, the median of rounds that take turns."""
    rates: dict[str, list[float]] = {name: [] for name in DESIGNS}
    turns = {name: itertools.cycle(groups) for name in DESIGNS}
    numbers = itertools.count()
    for name, judge in [*DESIGNS.items()] * ROUNDS:
        spent, judged = 0.0, 0
        while spent < seconds:
            group = next(turns[name])
            rows = fresh_rows(group.verification, len(group.predictions), next(numbers))
            started = time.perf_counter()
            judged += judge(group, rows)
            spent += time.perf_counter() - started
        rates[name].append(judged / spent)
    return {name: median(values) for name, values in rates.items()}


def slr_table(seconds: float) -> str:
    """Return the rates of both designs on one core, with floor and aim of their quotient."""
    os.environ[WORKERS_VARIABLE] = "1"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    lines = ["| level | published | slr_reward | × | floor | aim |", f"|{'---:|' * 6}"]
    for level, bounds in BOUNDS.items():
        groups = make_groups(level, TASKS)
        for judge in DESIGNS.values():
            judge(groups[0], [groups[0].verification] * GROUP)
        rates = take_turns(groups, seconds)
        base, rate = rates["published"], rates["slr_reward"]
        lines.append(f"| {level} | {base:.0f} | {rate:,.0f} | {rate / base:.0f}× | {bounds} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)
