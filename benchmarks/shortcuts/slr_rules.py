"""What the prompt of an SLR task shows, short rules about it, and how right a rule really is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.slr.backgrounds import LabelledExample, labelled_program
from logic_curriculum.generators.slr.enumeration import space_of
from logic_curriculum.generators.slr.language import (
    Constant,
    Example,
    Grammar,
    Language,
    grammar_of,
)
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import Level, level_of
from logic_curriculum.rewards.engines.prolog import Cases, Program, judge_groups, own_facts

Truth = npt.NDArray[np.bool_]

GENERALISES = 0.75
"""Balanced accuracy from which on a rule counts as one that generalises."""
FRESH = 2_000
"""Trains drawn by the grammar of a level whose possible trains are too many to enumerate."""


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
    """The vocabulary of a level, and rules in it as Prolog."""

    level: Level
    language: Language
    grammar: Grammar

    @cached_property
    def head(self) -> str:
        """The predicate that rules define."""
        return self.language.positive

    @cached_property
    def has(self) -> str:
        """The predicate from a train to its cars."""
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

    @cached_property
    def signed_literals(self) -> tuple[Literal, ...]:
        """All literals and their negations."""
        return (*self.literals, *(item._replace(holds=False) for item in self.literals))

    def literal(self, literal: Literal) -> str:
        """Write a literal on the car C."""
        text = f"{self.names[literal.at]}(C, {literal.value})"
        return text if literal.holds else f"\\+ {text}"

    def condition(self, condition: Condition) -> str:
        """Write a condition on the train T, so that it binds no variable."""
        goals = ", ".join([f"{self.has}(T, C)", *map(self.literal, condition.literals)])
        return f"\\+ \\+ ({goals})" if condition.some else f"\\+ ({goals})"

    def rule(self, conjunction: Conjunction) -> str:
        """Write the rule that the conditions are met."""
        return f"{self.head}(T) :- {', '.join(map(self.condition, conjunction))}."

    def never(self) -> str:
        """Write a rule that no train meets."""
        return f"{self.head}(T) :- {self.has}(T, C), {self.has}(C, T)."

    def cases(self, examples: Sequence[Example], labels: Iterable[bool]) -> Cases:
        """Return examples as the engine reads them."""
        labelled = list(map(LabelledExample, examples, labels))
        program = labelled_program(self.language, self.grammar, labelled)
        return own_facts(program, self.language.positive, self.language.negative)


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

    def of_class(self, positive: bool) -> list[Example]:
        """Return the examples of a class."""
        return [e for e, label in zip(self.examples, self.labels, strict=True) if label is positive]

    def rng(self) -> random.Random:
        """Return a random stream that depends on the examples alone."""
        return random.Random(repr(self.examples))


Strategy = Callable[[Shown], str]
"""Writes an answer."""


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


# ------------------------------------------------------------------------ short rules, as numpy


def presence(examples: Sequence[Example], literals: Sequence[Literal]) -> Truth:
    """Tell for each example and part which literals it has; places without a part have none.

    Returns:
        Shape [examples, most parts, literals].
    """
    table = np.zeros((len(examples), max(map(len, examples)), len(literals)), dtype=bool)
    for row, example in enumerate(examples):
        for column, part in enumerate(example):
            table[row, column] = [(part[at] == value) == holds for at, value, holds in literals]
    return table


class Groups(NamedTuple):
    """Groups of literals, and which examples have a part with all literals of a group."""

    literals: list[tuple[Literal, ...]]
    truth: Truth
    """Shape [examples, groups]."""


def groups_of(examples: Sequence[Example], literals: Sequence[Literal], longest: int) -> Groups:
    """Return the groups of one, two and up to ``longest`` (at most three) literals.

    Pairs that say no more than one of their literals are left out, and triples that no part has.
    """
    table = presence(examples, literals)
    pairs = [
        (i, j)
        for i, j in combinations(range(len(literals)), 2)
        if literals[i].at != literals[j].at or not (literals[i].holds or literals[j].holds)
    ]
    rows, columns = np.array(pairs).T
    counts = table.astype(np.float32)
    together = np.matmul(counts.transpose(0, 2, 1), counts) > 0
    places: list[tuple[int, ...]] = [*((i,) for i in range(len(literals))), *pairs]
    truth = [table.any(axis=1), together[:, rows, columns]]
    if longest == 3:
        parts = {tuple(np.flatnonzero(part).tolist()) for example in table for part in example}
        triples = sorted({triple for part in parts for triple in combinations(part, 3)})
        one, two, three = (table[:, :, list(column)] for column in zip(*triples, strict=True))
        places += triples
        truth.append((one & two & three).any(axis=1))
    return Groups([tuple(literals[i] for i in group) for group in places], np.hstack(truth))


@dataclass(frozen=True, eq=False)
class ShortRules:
    """All conjunctions of at most two literals, negation included, over some examples."""

    groups: Groups
    pairs: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
    """Conjunctions of two conditions, by their places among those of one."""
    truth: Truth
    """Shape [examples, rules]: first each condition that some part has a group, then each that none
    has, then the pairs."""
    lengths: npt.NDArray[np.intp]
    """Numbers of literals."""

    @classmethod
    def over(cls, writer: Writer, examples: Sequence[Example]) -> ShortRules:
        """Evaluate the rules of a level."""
        groups = groups_of(examples, writer.signed_literals, longest=2)
        sizes = np.array([len(group) for group in groups.literals] * 2)
        truth = np.hstack([groups.truth, ~groups.truth])
        single = np.flatnonzero(sizes == 1)
        rows, columns = (single[at] for at in np.triu_indices(len(single), 1))
        return cls(
            groups,
            (rows, columns),
            np.hstack([truth, truth[:, rows] & truth[:, columns]]),
            np.concatenate([sizes, np.full(len(rows), 2)]),
        )

    def conjunction(self, index: int) -> Conjunction:
        """Return a rule by its place."""
        count = len(self.groups.literals)
        pair = index - 2 * count
        conditions = [index] if pair < 0 else [int(side[pair]) for side in self.pairs]
        return tuple(Condition(self.groups.literals[c % count], c < count) for c in conditions)


# --------------------------------------------------------------------------- true accuracy


@lru_cache(maxsize=1)
def _fresh_cases(level: int) -> Cases:
    """Return all possible trains, or many random ones, with labels that mean nothing."""
    writer = writer_of(level)
    space = space_of(writer.language, writer.level)
    if space is not None:
        return writer.cases(space.examples, [True] * len(space.examples))
    rng = random.Random(f"fresh trains of level {level}")
    low, high = writer.level.parts
    drawn = [writer.grammar.draw_example(rng, rng.randint(low, high)) for _ in range(FRESH)]
    return writer.cases(drawn, [True] * FRESH)


def balanced_accuracies(shown: Shown, rules: Sequence[str]) -> list[float]:
    """Return the mean of the shares of both classes that each rule gets right.

    A rule that the judge refuses is right nowhere.
    """
    cases = _fresh_cases(shown.writer.level.number)
    truth = shown.task.metadata["rule"]
    ((known, *executions),) = judge_groups([(cases, [truth, *rules])])
    labels = np.array([outcome is True for outcome in known.outcomes])
    assert known.status == "ok"
    assert 0 < labels.sum() < len(labels)
    found = []
    for execution in executions:
        if execution.status != "ok":
            found.append(0.0)
            continue
        outcomes = np.array([2 if bit is None else int(bit) for bit in execution.outcomes])
        found.append(sum(float(np.mean(outcomes[labels == of] == of)) for of in (0, 1)) / 2)
    return found
