"""The family countermodel: its tasks and published columns ("LogicSkills", §3.1, App. B, F)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import TIERS, prompts, sentences
from logic_curriculum.generators.logicskills.arguments import SynthesisError
from logic_curriculum.generators.logicskills.constructions import CANONICAL
from logic_curriculum.generators.logicskills.countermodel import synthesis
from logic_curriculum.generators.logicskills.countermodel.levels import LEVELS, Level
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.generators.logicskills.models import rename_structure, structure_json
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task, digest
from logic_curriculum.rewards.countermodel.judge import CountermodelPayload
from logic_curriculum.rewards.engines.fol.models import Structure
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import to_ast
from logic_curriculum.rewards.registry import JUDGES

ATTEMPTS = 10_000  # schemas of premises that are tried for one task
_AXIOM = str(DOMAIN_AXIOM)
_KINDS = CANONICAL.kinds  # what the domain axiom is about; under it, kinds stay kinds


@dataclass(frozen=True)
class CountermodelOptions(Options):
    """No premises of one split occur in another, whatever their symbols and words of logic."""

    style: str = option("full", "style of the prompt", prompts.STYLES)


class CountermodelFamily(Family):
    """Show by a structure that an argument is not valid; the style does not change the argument."""

    name = "countermodel"
    judge = JUDGES["countermodel"]
    tiers = TIERS
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

    def make(self, level: int, seed: int, options: CountermodelOptions) -> Task:
        """Make a task; raise SynthesisError if no argument is found within the limits."""
        rng, row = stream(self.name, level, seed, options.split), LEVELS[level - 1]
        found = _find(level, options.split, rng)
        renaming = sentences.draw_renaming(rng, kinds_apart=row.axiom)
        own = [sentences.rename_formula(premise, renaming) for premise in found.premises]
        conclusion = sentences.rename_formula(found.conclusion, renaming)
        topics = [sentences.rename_text(text, renaming) for text in found.schema.topics]
        premises = [DOMAIN_AXIOM, *own] if row.axiom else own
        symbols = "".join(map(str, [*premises, conclusion]))
        structure = _countermodel(row, found, renaming, symbols)
        fixed = _KINDS if row.axiom else ""
        structure = synthesis.minimal_countermodel(structure, own, conclusion, fixed)
        payload = CountermodelPayload(tuple(map(str, premises)), str(conclusion), structure.domain)
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.countermodel_prompt(
                payload.premises, payload.conclusion, payload.domain, options.style
            ),
            solution=prompts.countermodel_solution(structure, options.style),
            verification=payload.to_dict(),
            metadata={
                "topics": topics,
                "domain": _AXIOM if row.axiom else "",
                "premises": list(map(str, own)),
                "conclusion": str(conclusion),
                "example_countermodel": structure_json(structure),
                "countermodel_share": len(found.countermodels) / synthesis.STORED,
                "constants": sorted(structure.constants),
                "monadic": sorted(structure.monadic),
                "binary": sorted(structure.binary),
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that symbols, order of premises, style and solution do not change."""
        premises, axiom = _own_premises(task)
        conclusion = task.verification["conclusion"]
        text = sentences.canonical_text(premises, [conclusion], kinds_apart=axiom)
        domain = len(task.verification["domain"])
        return digest(f"{domain} {axiom} {text}")

    def leak_key(self, task: Task) -> str:
        """Return the topics of the premises, in a text that symbols and order do not change."""
        return sentences.canonical_text(task.metadata["topics"], kinds_apart=_own_premises(task)[1])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data.

        ``argument_ast`` and ``example_countermodel`` are JSON texts, since their shapes differ from
        row to row. ``domain`` is empty where the argument has no domain axiom.
        """
        about, (premises, axiom) = task.metadata, _own_premises(task)
        conclusion = task.verification["conclusion"]
        return {
            "id": self.fingerprint(task),
            "language": "formal",
            "domain": _AXIOM if axiom else "",
            "premises": premises,
            "conclusion": conclusion,
            "argument_ast": json.dumps([to_ast(parse(text)) for text in [*premises, conclusion]]),
            **{name: about[name] for name in ("constants", "monadic", "binary")},
            "required_domain": task.verification["domain"],
            "example_countermodel": json.dumps(about["example_countermodel"]),
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of a level by split; in all, the paper's 100,000 and 300."""
        return {"train": 10_000, "validation": 30, "test": 30}

    def constant_answers(self, level: int, options: Mapping[str, Any]) -> list[str]:
        """Return structures for any argument: the symbols that one lacks are taken from others."""
        # the judge reads all styles; in this one, a word is the value of a symbol
        found = super().constant_answers(level, {**options, "style": "compact"})
        return [_fill_in(found[i:] + found[:i]) for i in range(len(found))]

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return structures that need no look at the argument."""
        about, domain = task.metadata, task.verification["domain"]
        pairs = [[one, other] for one in domain for other in domain]
        answers = {
            "nothing is true of anything": _uniform_structure(about, domain[0], [], []),
            "everything is true of everything": _uniform_structure(about, domain[0], domain, pairs),
        }
        return {name: f"<answer>{text}</answer>" for name, text in answers.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return the sizes of a level's arguments and domains."""
        row = LEVELS[level - 1]
        spec, share = row.premises, f"{row.max_share:.2%}"
        sizes = {"premises": spec.premises, "clauses": spec.clauses, "verbs": len(spec.binary)}
        return {"domain": row.size, **sizes, "countermodels, at most": share}


def _uniform_structure(
    about: Mapping[str, Any], named: int, objects: Sequence[int], pairs: Sequence[Sequence[int]]
) -> str:
    """Return, as JSON, a structure that makes no difference between the symbols of a sort."""
    values = {"constants": named, "monadic": objects, "binary": pairs}
    return json.dumps({name: value for sort, value in values.items() for name in about[sort]})


def _find(level: int, split: str, rng: Random) -> synthesis.Found:
    for _ in range(ATTEMPTS):
        for found in synthesis.search(LEVELS[level - 1], rng, split):
            return found
    raise SynthesisError(level, split, ATTEMPTS, "a few dozen")


def _countermodel(
    row: Level, found: synthesis.Found, renaming: sentences.Renaming, shown: str
) -> Structure:
    """Return the sparsest stored countermodel, with the symbols that the task shows."""
    used = [old for _, old in sorted((new, old) for old, new in renaming.items() if new in shown)]
    stored = synthesis.stored_models(row.size, row.axiom)
    structure = stored.structure(synthesis.sparsest(stored.batches[0], found.countermodels, used))
    names, kinds = ([old for old in used if old in sort] for sort in (CANONICAL.names, _KINDS))
    numbers = synthesis.number_objects(structure, names, kinds)
    return rename_structure(structure, renaming, shown, numbers)


def _fill_in(structures: Sequence[str]) -> str:
    """Return the first structure, with what it does not interpret taken from the next ones."""
    values: dict[str, str] = {}
    for structure in structures:
        for word in structure.split():
            values.setdefault(word.split("=")[0], word)
    return " ".join(values.values())


def _own_premises(task: Task) -> tuple[list[str], bool]:
    """Return the premises but for the domain axiom, and whether that is one of them."""
    premises = list(task.verification["premises"])
    axiom = premises[0] == _AXIOM
    return premises[int(axiom) :], axiom
