"""What the prompt of an SLR task shows, short rules about it, and how right a rule really is."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.slr.enumeration import space_of
from logic_curriculum.generators.slr.examples import LabelledExample, labelled_program
from logic_curriculum.generators.slr.language import Example, Grammar, Language, Part, grammar_of
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import Level, level_of
from logic_curriculum.rewards.engines.prolog import Cases, Program, judge_groups, own_facts

Truth = npt.NDArray[np.bool_]

GENERALISES = 0.75  # balanced accuracy from which on a rule counts as one that generalises
FRESH = 2_000
"""Trains drawn by the grammar of a level whose possible trains are too many to enumerate."""


class Literal(NamedTuple):
    """A part has the value of the attribute at a place of the vocabulary, or has it not."""

    at: int
    value: int | str
    holds: bool = True


Group = tuple[Literal, ...]  # literals of one part


class Condition(NamedTuple):
    """Some part has all of the literals, or no part has."""

    literals: Group
    some: bool = True


Conjunction = tuple[Condition, ...]  # conditions on one example, all to be met


@dataclass(frozen=True)
class Writer:
    """The vocabulary of a level, and rules in it as Prolog."""

    level: Level
    language: Language
    grammar: Grammar
    head: str  # the predicate that rules define
    has: str  # the predicate from a train to its cars
    names: tuple[str, ...]  # predicates of the attributes
    position: int  # place of the attribute that tells the place of a part

    @cached_property
    def literals(self) -> Group:
        """All positive literals, attribute after attribute."""
        return tuple(
            Literal(at, value)
            for at, attribute in enumerate(self.grammar.attributes)
            for value in attribute.values_up_to(self.level.parts[1])
        )

    @property
    def signed_literals(self) -> Group:
        """All literals and their negations."""
        return (*self.literals, *(item._replace(holds=False) for item in self.literals))

    def without_place(self, part: Part) -> Part:
        """Return the values of a part but for its place."""
        return tuple(value for at, value in enumerate(part) if at != self.position)

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
        return own_facts(program, self.head, self.language.negative)


@lru_cache(maxsize=32)
def writer_of(number: int) -> Writer:
    level, language = level_of(number), load_language("trains")
    grammar = grammar_of(language, level.predicates)
    assert grammar.position is not None
    names = tuple(attribute.predicate for attribute in grammar.attributes)
    head, has, position = language.positive, language.membership, grammar.position
    return Writer(level, language, grammar, head, has, names, position)


@dataclass(frozen=True)
class Shown:
    """A task as a model sees it, with the names of the examples and of their parts."""

    task: Task
    writer: Writer
    names: tuple[str, ...]
    part_names: tuple[tuple[str, ...], ...]
    examples: tuple[Example, ...]
    labels: tuple[bool, ...]

    def of_class(self, positive: bool) -> list[Example]:
        """Return the examples of a class."""
        return [e for e, label in zip(self.examples, self.labels, strict=True) if label is positive]

    def rng(self) -> random.Random:
        """Return a random stream that depends on the examples alone."""
        return random.Random(repr(self.examples))


Strategy = Callable[[Shown], str]  # writes an answer


def read_examples(task: Task, column: str = "validation_program") -> Shown:
    """Read the examples of a task from one of its programs."""
    payload = task.verification
    program = Program.parse(payload[column], payload["positive"], payload["negative"])
    parts: dict[str, list[str]] = {name: [] for name in program.examples}
    values: dict[str, list[int | str]] = {}
    for _, (subject, value) in program.facts:
        if subject in parts:
            parts[subject].append(value)
        else:
            values.setdefault(subject, []).append(int(value) if value.isdecimal() else value)
    part_names = tuple(map(tuple, parts.values()))
    examples = tuple(tuple(tuple(values[part]) for part in row) for row in part_names)
    writer = writer_of(task.level)
    return Shown(task, writer, program.examples, part_names, examples, program.labels)


def draw_tasks(level: int, count: int, first_seed: int) -> list[Shown]:
    seeds = range(first_seed, first_seed + count)
    return [read_examples(generate("slr", level=level, seed=s, split="test")) for s in seeds]


def presence(examples: Sequence[Example], literals: Sequence[Literal]) -> Truth:
    """Tell which literals each part has: shape [examples, most parts, literals]."""
    table = np.zeros((len(examples), max(map(len, examples)), len(literals)), dtype=bool)
    for row, example in enumerate(examples):
        for column, part in enumerate(example):
            table[row, column] = [(part[at] == value) == holds for at, value, holds in literals]
    return table


def groups_of(
    examples: Sequence[Example], literals: Sequence[Literal], longest: int
) -> tuple[list[Group], Truth]:
    """Return groups of up to ``longest`` (at most three) literals, and which parts have them.

    Pairs that say no more than one of their literals are left out, and triples that no part has.
    The second item, of shape [examples, groups], tells whether one part has the whole group.
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
    return [tuple(literals[i] for i in group) for group in places], np.hstack(truth)


class ShortRules:
    """All conjunctions of at most two literals, negation included, over some examples.

    First each condition that some part has a group of literals, then each that none has, then
    ``pairs`` of conditions on one literal, by their places. ``truth`` has the shape [examples,
    rules], ``lengths`` are numbers of literals.
    """

    def __init__(self, writer: Writer, examples: Sequence[Example]) -> None:
        self.groups, some = groups_of(examples, writer.signed_literals, longest=2)
        sizes = np.array([len(group) for group in self.groups] * 2)
        truth = np.hstack([some, ~some])
        single = np.flatnonzero(sizes == 1)
        rows, columns = self.pairs = tuple(single[at] for at in np.triu_indices(len(single), 1))
        self.truth: Truth = np.hstack([truth, truth[:, rows] & truth[:, columns]])
        self.lengths = np.concatenate([sizes, np.full(len(rows), 2)])

    def conjunction(self, index: int) -> Conjunction:
        """Return a rule by its place."""
        count = len(self.groups)
        pair = index - 2 * count
        conditions = [index] if pair < 0 else [int(side[pair]) for side in self.pairs]
        return tuple(Condition(self.groups[c % count], c < count) for c in conditions)


@lru_cache(maxsize=1)
def _fresh_cases(level: int) -> Cases:
    """Return all possible trains, or many random ones, with labels that mean nothing."""
    writer, rng = writer_of(level), random.Random(f"fresh trains of level {level}")
    space = space_of(writer.language, writer.level)
    draw, parts = writer.grammar.draw_example, writer.level.parts
    trains = space.examples if space else [draw(rng, rng.randint(*parts)) for _ in range(FRESH)]
    return writer.cases(trains, [True] * len(trains))


def balanced_accuracies(shown: Shown, rules: Sequence[str]) -> list[float]:
    """Return the mean share of a class that each rule gets right; refused rules get none."""
    cases, truth = _fresh_cases(shown.writer.level.number), shown.task.metadata["rule"]
    ((known, *executions),) = judge_groups([(cases, [truth, *rules])])
    labels = np.array([outcome is True for outcome in known.outcomes])
    assert known.status == "ok"
    assert 0 < labels.sum() < len(labels)
    found = []
    for execution in executions:
        outcomes = np.array([2 if bit is None else int(bit) for bit in execution.outcomes])
        shares = class_shares(outcomes, labels) if execution.status == "ok" else [0.0]
        found.append(float(sum(shares)) / 2)
    return found


def class_shares(outcomes: npt.NDArray[Any], labels: Truth) -> list[Any]:
    """Return the share of the positives and of the negatives that outcomes get right."""
    return [np.equal(outcomes[labels == of], of).mean(axis=0) for of in (True, False)]
