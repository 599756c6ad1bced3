"""Background synthesis: draws, labels and stratified rejection (Algorithm 1, lines 3 to 13)."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from logic_curriculum.generators.slr.grammar import Example, Grammar
from logic_curriculum.generators.slr.language import Language
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.programs import LabelledExample, labelled_program
from logic_curriculum.generators.slr.rules import Rule

SCREEN = 24
"""Examples that are drawn first, to see whether a rule splits them at all."""
SCREEN_MINIMUM = 2
"""Of each class among these; a rule with fewer is dropped."""
SAMPLES_PER_EXAMPLE = 16
"""Draws allowed per example that is wanted of one class, before the rule is dropped."""
LARGEST_BATCH = 192
"""Examples that are labelled in one call of the engine."""
MIRROR_DRAWS = 8
"""Altered copies per positive example and round."""
MIRROR_ROUNDS = 12
"""Rounds before a rule counts as impossible to mirror."""


UNBALANCED = "do not split random examples evenly enough"


class RuleDroppedError(Exception):
    """A rule can't be used; the text ends a sentence that begins with the number of such rules."""


class NoMirrorError(RuleDroppedError):
    """Some positives have no mirror images that differ; other positives of the rule may."""


def label_examples(
    language: Language, grammar: Grammar, rule: Rule, examples: Sequence[Example]
) -> list[bool]:
    """Return for each example whether the rule entails its positive label.

    The engine is the one that judges hypotheses, and it decides each example from its own facts.
    """
    from logic_curriculum.rewards.engines.prolog import entailed, own_facts

    unlabelled = [LabelledExample(parts, positive=True) for parts in examples]
    program = labelled_program(language, grammar, unlabelled)
    return entailed(rule.text, own_facts(program, language.positive, language.negative))


@dataclass
class ExampleStream:
    """Uniform draws of labelled examples for one rule, kept until they are asked for."""

    language: Language
    grammar: Grammar
    level: Level
    rule: Rule
    rng: random.Random
    spare: int = 0
    """Examples of each class that are drawn beyond those to pick."""
    positives: list[Example] = field(default_factory=list)
    negatives: list[Example] = field(default_factory=list)
    drawn: int = 0
    """Examples labelled so far."""
    drawn_positive: int = 0
    """Positive ones among them."""

    @property
    def positive_rate(self) -> float:
        """Return the observed share of positive examples."""
        return self.drawn_positive / self.drawn if self.drawn else 0.5

    def pick(self, positives: int, negatives: int) -> tuple[list[Example], list[Example]]:
        """Pick examples of each class at random, no two of them equal; they stay in the stream.

        Raises:
            RuleDroppedError: The rule's classes are too uneven, or hold too few different examples.
        """
        self._fill(positives + self.spare, negatives + self.spare)
        budget = self.drawn + SAMPLES_PER_EXAMPLE * (positives + negatives)
        while True:
            picked = self._distinct(self.positives), self._distinct(self.negatives)
            if len(picked[0]) >= positives and len(picked[1]) >= negatives:
                return picked[0][:positives], picked[1][:negatives]
            if self.drawn >= budget:
                raise RuleDroppedError(UNBALANCED)
            self._draw(SCREEN)

    def _distinct(self, examples: list[Example]) -> list[Example]:
        """Return the different ones of some examples in random order, the frequent ones earlier."""
        self.rng.shuffle(examples)
        return list(dict.fromkeys(examples))

    def take_others(self, shown: Collection[Example]) -> tuple[list[Example], list[Example]]:
        """Take the spare examples of each class, none of them shown, and empty the stream.

        Raises:
            RuleDroppedError: The rule's classes are too uneven.
        """
        budget = self.drawn + SAMPLES_PER_EXAMPLE * self.spare
        while True:
            positives = [item for item in self.positives if item not in shown]
            negatives = [item for item in self.negatives if item not in shown]
            if min(len(positives), len(negatives)) >= self.spare:
                self.positives, self.negatives = [], []
                return positives[: self.spare], negatives[: self.spare]
            if self.drawn >= budget:
                raise RuleDroppedError(UNBALANCED)
            self._draw(SCREEN)

    def _fill(self, positives: int, negatives: int) -> None:
        budget = self.drawn + SAMPLES_PER_EXAMPLE * max(positives, negatives) + SCREEN
        if self.drawn == 0:
            self._screen()
        while True:
            missing = self._missing_draws(positives, negatives)
            if missing == 0:
                return
            if self.drawn >= budget:
                raise RuleDroppedError(UNBALANCED)
            self._draw(min(missing, LARGEST_BATCH))

    def _screen(self) -> None:
        self._draw(SCREEN)
        if min(self.drawn_positive, self.drawn - self.drawn_positive) < SCREEN_MINIMUM:
            raise RuleDroppedError(UNBALANCED)

    def _missing_draws(self, positives: int, negatives: int) -> int:
        """Return how many draws should yield what is missing; 0 if nothing is."""
        rate = self.positive_rate
        short = max(0, positives - len(self.positives)), max(0, negatives - len(self.negatives))
        if short == (0, 0):
            return 0
        return 4 + math.ceil(1.1 * max(short[0] / rate, short[1] / (1 - rate)))

    def _draw(self, count: int) -> None:
        low, high = self.level.parts
        examples = [
            self.grammar.draw_example(self.rng, self.rng.randint(low, high)) for _ in range(count)
        ]
        labels = label_examples(self.language, self.grammar, self.rule, examples)
        self.drawn += count
        self.drawn_positive += sum(labels)
        for example, positive in zip(examples, labels, strict=True):
            (self.positives if positive else self.negatives).append(example)


def draw_task_examples(stream: ExampleStream) -> tuple[list[Example], list[Example]]:
    """Draw a task's positive and negative examples by the level's background policy.

    Raises:
        NoMirrorError: The positives that were drawn can't be mirrored.
        RuleDroppedError: The rule does not yield them within the limits.
    """
    half = stream.level.kappa // 2
    if stream.level.background == "uniform":
        return stream.pick(half, half)
    positives, _ = stream.pick(half, 0)
    return positives, _mirror(stream, positives)


def _mirror(stream: ExampleStream, positives: Sequence[Example]) -> list[Example]:
    """Return for each positive example a negative copy that differs in relevant atoms only.

    Relevant are the attributes that the rule names, at any part. The parts' order stays.
    """
    relevant = [
        at
        for at, item in enumerate(stream.grammar.attributes)
        if item.predicate in stream.rule.predicates and not item.is_position
    ]
    found: dict[int, Example] = {}
    for _ in range(MIRROR_ROUNDS):
        open_places = [at for at in range(len(positives)) if at not in found]
        _mirror_round(stream, positives, relevant, open_places, found)
        if len(found) == len(positives):
            return [found[at] for at in range(len(positives))]
    raise NoMirrorError(UNBALANCED)


def _mirror_round(
    stream: ExampleStream,
    positives: Sequence[Example],
    relevant: Sequence[int],
    places: Sequence[int],
    found: dict[int, Example],
) -> None:
    """Try some altered copies of the positives at these places; keep the first good one of each."""
    owners = [at for at in places for _ in range(MIRROR_DRAWS)]
    copies = [
        tuple(stream.grammar.redraw(stream.rng, part, relevant) for part in positives[at])
        for at in owners
    ]
    labels = label_examples(stream.language, stream.grammar, stream.rule, copies)
    for at, copy, positive in zip(owners, copies, labels, strict=True):
        if not positive and at not in found and copy not in found.values():
            found[at] = copy
