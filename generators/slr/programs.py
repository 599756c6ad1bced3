"""Examples as Prolog facts: object names, background knowledge, labelled programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logic_curriculum.generators.slr.grammar import Example, Grammar
from logic_curriculum.generators.slr.language import Language

HELD_OUT_START = 100
"""Number of the first held-out example, beyond those of any level's task."""


@dataclass(frozen=True)
class LabelledExample:
    """An example and its class."""

    parts: Example
    """Values of its parts, in their order."""
    positive: bool
    """Whether the ground-truth rule entails the positive label."""


def whole_name(language: Language, number: int) -> str:
    """Return the name of the example with this number, e.g. ``train0``."""
    return f"{language.whole}{number}"


def part_name(language: Language, number: int, place: int) -> str:
    """Return the name of a part by its example's number and its place from 1, e.g. ``car0_1``."""
    return f"{language.part}{number}_{place}"


def background_facts(
    language: Language, grammar: Grammar, number: int, parts: Example
) -> list[str]:
    """Return the ground facts about one example, part after part in vocabulary order."""
    whole = whole_name(language, number)
    names = [attribute.predicate for attribute in grammar.attributes]
    facts = []
    for place, values in enumerate(parts, start=1):
        part = part_name(language, number, place)
        facts.append(f"{language.membership}({whole}, {part}).")
        facts += [f"{name}({part}, {value})." for name, value in zip(names, values, strict=True)]
    return facts


def labelled_program(
    language: Language, grammar: Grammar, examples: Sequence[LabelledExample], start: int = 0
) -> str:
    """Write examples as a program: for each its label fact, then its background facts."""
    lines = []
    for number, example in enumerate(examples, start=start):
        label = language.positive if example.positive else language.negative
        lines.append(f"{label}({whole_name(language, number)}).")
        lines += background_facts(language, grammar, number, example.parts)
    return "\n".join(lines)
