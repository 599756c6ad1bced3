"""The picture of a run: pass rate and level over steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from curriculum.requirements import require

Series = Sequence[tuple[int, float]]


def plot_curriculum(
    path: str | Path, records: Sequence[Mapping[str, Any]], metrics: Mapping[str, Series]
) -> None:
    """Draw pass rate and level over steps, one panel per family.

    Args:
        path: File to write; its ending chooses the format.
        records: Lines of ``curriculum.jsonl``; only those at the current level are drawn.
        metrics: Further series to draw beside the pass rates, as (step, value); one that is
            named ``<family>/...`` belongs to that family's panel.

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
        _draw_family(panel, family, [r for r in current if r["family"] == family], own)
    panels[-1].set_xlabel("optimizer step")
    figure.savefig(path, dpi=150)


def _draw_family(
    panel: Any, family: str, records: Sequence[Mapping[str, Any]], metrics: Mapping[str, Series]
) -> None:
    steps = [record["step"] for record in records]
    rates = [record["passes"] / record["attempts"] for record in records]
    lines = panel.plot(steps, rates, color="C0", linewidth=1, label="pass rate at the level")
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
