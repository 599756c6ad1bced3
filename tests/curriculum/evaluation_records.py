"""Records of made-up answers, for the tests of scores, reports and comparisons."""

from __future__ import annotations

from typing import Any

from logic_curriculum.curriculum.evaluation.records import Record
from logic_curriculum.rewards import Verdict


def made_up(
    number: int = 0,
    solved: bool = True,
    *,
    level: int = 1,
    tier: str = "basic",
    graded: bool = True,
    syntax: bool = True,
    metrics: dict[str, float] | None = None,
    **changes: Any,
) -> Record:
    """Return the record of an answer to the task of a number."""
    given: dict[str, Any] = {
        "id": f"task-{level}-{number}",
        "family": "slr",
        "level": level,
        "seed": number,
        "split": "test",
        "sample": 0,
        "shots": 0,
        "model": "gpt-4o",
        "prompt": f"What about {number} at {level}?",
        "completion": "an answer",
        "solution": "the solution",
        "metadata": {"tier": tier},
        "prompt_tokens": 100,
        "completion_tokens": 10,
        **changes,
    }
    reward = float(solved) if graded else None
    answer = given["completion"] if syntax else None
    verdict = Verdict(solved, reward, syntax, float(solved), answer, "because", metrics or {})
    return Record(**given, verdict=verdict)


def run(*levels: str, tier: str = "basic", **changes: Any) -> list[Record]:
    """Return a run whose answers are given by a text for each level: 1 solved, 0 not, ? ungraded.

    >>> [len(run("110", "01?")), run("?")[0].graded]
    [6, False]
    """
    return [
        made_up(number, mark == "1", level=level, tier=tier, graded=mark != "?", **changes)
        for level, marks in enumerate(levels, 1)
        for number, mark in enumerate(marks)
    ]
