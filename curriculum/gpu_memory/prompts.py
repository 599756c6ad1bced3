"""Lengths of prompts by level: measured beforehand, or counted by the tokenizer that is at hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from logic_curriculum.generators import generate, registry

FILE = Path(__file__).with_name("prompt_tokens.yaml")
TEMPLATE = 64  # tokens that a chat template adds at most, its own system prompt among them
COUNTED = 4  # tasks of each level that are counted where a tokenizer is at hand


class Measured(NamedTuple):
    """Lengths of a family's prompts with some options."""

    family: str
    options: Mapping[str, Any]
    solution: int  # tokens of the longest solution
    levels: Mapping[int, Any]  # level -> tokens: mean, longest; characters: longest


def read() -> list[Measured]:
    """Return the lengths that benchmarks/prompt_tokens.py measured."""
    return [Measured(**each) for each in yaml.safe_load(FILE.read_text(encoding="utf-8"))]


def measure(family: str, options: Mapping[str, Any], tokenizer: Any, count: int) -> Measured:
    """Count the tokens of the first tasks of each level."""
    answer, levels = 0, {}
    for level in registry.family(family).levels(options.get("preset")):
        tasks = [generate(family, level, seed, **options) for seed in range(count)]
        found = [len(tokenizer(task.prompt)["input_ids"]) for task in tasks]
        answer = max(answer, *(len(tokenizer(task.solution)["input_ids"]) for task in tasks))
        longest = max(len(task.prompt) for task in tasks)
        levels[level] = [round(sum(found) / count), max(found), longest]
    return Measured(family, dict(options), answer, levels)


def lengths(family: str, options: Mapping[str, Any], tokenizer: Any) -> tuple[dict[int, int], int]:
    """Return the longest prompt of each level, chat template included, and the longest solution.

    With a tokenizer some tasks are counted; where it is None, the options have to be measured ones.

    Raises:
        ValueError: Prompts with these options were not measured.
    """
    as_read = registry.family(family).read_options
    alike = (
        each
        for each in read()
        if each.family == family and as_read(each.options) == as_read(options)
    )
    found = measure(family, options, tokenizer, COUNTED) if tokenizer else next(alike, None)
    if found is None:
        raise ValueError(
            f"Prompts of {family} with {dict(options)} were not measured, and no tokenizer is at "
            "hand: give the model as a folder, or measure by benchmarks/prompt_tokens.py --write."
        )
    return {level: each[1] + TEMPLATE for level, each in found.levels.items()}, found.solution
