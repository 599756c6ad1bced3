"""Which tasks are pinned: options, levels and seeds by family, and the hash of each level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from pin_hash import combined
from pin_library import Task, available_tasks, generate, judge_of, registry
from pin_model import stand_in

SPLITS = ("train", "validation", "test")
LLM = "stand-in"
"""In options, the stand-in for a language model."""
FAR_SEEDS = (0, 1, 7, 123_456_789, -5)
"""Seeds of each family's default options."""
LOGINUM_PRESETS = {
    **dict.fromkeys(("EL-EN", "EL-HN", "EL-Train", "el-en"), range(1, 4)),
    **dict.fromkeys(("HL-EN", "HL-HN", "EN-Train"), range(4, 7)),
    "exHL-HN": range(7, 11),
}
SAT_PRESETS = ("hard3sat", "uniform", "symbolic")
SAT_LEVELS = range(3, 20)
SAT_STYLES = ("full", "compact", "certificate", "certificate_compact")
SAT_THEMES = (
    *("airport", "bakery", "banking", "city_council", "court", "farm", "film_production"),
    *("football_club", "harbour", "hospital", "hotel", "insurance", "laboratory", "library"),
    *("museum", "newspaper", "police", "railway", "restaurant", "school", "software_company"),
    *("space_mission", "theatre", "university", "weather_station"),
)


class Plan(NamedTuple):
    """Tasks with the same options."""

    options: Mapping[str, Any]
    levels: Sequence[int]
    seeds: Sequence[int]

    @property
    def name(self) -> str:
        """Return the options as text."""
        return " ".join(f"{name}={value}" for name, value in self.options.items()) or "default"


