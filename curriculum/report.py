"""The report of a curriculum at the end of its run: ``summary.json`` and ``curriculum.png``."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.scheduler import CurriculumScheduler
from logic_curriculum.rewards.registry import versions_of_all

logger = logging.getLogger(__name__)

Records = Sequence[Mapping[str, Any]]

WATCHED = ("syntax_rate", "hacking_gap")
"""Endings of the reward functions' metrics that the report shows beside the pass rate."""


def summarize(
    scheduler: CurriculumScheduler, records: Records, log_history: Records
) -> dict[str, Any]:
    """Return the summary of a run from its scheduler, ``curriculum.jsonl`` and the trainer's log.

    It is JSON-able: ``config``; ``task_versions`` and ``reward_versions`` by family; ``steps``
    (optimizer steps that the log reached); ``finished``; ``families``, each with its levels, tiers,
    attempts and passes; ``moves``; ``metrics``, the first and last logged value of the syntax rate
    and the hacking gap.
    """
    logged = max((entry.get("step", 0) for entry in log_history), default=0)
    attempted = max((record["step"] + 1 for record in records), default=0)
    return {
        "config": asdict(scheduler.config),
        **versions_of_all(scheduler.families),
        "steps": max(logged, attempted),
        "finished": scheduler.finished,
        "families": {family: _summarize_track(scheduler, family) for family in scheduler.families},
        "moves": [asdict(move) for move in scheduler.history],
        "metrics": {
            name: {"first": values[0][1], "last": values[-1][1]}
            for name, values in watched_metrics(log_history).items()
        },
    }


def _summarize_track(scheduler: CurriculumScheduler, family: str) -> dict[str, Any]:
    track = scheduler.track(family)
    return {
        "level": track.level,
        "tier": scheduler.tier(family),
        "finished": track.finished,
        "pass_rate": track.pass_rate,
        "levels": [
            {"level": level, "attempts": attempts, "passes": passes}
            for level, (attempts, passes) in enumerate(track.totals, start=track.first)
            if attempts
        ],
    }


def watched_metrics(log_history: Records) -> dict[str, list[tuple[int, float]]]:
    """Return (step, value) of each logged training metric that the report shows."""
    series: dict[str, list[tuple[int, float]]] = {}
    for entry in log_history:
        for name, value in entry.items():
            wanted = name.endswith(WATCHED) and not name.startswith("eval_")
            if wanted and value is not None:
                series.setdefault(name, []).append((entry["step"], value))
    return series


def write_report(
    folder: str | Path, scheduler: CurriculumScheduler, records: Records, log_history: Records
) -> None:
    """Write ``summary.json`` and ``curriculum.png``; without matplotlib the summary only."""
    folder = Path(folder)
    summary = summarize(scheduler, records, log_history)
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    charts = curriculum_charts(records, watched_metrics(log_history), scheduler.config.window)
    if not charts:
        return
    try:
        save(folder / "curriculum.png", charts, columns=1)
    except ImportError as error:
        logger.warning("curriculum.png was not drawn; summary.json holds the numbers. %s", error)


def curriculum_charts(
    records: Records, metrics: Mapping[str, Sequence[tuple[int, float]]], window: int
) -> list[Chart]:
    """Return pass rate and level over steps, one chart per family.

    Of ``records``, the lines of ``curriculum.jsonl``, those at the current level are drawn. The
    ``metrics`` are further series, as (step, value); one named ``<family>/...`` belongs to that
    chart. The smoothed pass rate is taken over ``window`` attempts, as the scheduler does.
    """
    current = [record for record in records if record["current"]]
    charts = []
    for family, own in grouped(current, lambda record: record["family"]).items():
        rates = [Point(record["step"], record["passes"] / record["attempts"]) for record in own]
        windowed = zip(rates, windowed_pass_rates(own, window), strict=True)
        smooth = [point._replace(value=rate) for point, rate in windowed]
        levels = [Point(record["step"], record["level"]) for record in own]
        name = f"pass rate over {window} attempts"
        series = [Series("", rates, 0, "thin"), Series(name, smooth, 0, "thick")]
        for name, values in metrics.items():
            if "/" not in name or name.startswith(f"{family}/"):
                points = [Point(*pair) for pair in values]
                series.append(Series(name, points, len(series), "dashed"))
        lowest = min(0.0, *(point.value for each in series for point in each.points))
        limits, right = (lowest - 0.02, 1.02), Series("level", levels, 1, "steps")
        label = f"{family}: pass rate"
        charts.append(Chart("", "optimizer step", label, series, limits, right=right))
    return charts


def windowed_pass_rates(records: Records, window: int) -> list[float]:
    """Return after each record the pass rate over the latest ``window`` attempts at its level.

    The records are batches of one family at its current level, oldest first.
    """
    rates = []
    for end, record in enumerate(records):
        attempts = passes = 0
        for earlier in reversed(records[: end + 1]):
            if attempts >= window or earlier["level"] != record["level"]:
                break
            attempts += earlier["attempts"]
            passes += earlier["passes"]
        rates.append(passes / attempts)
    return rates
