"""Judge a file of predictions: ``logic-curriculum judge slr --predictions FILE.jsonl``.

Each line is a JSON object with ``completion`` (or ``prediction``), and with ``verification`` or
the columns of a published data set. A line that can't be judged is named and counted, never
scored. The exit status is 1 when there was such a line. With ``--out``, the same command continues
where a kill ended it.
"""

import argparse
import fcntl
import hashlib
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from tqdm import tqdm

from logic_curriculum.common.files import PARTIAL, lines_of, told
from logic_curriculum.common.processes import cores, in_order
from logic_curriculum.rewards.registry import JUDGES, installed_families, judge_of, judge_rows

CHUNK = 250_000  # bytes of lines that a process judges at a time
MOST_ERRORS = 1000  # different errors that are counted; further ones are printed line by line
SCORES = {
    **{"solved": "solved", "partial": "partial", "syntax": "syntax"},
    **{"hacking_gap": "hacking gap", "heldout_accuracy": "held-out"},
}
"""Part or metric of a verdict → its column in the table of scores."""
Line = tuple[int, bytes]  # a line's number, from 1, and its text


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        allow_abbrev=False,
        prog="logic-curriculum judge",
        description="Judge a file of predictions.",
    )
    add = parser.add_argument
    add("family", choices=[*JUDGES, *installed_families()], help="family of the file's tasks")
    add("--predictions", required=True, type=Path, help="JSON lines to judge")
    add("--out", type=Path, help="where to write one verdict per line, as JSON")
    add("--num-proc", type=int, default=cores(), metavar="N", help="processes; default: all CPUs")
    given = parser.parse_args(argv)
    if not given.predictions.is_file():
        parser.error(f"--predictions {given.predictions} is no file; name one of JSON lines")
    is_there = given.out is not None and given.out.exists()
    if is_there and (not given.out.is_file() or given.out.samefile(given.predictions)):
        problem = "is no file, or that of the predictions; name another for the verdicts"
        parser.error(f"--out {given.out} {problem}")
    if given.num_proc < 1:
        parser.error(f"--num-proc {given.num_proc}: at least 1 process judges; or leave it out")
    return given


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = _arguments(argv)
    try:
        return _judge(given.family, given.predictions, given.out, given.num_proc)
    except BrokenPipeError:
        raise  # nobody reads the table
    except (OSError, ValueError, RuntimeError) as error:
        print(told(error, given.out), file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; with --out, the same command continues", file=sys.stderr)
        return 130
    return 1


def _judge(family: str, predictions: Path, out: Path | None, num_proc: int) -> int:
    began = time.monotonic()
    digest, total = _read_through(predictions)
    scores, errors = Scores(), Counter[str]()
    with _verdicts_in(out, f"{family} {judge_of(family).versions} {digest}") as verdicts:
        done = 0
        for verdict in _earlier(verdicts):
            scores.add(verdict)
            done = verdict["line"]
        before = int(scores.all["lines"])
        often = {"delay": 10, "mininterval": 10}  # seconds
        progress = tqdm(total=total, initial=before, desc=family, unit="line", **often)
        judge = partial(judge_chunk, family=family)
        chunks = _chunks(predictions, done)
        several = num_proc > 1 and predictions.stat().st_size > CHUNK
        for judged in in_order(judge, chunks, num_proc) if several else map(judge, chunks):
            verdicts.write("".join(f"{json.dumps(verdict)}\n" for verdict in judged).encode())
            verdicts.flush()  # so that they outlive this process
            for verdict in judged:
                scores.add(verdict)
                _tell(verdict, errors)
            progress.update(len(judged))
        progress.close()
    for error, count in errors.items():
        if count > 1:
            print(f"{count} lines in all: {error}", file=sys.stderr)
    print(scores.table(), flush=True)
    earlier = f", {before} of them earlier" if before else ""
    where = f"; the verdicts are in {out}" if out else ""
    seconds = time.monotonic() - began
    print(f"{total} lines judged in {seconds:.0f} s{earlier}{where}", file=sys.stderr)
    return int(scores.all["errors"] > 0)


def _read_through(predictions: Path) -> tuple[str, int]:
    """Return a file's checksum and how many of its lines are not blank.

    A warning says that the answers are solutions, if its first row is one of a dataset as it is.
    """
    digest, count = hashlib.sha256(), 0
    with predictions.open("rb") as file:
        for line in lines_of(file):
            digest.update(line)
            count += bool(line.strip())
            if count == 1 and line.strip():
                if b"\x00" in line:
                    raise ValueError(f"{predictions} is no text: name a file of JSON lines")
                row = read_line(line)
                if {"completion", "level", "seed"} <= {*row} and "prediction" not in row:
                    print(
                        f"{predictions} has rows of a dataset without a 'prediction': what is "
                        "judged is their 'completion', which is the solution unless you wrote a "
                        "model's answer there.",
                        file=sys.stderr,
                    )
    if not count:
        raise ValueError(f"{predictions} has no line to judge")
    return digest.hexdigest(), count


@contextmanager
def _verdicts_in(out: Path | None, made_of: str) -> Iterator[BinaryIO]:
    """Yield a file that gets the name ``out`` when the block succeeds; without one, nothing does.

    Until then its name tells what it is made of, so that only the same command continues it.
    """
    if out is None:
        with open(os.devnull, "r+b", buffering=0) as nothing:
            yield nothing
        return
    digest = hashlib.sha256(made_of.encode()).hexdigest()[:8]
    partial = out.with_name(f"{out.name}.{digest}{PARTIAL}")
    partial.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("a+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with this process
        except BlockingIOError:
            problem = "is being written by another process: wait for it, or end it"
            raise ValueError(f"{partial} {problem}.") from None
        yield file
    partial.replace(out)


def _earlier(verdicts: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield what is in a file already, and cut off what a kill left behind its last whole line."""
    end = verdicts.seek(0)
    for line in verdicts:
        if not line.endswith(b"}\n"):
            verdicts.truncate(end)
            break
        yield json.loads(line)
        end += len(line)
    verdicts.seek(end)


def _chunks(predictions: Path, done: int) -> Iterator[list[Line]]:
    """Yield the lines that are not blank, after line ``done``, some at a time."""
    number = 0
    with predictions.open("rb") as file:
        while lines := file.readlines(CHUNK):
            numbered = enumerate(lines_of(lines), number + 1)
            if chunk := [(n, line) for n, line in numbered if n > done and line.strip()]:
                yield chunk
            number += len(lines)


def judge_chunk(chunk: Sequence[Line], family: str) -> list[dict[str, Any]]:
    """Judge JSON lines of a family; return what is written of each: a verdict, or an ``error``.

    ``line`` is its number, ``level`` the curriculum level that it names, ``-`` if it names none.
    """
    rows = [read_line(line) for _, line in chunk]
    found = iter(judge_rows(family, [row for row in rows if isinstance(row, dict)]))
    judged = []
    for (number, _), row in zip(chunk, rows, strict=True):
        verdict = row if isinstance(row, str) else next(found)
        written = {"error": verdict} if isinstance(verdict, str) else asdict(verdict)
        named = {} if isinstance(row, str) else row
        level = str(named.get("level", named.get("curriculum level", "-")))
        level = level if level.isprintable() else ascii(level)  # it is printed in a table
        judged.append({"line": number, "level": level, **written})
    return judged


def read_line(line: bytes) -> dict[str, Any] | str:
    """Return a line's object, or what is wrong with the line."""
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        return f"no JSON ({error}); write one object per line"
    if not isinstance(row, dict):
        return f"a {type(row).__name__}, not an object; write one object per line"
    return row


def _tell(verdict: Mapping[str, Any], errors: Counter[str]) -> None:
    """Print why a line has no verdict, if it is the first one with this error, and count it."""
    error = verdict.get("error")
    if error is None:
        return
    if error not in errors:
        print(f"line {verdict['line']}: {error}", file=sys.stderr)
    if error in errors or len(errors) < MOST_ERRORS:
        errors[error] += 1


class Scores:
    """Sums over verdicts as they are written, by level; memory grows with the levels only."""

    def __init__(self) -> None:
        self.all: dict[str, float] = defaultdict(float)
        self.levels: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def add(self, verdict: Mapping[str, Any]) -> None:
        """Count a verdict; one without a reward is not graded."""
        is_graded = verdict.get("reward") is not None
        scores = {**verdict["metrics"], **verdict} if is_graded else {}
        for sums in (self.all, self.levels[verdict["level"]]):
            sums["lines"] += 1
            sums["errors"] += "error" in verdict
            sums["not graded"] += not is_graded
            for name in SCORES.keys() & scores.keys():  # averaged over the verdicts that have it
                sums[name] += scores[name]
                sums[f"with {name}"] += 1

    def table(self) -> str:
        """Return the means level by level and in all; a score that no verdict has is left out."""
        levels = sorted(self.levels.items(), key=lambda item: (len(item[0]), item[0]))
        rows = [["level", "lines", *SCORES.values(), "not graded"]]
        for level, sums in (*levels, ("all", self.all)):
            counts = [(sums[name], sums[f"with {name}"]) for name in SCORES]
            means = [f"{total / count:.3f}" if count else "-" for total, count in counts]
            lines, ungraded = (f"{sums[name]:.0f}" for name in ("lines", "not graded"))
            rows.append([level, lines, *means, ungraded])
        columns = [column for column in zip(*rows, strict=True) if column[-1] != "-"]
        widths = [max(map(len, column)) for column in columns]
        printed = ["  ".join(map(str.rjust, row, widths)) for row in zip(*columns, strict=True)]
        return "\n".join(printed)


if __name__ == "__main__":
    sys.exit(main())
