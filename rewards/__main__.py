"""Judge a file of predictions: ``python -m rewards --family slr --predictions FILE.jsonl``.

Each line is a JSON object with ``completion`` (or ``prediction``), and with ``verification`` or
the columns of a published data set. A line that can't be judged is named and counted, never
scored. The exit status is 1 when there was such a line.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from logic_curriculum.rewards.functions import batch_metrics
from logic_curriculum.rewards.registry import JUDGES, installed_families, judge_of, measure_batch
from logic_curriculum.rewards.verdict import Verdict

_LINES_AT_A_TIME = 256
_COLUMNS = {"solved": "pass_rate", "partial": "partial", "syntax": "syntax_rate"}
_COLUMNS |= {"hacking gap": "hacking_gap", "held-out": "heldout_accuracy"}


@dataclass(frozen=True)
class Judged:
    """One line of the file, counted from 1, and what became of it."""

    number: int
    level: str = "-"  # curriculum level as the line names it, `-` when it doesn't
    verdict: Verdict | None = None
    error: str = ""  # why there is no verdict


def judge_lines(family: str, lines: Iterable[bytes]) -> Iterator[Judged]:
    """Judge JSON lines and yield one result per line that is not blank, in order."""
    read = (_read(number, line) for number, line in enumerate(lines, 1) if line.strip())
    while chunk := list(islice(read, _LINES_AT_A_TIME)):
        try:
            yield from _judge_chunk(family, chunk)
        except ValueError:  # one by one, to find the ones to blame
            yield from (_judge_line(family, *item) for item in chunk)


def _read(number: int, line: bytes) -> tuple[Judged, dict[str, Any]]:
    try:
        row = json.loads(line.decode())
    except ValueError as error:
        return Judged(number, error=f"no JSON ({error}); write one object per line"), {}
    if not isinstance(row, dict):
        kind = type(row).__name__
        return Judged(number, error=f"a {kind}, not an object; write one object per line"), {}
    problem = ""
    if "completion" not in row and "prediction" not in row:
        problem = f"neither 'completion' nor 'prediction' among {sorted(row)}; add one"
    level = str(row.get("level", row.get("curriculum level", "-")))
    return Judged(number, level, error=problem), row


def _judge_chunk(family: str, chunk: Sequence[tuple[Judged, dict[str, Any]]]) -> list[Judged]:
    rows = [row for line, row in chunk if not line.error]
    completions = [row["prediction"] if "prediction" in row else row["completion"] for row in rows]
    verdicts = iter(measure_batch(family, completions, rows))
    return [line if line.error else replace(line, verdict=next(verdicts)) for line, _ in chunk]


def _judge_line(family: str, line: Judged, row: dict[str, Any]) -> Judged:
    try:
        return _judge_chunk(family, [(line, row)])[0]
    except ValueError as error:
        return replace(line, error=str(error.__cause__ or error))


def table(results: Sequence[Judged]) -> str:
    """Return the scores level by level and in all; a line without a reward is not graded."""
    levels = sorted({result.level for result in results}, key=lambda level: (len(level), level))
    groups = {level: [r for r in results if r.level == level] for level in levels}
    rows = [["level", "lines", *_COLUMNS, "not graded"]]
    rows += [_table_row(level, group) for level, group in groups.items()]
    rows.append(_table_row("all", results))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in rows)


def _table_row(level: str, results: Sequence[Judged]) -> list[str]:
    graded = [r.verdict for r in results if r.verdict and r.verdict.reward is not None]
    means = batch_metrics(graded)
    scores = [f"{means[key]:.3f}" if key in means else "-" for key in _COLUMNS.values()]
    return [level, str(len(results)), *scores, str(len(results) - len(graded))]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m logic_curriculum.rewards", description="Judge a file of predictions."
    )
    parser.add_argument("--family", required=True, choices=[*JUDGES, *installed_families()])
    parser.add_argument("--predictions", required=True, type=Path, help="JSON lines to judge")
    parser.add_argument("--out", type=Path, help="where to write one verdict per line, as JSON")
    arguments = parser.parse_args(argv)
    predictions, out = arguments.predictions, arguments.out
    if not predictions.is_file():
        parser.error(f"--predictions {predictions} is no file; name one of JSON lines")
    if out is not None and out.resolve() == predictions.resolve():
        parser.error(f"--out {out} is the file of predictions; name another for the verdicts")
    try:
        judge_of(arguments.family)
    except ValueError as error:
        parser.error(str(error))
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = _arguments(argv)
    results: list[Judged] = []
    try:
        with arguments.predictions.open("rb") as lines, _verdicts_to(arguments.out) as out:
            for result in judge_lines(arguments.family, lines):
                if result.error:
                    print(f"line {result.number}: {result.error}", file=sys.stderr)
                found = asdict(result.verdict) if result.verdict else {"error": result.error}
                line = {"line": result.number, "level": result.level, **found}
                out.write(json.dumps(line) + "\n")
                results.append(result)
    except OSError as error:
        print(f"--out {arguments.out} can't be written: {error.strerror}", file=sys.stderr)
        return 1
    if not results:
        print(f"{arguments.predictions} has no line to judge", file=sys.stderr)
        return 1
    print(table(results))
    return int(any(result.error for result in results))


@contextmanager
def _verdicts_to(path: Path | None) -> Iterator[TextIO]:
    """Yield a file that appears under its name when all verdicts are in it."""
    if path is None:
        with open(os.devnull, "w") as nothing:
            yield nothing
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    with partial.open("w", encoding="utf-8") as out:
        yield out
    partial.replace(path)


if __name__ == "__main__":
    sys.exit(main())
