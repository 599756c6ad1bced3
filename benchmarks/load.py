"""Very many judgements over all families while workers of the Prolog judge are killed and stopped.

    python benchmarks/load.py --judgements 1000000 --out runs/load  # prints a table, draws load.png

Rows of every family come in groups of 8 answers, as under GRPO: two right ones, three in which a
character is missing, two of other rows, one refusal; any is hostile with a chance of 1 %. Batches
of 8 groups of mixed families go through ``logic_reward``. No text comes twice, as each has a number
before its answer, and no cache of a judge outlasts a pass over the rows.

*calm* judges every answer once; what it found (reward, answer and explanation) is expected later.
*busy* does so again beside 20 processes that compute. *disturbed* goes on until there are as many
judgements as asked for, while every few seconds a worker is killed or stopped, and half of the
times the next one to start, too. A judgement is *lost* without a reward, *swapped* with another
finding than the expected one.
"""

import argparse
import functools
import gc
import itertools
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.generators import families, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards import logic_reward

GROUPS, BUSY, HOSTILE_SHARE = 8, 20, 0.01
POINTS = 200  # of a curve, about
STARTING_S = 0.3  # in which a new worker is hit; starting takes about as long
_DOUBLING = ", ".join(f"X{i + 1} = f(X{i}, X{i})" for i in range(60))
_RULES = ("eastbound(T)", "repeat, fail", "length(L, 100000000)", "X is 9 ** 9 ** 9", "halt",
          "findall(X, between(1, inf, X), L)", f"X0 = a, {_DOUBLING}, X60 == f(X59, X59)",
          "shell('kill -9 $PPID')", "catch(p, _, true). p :- p", f"has_car(T, '{'x' * 30000}",
          )  # fmt: skip
_BLOCKS = ("[" * 5000, "¬" * 20000 + "Fa", "1" + ",111" * 5000, "F=" * 5000 + "0," * 5000,
           "∀x(" + "↔".join(["Fx"] * 60) + ")", "∀x∃y" * 200 + "Pxy", "\x00\ud800" * 100,
           '{"a":' * 2000, "Answer:\n" * 10000, "9" * 10000, "((((" * 5000, "(x+" * 4000,
           )  # fmt: skip
HOSTILE_RULES = [f"[RULE]eastbound(T) :- {body}.[/RULE]" for body in _RULES]
HOSTILE = [f"<answer>{block}</answer><result>{block}</result>" for block in _BLOCKS]

Answer = tuple[str, str, str]  # family, verification, completion
Finding = tuple[float | None, str | None, str]  # reward, answer, explanation
Batches = Iterator[tuple[int, list[Finding]]]  # number of a batch in its pass, and what was found
State = dict[str, float]  # what is recorded now and then


def make_groups(rows: int, names: Sequence[str]) -> list[list[Answer]]:
    """Return groups of 8 answers, as many for each family, mixed."""
    rng, groups = random.Random(0), []
    for name in names:
        levels = family(name).levels(None)
        tasks = [generate(name, levels[i % len(levels)], i) for i in range(rows)]
        for i, task in enumerate(tasks):
            cuts = [rng.randrange(len(task.solution)) for _ in range(3)]
            near = [task.solution[:cut] + task.solution[cut + 1 :] for cut in cuts]
            other = [tasks[(i + step * len(levels)) % rows].solution for step in (1, 2)]
            texts = [task.solution, task.solution, *near, *other, "I can't tell."]
            hostile = HOSTILE_RULES if name == "slr" else HOSTILE
            texts = [rng.choice(hostile) if rng.random() < HOSTILE_SHARE else t for t in texts]
            groups.append([(name, task.to_row()["verification"], text) for text in texts])
    rng.shuffle(groups)
    return groups


def judged(groups: Sequence[Sequence[Answer]]) -> Batches:
    """Judge all groups again and again, batch by batch."""
    number = itertools.count()
    while True:
        for cached in gc.get_objects():
            is_cache = isinstance(cached, functools._lru_cache_wrapper)
            if is_cache and str(cached.__module__).startswith("logic_curriculum.rewards"):
                cached.cache_clear()
        for first in range(0, len(groups), GROUPS):
            answers = itertools.chain.from_iterable(groups[first : first + GROUPS])
            names, rows, texts = zip(*answers, strict=True)
            numbered = [f"Attempt {next(number)}.\n{text}" for text in texts]
            extra: dict[str, list[Any]] = {}
            rewards = logic_reward(numbered, rows, log_extra=extra.__setitem__, family=names)
            columns = (extra[f"logic_reward/{name}"] for name in ("answer", "explanation"))
            yield first, list(zip(rewards, *columns, strict=True))


