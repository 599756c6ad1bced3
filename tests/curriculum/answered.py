"""Made-up answers, as an evaluation records them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from logic_curriculum.curriculum.evaluation.records import Record, as_frame


def answered(number: int, solved: bool, **changes: Any) -> Record:
    """Return an answer to task ``number``, by default at level 1 of slr."""
    given: dict[str, Any] = {
        **{"id": f"task-{number}", "family": "slr", "level": 1, "model": "m", "prompt": "?"},
        **{"completion": "!", "solved": solved, "paper": float(solved), "syntax": True},
        **{"partial": float(solved), "graded": True, "metadata": {"tier": "basic"}},
    }
    return Record(**{**given, **changes})


def frame(*records: Record) -> pd.DataFrame:
    """Return answers as tables are made of them, without those that were not graded."""
    answers = as_frame(records)
    return answers[answers.graded]
