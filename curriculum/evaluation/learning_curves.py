"""Pass rates on held-out tasks over the completions that were generated, of runs side by side."""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series
from logic_curriculum.curriculum.run_settings import StepLog

PASS_RATES = "pass_rates.jsonl"
"""File of a run folder: optimizer step, completions generated so far, and rates by level."""
SPLITS = {"validation": "thick", "test": "dashed"}


def mean_rates(path: Path, split: str) -> list[Point]:
    """Return the mean pass rate over a split's levels after each number of completions."""
    return [
        Point(
            line["completions"],
            fmean(rate for name, rate in line["rates"].items() if name.split("_")[-2] == split),
        )
        for line in StepLog(path).read()
        if "rates" in line
    ]


def learning_curves(runs: Mapping[str, Path]) -> Chart:
    """Return the chart of runs, given their names and :data:`PASS_RATES` files.

    Raises:
        ValueError: If a file is missing, or has no pass rates.
    """
    series = []
    for colour, (name, path) in enumerate(runs.items()):
        for split, style in SPLITS.items():
            points = mean_rates(path, split)
            if not points:
                raise ValueError(
                    f"{path} holds no pass rates: name the {PASS_RATES} of a run of "
                    "`logic-curriculum train slr`, made with eval_strategy steps."
                )
            series.append(Series(f"{name}, {split}", points, colour, style))
    return Chart("", "completions generated", "mean pass rate over levels", series)
