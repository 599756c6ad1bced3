"""What a prompt of an SLR task shows, and how to write rules about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.slr.language import (
    Constant,
    Example,
    Grammar,
    Language,
    grammar_of,
)
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import Level, level_of
from logic_curriculum.rewards.engines.prolog import Program


class Literal(NamedTuple):
    """A part has the value of an attribute, or has it not."""

    at: int
    """Place of the attribute in the vocabulary."""
    value: Constant
    holds: bool = True


class Condition(NamedTuple):
    """Some part has all of the literals, or no part has."""

    literals: tuple[Literal, ...]
    some: bool = True


Conjunction = tuple[Condition, ...]
"""Conditions on one example, all to be met."""


@dataclass(frozen=True)
class Writer:
    """The vocabulary of a level."""

    level: Level
    language: Language
    grammar: Grammar

    @property
    def head(self) -> str:
        """Return the predicate that rules define."""
        return self.language.positive

    @property
    def has(self) -> str:
        """Return the predicate from a train to its cars."""
        return self.language.membership

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Predicates of the attributes."""
        return tuple(attribute.predicate for attribute in self.grammar.attributes)

    @cached_property
    def position(self) -> int:
        """Place of the attribute that tells the place of a part."""
        assert self.grammar.position is not None
        return self.grammar.position

    @cached_property
    def literals(self) -> tuple[Literal, ...]:
        """All positive literals, attribute after attribute."""
        return tuple(
            Literal(at, value)
            for at, attribute in enumerate(self.grammar.attributes)
            for value in attribute.values or range(1, self.level.parts[1] + 1)
        )

    def literal(self, literal: Literal, part: str = "C") -> str:
        """Write a literal on a part."""
        text = f"{self.names[literal.at]}({part}, {literal.value})"
        return text if literal.holds else f"\\+ {text}"

    def condition(self, condition: Condition) -> str:
        """Write a condition on the train T, so that it binds no variable."""
        goals = ", ".join([f"{self.has}(T, C)", *map(self.literal, condition.literals)])
        return f"\\+ \\+ ({goals})" if condition.some else f"\\+ ({goals})"

    def rule(self, conjunction: Conjunction) -> str:
        """Write the rule that the conditions are met."""
        return f"{self.head}(T) :- {', '.join(map(self.condition, conjunction))}."

    def attributes(self, without: Sequence[int] = ()) -> list[int]:
        """Return the places of the other attributes."""
        return [at for at in range(len(self.names)) if at not in without]


@lru_cache(maxsize=32)
def writer_of(number: int) -> Writer:
    level, language = level_of(number), load_language("trains")
    return Writer(level, language, grammar_of(language, level.predicates))


@dataclass(frozen=True)
class Shown:
    """A task as a model sees it."""

    task: Task
    writer: Writer
    names: tuple[str, ...]
    """Names of the examples."""
    part_names: tuple[tuple[str, ...], ...]
    examples: tuple[Example, ...]
    labels: tuple[bool, ...]

    @property
    def positives(self) -> list[Example]:
        """Return the positive examples."""
        return [item for item, label in zip(self.examples, self.labels, strict=True) if label]

    @property
    def negatives(self) -> list[Example]:
        """Return the negative examples."""
        return [item for item, label in zip(self.examples, self.labels, strict=True) if not label]


def read_examples(task: Task, column: str = "validation_program") -> Shown:
    """Read the examples of a task from one of its programs."""
    payload = task.verification
    program = Program.parse(payload[column], payload["positive"], payload["negative"])
    parts: dict[str, list[str]] = {name: [] for name in program.examples}
    values: dict[str, list[Constant]] = {}
    for _, (subject, value) in program.facts:
        if subject in parts:
            parts[subject].append(value)
        else:
            known = int(value) if value.isdecimal() else value
            values.setdefault(subject, []).append(known)
    return Shown(
        task=task,
        writer=writer_of(task.level),
        names=program.examples,
        part_names=tuple(map(tuple, parts.values())),
        examples=tuple(tuple(tuple(values[part]) for part in row) for row in parts.values()),
        labels=program.labels,
    )


def draw_tasks(level: int, count: int, first_seed: int) -> list[Shown]:
    seeds = range(first_seed, first_seed + count)
    return [read_examples(generate("slr", level=level, seed=s, split="test")) for s in seeds]
