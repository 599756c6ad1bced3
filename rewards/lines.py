"""Judge rows and JSON lines: each gets a verdict, or what is wrong with it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from logic_curriculum.rewards.registry import measure_batch
from logic_curriculum.rewards.verdict import Verdict

LINES_AT_A_TIME = 256
BYTES_AT_A_TIME = 4_000_000  # or fewer lines, where they are long

Line = tuple[int, bytes]
"""A line of a file, and its number from 1."""


def judge_rows(family: str, rows: Sequence[Mapping[str, Any]]) -> list[Verdict | str]:
    """Return for each row its verdict, or in one line why there is none.

    A row has ``completion`` (or ``prediction``), and ``verification`` or the columns of a published
    data set.
    """
    problems = [_problem(row) for row in rows]
    good = [row for row, problem in zip(rows, problems, strict=True) if not problem]
    verdicts: Iterator[Verdict | str]
    try:
        verdicts = iter(_measure(family, good))
    except ValueError:  # one by one, to find the ones to blame
        verdicts = iter([_verdict_or_error(family, row) for row in good])
    return [problem or next(verdicts) for problem in problems]


def _problem(row: Mapping[str, Any]) -> str:
    if "completion" in row or "prediction" in row:
        return ""
    return f"neither 'completion' nor 'prediction' among {sorted(row)}; add one"


def _measure(family: str, rows: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    completions = [row["prediction"] if "prediction" in row else row["completion"] for row in rows]
    return measure_batch(family, completions, rows)


def _verdict_or_error(family: str, row: Mapping[str, Any]) -> Verdict | str:
    try:
        return _measure(family, [row])[0]
    except ValueError as error:
        return str(error.__cause__ or error)


def chunks(lines: Iterable[bytes], done: int) -> Iterator[list[Line]]:
    """Yield the lines that are not blank, with their numbers, some at a time, after line ``done``.

    How many depends on the lines alone, and on nothing else.
    """
    chunk: list[Line] = []
    size = 0
    for number, line in enumerate(lines, 1):
        if number > done and line.strip():
            chunk.append((number, line))
            size += len(line)
        if len(chunk) == LINES_AT_A_TIME or size > BYTES_AT_A_TIME:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def judge_chunk(chunk: Sequence[Line], family: str) -> list[dict[str, Any]]:
    """Judge JSON lines of a family; return what is written of each: a verdict, or an ``error``.

    ``line`` is its number, ``level`` the curriculum level that it names, ``-`` if it names none.
    """
    read = [_read(line) for _, line in chunk]
    rows = [row for row in read if not isinstance(row, str)]
    verdicts = iter(judge_rows(family, rows))
    results = []
    for (number, _), row in zip(chunk, read, strict=True):
        found = row if isinstance(row, str) else next(verdicts)
        written = {"error": found} if isinstance(found, str) else asdict(found)
        named = {} if isinstance(row, str) else row
        level = str(named.get("level", named.get("curriculum level", "-")))
        level = level if level.isprintable() else ascii(level)  # it is printed in a table
        results.append({"line": number, "level": level, **written})
    return results


def _read(line: bytes) -> dict[str, Any] | str:
    """Return a line's object, or what is wrong with the line."""
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        return f"no JSON ({error}); write one object per line"
    if not isinstance(row, dict):
        return f"a {type(row).__name__}, not an object; write one object per line"
    return row
