"""Turns a sample into a Task."""

from __future__ import annotations

from typing import Any

from logic_curriculum.generators.loginum.prompts import Texts, write_prompt, write_solution
from logic_curriculum.generators.loginum.vocabulary import Words
from logic_curriculum.generators.loginum.world import Sample
from logic_curriculum.generators.task import Task


def write_task(
    sample: Sample, texts: Texts, words: Words, level: int, seed: int, about: dict[str, Any]
) -> Task:
    """Write the prompt, the solution, the judge's payload and the description of a task.

    Args:
        sample: The world, the query and the gold process.
        texts: The sample's sentences.
        words: All names of the sample's world.
        level: The level.
        seed: The seed.
        about: What the task was asked for: split, preset, language, style and tier.
    """
    return Task(
        family="loginum",
        level=level,
        seed=seed,
        prompt=write_prompt(texts, about["style"]),
        solution=write_solution(sample),
        verification=_verification(sample),
        metadata={
            **about,
            "depth": len(sample.steps),
            "process_key": sample.key,
            "entities": words.entities,
            "attributes": words.attributes,
            "relations": words.relations,
            "fact_sentences": texts.facts,
            "rule_sentences": texts.rules,
            "query_sentence": texts.query,
        },
    )


def _verification(sample: Sample) -> dict[str, Any]:
    return {
        "facts": [str(fact) for fact in sample.facts],
        "rules": [str(rule) for rule in sample.rules],
        "query": str(sample.query),
        "answer": sample.answer,
        "steps": [
            {
                "rule": step.rule,
                "facts": list(step.facts),
                "steps": list(step.steps),
                "conclusion": str(step.conclusion),
            }
            for step in sample.steps
        ],
    }
