"""The family symbolization: its tasks and published columns ("LogicSkills", §3.1, App. A, B, F)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import TIERS, prompts
from logic_curriculum.generators.logicskills.lexicon import LANGUAGES, load_lexicon, task_lexicon
from logic_curriculum.generators.logicskills.sentences import realize
from logic_curriculum.generators.logicskills.symbolization.levels import LEVELS
from logic_curriculum.generators.task import Task, digest
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import to_ast
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.symbolization.judge import SymbolizationPayload

_SIZES = {
    "train": (60, 340, 8_900, 700, *(15_000,) * 6),
    "validation": (10, 40, *(50,) * 8),
    "test": (20, 60, *(65,) * 8),
}


@dataclass(frozen=True)
class SymbolizationOptions(Options):
    """Options of the family's tasks. No formula occurs in two splits."""

    language: str = option("english", "words of the sentences", LANGUAGES)
    style: str = option("full", "style of the prompt", prompts.STYLES)


class SymbolizationFamily(Family):
    """Translate a sentence into first-order logic.

    In the split ``train``, the seeds from 0 give different sentences until the level has no more or
    80,000 were given. The style of the prompt does not change the sentence.
    """

    name = "symbolization"
    judge = JUDGES["symbolization"]
    tiers = TIERS
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

    def make(self, level: int, seed: int, options: SymbolizationOptions) -> Task:
        """Make a task; see :class:`Family`."""
        lexicon = task_lexicon(options.language, level, seed, options.split)
        counterpart = load_lexicon("carroll" if lexicon.name == "english" else "english")
        sentence = LEVELS[level - 1].sentence(seed, options.split)
        formula, text = str(sentence.formula), realize(sentence, lexicon)
        key = lexicon.key(sentence.formula)
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.symbolization_prompt(text, key, options.style),
            solution=prompts.symbolization_solution(formula, options.style),
            verification=SymbolizationPayload(formula, tuple(key.items())).to_dict(),
            metadata={
                "sentence": text,
                "formula": formula,
                "type": sentence.type,
                "language": lexicon.name,
                "counterpart": realize(sentence, counterpart),
                "counterpart_language": counterpart.name,
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that is equal for tasks with the same sentence in the same language."""
        return _identifier(task.metadata["language"], task.metadata["sentence"])

    def leak_key(self, task: Task) -> str:
        """Return the formula: no two splits may share one."""
        return str(task.verification["formula"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data; trees are JSON texts."""
        about = task.metadata
        kind, _, subtype = about["type"].partition("_")
        formula = task.verification["formula"]
        return {
            "id": self.fingerprint(task),
            **{name: about[name] for name in ("language", "sentence")},
            "key": json.dumps(task.verification["abbreviations"], ensure_ascii=False),
            "formula": formula,
            "ast": json.dumps(to_ast(parse(formula))),
            "type": kind,
            "subtype": subtype,
            "label": formula,
            "counterpart_id": _identifier(about["counterpart_language"], about["counterpart"]),
            "counterpart_sentence": about["counterpart"],
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return a level's number of tasks by split; in all, the paper's 100,000 and 600."""
        return {split: sizes[level - 1] for split, sizes in _SIZES.items()}

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return a formula that is always true, two at once, and the sentence itself."""
        right = task.verification["formula"]
        answers = {
            "a formula that is always true": f"({right}∨¬{right})",
            "the formula or its denial": f"{right} or ¬{right}",
            "the sentence itself": task.metadata["sentence"],
        }
        return {name: f"<answer>{text}</answer>" for name, text in answers.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return what a level holds, and of how many sentences."""
        row = LEVELS[level - 1]
        sentences = f"{row.size:,}" if row.size < 10**9 else f"{row.size:.1e}"
        return {"sentences": sentences, "content": row.content}


def _identifier(language: str, sentence: str) -> str:
    return digest(f"{language}: {sentence}")
