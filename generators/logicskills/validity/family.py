"""The family validity: its options, its tasks and its published columns.

Source: "LogicSkills", §3.1 and App. A, B and F.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import TIERS, split_of
from logic_curriculum.generators.logicskills.arguments import Schema, SynthesisError
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM, MIXED, task_lexicon
from logic_curriculum.generators.logicskills.models import rename_structure, structure_json
from logic_curriculum.generators.logicskills.prompts import (
    STYLES,
    validity_prompt,
    validity_solution,
)
from logic_curriculum.generators.logicskills.sentences import (
    Renaming,
    canonical_text,
    draw_renaming,
    realize,
    rename_sentence,
    rename_text,
)
from logic_curriculum.generators.logicskills.validity.levels import LEVELS, level_table
from logic_curriculum.generators.logicskills.validity.options import EnglishWords
from logic_curriculum.generators.logicskills.validity.synthesis import (
    Found,
    search,
    stored_models,
)
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.fol.entailment import entails
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.validity.judge import ValidityPayload

ATTEMPTS = 20_000
"""Schemas of premises that are tried for one task before the generator gives up."""
PROOF_BUDGET = 2_000_000
"""Z3 resource units for one proof, enough for all but a few."""
_AXIOM = str(DOMAIN_AXIOM)
_COLUMNS = {
    "language": "lexicon of the sentences; `formal` where there are formulas only",
    "domain": "what is assumed of the domain besides the premises, as a formula",
    "premises": "formulas of the premises",
    "premise_sentences": "the premises as the prompt says them",
    "options": "formulas of the candidate conclusions",
    "option_sentences": "the candidate conclusions as the prompt says them",
    "option_types": "sentence types of the candidate conclusions",
}
"""Columns that are taken from the metadata."""


@dataclass(frozen=True)
class ValidityOptions(Options):
    """Options of the family's tasks.

    No premises of one split occur in another, not even with other symbols or other words of logic.
    If the conclusion need not depend on every premise, it only does not follow from a single one,
    which is closer to the paper's own rule.
    """

    language: str | Path = option("english", "english, carroll, mixed, or a lexicon's YAML file")
    style: str = option("full", "style of the prompt", STYLES)
    minimal: bool = option(True, "whether the conclusion needs every premise")


class ValidityFamily(Family):
    """Tell which of six statements must be true in a situation.

    Neither language nor style changes the argument.
    """

    name = "validity"
    judge = JUDGES["validity"]
    tiers = TIERS
    options = ValidityOptions
    leak_unit = "set of premises"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        **_COLUMNS,
        "label": "the right answer",
        "z3_entailed": "whether each candidate conclusion follows",
    }

    def make(self, level: int, seed: int, options: ValidityOptions) -> Task:
        """Make a task; see :class:`Family`.

        Raises:
            SynthesisError: No argument was found within the limits.
        """
        lexicon = task_lexicon(options.language, level, seed, options.split)
        rng = stream(self.name, level, seed, options.split, int(options.minimal))
        found, renaming = _find(level, options.split, options.minimal, rng)
        premises = [rename_sentence(premise, renaming) for premise in found.premises]
        candidates = [rename_sentence(candidate, renaming) for candidate in found.options]
        shown = "".join(str(item.formula) for item in [*premises, *candidates]) + _AXIOM

        def structures(models: Sequence[int]) -> dict[str, dict[str, Any]]:
            return {
                str(number): _structure(model, renaming, shown, rng)
                for number, model in enumerate(models, start=1)
                if model >= 0
            }

        situation = [realize(premise, lexicon) for premise in premises]
        statements = [realize(candidate, lexicon) for candidate in candidates]
        label = found.right + 1
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=validity_prompt([lexicon.domain_axiom, *situation], statements, options.style),
            solution=validity_solution(label, options.style),
            verification=ValidityPayload(
                frozenset([label]), len(statements), tuple(statements)
            ).to_dict(),
            metadata={
                "domain": _AXIOM,
                "topics": [rename_text(topics, renaming) for topics in found.schema.topics],
                "premises": [str(premise.formula) for premise in premises],
                "premise_sentences": situation,
                "premise_types": [premise.type for premise in premises],
                "options": [str(candidate.formula) for candidate in candidates],
                "option_sentences": statements,
                "option_types": [candidate.type for candidate in candidates],
                # Number of each other option → the premises are true there, and it is false.
                "refutations": structures(found.refutations),
                # Number of a premise → the others are true there, and the conclusion is false.
                "needs": structures(found.needs),
                "language": lexicon.name,
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that is equal for tasks that differ in symbols and order of premises only.

        The language and the style of the prompt don't count.
        """
        about = task.metadata
        text = canonical_text(about["premises"], [*about["options"], str(_right(task))])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def leak_key(self, task: Task) -> str:
        """Return what the tasks of other splits must not share: the topics of the premises.

        The text is the same for all choices of symbols and orders of premises, and for all premises
        that say other things about the same. It equals that of a countermodel task with such
        premises.
        """
        return canonical_text(task.metadata["topics"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data."""
        about, right = task.metadata, _right(task)
        return {
            "id": self.fingerprint(task),
            **{name: about[name] for name in _COLUMNS},
            "label": str(right),
            "z3_entailed": [number == right for number in range(1, len(about["options"]) + 1)],
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of a level by split; in all, the paper's 600 to test."""
        return {"train": 1_000, "validation": 20, "test": 60}

    def describe(self, **options: Any) -> str:
        """Return the table of levels as text, with the right option of seed 0 as an example."""
        language = vars(self.read_options(options))["language"]
        shown = "english" if language == MIXED else language
        tasks = [self.generate(level, 0, language=shown) for level in self.levels()]
        examples = [task.metadata["option_sentences"][_right(task) - 1] for task in tasks]
        return f"{self.name}, language {language}\n\n{level_table(examples)}"

    def versions(self) -> dict[str, str]:
        """Return the version of the prover: which arguments it gives up on may depend on it."""
        return {"z3-solver": version("z3-solver")}


def _find(level: int, split: str, minimal: bool, rng: random.Random) -> tuple[Found, Renaming]:
    def belongs(schema: Schema) -> bool:
        return split_of(canonical_text(schema.topics)) == split

    for _ in range(ATTEMPTS):
        renaming = draw_renaming(rng)
        question = rng.choice(LEVELS[level - 1].questions)
        english = EnglishWords(renaming)
        found = search(question, rng, minimal=minimal, belongs=belongs, english=english)
        if found is not None and _is_proven(found):
            return found, renaming
    raise SynthesisError(
        f"No argument for level {level} and split {split!r} in {ATTEMPTS} schemas of premises, "
        "where a few dozen are usual, some hundreds for validation. Take another seed, and report "
        "this one."
    )


def _is_proven(found: Found) -> bool:
    """Return whether the argument is proven within the budget. If not, its schema is given up.

    To try the schema's other arguments with the same answer would favour answers that many premises
    entail, and one could guess by that.
    """
    premises = [premise.formula for premise in found.premises]
    conclusion = found.options[found.right].formula
    return entails([DOMAIN_AXIOM, *premises], conclusion, rlimit=PROOF_BUDGET) is True


def _structure(model: int, renaming: Renaming, symbols: str, rng: random.Random) -> dict[str, Any]:
    """Return a stored model as a structure for some symbols, its objects shuffled."""
    structure = stored_models().structure(model)
    objects = rng.sample(structure.domain, len(structure.domain))
    return structure_json(rename_structure(structure, renaming, symbols, objects))


def _right(task: Task) -> int:
    """Return the number of the option that must be true."""
    return int(task.verification["correct"][0])
