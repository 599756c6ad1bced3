"""Symbolization: translate a sentence into first-order logic.

Source: "LogicSkills", §3.1 and App. A, B and F. Sentences are counted, and a seed is a number of a
sentence, shuffled: neighbouring seeds give different sentences.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills.contingency import is_contingent
from logic_curriculum.generators.logicskills.lexicon import MIXED, Lexicon, load_lexicon
from logic_curriculum.generators.logicskills.permutation import shuffled
from logic_curriculum.generators.logicskills.sentences import Sentence, realize
from logic_curriculum.generators.logicskills.spaces import Space
from logic_curriculum.generators.logicskills.splits import side_of
from logic_curriculum.generators.logicskills.symbolization_levels import TIERS as _TIERS
from logic_curriculum.generators.logicskills.symbolization_levels import level_table, levels
from logic_curriculum.generators.logicskills.symbolization_prompts import (
    STYLES,
    write_prompt,
    write_solution,
)
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.splits import SPLITS
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import to_ast
from logic_curriculum.rewards.registry import JUDGES

TIERS = MappingProxyType(dict(enumerate(_TIERS, start=1)))
"""Tier name of each level."""


_TRAIN_SIZES = (60, 340, 8_900, 700, *(15_000,) * 6)
_VALIDATION_SIZES = (10, 40, *(50,) * 8)
_TEST_SIZES = (20, 60, *(65,) * 8)
_LISTED = 20_000
"""A space of at most so many sentences is divided into splits by looking at each."""
_BLOCK = {"train": 12, "validation": 128, "test": 64}
"""Sentences of a larger space that are a seed's own; one of them almost surely is in the split."""


def generate(
    level: int,
    seed: int,
    *,
    split: str = "train",
    language: str | Path = "english",
    style: str = "full",
) -> Task:
    """Make a task: a pure function of its arguments.

    Args:
        level: 1 to 10.
        seed: Any integer. In ``"train"``, the seeds from 0 give different sentences until the
            level has no more or 80,000 were given; compare :func:`fingerprint` beyond that.
        split: ``"train"``, ``"validation"`` or ``"test"``; no formula occurs in two of them.
        language: ``"english"``, ``"carroll"``, ``"mixed"`` (one of these two, drawn by the seed),
            or the path of a lexicon file.
        style: ``"full"``; ``"compact"`` (no instructions, for small models trained on it); or
            ``"paper"`` (the wording of LogicSkills' authors). It does not change the sentence.

    Raises:
        ValueError: An argument is out of range or the lexicon file is bad.
    """
    if language == MIXED:
        language = ("english", "carroll")[derive_seed("language", level, seed, split) % 2]
    return _write_task(level, seed, split, load_lexicon(language), style)


def _write_task(level: int, seed: int, split: str, lexicon: Lexicon, style: str) -> Task:
    sentence = draw_sentence(level, seed, split)
    formula, text = str(sentence.formula), realize(sentence, lexicon)
    key = lexicon.key(sentence.formula)
    counterpart = load_lexicon("carroll" if lexicon.name == "english" else "english")
    return Task(
        family="symbolization",
        level=level,
        seed=seed,
        prompt=write_prompt(text, key, style),
        solution=write_solution(formula, style),
        verification={"formula": formula, "abbreviations": key},
        metadata={
            "sentence": text,
            "type": sentence.type,
            "language": lexicon.name,
            "counterpart": realize(sentence, counterpart),
            "counterpart_language": counterpart.name,
            "tier": TIERS[level],
            "split": split,
            "style": style,
        },
    )


def draw_sentence(level: int, seed: int, split: str) -> Sentence:
    """Return the sentence of a level that a seed stands for in a split."""
    spaces, turns = levels()[level - 1].spaces, levels()[level - 1].turns
    round_, slot = divmod(seed, len(turns))
    number, place, share = turns[slot]
    turn, key = round_ * share + place, derive_seed("shuffle", level, number)
    if spaces[number].size > _LISTED:
        return _walk(spaces[number], turn, split, key)
    members = _members(spaces[number])[split]
    return spaces[number].sentence(members[shuffled(turn % len(members), len(members), key)])


