"""Judge a file of predictions: ``logic-curriculum judge slr --predictions FILE.jsonl``.

Each line is a JSON object with ``completion`` (or ``prediction``), and with ``verification`` or
the columns of a published data set. A line that can't be judged is named and counted, never
scored. The exit status is 1 when there was such a line.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from logic_curriculum.common.files import atomic_write, lines_of, told
from logic_curriculum.common.processes import cores, in_order
from logic_curriculum.rewards.registry import JUDGES, installed_families, measure_batch

CHUNK = 100  # lines that a process judges at a time
MOST_ERRORS = 20  # lines without a verdict that are named; further ones are counted
SCORES = {name: name for name in ("solved", "partial", "syntax")}
SCORES |= {"hacking_gap": "hacking gap", "heldout_accuracy": "held-out"}
"""Part or metric of a verdict → its column in the table of scores."""
Line = tuple[int, bytes]  # a line's number, from 1, and its text


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        "logic-curriculum judge", description="Judge a file of predictions.", allow_abbrev=False
    )
    add = parser.add_argument
    add("family", choices=[*JUDGES, *installed_families()], help="family of the file's tasks")
    add("--predictions", required=True, type=Path, help="JSON lines to judge")
    add("--out", type=Path, help="where to write one verdict per line, as JSON")
    add("--num-proc", type=int, default=cores(), metavar="N", help="processes; default: all CPUs")
    given = parser.parse_args(argv)
    if not given.predictions.is_file():
        parser.error(f"--predictions {given.predictions} is not a file; name one of JSON lines")
    is_there = given.out is not None and given.out.exists()
    if is_there and (not given.out.is_file() or given.out.samefile(given.predictions)):
        problem = "is not a file, or is that of the predictions; name another for the verdicts"
        parser.error(f"--out {given.out} {problem}")
    if given.num_proc < 1:
        parser.error(f"--num-proc {given.num_proc}: at least 1 process judges; or leave it out")
    try:
        return _judge_file(**vars(given))
    except BrokenPipeError:
        raise  # nobody reads the table
    except (OSError, ValueError, RuntimeError) as error:
        print(told(error, given.out), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _judge_file(family: str, predictions: Path, out: Path | None, num_proc: int) -> int:
    found, errors = None, 0
    chunks, judge = _chunks(predictions), partial(judge_chunk, family=family)
    judged = in_order(judge, chunks, num_proc)
    with (
        atomic_write(out) if out else nullcontext(Path(os.devnull)) as path,
        path.open("w") as verdicts,
        tqdm(desc=family, unit="line", delay=10, mininterval=10) as progress,
    ):
        for chunk in judged:
            found = totals(chunk) if found is None else found.add(totals(chunk), fill_value=0)
            for verdict in chunk:
                verdicts.write(f"{json.dumps(verdict)}\n")
                if "error" in verdict:
                    errors += 1
                    if errors <= MOST_ERRORS:
                        print(f"line {verdict['line']}: {verdict['error']}", file=sys.stderr)
            progress.update(len(chunk))
        if found is None:
            raise ValueError(f"{predictions} has no line to judge")
    print(table(found), flush=True)
    if errors > MOST_ERRORS:
        print(f"{errors} lines in all can't be judged", file=sys.stderr)
    if out:
        print(f"the verdicts are in {out}", file=sys.stderr)
    return int(errors > 0)


def _chunks(predictions: Path) -> Iterator[list[Line]]:
    """Yield the lines that are not blank, some at a time."""
    with predictions.open("rb") as file:
        for start, kind in {b"[": "a JSON array", b"PAR1": "a Parquet file"}.items():
            if file.peek().lstrip().startswith(start):
                told = f"{predictions} is {kind}, not JSON lines: write one object per line"
                raise ValueError(told)
        lines = (numbered for numbered in enumerate(lines_of(file), 1) if numbered[1].strip())
        while chunk := list(islice(lines, CHUNK)):
            yield chunk


def judge_chunk(chunk: Sequence[Line], family: str) -> list[dict[str, Any]]:
    """Judge JSON lines of a family; return what is written of each: a verdict, or an ``error``.

    ``line`` is its number, ``level`` the curriculum level that it names, ``-`` if it names none.
    """
    try:
        return _judge_lines(chunk, family)
    except ValueError:  # to find the lines to blame
        return [_verdict_or_error(line, family) for line in chunk]


def _judge_lines(lines: Sequence[Line], family: str) -> list[dict[str, Any]]:
    rows = [_read_line(text) for _, text in lines]
    answers: list[Any] = [row.get("prediction", row.get("completion")) for row in rows]
    verdicts = measure_batch(family, answers, rows)
    return [
        {"line": number, "level": _level(row), **asdict(verdict)}
        for (number, _), row, verdict in zip(lines, rows, verdicts, strict=True)
    ]


def _verdict_or_error(line: Line, family: str) -> dict[str, Any]:
    try:
        return _judge_lines([line], family)[0]
    except ValueError as error:
        problem = str(error).removeprefix("Row 0 can't be judged. ")
        return {"line": line[0], "level": "-", "error": problem}


def _read_line(line: bytes) -> dict[str, Any]:
    """Return a line's object; a ``ValueError`` says what is wrong with the line."""
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON ({error}); write one object per line") from None
    if not isinstance(row, dict):
        raise ValueError(f"a {type(row).__name__}, not an object; write one object per line")
    if not row.keys() & {"prediction", "completion"}:
        raise ValueError(f"neither 'completion' nor 'prediction' among {sorted(row)}; add one")
    if "prediction" not in row and row.keys() >= {"seed", "metadata"}:
        told = "its 'completion' is the right answer that the task was made with"
        raise ValueError(f"{told}; give the model's as 'prediction'")
    return row


def _level(row: Mapping[str, Any]) -> str:
    level = str(row.get("level", row.get("curriculum level", "-")))
    return level if level.isprintable() else ascii(level)  # it is printed in a table


def scores_of(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Return a verdict's row for :func:`totals`; one without a reward is not graded."""
    is_graded = verdict.get("reward") is not None
    found = {**verdict["metrics"], **verdict} if is_graded else {}
    scores = {title: float(found[name]) for name, title in SCORES.items() if name in found}
    return {"level": verdict["level"], "not graded": not is_graded, **scores}


def totals(verdicts: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return sums and counts of scores by level: memory grows with the levels only."""
    return pd.DataFrame(map(scores_of, verdicts)).groupby("level").agg(["sum", "count"])


def table(found: pd.DataFrame) -> str:
    """Return the means level by level and in all; a score that no verdict has is left out."""
    levels = sorted(found.index, key=lambda level: (len(level), level))
    rows = pd.concat([found.loc[levels], found.sum().to_frame("all").T])
    sums, counts = (rows.xs(kind, axis=1, level=1) for kind in ("sum", "count"))
    columns = [title for title in SCORES.values() if title in sums]
    shown = sums[columns] / counts[columns]
    shown.insert(0, "lines", counts["not graded"].astype(int))
    shown["not graded"] = sums["not graded"].astype(int)
    shown = shown.rename_axis("level").reset_index()
    return shown.to_string(index=False, float_format="%.3f", na_rep="-")


if __name__ == "__main__":
    sys.exit(main())
