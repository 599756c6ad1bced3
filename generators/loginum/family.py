"""Joint logical and numerical deduction: what is the value of an attribute, given facts and rules?

Source: "LogiNumSynth: Synthesizing Joint Logical-Numerical Reasoning Problems for Language Models",
§2, App. D and E.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.loginum.configs import Config
from logic_curriculum.generators.loginum.describe import describe
from logic_curriculum.generators.loginum.leaks import side_of
from logic_curriculum.generators.loginum.presets import (
    LADDER,
    find_preset,
    preset_levels,
)
from logic_curriculum.generators.loginum.prompts import LANGUAGES, STYLES, say
from logic_curriculum.generators.loginum.publishing import (
    fingerprint,
    leak_key,
    published_columns,
    published_sizes,
    versions,
)
from logic_curriculum.generators.loginum.refinement import refine
from logic_curriculum.generators.loginum.synthesis import synthesize
from logic_curriculum.generators.loginum.tasks import write_task
from logic_curriculum.generators.loginum.vocabulary import draw_words
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.registry import JUDGES

LEVELS = len(LADDER)
"""Number of levels, counted from 1; the level is the number of steps of the gold process."""
TIERS = MappingProxyType(
    {
        level: ("basic", "easy", "medium", "hard")[(level > 2) + (level > 4) + (level > 7)]
        for level in range(1, LEVELS + 1)
    }
)
"""Tier name of each level."""


def generate(
    level: int,
    seed: int,
    *,
    split: str = "train",
    preset: str | None = None,
    language: str = "english",
    style: str = "full",
    vocabulary: int | None = None,
    llm: str | None = None,
) -> Task:
    """Make a task: a pure function of its arguments.

    Args:
        level: 1 to 10, the number of steps of the gold process; of a preset, one of its depths.
        seed: Any integer. Different seeds rarely give equal tasks; compare :func:`fingerprint`.
        split: ``"train"``, ``"validation"`` or ``"test"``; no gold process of one occurs in
            another, not even with other names.
        preset: A dataset of the paper, such as ``"EL-EN"``, instead of the ladder of levels.
        language: ``"english"``, ``"formal"`` for the facts and rules as the judge reads them, or
            ``"clauses"``, which is formal but for the rules: head first, see
            :func:`logic_curriculum.generators.loginum.clauses.clause`. It does not change the task.
        style: ``"full"``, or ``"compact"`` (no instructions but the form of an answer, for small
            models trained on it). It does not change the task.
        vocabulary: Draw from the first so many words of each pool only, for models with few
            tokens; ``None`` for all. It changes the names alone.
        llm: Name or YAML file of a language model that rewords the English sentences, see
            ``docs/llm.md``. It changes the sentences alone.

    Raises:
        ValueError: An argument is out of range.
        SynthesisError: No task was found within the limits.
        LLMError: The language model does not answer (a ``RuntimeError``).
    """
    if vocabulary is not None and not (type(vocabulary) is int and vocabulary > 0):
        raise ValueError(
            f"vocabulary={vocabulary!r} is no number of words: give a whole number, or None for all"
        )
    if llm is not None and language != "english":
        raise ValueError(
            f"llm={llm!r} with language={language!r}: only English sentences are reworded. Leave "
            "one of the two out."
        )
    name, config = _config(level, preset)
    text_rng = stream("loginum text", name, level, seed, split)
    words = draw_words(
        text_rng, config.entities, config.attributes, config.relations, limit=vocabulary
    )
    sample = synthesize(
        config,
        level,
        words,
        stream("loginum", name, level, seed, split),
        lambda key: side_of(key) == split,
    )
    about: dict[str, Any] = {
        "tier": TIERS[level],
        "split": split,
        "preset": name or None,
        "language": language,
        "style": style,
    }
    texts = say(sample, language, text_rng)
    if llm is not None:
        texts, reworded, kept = refine(load_model(llm), sample, texts, words)
        about["refinement"] = {"reworded": reworded, "kept": kept}
    return write_task(sample, texts, words, level, seed, about)


def _config(level: int, preset: str | None) -> tuple[str, Config]:
    """Return the name of the preset, empty for the ladder, and the configuration of a level."""
    if preset is None:
        return "", LADDER[level - 1]
    name, found = find_preset(preset)
    if level not in found.configs:
        depths = ", ".join(map(str, found.configs))
        raise ValueError(
            f"level={level} with preset={preset!r}: a level is a depth, and {name} has the depths "
            f"{depths}. Choose one of them, or leave the preset out."
        )
    return name, found.configs[level]


@dataclass(frozen=True)
class LoginumOptions(Options):
    """Options of the family's tasks; see :func:`generate`."""

    preset: str | None = option(None, "a published dataset")
    language: str = option("english", "english, formal or clauses", LANGUAGES)
    style: str = option("full", "style of the prompt", STYLES)
    vocabulary: int | None = option(None, "draw from the first so many words of each pool only")
    llm: str | None = option(None, "a language model's name, or a YAML file: docs/llm.md")


class LoginumFamily(Family):
    """The family loginum."""

    name = "loginum"
    judge = JUDGES["loginum"]
    tiers = tuple(TIERS.values())
    options = LoginumOptions
    leak_unit = "gold process"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "facts": "the given facts as the prompt says them, in its order",
        "rules": "the rules as the prompt says them, in its order",
        "query": "the query as the prompt says it",
        "answer": "the right answer",
        "reasoning": "the gold process, a line for each step",
        "formal_facts": "the given facts as the judge reads them",
        "formal_rules": "the rules as the judge reads them",
        "formal_query": "the query as the judge reads it",
        "depth": "number of steps of the gold process",
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
