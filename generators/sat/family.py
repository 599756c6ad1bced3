"""Consistency of texts: can all statements of a text be true together?

Source: "LTGen", §3 and App. A.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.sat.configs import Config
from logic_curriculum.generators.sat.describe import describe
from logic_curriculum.generators.sat.draws import ClauseSet
from logic_curriculum.generators.sat.levels import (
    LADDER,
    Preset,
    find_preset,
    preset_levels,
)
from logic_curriculum.generators.sat.llm_grounding import (
    TECHNIQUES,
    THEMES,
    ground_on_one,
)
from logic_curriculum.generators.sat.pairs import draw_pair
from logic_curriculum.generators.sat.prompts import LANGUAGES, STYLES
from logic_curriculum.generators.sat.publishing import (
    fingerprint,
    leak_key,
    published_columns,
    published_parts,
    published_sizes,
    side_of,
    versions,
)
from logic_curriculum.generators.sat.structures import clause_formula
from logic_curriculum.generators.sat.tasks import Request, write_task
from logic_curriculum.generators.sat.themes import Atom, Theme, load_theme, theme_names
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.registry import JUDGES

LEVELS = len(LADDER)
"""Number of levels, counted from 1."""
TIERS = MappingProxyType(
    {
        level: ("basic", "easy", "medium", "hard")[(level > 2) + (level > 4) + (level > 7)]
        for level in range(1, LEVELS + 1)
    }
)
"""Tier name of each level."""
TARGETS = ("sat", "unsat")


def generate(
    level: int,
    seed: int,
    *,
    split: str = "train",
    preset: str | None = None,
    language: str | None = None,
    style: str = "full",
    theme: str | None = None,
    target: str | None = None,
    grounding: str | None = None,
    llm: str | None = None,
) -> Task:
    """Make a task: a pure function of its arguments.

    Args:
        level: 1 to 10; of a preset, the number of variables, 3 to 19.
        seed: Any integer. It gives a pair of a consistent and an inconsistent set that are equal in
            all that can be counted, and a fair coin decides which of the two is asked about.
        split: ``"train"``, ``"validation"`` or ``"test"``; no shape of one occurs in another, see
            :func:`leak_key`.
        preset: A dataset of the paper, such as ``"hard3sat"``, instead of the ladder of levels.
        language: ``"english"``, or ``"symbolic"`` for formulas; that of the preset, else English,
            by default. It does not change the clauses.
        style: ``"full"``; ``"compact"`` (the form of the answer as the only instruction, for small
            models trained on it); ``"certificate"`` or ``"certificate_compact"``, where an answer
            has to be proved. It does not change the clauses.
        theme: Name or YAML file of a theme for the sentences; one of the shipped themes at random
            by default, banking in ``"hard3sat"``.
        target: ``"sat"`` or ``"unsat"`` to choose the status instead of the coin.
        grounding: ``"broadtopic"``, ``"themes"`` or ``"fulltext"``: sentences are asked of a
            language model, which is told the theme's title, its topic or its paragraph.
        llm: Name or YAML file of that model, see ``docs/llm.md``.

    Raises:
        ValueError: An argument is out of range.
        PairError: No pair was found within the limits.
        GroundingError: The language model found no sentences that can be used.
        LLMError: It does not answer.
    """
    config, found = _config(level, preset)
    language = language or (found.language if found else "english")
    _check_grounding(grounding, llm, language)
    scope = (preset or "", level, seed, split)
    pair = draw_pair(config, stream("sat", *scope), lambda shape: side_of(shape) == split)
    rng = stream("sat text", *scope)
    coin = rng.random() < 0.5
    consistent = coin if target is None else target == "sat"
    about = {"tier": None if preset else TIERS[level], "split": split, "preset": preset}
    clauses = pair.consistent if consistent else pair.inconsistent
    atoms: dict[str, Atom] = {}
    if language == "english":
        names = found.themes if found and found.themes else theme_names()
        themes = [theme] if theme else _in_turn(names, rng, 1 if grounding is None else THEMES)
        chosen, atoms = _sentences(clauses, config.variables, themes, grounding, llm, rng)
        about["theme"] = chosen.name
        if grounding is not None:
            about["grounding"] = grounding
    request = Request(level, seed, style, language, about)
    return write_task(clauses, pair.shape, atoms, request)


def _check_grounding(grounding: str | None, llm: str | None, language: str) -> None:
    if grounding is not None and language != "english":
        raise ValueError(
            f"grounding={grounding!r} with language={language!r}: formulas hold no sentences. "
            "Leave one of the two out."
        )
    if (grounding is None) != (llm is None):
        raise ValueError(
            f"grounding={grounding!r} with llm={llm!r}: a grounding is asked of a language model. "
            "Give both, or neither for the built-in sentences."
        )


def _in_turn(names: Sequence[str], rng: random.Random, count: int) -> list[str]:
    """Return a name drawn at random, and up to so many in all to take in its place."""
    first = rng.choice(names)
    others = [name for name in names if name != first]
    return [first, *rng.sample(others, min(count - 1, len(others)))]


def _sentences(
    clauses: ClauseSet,
    variables: int,
    themes: Sequence[str],
    grounding: str | None,
    llm: str | None,
    rng: random.Random,
) -> tuple[Theme, dict[str, Atom]]:
    """Return the theme of a text, one of some, and the sentences for its variables."""
    found = [_shipped_theme(name) if name in theme_names() else load_theme(name) for name in themes]
    if grounding is None:
        return found[0], ground(found[0], variables, rng)
    formulas = [clause_formula(c.structure, c.signs, c.variables) for c in clauses.clauses]
    names = [f"v{number}" for number in range(1, variables + 1)]
    return ground_on_one(load_model(llm), grounding, found, formulas, names)


@lru_cache(maxsize=64)
def _shipped_theme(name: str) -> Theme:
    return load_theme(name)


def ground(theme: Theme, variables: int, rng: random.Random) -> dict[str, Atom]:
    """Return different sentences of a theme for the variables ``v1``, ``v2``, ...

    Raises:
        ValueError: The theme has too few sentences.
    """
    if len(theme.atoms) < variables:
        raise ValueError(
            f"theme {theme.name!r} has {len(theme.atoms)} sentences for {variables} variables. "
            "Choose a level with fewer, or a larger theme."
        )
    chosen = rng.sample(theme.atoms, variables)
    return {f"v{number}": atom for number, atom in enumerate(chosen, start=1)}


def _config(level: int, preset: str | None) -> tuple[Config, Preset | None]:
    """Return the configuration of a level, of the ladder or of a preset."""
    if preset is None:
        return LADDER[level - 1], None
    found = find_preset(preset)
    if level not in found.configs:
        raise ValueError(
            f"level={level} with preset={preset!r}: a level is a number of variables, 3 to 19. "
            "Choose one of them, or leave the preset out."
        )
    return found.configs[level], found


@dataclass(frozen=True)
class SatOptions(Options):
    """Options of the family's tasks; see :func:`generate`."""

    preset: str | None = option(None, "a published dataset")
    language: str | None = option(None, "english or symbolic", LANGUAGES)
    style: str = option("full", "style of the prompt", STYLES)
    theme: str | None = option(
        None, "theme of the sentences: a shipped one, or a YAML file of your own"
    )
    target: str | None = option(
        None, "sat or unsat, for consistent or inconsistent tasks alone", TARGETS
    )
    grounding: str | None = option(None, "sentences by a language model: docs/llm.md", TECHNIQUES)
    llm: str | None = option(None, "a language model's name, or a YAML file: docs/llm.md")


