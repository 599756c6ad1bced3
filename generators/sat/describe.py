"""The ladder of levels and the presets as tables."""

from __future__ import annotations

from logic_curriculum.generators.sat.configs import Config
from logic_curriculum.generators.sat.levels import LADDER, PRESETS, find_preset
from logic_curriculum.generators.sat.prompts import LANGUAGES, check_choice

_HEADER = ("name", "level", "mode", "variables", "clauses", "operators", "depth", "SAT", "UNSAT")
_LEGEND = """\
clauses: each number in the range is equally probable. SAT, UNSAT: sets in Table 3, as a dataset of
the preset has them; elsewhere the status is a fair coin, unless `target` is given."""


def describe(preset: str | None = None, language: str = "english") -> str:
    """Return the table of levels and presets as text, or that of one preset.

    Args:
        preset: Name of the preset; all, and the ladder, by default.
        language: Language of the tasks, which the table does not depend on.

    Raises:
        ValueError: There is no such preset or language.
    """
    check_choice("language", language, LANGUAGES)
    rows: list[tuple[str, ...]] = [_HEADER]
    if preset is None:
        rows += [_row("ladder", n, config, ("", "")) for n, config in enumerate(LADDER, start=1)]
    for name in PRESETS if preset is None else [preset]:
        found = find_preset(name)
        for level, config in found.configs.items():
            consistent, inconsistent = found.counts[level]
            rows.append(_row(name, level, config, (str(consistent), str(inconsistent))))
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADER))]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([f"sat, language {language}", "", *lines, "", _LEGEND])


def _row(name: str, level: int, config: Config, counts: tuple[str, str]) -> tuple[str, ...]:
    low, high = config.clauses
    form = ("∨¬", "1") if config.mode == "3sat" else (config.operators, str(config.max_depth))
    clauses = str(low) if low == high else f"{low}-{high}"
    return (name, str(level), config.mode, str(config.variables), clauses, *form, *counts)
