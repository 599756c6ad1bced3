"""What the run folder says at the end: ``summary.json`` and ``curriculum.png``."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.plot import plot_curriculum
from logic_curriculum.curriculum.scheduler import CurriculumScheduler, Track
from logic_curriculum.rewards.versions import versions_of_all

logger = logging.getLogger(__name__)

Records = Sequence[Mapping[str, Any]]

WATCHED = ("syntax_rate", "hacking_gap")
"""Endings of the reward functions' metrics that the report shows beside the pass rate."""


def summarize(
    scheduler: CurriculumScheduler, records: Records, log_history: Records
) -> dict[str, Any]:
    """Return the summary of a run.

    Args:
        scheduler: The scheduler at the end of the run.
        records: Lines of ``curriculum.jsonl``.
        log_history: The trainer's log.

    Returns:
        JSON-able data: ``config``; ``task_versions`` and ``reward_versions`` by family; ``steps``
        (optimizer steps that the log reached); ``finished``; ``families``, each with its levels,
        tiers, attempts and passes; ``moves``; ``metrics``, the first and last logged value of the
        syntax rate and the hacking gap.
    """
    logged = max((entry.get("step", 0) for entry in log_history), default=0)
    observed = max((record["step"] + 1 for record in records), default=0)
    return {
        "config": asdict(scheduler.config),
        **versions_of_all(scheduler.families),
        "steps": max(logged, observed),
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
        "levels": _summarize_levels(track),
    }


def _summarize_levels(track: Track) -> list[dict[str, Any]]:
    counted = enumerate(track.totals, start=track.first)
    return [
        {"level": level, "attempts": attempts, "passes": passes}
        for level, (attempts, passes) in counted
        if attempts
    ]


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
    if not records:
        return
    try:
        plot_curriculum(
            folder / "curriculum.png",
            records,
            watched_metrics(log_history),
            scheduler.config.window,
        )
    except ImportError as error:
        logger.warning("curriculum.png was not drawn; summary.json holds the numbers. %s", error)
