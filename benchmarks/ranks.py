"""How fast the ranks of one node judge, with as many workers each: python benchmarks/ranks.py

Every rank has a pool of its own. SLR, levels 1 to 20, groups of 8 answers, batches of 8 groups, all
ranks at once, for as long as ``--seconds`` says; counts and rates are those of all ranks together.
The settings take turns, and rates are the median of them. Memory is proportional, so that a page
that processes share counts once.
"""

import argparse
import os
import time
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from statistics import median
from typing import Any

import psutil

from logic_curriculum.common.processes import WORKERS_VARIABLE
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.generators import generate
from logic_curriculum.rewards import slr_reward
from logic_curriculum.rewards.engines.prolog.pool import RANKS_VARIABLE

GROUP, BATCH, TURNS = 8, 8, 5


def judge(number: int, seconds: float, ready: Barrier, results: Any) -> None:
    """Judge as one rank; put the judgements, the number of workers, and their memory in MB."""
    tasks = [generate("slr", 1 + seed % 20, 200 * number + seed) for seed in range(80)]
    rows = [task.to_row()["verification"] for task in tasks]
    judged, end = -GROUP * BATCH, float("inf")  # the first batch starts the workers
    while time.monotonic() < end:
        at = judged // GROUP
        chosen = [(at + group) % len(tasks) for group in range(BATCH) for _ in range(GROUP)]
        texts = [tasks[(i + n % GROUP) % len(tasks)].solution for n, i in enumerate(chosen)]
        slr_reward(texts, [f'{{"number": {judged}, {rows[i][1:]}' for i in chosen])  # never seen
        judged += len(texts)
        if judged == 0:
            ready.wait()
            end = time.monotonic() + seconds
    workers = psutil.Process().children()
    results.put((judged, len(workers), sum(w.memory_full_info().pss for w in workers) / 1e6))


def together(ranks: int, workers: int | None, seconds: float) -> list[float]:
    """Return judgements per second, workers and their memory, of all ranks."""
    os.environ[RANKS_VARIABLE] = str(ranks)
    os.environ.pop(WORKERS_VARIABLE, None)
    if workers:
        os.environ[WORKERS_VARIABLE] = str(workers)
    spawn = get_context("spawn")
    ready, results = spawn.Barrier(ranks), spawn.Queue()
    own = [spawn.Process(target=judge, args=(n, seconds, ready, results)) for n in range(ranks)]
    for process in own:
        process.start()
    columns = zip(*(results.get() for _ in own), strict=True)
    for process in own:
        process.join()
    judged, counts, sizes = (sum(column) for column in columns)
    return [judged / seconds, counts, sizes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--seconds", type=float, default=5.0)
    args = parser.parse_args()
    cases = [(ranks, workers) for ranks in args.ranks for workers in (os.cpu_count(), None)]
    found: dict[tuple[int, int | None], list[list[float]]] = {case: [] for case in cases}
    for case in cases * TURNS:
        found[case].append(together(*case, args.seconds))
    rows = []
    for (ranks, workers), turns in found.items():
        rates = sorted(rate for rate, _, _ in turns)
        spread = f"{median(rates):,.0f} ({rates[0]:,.0f} to {rates[-1]:,.0f})"
        which = "one a core" if workers else "cores divided by ranks"
        rows.append([str(ranks), which, f"{turns[0][1]}", f"{turns[0][2]:.0f}", spread])
    head = ["ranks", "workers of each", "workers in all", "MB", "judgements per second"]
    print(markdown_table(head, rows))


if __name__ == "__main__":
    main()
