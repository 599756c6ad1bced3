"""The ladder of levels and the presets as tables, in the columns of Table 7."""

from __future__ import annotations

from collections.abc import Mapping

from logic_curriculum.generators.loginum.configs import Config
from logic_curriculum.generators.loginum.presets import LADDER, PRESETS, find_preset
from logic_curriculum.generators.loginum.prompts import LANGUAGES, check_choice

_HEADER = (
    "name", "depth", "entities", "attributes", "relations", "facts", "rules",
    "conditions", "expressions", "parts", "operands",
)  # fmt: skip
_LEGEND = """\
depth: steps of the gold process, which is the level. expressions: weights of constant, retrieval,
calculation and aggregation. parts: the same inside an aggregation. operands: range of given values,
factors and summands."""


def describe(preset: str | None = None, language: str = "english") -> str:
    """Return the table of levels and presets as text, or that of one preset.

    Args:
        preset: Name of the preset; all, and the ladder, by default.
        language: Language of the tasks, which the table does not depend on.

    Raises:
        ValueError: There is no such preset or language.
    """
    check_choice("language", language, LANGUAGES)
    names = list(PRESETS) if preset is None else [find_preset(preset)[0]]
    rows: list[tuple[str, ...]] = [_HEADER]
    if preset is None:
        rows += [_row("ladder", str(level), config) for level, config in enumerate(LADDER, 1)]
    for name in names:
        rows += _preset_rows(name)
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADER))]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([f"loginum, language {language}", "", *lines, "", _LEGEND])


def _preset_rows(name: str) -> list[tuple[str, ...]]:
    """Return a row for each different configuration of a preset."""
    depths: dict[str, list[int]] = {}
    configs: dict[str, Config] = {}
    for depth, config in PRESETS[name].configs.items():
        depths.setdefault(repr(config), []).append(depth)
        configs[repr(config)] = config
    return [
        _row(name, _range((alike[0], alike[-1])), configs[text]) for text, alike in depths.items()
    ]


def _row(name: str, depth: str, config: Config) -> tuple[str, ...]:
    return (
        name,
        depth,
        *map(str, (config.entities, config.attributes, config.relations)),
        *map(str, (config.facts, config.rules)),
        _range(config.conditions),
        _spell(config.expressions),
        _spell(config.parts),
        f"[{config.operands[0]}, {config.operands[1]}]",
    )


def _range(limits: tuple[int, int]) -> str:
    return str(limits[0]) if limits[0] == limits[1] else f"{limits[0]}-{limits[1]}"


def _spell(weights: Mapping[str, int]) -> str:
    return " ".join(map(str, weights.values()))