def _every(**choices: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield every combination of values."""
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def _slr() -> Iterator[Plan]:
    levels = range(1, 21)
    yield Plan({}, levels, FAR_SEEDS)
    languages, styles = ("trains", "houses"), ("prolog", "natural", "compact")
    for options in _every(split=SPLITS, language=languages, style=styles):
        yield Plan(options, levels, (0, 2))
    for split in SPLITS:
        yield Plan({"split": split, "llm": LLM}, (6, 10, 16), (1, 3, 4, 6))


def _symbolization() -> Iterator[Plan]:
    levels = range(1, 11)
    yield Plan({}, levels, FAR_SEEDS)
    languages, styles = ("english", "carroll", "mixed"), ("full", "compact", "paper")
    for options in _every(split=SPLITS, language=languages, style=styles):
        yield Plan(options, levels, (0, 2))


def _countermodel() -> Iterator[Plan]:
    levels = range(1, 11)
    yield Plan({}, levels, FAR_SEEDS)
    for options in _every(split=SPLITS, style=("full", "compact", "paper")):
        yield Plan(options, levels, (0, 2, 3))


def _validity() -> Iterator[Plan]:
    levels = range(1, 11)
    yield Plan({}, levels, FAR_SEEDS)
    languages, styles = ("english", "carroll", "mixed"), ("full", "compact", "paper")
    for options in _every(split=SPLITS, language=languages, style=styles):
        yield Plan(options, levels, (2,))
    for split in SPLITS:
        yield Plan({"split": split, "minimal": False}, levels, (0, 2))


def _loginum() -> Iterator[Plan]:
    levels = range(1, 11)
    yield Plan({}, levels, FAR_SEEDS)
    languages, styles = ("english", "formal", "clauses"), ("full", "compact")
    for options in _every(split=SPLITS, language=languages, style=styles):
        yield Plan(options, levels, (0, 2))
    for options in _every(vocabulary=(1, 16, 30, 100), language=languages):
        yield Plan(options, levels, (0,))
    for preset, depths in LOGINUM_PRESETS.items():
        for split, language in product(SPLITS, languages):
            yield Plan({"preset": preset, "split": split, "language": language}, depths, (0,))
        yield Plan({"preset": preset, "style": "compact"}, depths, (0, 2))
    for style in styles:
        yield Plan({"style": style, "llm": LLM}, levels, (0, 3))


def _sat() -> Iterator[Plan]:
    levels = range(1, 11)
    yield Plan({}, levels, FAR_SEEDS)
    languages = ("english", "symbolic")
    for options in _every(split=SPLITS, language=languages, style=SAT_STYLES):
        yield Plan(options, levels, (0,))
    for options in _every(target=("sat", "unsat"), split=SPLITS):
        yield Plan(options, levels, (0, 2))
    for place, theme in enumerate(SAT_THEMES):
        yield Plan({"theme": theme, "style": SAT_STYLES[place % 4]}, levels, (place,))
    for preset in SAT_PRESETS:
        for split in SPLITS:
            yield Plan({"preset": preset, "split": split}, SAT_LEVELS, (0,))
        for option, values in (
            ("language", languages),
            ("style", SAT_STYLES[1:]),
            ("target", ("sat", "unsat")),
            ("theme", ("harbour",)),
        ):
            for value in values:
                yield Plan({"preset": preset, option: value}, SAT_LEVELS, (2,))
    for preset in SAT_PRESETS:
        yield Plan({"preset": f"{preset}-paper", "style": "paper"}, SAT_LEVELS, (0,))
    yield Plan({"variables": 6, "clauses": 25, "mode": "3sat", "matched": False}, levels, (0,))
    shares = {"operators": "¬∨→", "max_depth": 3, "nested": 0.7, "negated": 0.3}
    yield Plan({"variables": 7, "clauses": 14, **shares}, levels, (0,))
    for grounding, split in product(("broadtopic", "themes", "fulltext"), SPLITS):
        yield Plan({"grounding": grounding, "llm": LLM, "split": split}, (1, 3, 5, 7, 10), (0,))


_PLANS = {
    "slr": _slr,
    "symbolization": _symbolization,
    "countermodel": _countermodel,
    "validity": _validity,
    "loginum": _loginum,
    "sat": _sat,
}


def plans(family: str) -> list[Plan]:
    """Return what is pinned of a family."""
    return list(_PLANS[family]())


def make(family: str, level: int, seed: int, options: Mapping[str, Any]) -> Task:
    """Make a task; of a language model, the stand-in is asked."""
    given = {name: stand_in() if value == LLM else value for name, value in options.items()}
    return generate(family, level, seed, **given)


def pinned_row(family: str, level: int, seed: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that is published of a task, or the error where there is none."""
    module = registry.family(family)
    try:
        task = make(family, level, seed, options)
    except (ValueError, RuntimeError) as error:
        said = str(error)
        if LLM in options.values():
            said = said.replace(stand_in(), LLM)
        return {"error": type(error).__name__, "message": said}
    return {
        "row": task.to_row(),
        "columns": module.published_columns(task),
        "fingerprint": module.fingerprint(task),
        "leak_key": module.leak_key(task),
    }


def row_pins(family: str, every: int = 1) -> dict[str, dict[str, str]]:
    """Return options → level → hash of its tasks.

    Args:
        family: A family's name.
        every: 1 for all; else each so many-th of all levels of all options, and no language model.
    """
    cells = [(plan, level) for plan in plans(family) for level in plan.levels]
    if every > 1:
        cells = [cell for cell in cells if LLM not in cell[0].options.values()][::every]
    found: dict[str, dict[str, str]] = {}
    for plan, level in cells:
        rows = (pinned_row(family, level, seed, plan.options) for seed in plan.seeds)
        found.setdefault(plan.name, {})[str(level)] = combined(rows)
    return found


def row_count(family: str) -> int:
    """Return the number of tasks that are pinned of a family."""
    return sum(len(plan.levels) * len(plan.seeds) for plan in plans(family))


def text_pins(family: str) -> dict[str, str]:
    """Return hashes of a family's tiers, sizes and versions."""
    module = registry.family(family)
    presets: list[str | None] = [None]
    presets += {"loginum": [*LOGINUM_PRESETS], "sat": [*SAT_PRESETS]}.get(family, [])
    found: dict[str, Any] = {
        "levels": [len(module.tiers), dict(enumerate(module.tiers, 1))],
        "versions": judge_of(family).versions,
        "available": [
            available_tasks(family, level, split) for level in module.levels() for split in SPLITS
        ],
    }
    for preset in presets:
        given = {} if preset is None else {"preset": preset}
        levels = module.levels(preset)
        sizes = {level: module.published_sizes(level, preset) for level in levels}
        found[f"sizes {preset or 'ladder'}"] = sizes
        found[f"parts {preset or 'ladder'}"] = [
            [[number, dict(more)] for number, more in parts]
            for level in levels
            for split, count in sizes[level].items()
            if (parts := module.published_parts(split, level, count, given))
        ]
    return {name: combined([value]) for name, value in found.items()}
