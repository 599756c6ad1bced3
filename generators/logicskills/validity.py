"""Validity: which of six statements must be true in a situation?

Source: "LogicSkills", §3.1 and App. A, B and F.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills.arguments import Draft, SynthesisError
from logic_curriculum.generators.logicskills.lexicon import (
    DOMAIN_AXIOM,
    MIXED,
    Lexicon,
    load_lexicon,
)
from logic_curriculum.generators.logicskills.renaming import (
    Renaming,
    canonical_text,
    draw_renaming,
    rename_sentence,
    rename_structure,
    rename_text,
)
from logic_curriculum.generators.logicskills.sentences import Sentence, realize
from logic_curriculum.generators.logicskills.splits import side_of
from logic_curriculum.generators.logicskills.structure_text import to_json
from logic_curriculum.generators.logicskills.symbolization_levels import TIERS as _TIERS
from logic_curriculum.generators.logicskills.validity_levels import LEVELS as _LEVELS
from logic_curriculum.generators.logicskills.validity_levels import level_table
from logic_curriculum.generators.logicskills.validity_prompts import (
    STYLES,
    write_prompt,
    write_solution,
)
from logic_curriculum.generators.logicskills.validity_search import Found, search, stored_models
from logic_curriculum.generators.logicskills.validity_wording import Wording
from logic_curriculum.generators.seeding import derive_seed, stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.fol.entailment import entails
from logic_curriculum.rewards.registry import JUDGES

LEVELS = len(_LEVELS)
"""Number of levels, counted from 1."""
TIERS = MappingProxyType(dict(enumerate(_TIERS, start=1)))
"""Tier name of each level."""


ATTEMPTS = 20_000
"""Drafts of premises that are tried for one task before the generator gives up."""
PROOF_BUDGET = 2_000_000
"""Z3 resource units for one proof, enough for all but a few."""


def generate(
    level: int,
    seed: int,
    *,
    split: str = "train",
    language: str | Path = "english",
    style: str = "full",
    minimal: bool = True,
) -> Task:
    """Make a task: a pure function of its arguments.

    Args:
        level: 1 to 10.
        seed: Any integer. Different seeds rarely give equal tasks; compare :func:`fingerprint`.
        split: ``"train"``, ``"validation"`` or ``"test"``; no premises of one occur in another,
            not even with other symbols or other words of logic.
        language: ``"english"``, ``"carroll"``, ``"mixed"`` (one of these two, drawn by the seed),
            or the path of a lexicon file. It does not change the argument.
        style: ``"full"``; ``"compact"`` (no instructions, for small models trained on it); or
            ``"paper"`` (the wording of LogicSkills' authors). It does not change the argument.
        minimal: Whether the conclusion needs every premise. If not, it only does not follow from
            a single one, which is closer to the paper's own rule.

    Raises:
        ValueError: An argument is out of range or the lexicon file is bad.
        SynthesisError: No argument was found within the limits.
    """
    if language == MIXED:
        language = ("english", "carroll")[derive_seed("language", level, seed, split) % 2]
    lexicon = load_lexicon(language)
    rng = stream("validity", level, seed, split, int(minimal))
    return _write_task(level, seed, split, lexicon, style, _find(level, split, minimal, rng))


def _find(level: int, split: str, minimal: bool, rng: random.Random) -> _Argument:
    def belongs(draft: Draft) -> bool:
        return side_of(canonical_text(draft.topics)) == split

    for _ in range(ATTEMPTS):
        renaming = draw_renaming(rng)
        question = rng.choice(_LEVELS[level - 1].questions)
        wording = Wording(renaming)
        found = search(question, rng, minimal=minimal, belongs=belongs, wording=wording)
        if found is not None and _is_proven(found):
            return _rename(found, renaming, rng)
    raise SynthesisError(
        f"No argument for level {level} and split {split!r} in {ATTEMPTS} drafts of premises, "
        "where a few dozen are usual, some hundreds for validation. Take another seed, and report "
        "this one."
    )


def _is_proven(found: Found) -> bool:
    """Return whether the argument is proven within the budget. If not, its draft is given up.

    To try the draft's other arguments with the same answer would favour answers that many premises
    entail, and one could guess by that.
    """
    premises = [premise.formula for premise in found.premises]
    conclusion = found.options[found.right].formula
    return entails([DOMAIN_AXIOM, *premises], conclusion, rlimit=PROOF_BUDGET) is True


@dataclass(frozen=True)
class _Argument:
    """An argument with the symbols that its task shows."""

    topics: list[str]
    premises: list[Sentence]
    options: list[Sentence]
    right: int
    refutations: dict[str, dict[str, Any]]
    """Number of each other option → a structure where the premises are true and it is false."""
    needs: dict[str, dict[str, Any]]
    """Number of a premise → a structure where the others are true and the conclusion is false."""


def _rename(found: Found, renaming: Renaming, rng: random.Random) -> _Argument:
    premises = [rename_sentence(premise, renaming) for premise in found.premises]
    options = [rename_sentence(option, renaming) for option in found.options]
    used = "".join(str(item.formula) for item in [*premises, *options])

    def structures(places: Sequence[int]) -> dict[str, dict[str, Any]]:
        return {
            str(number): _shown(place, renaming, used, rng)
            for number, place in enumerate(places, start=1)
            if place >= 0
        }

    return _Argument(
        topics=[rename_text(topics, renaming) for topics in found.draft.topics],
        premises=premises,
        options=options,
        right=found.right,
        refutations=structures(found.refutations),
        needs=structures(found.needs),
    )


def _shown(place: int, renaming: Renaming, symbols: str, rng: random.Random) -> dict[str, Any]:
    """Return a stored model as a structure for kinds and some symbols, its objects shuffled."""
    structure = stored_models().structure(place)
    objects = rng.sample(structure.domain, len(structure.domain))
    return to_json(rename_structure(structure, renaming, symbols + str(DOMAIN_AXIOM), objects))


def _write_task(
    level: int, seed: int, split: str, lexicon: Lexicon, style: str, argument: _Argument
) -> Task:
    premises = [realize(premise, lexicon) for premise in argument.premises]
    options = [realize(option, lexicon) for option in argument.options]
    label = argument.right + 1
    return Task(
        family="validity",
        level=level,
        seed=seed,
        prompt=write_prompt([lexicon.domain_axiom, *premises], options, style),
        solution=write_solution(label, style),
        verification={"correct": [label], "options": len(options), "texts": options},
        metadata={
            "domain": str(DOMAIN_AXIOM),
            "topics": argument.topics,
            "premises": [str(premise.formula) for premise in argument.premises],
            "premise_sentences": premises,
            "premise_types": [premise.type for premise in argument.premises],
            "options": [str(option.formula) for option in argument.options],
            "option_sentences": options,
            "option_types": [option.type for option in argument.options],
            "refutations": argument.refutations,
            "needs": argument.needs,
            "language": lexicon.name,
            "tier": TIERS[level],
            "split": split,
            "style": style,
        },
    )


def _right(task: Task) -> int:
    """Return the number of the option that must be true."""
    return int(task.verification["correct"][0])


def describe(language: str = "english") -> str:
    """Return the table of levels as text.

    Args:
        language: Language of the example conclusions.

    Raises:
        ValueError: The language does not exist, or its file is bad.
    """
    chosen = "english" if language == MIXED else language
    examples = []
    for level in TIERS:
        about = generate(level, EXAMPLE_SEED, language=chosen)
        examples.append(about.metadata["option_sentences"][_right(about) - 1])
    return f"validity, language {language}\n\n{level_table(examples)}"


EXAMPLE_SEED = 0
"""Seed of the examples in :func:`describe`."""


def fingerprint(task: Task) -> str:
    """Return a hash that is equal for tasks that differ in symbols and order of premises only.

    The language and the style of the prompt don't count.
    """
    about = task.metadata
    text = canonical_text(about["premises"], [*about["options"], str(_right(task))])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def leak_key(task: Task) -> str:
    """Return what the tasks of other splits must not share: the topics of the premises.

    The text is the same for all choices of symbols and orders of premises, and for all premises
    that say other things about the same. It equals that of a countermodel task with such premises.
    """
    return canonical_text(task.metadata["topics"])


def published_columns(task: Task) -> dict[str, Any]:
    """Return the task under the column names of the published data."""
    about = task.metadata
    columns = (
        "language",
        "domain",
        "premises",
        "premise_sentences",
        "options",
        "option_sentences",
        "option_types",
    )
    return {
        "id": fingerprint(task),
        **{name: about[name] for name in columns},
        "label": str(_right(task)),
        "z3_entailed": [number == _right(task) for number in range(1, len(about["options"]) + 1)],
    }


def published_sizes(level: int) -> dict[str, int]:
    """Return the number of tasks of a level by split; in all, the paper's 600 to test."""
    return {"train": 1_000, "validation": 20, "test": 60}


def versions() -> dict[str, str]:
    """Return the version of the prover: which arguments it gives up on may depend on it."""
    return {"z3-solver": version("z3-solver")}


@dataclass(frozen=True)
class ValidityOptions(Options):
    """Options of the family's tasks; see :func:`generate`."""

    language: str | Path = option("english", "english, carroll, mixed, or a lexicon's YAML file")
    style: str = option("full", "style of the prompt", STYLES)
    minimal: bool = option(True, "whether the conclusion needs every premise")


class ValidityFamily(Family):
    """The family validity."""

    name = "validity"
    judge = JUDGES["validity"]
    tiers = tuple(TIERS.values())
    options = ValidityOptions
    leak_unit = "set of premises"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "language": "lexicon of the sentences; `formal` where there are formulas only",
        "domain": "what is assumed of the domain besides the premises, as a formula",
        "premises": "formulas of the premises",
        "premise_sentences": "the premises as the prompt says them",
        "options": "formulas of the candidate conclusions",
        "option_sentences": "the candidate conclusions as the prompt says them",
        "option_types": "sentence types of the candidate conclusions",
        "label": "the right answer",
        "z3_entailed": "whether each candidate conclusion follows",
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
