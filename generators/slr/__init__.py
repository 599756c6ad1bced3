"""Scalable inductive logic tasks: learn a Prolog rule from labelled examples.

Source: "SLR: Automated Synthesis for Scalable Logical Reasoning", §3, Table 2, App. A, D and E.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from logic_curriculum.generators.slr.describe import describe
from logic_curriculum.generators.slr.guided import ModelRules
from logic_curriculum.generators.slr.language import load_language, shipped_languages
from logic_curriculum.generators.slr.levels import LEVELS as TABLE
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.prompts import STYLES
from logic_curriculum.generators.slr.publishing import (
    available_tasks,
    fingerprint,
    leak_key,
    published_columns,
    published_sizes,
    versions,
)
from logic_curriculum.generators.slr.rules import RuleSource, UniformRules
from logic_curriculum.generators.slr.schemata import SchemaRules
from logic_curriculum.generators.slr.synthesis import SynthesisError, synthesize
from logic_curriculum.generators.slr.tasks import write_task
from logic_curriculum.generators.splits import SPLITS
from logic_curriculum.generators.task import Task

LEVELS = len(TABLE)
"""Number of levels, counted from 1."""
TIERS = MappingProxyType({level.number: level.tier for level in TABLE})
"""Tier name of each level."""

__all__ = [
    "LEVELS",
    "STYLES",
    "TIERS",
    "SynthesisError",
    "available_tasks",
    "describe",
    "fingerprint",
    "generate",
    "leak_key",
    "load_language",
    "published_columns",
    "published_sizes",
    "shipped_languages",
    "versions",
]


def generate(
    level: int,
    seed: int,
    *,
    split: str = "train",
    language: str | Path = "trains",
    style: str = "prolog",
    llm: str | None = None,
) -> Task:
    """Make a task: a pure function of its arguments.

    Args:
        level: 1 to 20, the rows of Table 2.
        seed: Any integer. Different seeds may give equal tasks at the small levels; compare
            :func:`fingerprint`.
        split: ``"train"``, ``"validation"`` or ``"test"``; no rule of ``"test"`` occurs in the
            others, and no question (labelled examples, whatever the rule) in two of them.
        language: A shipped language's name, or the path of a language file.
        style: ``"prolog"`` (facts), ``"natural"`` (sentences) or ``"compact"`` (bare values and
            one line of instructions, for small models trained on them). It does not change the
            task.
        llm: Name or YAML file of a language model that the guided rules are asked of, instead of
            the built-in patterns; see ``docs/llm.md``. With its answers in the cache, the task is
            a function of the arguments as without.

    Raises:
        ValueError: An argument is out of range, the language file is bad, or there is no such task.
        LLMError: The language model does not answer (a ``RuntimeError``).
    """
    _check_choice("split", split, SPLITS)
    _check_choice("style", style, STYLES)
    row = level_of(level)
    guided: RuleSource = SchemaRules() if llm is None else ModelRules(llm)
    sources = {"uniform": UniformRules(), "guided": guided}
    synthesis = synthesize(load_language(language), row, seed, split, sources)
    return write_task(synthesis, seed, split, style)


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name}={value!r} does not exist: choose one of {', '.join(choices)}")
