"""The family ``slr``: its options, its tasks as rows, and the columns of its published dataset."""

import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.slr import levels
from logic_curriculum.generators.slr.enumeration import count_tasks
from logic_curriculum.generators.slr.examples import content_hash, labelled_program
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.llm_rules import draw_model_rule
from logic_curriculum.generators.slr.prompts import STYLES, write_answer, write_prompt
from logic_curriculum.generators.slr.rules import RuleSource, draw_schema_rule, draw_uniform_rule
from logic_curriculum.generators.slr.synthesis import Synthesis, synthesize
from logic_curriculum.generators.slr.terms import canonical_rule
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.prolog import swipl_path
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.slr.payload import SlrPayload

HELD_OUT_START = 100  # number of the first held-out example, beyond those of any level's task
_SMALL_TRAIN_SETS = {1: 26, 2: 234, 3: 793}
"""Of the paper, whose first levels have few different tasks (§4, footnote 1)."""


@dataclass(frozen=True)
class SlrOptions(Options):
    """Options of the family's tasks.

    No rule of the split ``"test"`` occurs in the others, and no question (labelled examples,
    whatever the rule) in two of them. The style does not change the task: ``"prolog"`` writes
    facts, ``"natural"`` sentences, ``"compact"`` bare values and one line of instructions, for
    small models trained on them. A language model is asked for the guided rules, instead of the
    built-in patterns; with its answers in the cache, the task is a function of the arguments.
    """

    language: str | Path = option(
        "trains", "name of a shipped language, or a YAML file of your own"
    )
    style: str = option("prolog", "style of the prompt", STYLES)
    llm: str | None = option(None, "a language model's name, or a YAML file: docs/llm.md")


class SlrFamily(Family):
    """Rules over labelled examples; the rows of Table 2 are the levels."""

    name = "slr"
    judge = JUDGES["slr"]
    tiers = tuple(level.tier for level in levels.LEVELS)
    options = SlrOptions
    leak_unit = "rule"
    item_name = "rules"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "ground-truth rule": "the rule that labelled the examples",
        "validation program": "labels and background facts of the examples, as Prolog facts, "
        "with the names of the prompt. **This differs from the published SLR-Bench, where the "
        "objects are renamed here**: our judge gives them neutral names itself",
        "symbols": "the vocabulary of the level",
        "curriculum level": "same as `level`",
        "curriculum tier": "basic, easy, medium or hard",
        "rule sampling": "how the rule was drawn: uniform, schema (a bank of schemata) or llm",
        "rule complexity": "attribute literals of a uniformly drawn rule of the level, least to "
        "most",
        "background sampling": "how the background was sampled: mirror or uniform",
        "problem size": "number of examples, half of them positive",
        "vocabulary predicates": "number of predicates of the level",
        "vocabulary car constants": "number of objects per example, smallest to largest",
        "validation_program_shortcuts": "the same text as `validation program`; in the "
        "published SLR-Bench this column alone has the names of the prompt",
    }

    def make(self, level: int, seed: int, options: SlrOptions) -> Task:
        """Make a task; at the small levels different seeds may give tasks of one fingerprint.

        Raises a ``ValueError`` if the language is bad or there is no such task, an ``LLMError`` if
        the language model does not answer.
        """
        language, row = load_language(options.language), levels.level_of(level)
        guided = draw_schema_rule if options.llm is None else partial(draw_model_rule, options.llm)
        sources: dict[str, RuleSource] = {"uniform": draw_uniform_rule, "guided": guided}
        synthesis = synthesize(language, row, seed, options.split, sources)
        grammar, examples, held_out = synthesis.grammar, synthesis.examples, synthesis.held_out
        payload = SlrPayload(
            labelled_program(language, grammar, examples),
            language.positive,
            language.negative,
            labelled_program(language, grammar, held_out, start=HELD_OUT_START),
            synthesis.accepted,
        )
        given = {"language": language.name, "split": options.split, "style": options.style}
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=write_prompt(synthesis, options.style),
            solution=write_answer(synthesis.rule.text, options.style),
            verification=payload.packed().to_dict(),
            metadata=_metadata(synthesis) | given,
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash of rule and examples; names, order, prompt style and seed don't count."""
        return str(task.metadata["fingerprint"])

    def leak_key(self, task: Task) -> str:
        """Return the rule, in a text that is the same for all its spellings."""
        return canonical_rule(str(task.metadata["rule"]))

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published SLR-Bench."""
        about = task.metadata
        program = task.verification["validation_program"]
        return {
            "id": f"{about['language']}-{about['split']}-{task.level}-{task.seed}",
            "prompt": task.prompt,
            "ground-truth rule": about["rule"],
            "validation program": program,
            "symbols": about["symbols"],
            "curriculum level": task.level,
            "curriculum tier": about["tier"],
            "rule sampling": about["rule_sampling"],
            "rule complexity": about["rule_length"],
            "background sampling": about["background_sampling"],
            "problem size": about["problem_size"],
            "vocabulary predicates": about["vocabulary_predicates"],
            "vocabulary car constants": about["vocabulary_constants"],
            "validation_program_shortcuts": program,
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of SLR-Bench by split, or all if there are fewer."""
        sizes = {"train": _SMALL_TRAIN_SETS.get(level, 1000), "validation": 10, "test": 50}
        for split, count in sizes.items():
            known = self.available_tasks(level, SlrOptions(split=split))
            sizes[split] = count if known is None else min(count, known)
        return sizes

    def available_tasks(self, level: int, options: SlrOptions) -> int | None:
        """Return how many different tasks a split of a level has; None if practically endless."""
        counts = count_tasks(load_language(options.language), levels.level_of(level))
        return None if counts is None else counts.get(options.split, 0)

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return rules that go by the single examples: their names, places, labels and facts."""
        given = task.verification
        rules = _sly_rules(given["validation_program"], given["positive"], given["negative"])
        return {name: write_answer(rule, task.metadata["style"]) for name, rule in rules.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return the row of Table 2."""
        row = vars(levels.level_of(level))
        return {name: value for name, value in row.items() if name != "number"}

    def versions(self) -> dict[str, str]:
        """Return the version of the engine that labels examples."""
        told = subprocess.check_output([swipl_path(), "--version"], text=True)
        return {"SWI-Prolog": told.split()[2]}


