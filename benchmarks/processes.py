"""Making and judging tasks by one process and by two, and how time and memory grow.

    python benchmarks/processes.py [--processes 1 2] [--tasks 500] [--lines 5000]  # two minutes

Each row is a process of its own. *made* is ``build_dataset`` by shard, SLR tasks of level 4, as
often as ``--tasks`` says and two and four times as often; *merged* is ``merge_dataset`` of it:
choosing, writing and checking, which is the share of the work that jobs can't divide. *judged* is
the judge command, from the file of answers to that of verdicts, right and wrong ones in turn, each
beside the whole payload of its task. The second to last column says how many times as fast as one
process that is. Memory is the peak of the first process, and of the largest of the others.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.generators import generate
from logic_curriculum.generators.dataset import Shard, build_dataset, merge_dataset
from logic_curriculum.rewards.__main__ import main as judge


def build(count: int, processes: int, folder: Path, family: str, level: int) -> dict[str, float]:
    """Return the seconds that a build takes before the merge, and in it."""
    began = time.perf_counter()
    out = build_dataset(
        family,
        [level],
        out=folder / "set",
        sizes={"train": count},
        num_proc=processes,
        shard=Shard(1, 1),
    )
    made = time.perf_counter()
    merge_dataset(out, num_proc=processes)
    return {"made": made - began, "merged": time.perf_counter() - made}


def write_answers(count: int, path: Path, family: str, level: int) -> None:
    """Write a file of answers to 50 tasks in turn, every other one that of the next task."""
    tasks = [generate(family, level, seed) for seed in range(50)]
    with path.open("w") as file:
        for number in range(count):
            task = tasks[number % len(tasks)]
            completion = tasks[(number + number % 2) % len(tasks)].solution
            row = {"completion": completion, "verification": dict(task.verification)}
            file.write(json.dumps({**row, "level": level, "number": number}) + "\n")


def judge_file(processes: int, answers: Path, folder: Path, family: str) -> dict[str, float]:
    """Return the seconds that the judge command takes."""
    words = [family, "--predictions", str(answers), "--out", str(folder / "v.jsonl")]
    began = time.perf_counter()
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        status = judge([*words, "--num-proc", str(processes)])
    if status:
        raise SystemExit(f"the judge command ended with {status}")
    return {"judged": time.perf_counter() - began}


def measure(part: str, count: int, processes: int, answers: Path, family: str, level: int) -> None:
    """Print the seconds of each step, and the peaks of memory in MB, as JSON."""
    with tempfile.TemporaryDirectory() as name:
        if part == "made":
            seconds = build(count, processes, Path(name), family, level)
        else:
            seconds = judge_file(processes, answers, Path(name), family)
    peaks = [
        resource.getrusage(who).ru_maxrss / 1e3
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    print(json.dumps([seconds, peaks]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tasks", type=int, default=500, help="of the smallest build")
    parser.add_argument("--lines", type=int, default=5000, help="of the smallest file")
    parser.add_argument("--family", default="slr")
    parser.add_argument("--level", type=int, default=4)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)  # a row's, in a row's process
    arguments = parser.parse_args()
    if arguments.one:
        part, count, processes, answers = arguments.one
        task = (arguments.family, arguments.level)
        return measure(part, int(count), int(processes), Path(answers), *task)
    from speed import machine

    print(machine(), end="\n\n")
    counts = {
        part: [smallest, 2 * smallest, 4 * smallest]
        for part, smallest in (("made", arguments.tasks), ("judged", arguments.lines))
    }
    print(table(counts, arguments.processes, arguments.family, arguments.level))
    return None


def table(counts: Mapping[str, list[int]], numbers: list[int], family: str, level: int) -> str:
    """Return the table of both parts at some sizes, for each number of processes."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for part, count in [(part, count) for part, each in counts.items() for count in each]:
            answers = Path(folder) / f"{count}.jsonl"
            if part == "judged":
                write_answers(count, answers, family, level)
            rows += table_rows(part, count, numbers, answers, family, level)
            answers.unlink(missing_ok=True)
    head = ["", "tasks", "processes", "seconds", "per second", "× one process", "peak MB"]
    return markdown_table(head, rows)


def table_rows(
    part: str, count: int, numbers: list[int], answers: Path, family: str, level: int
) -> list[list[str]]:
    """Return the rows of a size, for each number of processes."""
    rows: list[list[str]] = []
    alone: dict[str, float] = {}
    for processes in numbers:
        words = ["--family", family, "--level", str(level)]
        words += ["--one", part, str(count), str(processes), str(answers)]
        done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{part}, {count}, {processes} processes: {done.stderr[-2000:]}")
        seconds, peaks = json.loads(done.stdout.splitlines()[-1])
        for step, took in seconds.items():
            speedup = alone.setdefault(step, took) / took
            rates = [f"{took:.2f}", f"{count / took:,.0f}", f"{speedup:.2f}"]
            memory = f"{peaks[0]:.0f} + {peaks[1]:.0f}"
            rows.append([step, f"{count:,}", str(processes), *rates, memory])
        print(*rows[-1], file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    main()
