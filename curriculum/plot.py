"""The picture of a run: pass rate and level over steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.requirements import require

Series = Sequence[tuple[int, float]]
Records = Sequence[Mapping[str, Any]]


def plot_curriculum(
    path: str | Path, records: Records, metrics: Mapping[str, Series], window: int
) -> None:
    """Draw pass rate and level over steps, one panel per family.

    Args:
        path: File to write; its ending chooses the format.
        records: Lines of ``curriculum.jsonl``; only those at the current level are drawn.
        metrics: Further series to draw beside the pass rates, as (step, value); one that is
            named ``<family>/...`` belongs to that family's panel.
        window: Attempts that the smoothed pass rate is taken over, as the scheduler does.

    Raises:
        ImportError: If matplotlib is not installed; the message holds the install command.
    """
    require("matplotlib", extra="plots")
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    current = [record for record in records if record["current"]]
    families = list(dict.fromkeys(record["family"] for record in current))
    figure = Figure(figsize=(8, 1 + 3 * max(1, len(families))), layout="constrained")
    panels = figure.subplots(max(1, len(families)), squeeze=False, sharex=True)[:, 0]
    for panel, family in zip(panels, families, strict=False):
        own = {
            name: series
            for name, series in metrics.items()
            if "/" not in name or name.startswith(f"{family}/")
        }
        _draw_family(panel, family, [r for r in current if r["family"] == family], own, window)
    panels[-1].set_xlabel("optimizer step")
    figure.savefig(path, dpi=150)


def windowed_pass_rates(records: Records, window: int) -> list[float]:
    """Return after each record the pass rate over the latest attempts at its level.

    Args:
        records: Batches of one family at its current level, oldest first.
        window: Attempts to look back over, at least; fewer right after the level moved.
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


def _draw_family(
    panel: Any, family: str, records: Records, metrics: Mapping[str, Series], window: int
) -> None:
    steps = [record["step"] for record in records]
    rates = [record["passes"] / record["attempts"] for record in records]
    panel.plot(steps, rates, color="C0", linewidth=0.5, alpha=0.4)
    smooth = windowed_pass_rates(records, window)
    lines = panel.plot(steps, smooth, color="C0", label=f"pass rate over {window} attempts")
    for number, (name, series) in enumerate(metrics.items(), start=2):
        x, y = zip(*series, strict=True)
        lines += panel.plot(x, y, color=f"C{number}", linewidth=1, linestyle="--", label=name)
    levels = panel.twinx()
    numbers = [record["level"] for record in records]
    lines += levels.step(steps, numbers, where="post", color="C1", label="level")
    levels.yaxis.get_major_locator().set_params(integer=True)
    levels.set_ylabel("level")
    panel.set_ylabel(f"{family}: pass rate")
    panel.set_ylim(min(0.0, *_values(metrics)), 1.02)
    panel.legend(
        handles=lines,
        fontsize="small",
        frameon=False,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=len(lines),
    )


def _values(metrics: Mapping[str, Series]) -> list[float]:
    return [0.0, *(value for series in metrics.values() for _, value in series)]