def _metadata(synthesis: Synthesis) -> dict[str, Any]:
    level, rule = synthesis.level, synthesis.rule
    return {
        "rule": rule.text,
        "rule_sampling": rule.sampling,
        "rule_style": rule.style,
        "rule_length": levels.range_text(level.rule_length),
        "background_sampling": level.background,
        "problem_size": level.kappa,
        "vocabulary_predicates": level.predicates,
        "vocabulary_constants": levels.range_text(level.parts),
        "tier": level.tier,
        "symbols": _symbols(synthesis),
        "positive_rate": round(synthesis.positive_rate, 4),
        "fingerprint": content_hash(synthesis.grammar, synthesis.examples, rule),
        "question": content_hash(synthesis.grammar, synthesis.examples),
    }


def _symbols(synthesis: Synthesis) -> str:
    """List the level's predicates with their argument types, and the types' values."""
    language, most = synthesis.language, synthesis.level.parts[1]
    lines = [f"{label}({language.whole})" for label in (language.positive, language.negative)]
    lines.append(f"{language.membership}({language.whole}, {language.part})")
    for item in synthesis.grammar.attributes:
        values = " | ".join(map(str, item.values_up_to(most)))
        lines.append(f"{item.predicate}({language.part}, {item.domain}): {values}")
    return "\n".join(lines)


def _sly_rules(program: str, positive: str, negative: str) -> dict[str, str]:
    """Return rules by what they go by.

    The first two are paid by the paper's score, which runs all examples as one program; the last is
    right on all examples shown, whoever runs it. ``program`` holds their labels and facts, one a
    line; ``positive`` and ``negative`` are the predicates of the labels.
    """
    find = partial(_find, program)
    labels = find(rf"({positive}|{negative})\((\w+)\)")
    names = [name for label, name in labels if label == positive]
    places = [place for place, (label, _) in enumerate(labels, 1) if label == positive]
    membership, _, a_part = find(r"(\w+)\((\w+), (\w+)\)")[0]
    in_order = f"findall(X, {membership}(X, _), Xs), list_to_set(Xs, Set), nth1(N, Set, T)"
    facts = {
        name: [find(rf"\w+\({part}, (\w+)\)") for part in find(rf"{membership}\({name}, (\w+)\)")]
        for name in names
    }
    attributes = find(rf"(\w+)\({a_part}, \w+\)")
    goals = ", ".join(f"{attribute}(C, V{n})" for n, attribute in enumerate(attributes))
    in_full = [
        *(f"{positive}(T) :- {', '.join(map(_part, parts))}." for parts in facts.values()),
        f"{_part(f'V{n}' for n in range(len(attributes)))} :- {membership}(T, C), {goals}.",
    ]
    return {
        "the examples by name": f"{positive}(T) :- member(T, [{', '.join(names)}]).",
        "the examples by their place": f"{positive}(T) :- {in_order}, member(N, {places}).",
        "no label of the other class": f"{positive}(T) :- \\+ {negative}(T).",
        "each positive example in full": "\n".join(in_full),
    }


def _find(program: str, fact: str) -> list:
    """Return the groups that a pattern finds in each line that is such a fact."""
    return re.findall(rf"^{fact}\.$", program, re.MULTILINE)


def _part(values: Iterable[str]) -> str:
    return f"part(T, {', '.join(values)})"