def disturb(seconds: float, done: threading.Event, hits: Counter[str]) -> None:
    """Kill or stop a worker about every so many seconds, and often one that is just starting."""
    rng = random.Random(1)

    def hit(worker: psutil.Process, kind: str = "") -> None:
        sent = rng.choice((signal.SIGKILL, signal.SIGSTOP))
        with suppress(psutil.NoSuchProcess):
            worker.send_signal(sent)
            hits[sent.name + kind] += 1

    while not done.wait(seconds * rng.uniform(0.5, 1.5)):
        if known := psutil.Process().children():
            hit(rng.choice(known))
            until = time.monotonic() + rng.choice((0, seconds))
            while time.monotonic() < until and not done.wait(0.01):
                if new := [child for child in psutil.Process().children() if child not in known]:
                    done.wait(rng.uniform(0, STARTING_S))
                    hit(new[0], " of a new one")
                    break


def measure(
    batches: Batches, count: int, expected: dict[int, list[Finding]], hits: Counter[str]
) -> list[State]:
    """Judge so many answers and compare what is found with what is expected, if anything is yet."""
    own, began, states = psutil.Process(), time.monotonic(), [{"seconds": 0.0, "judged": 0.0}]
    done = lost = swapped = 0
    while done < count:
        first, findings = next(batches)
        done += len(findings)
        for finding, known in zip(findings, expected.setdefault(first, findings), strict=True):
            lost += finding[0] is None
            swapped += finding[0] is not None and finding != known
        if done >= count / POINTS * len(states) or done >= count:
            workers = 0
            for child in own.children():
                with suppress(psutil.NoSuchProcess):
                    workers += child.memory_info().rss
            counts = {"hits": hits.total(), "lost": lost, "swapped": swapped, "judged": done}
            sizes = {"trainer": own.memory_info().rss / 1e6, "workers": workers / 1e6}
            passed = {"seconds": time.monotonic() - began, "files": own.num_fds()}
            states.append({**counts, **sizes, **passed})
    return states


def draw(path: Path, states: Sequence[State]) -> None:
    """Draw throughput, memory, files and disturbances over time."""
    pairs = itertools.pairwise(states)
    rates = [
        (new["judged"] - old["judged"]) / (new["seconds"] - old["seconds"]) for old, new in pairs
    ]
    panels: dict[str, Sequence[str]] = {
        "judgements per second": [""], "resident memory in MB": ["trainer", "workers"],
        "open files of the trainer's process": ["files"], "so far": ["hits", "lost", "swapped"],
    }  # fmt: skip
    charts = []
    for label, names in panels.items():
        curves = []
        for colour, name in enumerate(names):
            values = [state[name] for state in states[1:]] if name else rates
            points = [Point(s["seconds"] / 60, v) for s, v in zip(states[1:], values, strict=True)]
            curves.append(Series(name, points, colour, "thick"))
        charts.append(Chart("", "minutes", label, curves, None))
    save(path, charts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judgements", type=int, default=20_000)
    parser.add_argument("--out", type=Path, required=True, help="folder of load.png")
    parser.add_argument("--rows", type=int, default=300, help="of each family")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between disturbances")
    args = parser.parse_args()
    groups, hits, done = make_groups(args.rows, families()), Counter[str](), threading.Event()
    expected: dict[int, list[Finding]] = {}
    batches, whole = judged(groups), sum(map(len, groups))
    found = {"calm": measure(batches, whole, expected, hits)}
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        found[f"busy, load {BUSY}"] = measure(batches, whole, expected, hits)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    threading.Thread(target=disturb, args=(args.every, done, hits), daemon=True).start()
    found["disturbed"] = states = measure(batches, args.judgements, expected, hits)
    done.set()
    draw(args.out / "load.png", states)
    rows, heads = [], ["judged", "seconds", "per second", "lost", "swapped"]
    for name, (*_, last) in found.items():
        last["per second"] = last["judged"] / last["seconds"]
        rows.append([name, *(f"{last[head]:,.0f}" for head in heads)])
    print(markdown_table(["", *heads], rows))
    right = sum(finding[0] == 1.0 for batch in expected.values() for finding in batch)
    hostile = sum(a[2] in (*HOSTILE_RULES, *HOSTILE) for group in groups for a in group)
    print(f"\n{whole:,} answers, {right / whole:.0%} right, {hostile / whole:.1%} hostile")
    print("Workers hit:", ", ".join(f"{name} {count}" for name, count in sorted(hits.items())))
    for at in (states[1], states[len(states) // 2], states[-1]):
        sizes = f"{at['trainer']:.0f} MB, workers {at['workers']:.0f} MB, {at['files']} open files"
        print(f"After {at['judged']:,} judgements: {sizes}")


if __name__ == "__main__":
    main()
