"""The table of a downstream evaluation: SLR's Table 3, and what stands behind its numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.comparison import mcnemar
from logic_curriculum.curriculum.evaluation.downstream.benchmarks import (
    METRICS,
    SLR_BENCH,
    SOLVED,
    Benchmark,
    columns,
)
from logic_curriculum.curriculum.evaluation.tables import NONE, Table, joined

WIDTH = 6
"""Columns of a block of the table, as in the paper."""
REFERENCE = "llama-3.1-8b-instruct"
"""The paper's model, in whose runs its own figures are shown."""


class Score(NamedTuple):
    """A model's score in a benchmark."""

    value: float
    """In percent, or as it is where it is no share."""
    error: float | None
    """Standard error in the same unit, where the harness gives one."""
    shots: int
    """Examples in front of a question."""
    outcomes: Sequence[float | None]
    """Score of each question."""


Results = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Model → benchmark → what its file holds."""


def read(folders: Mapping[str, Path], benchmarks: Sequence[str]) -> Results:
    """Return the results that are there, by model and benchmark."""
    files = {
        model: {name: folder / f"{name}.json" for name in benchmarks}
        for model, folder in folders.items()
    }
    return {
        model: {
            name: json.loads(path.read_text(encoding="utf-8"))
            for name, path in paths.items()
            if path.is_file()
        }
        for model, paths in files.items()
    }


def report(results: Results, benchmarks: Sequence[str]) -> str:
    """Return the tables as Markdown, the base being the first model."""
    shown = columns(list(benchmarks))
    scores = {
        model: {item: score(item, found) for item in (*shown, SOLVED)}
        for model, found in results.items()
    }
    blocks = [shown[start : start + WIDTH] for start in range(0, len(shown), WIDTH)]
    tables = [overview(block, scores, number) for number, block in enumerate(blocks, 1)]
    single = [item for item in shown if item not in SLR_BENCH]
    return joined([*tables, details([SOLVED, *single], scores)])


Scores = Mapping[str, Mapping[Benchmark, Score | None]]


def score(item: Benchmark, found: Mapping[str, Mapping[str, Any]]) -> Score | None:
    """Return a model's score in a column; None if there is none."""
    file = found.get(item.task)
    if file is None or item.result not in file["results"]:
        return None
    values = file["results"][item.result]
    metric = item.metric or main_metric(values)
    key = next((name for name in values if name.split(",")[0] == metric), None)
    if key is None or values[key] is None:
        return None
    scale = 1 if metric in METRICS else 100
    error = values.get(key.replace(",", "_stderr,", 1))
    of_part = [file["outcomes"][item.part]] if item.part else list(file["outcomes"].values())
    return Score(
        scale * values[key],
        scale * error if isinstance(error, float) else None,
        file["n-shot"].get(item.result) or 0,
        [outcome for outcomes in of_part for outcome in outcomes],
    )


def main_metric(values: Mapping[str, Any]) -> str:
    """Return the score that stands for a task which the table does not know."""
    names = [key.split(",")[0] for key in values if "," in key and "_stderr," not in key]
    preferred = ("acc", "solved", "exact_match")
    return next((name for name in preferred if name in names), names[0] if names else "")


def overview(block: Sequence[Benchmark], scores: Scores, number: int) -> Table:
    """Return a block of the table: a row for each model, differences to the first in brackets."""
    base = next(iter(scores))
    rows = [
        [model, *(_with_change(own[item], scores[base][item], model != base) for item in block)]
        for model, own in scores.items()
    ]
    if base.lower().rstrip("/").endswith(REFERENCE):
        rows += _published(block)
    title = f"Base and tuned (Table 3), part {number}"
    note = "In %, LRL as it is; in brackets the change from the first row." if number == 1 else ""
    return Table(title, ["", *(item.title for item in block)], rows, note)


def _with_change(own: Score | None, base: Score | None, tuned: bool) -> str:
    if own is None:
        return NONE
    if not tuned or base is None:
        return f"{own.value:.1f}"
    change = round(own.value - base.value, 1) + 0.0  # no negative zero
    return f"{own.value:.1f} ({change:+.1f})"


def _published(block: Sequence[Benchmark]) -> list[list[str]]:
    """Return the paper's rows, its differences recomputed from its scores."""
    pairs = [item.published for item in block]
    before = [NONE if pair is None else f"{pair[0]:g}" for pair in pairs]
    after = [NONE if pair is None else f"{pair[1]:g} ({pair[1] - pair[0]:+.1f})" for pair in pairs]
    return [["published: Llama-8b-it", *before], ["published: Llama-8b-it-SLR", *after]]


def details(shown: Sequence[Benchmark], scores: Scores) -> Table:
    """Return what one needs to judge a difference: questions, errors, and its chance."""
    base, *others = scores
    rows = []
    for item in shown:
        first = scores[base][item]
        if first is None:
            continue
        start = [item.title, item.result, str(len(first.outcomes)), str(first.shots)]
        start.append(_with_error(first))
        for model in others:
            own = scores[model][item]
            start += [NONE, NONE] if own is None else [_with_error(own), _chance(item, first, own)]
        rows.append(start)
    header = ["", "task", "questions", "shots", base]
    header += [title for model in others for title in (model, "p")]
    return Table(
        "What stands behind it",
        header,
        rows,
        "± is the harness's standard error. p is McNemar's exact test on the same questions, "
        "not corrected for the number of benchmarks.",
    )


def _with_error(own: Score) -> str:
    return f"{own.value:.1f}" + ("" if own.error is None else f" ± {own.error:.1f}")


def _chance(item: Benchmark, base: Score, own: Score) -> str:
    """Return the p-value of a difference in shares of right answers."""
    if item.metric not in ("", "acc", "solved") or len(base.outcomes) != len(own.outcomes):
        return NONE
    pairs = list(zip(base.outcomes, own.outcomes, strict=True))
    worse = sum(before == 1 and after == 0 for before, after in pairs)
    better = sum(before == 0 and after == 1 for before, after in pairs)
    return f"{mcnemar(worse, better):.2g}"
