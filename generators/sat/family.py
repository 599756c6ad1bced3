"""The family ``sat``: its options, how a task is made, and what a dataset publishes (LTGen, §3)."""

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.sat import levels, prompts
from logic_curriculum.generators.sat.sentences import (
    SHIPPED,
    TECHNIQUES,
    Atom,
    ground_by_model,
    load_theme,
    sentence,
)
from logic_curriculum.generators.sat.synthesis import ClauseSet, depth, draw
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task, digest, split_of_digest
from logic_curriculum.rewards.engines.propositional import (
    Formula,
    TruthTables,
    Variable,
    minimal_core,
)
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.sat import SatPayload

TARGETS = ("sat", "unsat")
CLAUSE_OPTIONS = tuple(name for name in vars(levels.LEVELS[0]) if name != "min_share")
"""The inputs of Algorithm 1, which come before those of the level or preset."""


@dataclass(frozen=True)
class SatOptions(Options):
    """Options of the family's tasks.

    Only split, preset, target and :data:`CLAUSE_OPTIONS` change the clauses.
    """

    preset: str | None = option(None, "a published dataset instead of the ladder of levels")
    target: str | None = option(None, "sat or unsat, for tasks of one kind alone", TARGETS)
    language: str | None = option(
        None,
        "english, or symbolic for formulas; default: the preset's, or english",
        prompts.LANGUAGES,
    )
    style: str = option("full", "style of the prompt", prompts.STYLES)
    theme: str | None = option(None, f"{', '.join(SHIPPED)}, or a YAML file of your own")
    grounding: str | None = option(None, "sentences by a language model: docs/llm.md", TECHNIQUES)
    llm: str | None = option(None, "a language model's name, or a YAML file: docs/llm.md")
    variables: int | None = option(None, "n_V, the number of variables; default: the level's")
    clauses: int | None = option(None, "n_C, the number of clauses; default: the level's")
    mode: str | None = option(None, "uniform structures, or 3sat", ("uniform", "3sat"))
    operators: str | None = option(None, "mode uniform: O, operators such as ¬∧∨→")
    max_depth: int | None = option(None, "mode uniform: deepest nesting; ¬ does not count")
    nested: float | None = option(None, "mode uniform: share of nested operands, below 1")
    negated: float | None = option(None, "mode uniform: share of negated operators, below 1")
    matched: bool | None = option(None, "false: sets without a match of the other status")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("theme", "grounding"):
            if getattr(self, name) is not None and self.chosen_language != "english":
                raise ValueError(
                    f"{name}={getattr(self, name)!r} with language={self.chosen_language!r}: "
                    "formulas hold no sentences. Leave it out, or ask for language='english'."
                )
        if (self.grounding is None) != (self.llm is None):
            raise ValueError(
                f"grounding={self.grounding!r} with llm={self.llm!r}: a grounding is asked of a "
                "language model. Give both, or neither for the built-in sentences."
            )

    @property
    def dataset(self) -> levels.Preset | None:
        """The preset, if one is named."""
        return None if self.preset is None else SatFamily.find_preset(self.preset)[1]

    def config(self, config: levels.Config) -> levels.Config:
        """Return a level's configuration with what is asked for; ValueError: there is none such.

        With any of :data:`CLAUSE_OPTIONS`, clauses may be true under any share of assignments.
        """
        given = {n: getattr(self, n) for n in CLAUSE_OPTIONS if getattr(self, n) is not None}
        if not given:
            return config
        if "clauses" in given:
            given["clauses"] = (self.clauses, self.clauses)
        try:
            return replace(config, **{"min_share": 0.0, **given})
        except ValidationError as error:
            (first, *_) = error.errors()
            where = "".join(f"{name}={getattr(self, str(name))!r}: " for name in first["loc"][:1])
            raise ValueError(where + first["msg"].removeprefix("Value error, ")) from None

    @property
    def chosen_language(self) -> str:
        """The language given, else that of the preset, else English."""
        return self.language or (self.dataset.language if self.dataset else "english")


