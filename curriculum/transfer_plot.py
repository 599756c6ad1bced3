"""The skill profile as a picture: a group of bars per model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from logic_curriculum.curriculum.requirements import require
from logic_curriculum.curriculum.transfer import Scores, accuracy

GROUP = 0.8  # width of a model's bars together, where models are 1 apart


def plot_profile(path: str | Path, models: Mapping[str, Scores]) -> None:
    """Draw the accuracy of each model in each setting, with standard errors.

    A skill has one colour, and its languages one shade each.

    Args:
        path: File to write; its ending chooses the format.
        models: Scores by model; all have the same settings.

    Raises:
        ImportError: If matplotlib is not installed; the message holds the install command.
    """
    require("matplotlib", extra="plots")
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    settings = list(next(iter(models.values())))
    colours = {skill: f"C{i}" for i, skill in enumerate(dict.fromkeys(s.skill for s in settings))}
    figure = Figure(figsize=(2 + 2.2 * len(models), 4.5), layout="constrained")
    panel = figure.subplots()
    width = GROUP / len(settings)
    for number, setting in enumerate(settings):
        estimates = [accuracy(scores[setting]) for scores in models.values()]
        repeated = [other.skill for other in settings[:number]].count(setting.skill)
        panel.bar(
            [model - GROUP / 2 + (number + 0.5) * width for model in range(len(models))],
            [estimate.value for estimate in estimates],
            width,
            yerr=[estimate.error for estimate in estimates],
            color=colours[setting.skill],
            alpha=1 / (1 + repeated),
            label=str(setting),
        )
    panel.set_xticks(range(len(models)), [name.replace("+", "+\n") for name in models])
    panel.set_ylabel("accuracy (%)")
    panel.set_ylim(0, 105)
    figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize="small")
    figure.savefig(path, dpi=150)
