"""Scalable inductive logic tasks: learn a Prolog rule from labelled examples.

Source: "SLR: Automated Synthesis for Scalable Logical Reasoning", §3, Table 2, App. A, D and E.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.slr.describe import describe
from logic_curriculum.generators.slr.guided import ModelRules
from logic_curriculum.generators.slr.language import load_language
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
from logic_curriculum.generators.slr.synthesis import synthesize
from logic_curriculum.generators.slr.tasks import write_task
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.registry import JUDGES

LEVELS = len(TABLE)
"""Number of levels, counted from 1."""
TIERS = MappingProxyType({level.number: level.tier for level in TABLE})
"""Tier name of each level."""


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
    row = level_of(level)
    guided: RuleSource = SchemaRules() if llm is None else ModelRules(llm)
    sources = {"uniform": UniformRules(), "guided": guided}
    synthesis = synthesize(load_language(language), row, seed, split, sources)
    return write_task(synthesis, seed, split, style)


@dataclass(frozen=True)
class SlrOptions(Options):
    """Options of the family's tasks; see :func:`generate`."""

    language: str | Path = option(
        "trains", "name of a shipped language, or a YAML file of your own"
    )
    style: str = option("prolog", "style of the prompt", STYLES)
    llm: str | None = option(None, "a language model's name, or a YAML file: docs/llm.md")


class SlrFamily(Family):
    """The family slr."""

    name = "slr"
    judge = JUDGES["slr"]
    tiers = tuple(TIERS.values())
    options = SlrOptions
    leak_unit = "rule"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "ground-truth rule": "the rule that labelled the examples",
        "validation program": "labels and background facts of the examples, as Prolog facts, "
        "with the names of the prompt. **This differs from the published SLR-Bench, where the "
        "objects are renamed here**: our judge gives them neutral names itself",
        "symbols": "the vocabulary of the level",
        "curriculum level": "same as `level`",
        "curriculum tier": "basic, easy, medium or hard",
        "rule sampling": "how the rule was drawn: uniform, or from a bank of schemata",
        "rule complexity": "attribute literals of a uniformly drawn rule of the level, least to "
        "most",
        "background sampling": "how the background was sampled: mirror or uniform",
        "problem size": "number of examples, half of them positive",
        "vocabulary predicates": "number of predicates of the level",
        "vocabulary car constants": "number of objects per example, smallest to largest",
        "validation_program_shortcuts": "the same text as `validation program`; in the "
        "published SLR-Bench this column alone has the names of the prompt",
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
        return published_sizes(level)

    def available_tasks(self, level: int, options: Any) -> int | None:
        """Return how many different tasks a split of a level has; None if practically endless."""
        return available_tasks(level, options.split, language=options.language)
