"""Countermodel: a structure in which the premises are true and the conclusion is false.

Source: "LogicSkills", §3.1 and App. B and F.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills.arguments import Draft, SynthesisError
from logic_curriculum.generators.logicskills.countermodel_levels import LEVELS as _LEVELS
from logic_curriculum.generators.logicskills.countermodel_levels import Level, level_table
from logic_curriculum.generators.logicskills.countermodel_prompts import (
    STYLES,
    write_prompt,
    write_solution,
)
from logic_curriculum.generators.logicskills.countermodel_search import Found, search, stored_models
from logic_curriculum.generators.logicskills.countermodel_solution import (
    in_order,
    sparsest,
    thinned,
)
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.generators.logicskills.renaming import (
    Renaming,
    canonical_text,
    draw_renaming,
    rename_formula,
    rename_structure,
    rename_text,
)
from logic_curriculum.generators.logicskills.splits import side_of
from logic_curriculum.generators.logicskills.structure_text import to_json
from logic_curriculum.generators.logicskills.symbolization_levels import TIERS as _TIERS
from logic_curriculum.generators.logicskills.worlds import CANONICAL
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.fol.models import Structure
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import to_ast
from logic_curriculum.rewards.registry import JUDGES

LEVELS = len(_LEVELS)
"""Number of levels, counted from 1."""
TIERS = MappingProxyType(dict(enumerate(_TIERS, start=1)))
"""Tier name of each level."""


ATTEMPTS = 10_000
"""Drafts of premises that are tried for one task before the generator gives up."""
_AXIOM = str(DOMAIN_AXIOM)
KINDS = CANONICAL.kinds
"""What the domain axiom is about; under it, kinds stay kinds."""


def generate(level: int, seed: int, *, split: str = "train", style: str = "full") -> Task:
    """Make a task: a pure function of its arguments.

    Args:
        level: 1 to 10.
        seed: Any integer. Different seeds rarely give equal tasks; compare :func:`fingerprint`.
        split: ``"train"``, ``"validation"`` or ``"test"``; no premises of one occur in another,
            not even with other symbols or other words of logic.
        style: ``"full"``; ``"compact"`` (no instructions, for small models trained on it); or
            ``"paper"`` (the wording of LogicSkills' authors). It does not change the argument.

    Raises:
        ValueError: An argument is out of range.
        SynthesisError: No argument was found within the limits.
    """
    rng = stream("countermodel", level, seed, split)
    found = _find(level, split, rng)
    return _write_task(level, seed, split, style, _rename(level, found, rng), found.share)


def _find(level: int, split: str, rng: random.Random) -> Found:
    row = _LEVELS[level - 1]

    def belongs(draft: Draft) -> bool:
        return side_of(canonical_text(draft.topics, kinds_apart=row.axiom)) == split

    for _ in range(ATTEMPTS):
        for found in search(row, rng, belongs):
            return found
    raise SynthesisError(
        f"No argument for level {level} and split {split!r} in {ATTEMPTS} drafts of premises, "
        "where a few dozen are usual. Take another seed, and report this one."
    )


@dataclass(frozen=True)
class _Argument:
    """An argument with the symbols that its task shows."""

    topics: list[str]
    premises: list[str]
    """With the domain axiom, if there is one."""
    conclusion: str
    countermodel: Structure


def _rename(level: int, found: Found, rng: random.Random) -> _Argument:
    row = _LEVELS[level - 1]
    renaming = draw_renaming(rng, kinds_apart=row.axiom)
    own = [rename_formula(premise.formula, renaming) for premise in found.premises]
    conclusion = rename_formula(found.conclusion.formula, renaming)
    premises = [DOMAIN_AXIOM] if row.axiom else []
    shown = "".join(map(str, [*premises, *own, conclusion]))
    countermodel = thinned(
        _structure(row, found, renaming, shown), own, conclusion, KINDS if row.axiom else ""
    )
    topics = [rename_text(topics, renaming) for topics in found.draft.topics]
    return _Argument(topics, [*map(str, premises), *map(str, own)], str(conclusion), countermodel)


def _structure(row: Level, found: Found, renaming: Renaming, shown: str) -> Structure:
    """Return the sparsest stored countermodel, with the symbols that the task shows."""
    symbols = sorted((new, old) for old, new in renaming.items() if new in shown)
    stored = stored_models(row.size, row.axiom)
    used = [old for _, old in symbols]
    structure = stored.structure(sparsest(stored.batches[0], found.countermodels, used))
    names, kinds = ([old for old in used if old in sort] for sort in (CANONICAL.names, KINDS))
    return rename_structure(structure, renaming, shown, in_order(structure, names, kinds))


def _write_task(
    level: int, seed: int, split: str, style: str, argument: _Argument, share: float
) -> Task:
    structure = argument.countermodel
    domain = list(structure.domain)
    return Task(
        family="countermodel",
        level=level,
        seed=seed,
        prompt=write_prompt(argument.premises, argument.conclusion, domain, style),
        solution=write_solution(structure, style),
        verification={
            "premises": argument.premises,
            "conclusion": argument.conclusion,
            "domain": domain,
        },
        metadata={
            "topics": argument.topics,
            "example_countermodel": to_json(structure),
            "countermodel_share": share,
            "constants": sorted(structure.constants),
            "monadic": sorted(structure.monadic),
            "binary": sorted(structure.binary),
            "tier": TIERS[level],
            "split": split,
            "style": style,
        },
    )


def describe() -> str:
    """Return the table of levels as text."""
    examples = [str(generate(level, EXAMPLE_SEED).verification["conclusion"]) for level in TIERS]
    return f"countermodel\n\n{level_table(examples)}"


EXAMPLE_SEED = 0
"""Seed of the examples in :func:`describe`."""


def _own_premises(task: Task) -> tuple[list[str], bool]:
    """Return the premises but for the domain axiom, and whether that is one of them."""
    premises = list(task.verification["premises"])
    axiom = premises[0] == _AXIOM
    return premises[int(axiom) :], axiom


def fingerprint(task: Task) -> str:
    """Return a hash that is equal for tasks that differ in symbols and order of premises only.

    The style of the prompt and the solution don't count.
    """
    premises, axiom = _own_premises(task)
    conclusion = task.verification["conclusion"]
    text = canonical_text(premises, [conclusion], kinds_apart=axiom)
    domain = len(task.verification["domain"])
    return hashlib.sha256(f"{domain} {axiom} {text}".encode()).hexdigest()[:32]


def leak_key(task: Task) -> str:
    """Return what the tasks of other splits must not share: the topics of the premises.

    The text is the same for all choices of symbols and orders of premises, and for all premises
    that say other things about the same. It equals that of a validity task with such premises.
    """
    return canonical_text(task.metadata["topics"], kinds_apart=_own_premises(task)[1])


def published_columns(task: Task) -> dict[str, Any]:
    """Return the task under the column names of the published data.

    ``argument_ast`` and ``example_countermodel`` are JSON texts, since their shapes differ from row
    to row. ``domain`` is empty where the argument has no domain axiom.
    """
    about = task.metadata
    premises, axiom = _own_premises(task)
    conclusion = task.verification["conclusion"]
    return {
        "id": fingerprint(task),
        "language": "formal",
        "domain": _AXIOM if axiom else "",
        "premises": premises,
        "conclusion": conclusion,
        "argument_ast": json.dumps([to_ast(parse(text)) for text in [*premises, conclusion]]),
        "constants": about["constants"],
        "monadic": about["monadic"],
        "binary": about["binary"],
        "required_domain": task.verification["domain"],
        "example_countermodel": json.dumps(about["example_countermodel"]),
    }


def published_sizes(level: int) -> dict[str, int]:
    """Return the number of tasks of a level by split; in all, the paper's 100,000 and 300."""
    return {"train": 10_000, "validation": 30, "test": 30}


def versions() -> dict[str, str]:
    """Return nothing: tasks depend on this package alone."""
    return {}


@dataclass(frozen=True)
class CountermodelOptions(Options):
    """Options of the family's tasks; see :func:`generate`."""

    style: str = option("full", "style of the prompt", STYLES)


class CountermodelFamily(Family):
    """The family countermodel."""

    name = "countermodel"
    judge = JUDGES["countermodel"]
    tiers = tuple(TIERS.values())
    options = CountermodelOptions
    leak_unit = "set of premises"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "language": "lexicon of the sentences; `formal` where there are formulas only",
        "domain": "what is assumed of the domain besides the premises, as a formula",
        "premises": "formulas of the premises",
        "conclusion": "formula that does not follow from the premises",
        "argument_ast": "premises and conclusion as trees, as JSON",
        "constants": "names in the argument",
        "monadic": "predicates of one argument in the argument",
        "binary": "predicates of two arguments in the argument",
        "required_domain": "the objects that the structure is to have",
        "example_countermodel": "one structure that solves the task, as JSON",
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
