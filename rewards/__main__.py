"""Judge a file of predictions: ``python -m rewards --family slr --predictions FILE.jsonl``.

Each line is a JSON object with ``completion`` (or ``prediction``), and with ``verification`` or
the columns of a published data set. A line that can't be judged is named and counted, never
scored. The exit status is 1 when there was such a line.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from logic_curriculum.rewards.functions import batch_metrics
from logic_curriculum.rewards.registry import JUDGES, installed_families, measure_batch
from logic_curriculum.rewards.verdict import Verdict

_LINES_AT_A_TIME = 256
_COLUMNS = {
    "solved": "pass_rate",
    "partial": "partial",
    "syntax": "syntax_rate",
    "hacking gap": "hacking_gap",
    "held-out": "heldout_accuracy",
}


@dataclass(frozen=True)
class Judged:
    """One line of the file and what became of it."""

    number: int
    """Line number, counted from 1."""
    level: str
    """Curriculum level as the line names it, ``-`` when it doesn't."""
    verdict: Verdict | None
    error: str = ""
    """Why there is no verdict."""

    def to_json(self) -> str:
        """Return the line of the verdicts' file."""
        found = asdict(self.verdict) if self.verdict else {"error": self.error}
        return json.dumps({"line": self.number, "level": self.level, **found})


@dataclass(frozen=True)
class _Line:
    number: int
    row: dict[str, Any]
    error: str = ""

    @property
    def level(self) -> str:
        return str(self.row.get("level", self.row.get("curriculum level", "-")))


def judge_lines(family: str, lines: Iterable[bytes]) -> Iterator[Judged]:
    """Judge JSON lines and yield one result per line that is not blank, in order."""
    read = (_read(number, line) for number, line in enumerate(lines, 1) if line.strip())
    while chunk := list(islice(read, _LINES_AT_A_TIME)):
        yield from _judge_chunk(family, chunk)


def _read(number: int, line: bytes) -> _Line:
    try:
        row = json.loads(line.decode())
    except ValueError as error:
        return _Line(number, {}, f"no JSON ({error}); write one object per line")
    if not isinstance(row, dict):
        return _Line(
            number, {}, f"a {type(row).__name__}, not an object; write one object per line"
        )
    if "completion" not in row and "prediction" not in row:
        return _Line(
            number, row, f"neither 'completion' nor 'prediction' among {sorted(row)}; add one"
        )
    return _Line(number, row)


def _judge_chunk(family: str, lines: Sequence[_Line]) -> Iterator[Judged]:
    """Judge lines together; when that fails, one by one, to find the ones to blame."""
    readable = [line for line in lines if not line.error]
    try:
        verdicts = iter(_verdicts(family, readable))
    except ValueError:
        yield from (_judge_line(family, line) for line in lines)
        return
    for line in lines:
        yield Judged(line.number, line.level, None if line.error else next(verdicts), line.error)


def _judge_line(family: str, line: _Line) -> Judged:
    if line.error:
        return Judged(line.number, line.level, None, line.error)
    try:
        return Judged(line.number, line.level, _verdicts(family, [line])[0])
    except ValueError as error:
        return Judged(line.number, line.level, None, str(error.__cause__ or error))


def _verdicts(family: str, lines: Sequence[_Line]) -> list[Verdict]:
    rows = [line.row for line in lines]
    completions = [row["prediction"] if "prediction" in row else row["completion"] for row in rows]
    return measure_batch(family, completions, [row.get("verification", row) for row in rows])


def table(results: Sequence[Judged]) -> str:
    """Return the scores level by level and in all; a line without a reward is not graded."""
    levels = sorted({result.level for result in results}, key=lambda level: (len(level), level))
    groups = {level: [r for r in results if r.level == level] for level in levels}
    header = ["level", "lines", *_COLUMNS, "not graded"]
    body = [_table_row(level, group) for level, group in groups.items()]
    body.append(_table_row("all", results))
    widths = [max(len(row[i]) for row in [header, *body]) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in [header, *body]
    )


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
    if not arguments.predictions.is_file():
        parser.error(f"--predictions {arguments.predictions} is no file; name one of JSON lines")
    return arguments


def _record(results: Iterable[Judged], out: IO[str] | None) -> Iterator[Judged]:
    for result in results:
        if result.error:
            print(f"line {result.number}: {result.error}", file=sys.stderr)
        if out:
            out.write(result.to_json() + "\n")
        yield result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = _arguments(argv)
    with arguments.predictions.open("rb") as lines:
        judged = judge_lines(arguments.family, lines)
        if arguments.out:
            with arguments.out.open("w", encoding="utf-8") as out:
                results = list(_record(judged, out))
        else:
            results = list(_record(judged, None))
    print(table(results))
    return int(any(result.error for result in results))


if __name__ == "__main__":
    sys.exit(main())