class SatFamily(Family):
    """Consistency of texts: can all statements of a text be true together?

    A seed gives a pair of a consistent and an inconsistent set of clauses that are equal in all
    that can be counted, and a fair coin decides which of the two is asked about. In the styles
    ``certificate`` and ``certificate_compact``, an answer has to be proved.
    """

    name = "sat"
    judge = JUDGES["sat"]
    tiers = levels.TIERS
    options = SatOptions
    leak_unit = "shape of a clause set"
    configs = levels.LEVELS
    presets = levels.PRESETS
    level_meaning = "a number of variables"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "text": "the statements, as sentences or formulas",
        "clauses": "the statements as formulas",
        "atoms": "variable → the sentence that it stands for, as JSON",
        "consistent": "whether all statements can be true together",
        "variables": "number of variables",
        "models": "number of assignments under which all statements are true",
    }

    def make(self, level: int, seed: int, options: SatOptions) -> Task:
        """Make a task.

        Raises:
            ValueError: The preset has no such level, or no such set.
            RuntimeError: No clause sets were found, or no sentences by the language model.
        """
        language = options.chosen_language
        preset, config = self.config(level, options.preset)
        scope = (preset, level, seed, options.split)
        rng = stream("sat text", *scope)
        consistent, config = _status(options, level, config, rng.random())
        config = options.config(config)
        clauses, shape = draw(
            config,
            consistent,
            stream("sat", *scope),
            lambda shape: split_of_digest(digest(shape)) == options.split,
        )
        formulas = [clause.formula() for clause in clauses.clauses]
        names = [f"v{number}" for number in range(1, config.variables + 1)]
        texts = tuple(map(str, formulas))
        statements, affirmed, told = list(texts), {}, {}
        if language == "english":
            told["theme"], atoms = _ground(formulas, names, options, rng)
            if options.grounding is not None:
                told["grounding"] = options.grounding
            statements = [sentence(formula, atoms) for formula in formulas]
            affirmed = {name: sentence(Variable(name), atoms) for name in names}
        models = clauses.models
        certificate = prompts.wants_certificate(options.style)
        payload = SatPayload(texts, models != 0, affirmed, certificate)
        about = {
            "tier": None if preset else self.tier(level),
            "split": options.split,
            "preset": preset or None,
            **told,
            "language": language,
            "style": options.style,
            "variables": len(names),
            "clauses": len(formulas),
            "depth": max(depth(clause.structure) for clause in clauses.clauses),
            "models": models.bit_count(),
            "shape_key": digest(shape),
            "statements": statements,
        }
        prompt = prompts.write_prompt(statements, affirmed, names, language, options.style)
        solution = _solution(clauses, TruthTables(names), certificate)
        return Task(self.name, level, seed, prompt, solution, payload.to_dict(), about)

    def fingerprint(self, task: Task) -> str:
        """Return a hash of the clauses, in any order, and what they are about."""
        payload = task.verification
        return digest(json.dumps([sorted(payload["formulas"]), payload["atoms"]], sort_keys=True))

    def leak_key(self, task: Task) -> str:
        """Return a hash of the clauses' structures with their signs, and of each variable's counts.

        Neither names nor order count; the two sets of a pair share it.
        """
        return str(task.metadata["shape_key"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task in raw columns."""
        about, payload = task.metadata, task.verification
        return {
            "id": self.fingerprint(task),
            "text": " ".join(about["statements"]),
            "clauses": payload["formulas"],
            "atoms": json.dumps(payload["atoms"]),
            "consistent": payload["satisfiable"],
            "variables": about["variables"],
            "models": about["models"],
        }

    def published_parts(
        self, split: str, level: int, count: int, options: Mapping[str, Any]
    ) -> Sequence[tuple[int, Mapping[str, Any]]]:
        """Return how many tasks are consistent, and how many are not, with the ``target`` of each.

        So it is where a level of a preset has as many tasks as in Table 3; else a coin decides. The
        two kinds come from the same seeds, so each of the rarer kind has its match in the other. A
        preset with a composition has parts for each number of clauses, too.
        """
        preset = options.get("preset")
        sizes = self.published_sizes(level, preset)
        if preset is None or options.get("target") is not None or count != sizes.get(split):
            return [(count, {})]
        found = self.find_preset(preset)[1]
        if not found.configs[level].matched and options.get("clauses") is None:
            return [
                (number, {"target": TARGETS[not consistent], "clauses": clauses})
                for consistent, sizes in found.sets[level].items()
                for clauses, number in sorted(Counter(sizes).items())
            ]
        counts = zip(TARGETS, map(len, found.sets[level].values()), strict=True)
        return [(number, {"target": target}) for target, number in counts if number]

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return each verdict as it may be given unread, and both at once."""
        verdicts = ("consistent", "inconsistent")
        unread = {f"{word}, whatever the text says": word for word in verdicts}
        answers = {**unread, "both verdicts": " or ".join(verdicts)}
        return {name: f"<result>{text}</result>" for name, text in answers.items()}


def _status(
    options: SatOptions, level: int, config: levels.Config, coin: float
) -> tuple[bool, levels.Config]:
    """Return whether a set is consistent, with its size fixed where a preset has a composition.

    ``coin`` is uniform in [0, 1). A ValueError says that the composition has no such set.
    """
    if options.dataset is None or config.matched or options.clauses is not None:
        return (coin < 0.5 if options.target is None else options.target == "sat"), config
    asked = [True, False] if options.target is None else [options.target == "sat"]
    sets = [(status, size) for status in asked for size in options.dataset.sets[level][status]]
    if not sets:
        raise ValueError(
            f"target={options.target!r} with preset={options.preset!r} at level {level}: the "
            "paper's Table 3 counts no such set. Choose another level, or leave the target out."
        )
    status, size = sets[int(coin * len(sets))]
    return status, replace(config, clauses=(size, size))


def _ground(
    formulas: Sequence[Formula], names: Sequence[str], options: SatOptions, rng: random.Random
) -> tuple[str, dict[str, Atom]]:
    """Return the name of a theme, and a sentence for each variable."""
    preset = options.dataset
    shipped = preset.themes if preset and preset.themes else SHIPPED
    name = options.theme or rng.choice(shipped)
    theme, name = load_theme(name), Path(name).stem
    if options.grounding is not None:
        model = load_model(options.llm)
        return name, ground_by_model(model, options.grounding, theme, formulas, names)
    return name, dict(zip(names, rng.sample(theme.atoms, len(names)), strict=True))


def _solution(clauses: ClauseSet, tables: TruthTables, is_proved: bool) -> str:
    """Return the answer; its proof is the first model, or the core of the latest statements."""
    models, assignment, core = clauses.models, None, None
    if is_proved and models:
        assignment = tables.assignment((models & -models).bit_length() - 1)
    elif is_proved:
        core = [place + 1 for place in minimal_core(clauses.tables, tables.full)]
    return prompts.write_solution(models != 0, assignment, core)