class SatFamily(Family):
    """The family sat."""

    name = "sat"
    judge = JUDGES["sat"]
    tiers = tuple(TIERS.values())
    options = SatOptions
    leak_unit = "shape of a clause set"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "text": "the statements, as sentences or formulas",
        "clauses": "the statements as formulas",
        "atoms": "variable → the sentence that it stands for, as JSON",
        "consistent": "whether all statements can be true together",
        "variables": "number of variables",
        "models": "number of assignments under which all statements are true",
    }

    def make(self, level: int, seed: int, options: Any) -> Task:
        """Make a task; see :func:`generate`."""
        return generate(level, seed, **vars(options))

    def fingerprint(self, task: Task) -> str:
        """Return a hash that is equal for equal tasks."""
        return fingerprint(task)

    def leak_key(self, task: Task) -> str:
        """Return what the tasks of other splits must not share with a test task."""
        return leak_key(task)

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published dataset."""
        return published_columns(task)

    def versions(self) -> dict[str, str]:
        """Return the versions of other software that decides what a task looks like."""
        return versions()

    def describe(self, **options: Any) -> str:
        """Return the table of levels as text."""
        self.read_options(options)
        return describe(**options)

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the published number of tasks of a level by split."""
        return published_sizes(level, preset=preset)

    def levels(self, preset: str | None = None) -> Sequence[int]:
        """Return the levels of the ladder, or of a preset."""
        return super().levels() if preset is None else preset_levels(preset)

    def published_parts(
        self, split: str, level: int, count: int, options: Mapping[str, Any]
    ) -> Sequence[tuple[int, Mapping[str, Any]]]:
        """Return how many tasks are consistent, and how many are not."""
        return published_parts(split, level, count, options)
