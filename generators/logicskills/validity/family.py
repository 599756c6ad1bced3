"""The family validity: its tasks and published columns ("LogicSkills", §3.1, App. A, B, F)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from random import Random
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import TIERS, prompts, sentences
from logic_curriculum.generators.logicskills.arguments import SynthesisError
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM, LANGUAGES, task_lexicon
from logic_curriculum.generators.logicskills.models import rename_structure, structure_json
from logic_curriculum.generators.logicskills.sentences import Renaming
from logic_curriculum.generators.logicskills.validity.levels import LEVELS
from logic_curriculum.generators.logicskills.validity.options import OPTIONS
from logic_curriculum.generators.logicskills.validity.synthesis import Found, search, stored_models
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task, digest
from logic_curriculum.rewards.engines.fol.entailment import entails
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.validity.judge import ValidityPayload

ATTEMPTS = 20_000  # schemas of premises that are tried for one task
PROOF_BUDGET = 2_000_000  # Z3 resource units for one proof, enough for all but a few
_AXIOM = str(DOMAIN_AXIOM)


@dataclass(frozen=True)
class ValidityOptions(Options):
    """Options of the family's tasks.

    No premises of one split occur in another, not even with other symbols or other words of logic.
    If the conclusion need not depend on every premise, it only does not follow from a single one,
    which is closer to the paper's own rule.
    """

    language: str = option("english", "words of the sentences", LANGUAGES)
    style: str = option("full", "style of the prompt", prompts.STYLES)
    minimal: bool = option(True, "whether the conclusion needs every premise")


class ValidityFamily(Family):
    """Tell which of six statements must be true; language and style do not change the argument."""

    name = "validity"
    judge = JUDGES["validity"]
    tiers = TIERS
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

    def make(self, level: int, seed: int, options: ValidityOptions) -> Task:
        """Make a task; raise SynthesisError if no argument is found within the limits."""
        lexicon = task_lexicon(options.language, level, seed, options.split)
        rng = stream(self.name, level, seed, options.split, int(options.minimal))
        found, renaming = _find(level, options.split, options.minimal, rng)
        premises = [sentences.rename_sentence(premise, renaming) for premise in found.premises]
        candidates = [sentences.rename_sentence(candidate, renaming) for candidate in found.options]
        shown = "".join(str(item.formula) for item in [*premises, *candidates]) + _AXIOM
        # The structures of other options make the premises true and the option false; those of
        # premises make the others true and the conclusion false.
        refutations = _structures(found.refutations, renaming, shown, rng)
        needs = _structures(found.needs, renaming, shown, rng)
        situation = [sentences.realize(premise, lexicon) for premise in premises]
        statements = [sentences.realize(candidate, lexicon) for candidate in candidates]
        label = found.right + 1
        payload = ValidityPayload(frozenset([label]), len(statements), tuple(statements))
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.validity_prompt(
                [lexicon.domain_axiom, *situation], statements, options.style
            ),
            solution=prompts.validity_solution(label, options.style),
            verification=payload.to_dict(),
            metadata={
                "domain": _AXIOM,
                "topics": [sentences.rename_text(text, renaming) for text in found.schema.topics],
                "premises": [str(premise.formula) for premise in premises],
                "premise_sentences": situation,
                "premise_types": [premise.type for premise in premises],
                "options": [str(candidate.formula) for candidate in candidates],
                "option_sentences": statements,
                "option_types": [candidate.type for candidate in candidates],
                "refutations": refutations,
                "needs": needs,
                "language": lexicon.name,
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that symbols, order of premises, language and style do not change."""
        about = task.metadata
        text = sentences.canonical_text(about["premises"], [*about["options"], str(_right(task))])
        return digest(text)

    def leak_key(self, task: Task) -> str:
        """Return the topics of the premises; it equals a countermodel task's with such premises."""
        return sentences.canonical_text(task.metadata["topics"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data."""
        about, right = task.metadata, _right(task)
        return {
            "id": self.fingerprint(task),
            **{name: about[name] for name in self.columns if name in about},
            "label": str(right),
            "z3_entailed": [number == right for number in range(1, len(about["options"]) + 1)],
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of a level by split; in all, the paper's 600 to test."""
        return {"train": 1_000, "validation": 20, "test": 60}

    def constant_answers(self, level: int, options: Mapping[str, Any]) -> list[str]:
        """Return the number of each option."""
        return [str(number) for number in range(1, OPTIONS + 1)]

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return answers that hold the right option, or none at all."""
        every, right = range(1, OPTIONS + 1), _right(task)
        answers = {
            "every option": ", ".join(map(str, every)),
            "the right option or another": f"{right} or {right % OPTIONS + 1}",
            "none of them": "none",
        }
        return {name: f"<answer>{text}</answer>" for name, text in answers.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return a level's number of premises, and what its options may be about."""
        questions = LEVELS[level - 1]
        about = ", ".join(question.about for question in questions)
        return {"premises": questions[0].premises.premises, "options about": about}

    def versions(self) -> dict[str, str]:
        """Return the version of the prover: which arguments it gives up on may depend on it."""
        return {"z3-solver": version("z3-solver")}


def _find(level: int, split: str, minimal: bool, rng: Random) -> tuple[Found, Renaming]:
    for _ in range(ATTEMPTS):
        renaming = sentences.draw_renaming(rng)
        question = rng.choice(LEVELS[level - 1])
        found = search(question, rng, minimal=minimal, split=split, renaming=renaming)
        if found is None:
            continue
        premises = [premise.formula for premise in found.premises]
        conclusion = found.options[found.right].formula
        # What is not proven is given up with its schema: to try others of the same answer would
        # favour answers that many premises entail.
        if entails([DOMAIN_AXIOM, *premises], conclusion, rlimit=PROOF_BUDGET):
            return found, renaming
    raise SynthesisError(level, split, ATTEMPTS, "a few dozen, for validation some hundreds,")


def _structures(
    models: Sequence[int], renaming: Renaming, symbols: str, rng: Random
) -> dict[str, dict[str, Any]]:
    """Return stored models by number, as structures for some symbols, their objects shuffled."""
    structures = {}
    for number, model in enumerate(models, start=1):
        if model >= 0:
            structure = stored_models().structure(model)
            objects = rng.sample(structure.domain, len(structure.domain))
            renamed = rename_structure(structure, renaming, symbols, objects)
            structures[str(number)] = structure_json(renamed)
    return structures


def _right(task: Task) -> int:
    """Return the number of the option that must be true."""
    return int(task.verification["correct"][0])
