"""Background synthesis: draws, labels and stratified rejection (Algorithm 1, lines 3 to 13)."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from generators.slr.grammar import Example, Grammar
from generators.slr.language import Language
from generators.slr.levels import Level
from generators.slr.programs import background_facts, whole_name
from generators.slr.rules import Rule

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


def label_examples(
    language: Language, grammar: Grammar, rule: Rule, examples: Sequence[Example]
) -> list[bool]:
    """Return for each example whether the rule entails its positive label.

    The engine is the one that judges hypotheses; all examples go to it in one program.
    """
    from rewards.judges.prolog import entailed

    facts: list[str] = []
    for number, parts in enumerate(examples):
        facts += background_facts(language, grammar, number, parts)
    queries = [
        f"{language.positive}({whole_name(language, number)})" for number in range(len(examples))
    ]
    return entailed(rule.text, "\n".join(facts), queries)


@dataclass
class ExampleStream:
    """Uniform draws of labelled examples for one rule, kept until they are asked for."""

    language: Language
    grammar: Grammar
    level: Level
    rule: Rule
    rng: random.Random
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

    def take(self, positives: int, negatives: int) -> tuple[list[Example], list[Example]]:
        """Take the next examples of each class out of the stream.

        Raises:
            RuleDroppedError: The rule's classes are too uneven.
        """
        self._fill(positives, negatives)
        taken = self.positives[:positives], self.negatives[:negatives]
        del self.positives[:positives]
        del self.negatives[:negatives]
        return taken

    def take_distinct(self, positives: int, negatives: int) -> tuple[list[Example], list[Example]]:
        """Take examples of which no two are equal; equal ones are dropped.

        Raises:
            RuleDroppedError: The rule's classes are too uneven, or hold too few different examples.
        """
        self._fill(positives, negatives)
        budget = self.drawn + SAMPLES_PER_EXAMPLE * (positives + negatives)
        while not (self._distinct(positives) and self._distinct(negatives, of_negatives=True)):
            if self.drawn >= budget:
                raise RuleDroppedError(UNBALANCED)
            self._draw(SCREEN)
        return self.take(positives, negatives)

    def _distinct(self, wanted: int, of_negatives: bool = False) -> bool:
        """Drop repeated examples of one class; return whether enough are left."""
        if of_negatives:
            self.negatives = list(dict.fromkeys(self.negatives))
            return len(self.negatives) >= wanted
        self.positives = list(dict.fromkeys(self.positives))
        return len(self.positives) >= wanted

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
        RuleDroppedError: The rule does not yield them within the limits.
    """
    half = stream.level.kappa // 2
    if stream.level.background == "uniform":
        return stream.take_distinct(half, half)
    positives, _ = stream.take_distinct(half, 0)
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
    raise RuleDroppedError(UNBALANCED)


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