@lru_cache(maxsize=64)
def _members(space: Space) -> dict[str, array[int]]:
    """Return the numbers of the sentences of a small space by the split that they belong to."""
    members = {split: array("L") for split in SPLITS}
    for number in range(space.size):
        sentence = space.sentence(number)
        if is_contingent(sentence):
            members[side_of(str(sentence.formula))].append(number)
    return members


def _walk(space: Space, turn: int, split: str, key: int) -> Sentence:
    """Return the first sentence from a turn's block onwards that belongs to a split."""
    start = turn % (space.size // _BLOCK[split]) * _BLOCK[split]
    for place in range(start, start + space.size):
        sentence = space.sentence(shuffled(place % space.size, space.size, key))
        if side_of(str(sentence.formula)) == split and is_contingent(sentence):
            return sentence
    raise RuntimeError(f"none of {space.size} sentences belongs to the split {split!r}")


def describe(language: str = "english") -> str:
    """Return the table of levels as text.

    Args:
        language: Language of the example sentences.

    Raises:
        ValueError: The language does not exist, or its file is bad.
    """
    lexicon = load_lexicon("english" if language == MIXED else language)
    examples = [realize(draw_sentence(level, EXAMPLE_SEED, "train"), lexicon) for level in TIERS]
    return f"symbolization, language {language}\n\n{level_table(examples)}"


EXAMPLE_SEED = 0
"""Seed of the examples in :func:`describe`."""


def fingerprint(task: Task) -> str:
    """Return a hash that is equal for tasks with the same sentence in the same language."""
    return _identifier(task.metadata["language"], task.metadata["sentence"])


def _identifier(language: str, sentence: str) -> str:
    return hashlib.sha256(f"{language}: {sentence}".encode()).hexdigest()[:32]


def leak_key(task: Task) -> str:
    """Return what the tasks of other splits must not share: the formula."""
    return str(task.verification["formula"])


def published_columns(task: Task) -> dict[str, Any]:
    """Return the task under the column names of the published data.

    ``key`` and ``ast`` are JSON texts, since their shapes differ from row to row.
    """
    about = task.metadata
    kind, _, subtype = about["type"].partition("_")
    formula = task.verification["formula"]
    return {
        "id": fingerprint(task),
        "language": about["language"],
        "sentence": about["sentence"],
        "key": json.dumps(task.verification["abbreviations"], ensure_ascii=False),
        "formula": formula,
        "ast": json.dumps(to_ast(parse(formula))),
        "type": kind,
        "subtype": subtype,
        "label": formula,
        "counterpart_id": _identifier(about["counterpart_language"], about["counterpart"]),
        "counterpart_sentence": about["counterpart"],
    }


def published_sizes(level: int) -> dict[str, int]:
    """Return the number of tasks of a level by split; in all, the paper's 100,000 and 600.

    The first levels are small (:func:`describe`) and give what they have, the others the rest.
    """
    return {
        "train": _TRAIN_SIZES[level - 1],
        "validation": _VALIDATION_SIZES[level - 1],
        "test": _TEST_SIZES[level - 1],
    }


def versions() -> dict[str, str]:
    """Return nothing: tasks depend on this package alone."""
    return {}


@dataclass(frozen=True)
class SymbolizationOptions(Options):
    """Options of the family's tasks; see :func:`generate`."""

    language: str | Path = option("english", "english, carroll, mixed, or a lexicon's YAML file")
    style: str = option("full", "style of the prompt", STYLES)


class SymbolizationFamily(Family):
    """The family symbolization."""

    name = "symbolization"
    judge = JUDGES["symbolization"]
    tiers = tuple(TIERS.values())
    options = SymbolizationOptions
    leak_unit = "formula"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "language": "lexicon of the sentences; `formal` where there are formulas only",
        "sentence": "the sentence to translate",
        "key": "symbol → what it abbreviates, as JSON",
        "formula": "the sentence's formula",
        "ast": "the formula as a tree, as JSON",
        "type": "type of the sentence",
        "subtype": "the type's variant",
        "label": "the right answer",
        "counterpart_id": "`id` of the same sentence in the other lexicon",
        "counterpart_sentence": "the same sentence in the other lexicon",
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
