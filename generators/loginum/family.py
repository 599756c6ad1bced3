"""The family ``loginum``: joint logical and numerical deduction (LogiNumSynth, §2, App. D, E)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from statistics import mode
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.loginum import prompts
from logic_curriculum.generators.loginum.language import LANGUAGES, draw_words, say
from logic_curriculum.generators.loginum.levels import LEVELS, PRESETS, TIERS
from logic_curriculum.generators.loginum.refinement import refine
from logic_curriculum.generators.loginum.synthesis import synthesize
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task, digest, split_of_digest
from logic_curriculum.rewards.engines.numeric.syntax import parse_query
from logic_curriculum.rewards.loginum.judge import LoginumPayload
from logic_curriculum.rewards.registry import JUDGES


@dataclass(frozen=True)
class LoginumOptions(Options):
    """Options of the family's tasks; those after ``depth`` change only the wording."""

    preset: str | None = option(None, "a published dataset")
    depth: str = option("steps", "what a level counts", ("steps", "height"))
    """``height``: the steps of the longest chain, as Algorithm 1 of the paper counts."""
    language: str = option("english", "language of the statements", LANGUAGES)
    """``formal``: facts and rules as the judge reads them; ``clauses``: the same, but each rule
    with its head first, see :func:`logic_curriculum.generators.loginum.language.clause`."""
    style: str = option("full", "style of the prompt", prompts.STYLES)
    """``compact``: no instructions but the form of an answer, for small models trained on it."""
    vocabulary: int | None = option(None, "draw from the first so many words of each pool only")
    llm: str | None = option(None, "a language model's name, or a YAML file: docs/llm.md")

    def __post_init__(self) -> None:
        super().__post_init__()
        limit = self.vocabulary
        if limit is not None and (type(limit) is not int or limit < 1):
            raise ValueError(
                f"vocabulary={limit!r} is not a number of words: give a whole one, or None for all"
            )
        if self.llm is not None and self.language != "english":
            raise ValueError(
                f"llm={self.llm!r} with language={self.language!r}: only English sentences are "
                "reworded. Leave one of the two out."
            )


class LoginumFamily(Family):
    """The family loginum. The level is the depth: the steps of the gold process, or its height.

    No gold process of one split occurs in another, not even with other names.
    """

    name = "loginum"
    judge = JUDGES["loginum"]
    tiers = TIERS
    options = LoginumOptions
    leak_unit = "gold process"
    instructions = (prompts.INSTRUCTIONS + prompts.NOTATION, prompts.INSTRUCTIONS)
    configs = LEVELS
    presets = PRESETS
    level_meaning = "a depth"
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

    def make(self, level: int, seed: int, options: LoginumOptions) -> Task:
        """Make a task, or raise a ``SynthesisError``, or an ``LLMError`` of the language model."""
        preset, config = self.config(level, options.preset)
        scope = (preset, level, seed, options.split)
        text_rng = stream("loginum text", *scope)
        sizes = (config.entities, config.attributes, config.relations)
        words = draw_words(text_rng, *sizes, options.vocabulary)
        by_height = options.depth == "height"
        rng = stream("loginum", *scope, *(["height"] if by_height else []))
        sample = synthesize(
            config, level, words, rng, lambda key: split_of_digest(key) == options.split, by_height
        )
        told = (sample.facts, sample.rules, sample.query)
        texts, refinement = say(*told, options.language, text_rng), {}
        if options.llm is not None:
            texts, counts = refine(load_model(options.llm), sample, texts, words)
            refinement = {"refinement": counts}
        facts, rules = tuple(map(str, sample.facts)), tuple(map(str, sample.rules))
        payload = LoginumPayload(facts, rules, str(sample.query), sample.answer, sample.steps)
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.write_prompt(texts, options.style, options.language),
            solution=prompts.write_solution(sample),
            verification=payload.to_dict(),
            metadata={
                "tier": TIERS[level - 1],
                "split": options.split,
                "preset": preset or None,
                "language": options.language,
                "style": options.style,
                **refinement,
                "depth": len(sample.steps),
                "height": sample.height,
                "process_key": sample.key,
                **words._asdict(),
                "fact_sentences": texts.facts,
                "rule_sentences": texts.rules,
                "query_sentence": texts.query,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash of facts, rules and query, in any order, language and style."""
        payload = task.verification
        content = [sorted(payload["facts"]), sorted(payload["rules"]), payload["query"]]
        return digest(json.dumps(content))

    def leak_key(self, task: Task) -> str:
        """Return the hash of the gold process, whatever the names and the order in it."""
        return str(task.metadata["process_key"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task in raw columns: texts, formal representation and reasoning."""
        about, payload = task.metadata, task.verification
        return {
            "id": self.fingerprint(task),
            "facts": about["fact_sentences"],
            "rules": about["rule_sentences"],
            "query": about["query_sentence"],
            "answer": str(payload["answer"]),
            "reasoning": task.solution.splitlines()[1:-1],
            **{f"formal_{part}": payload[part] for part in ("facts", "rules", "query")},
            "depth": about["depth"],
        }

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return numbers picked from the text, one with a step that follows from everything."""
        given = task.verification
        facts, rules = (range(1, len(given[sort]) + 1) for sort in ("facts", "rules"))
        numbers = re.findall(r"-?\d+", " ".join([*given["facts"], *given["rules"]]))
        query = parse_query(given["query"])
        cited = " & ".join([*(f"rule_{n}" for n in rules), *(f"fact_{n}" for n in facts)])
        step = f"{cited} =>> int_1: {query.entity}'s {query.attribute} is {mode(numbers)}"
        return {
            "the last number of the text": f"Answer: \\boxed{{{numbers[-1]}}}",
            "the most frequent number, as if it followed from everything": (
                f"Reasoning:\n{step}\nAnswer: \\boxed{{{mode(numbers)}}}"
            ),
        }

    def versions(self) -> dict[str, str]:
        """Return the version of the library that inflects verbs in the sentences."""
        return {"lemminflect": version("lemminflect")}
