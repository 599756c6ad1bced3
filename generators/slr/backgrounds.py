"""Background synthesis: draws, labels and stratified rejection (Algorithm 1, lines 3 to 13)."""

import math
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from logic_curriculum.generators.slr.language import Example, Grammar, Language
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import Rule
from logic_curriculum.rewards.engines.prolog import entailed, own_facts

SCREEN = 24  # examples that are drawn first, to see whether a rule splits them at all
SCREEN_MINIMUM = 2  # of each class among these; a rule with fewer is dropped
SAMPLES_PER_EXAMPLE = 16  # draws allowed per example wanted of a class, or the rule is dropped
LARGEST_BATCH = 192  # examples that are labelled in one call of the engine
MIRROR_DRAWS = 8  # altered copies per positive example and round
MIRROR_ROUNDS = 12  # rounds before a rule counts as impossible to mirror
UNBALANCED = "do not split random examples evenly enough"


class RuleDroppedError(Exception):
    """A rule can't be used; the text ends a sentence that begins with the number of such rules."""


class NoMirrorError(RuleDroppedError):
    """Some positives have no mirror images that differ; other positives of the rule may."""


@dataclass(frozen=True)
class LabelledExample:
    """An example and its class."""

    parts: Example
    positive: bool


def label_classes(
    positives: Iterable[Example], negatives: Iterable[Example]
) -> list[LabelledExample]:
    """Return the examples of both classes with their labels, the positives first."""
    labelled = [LabelledExample(parts, True) for parts in positives]
    return labelled + [LabelledExample(parts, False) for parts in negatives]


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
        lines.append(f"{language.label(example.positive)}({whole_name(language, number)}).")
        lines += background_facts(language, grammar, number, example.parts)
    return "\n".join(lines)


def label_examples(
    language: Language, grammar: Grammar, rule: Rule, examples: Sequence[Example]
) -> list[bool]:
    """Return for each example whether the rule entails its positive label."""
    unlabelled = [LabelledExample(parts, positive=True) for parts in examples]
    program = labelled_program(language, grammar, unlabelled)
    return entailed(rule.text, own_facts(program, language.positive, language.negative))


@dataclass
class ExampleStream:
    """Uniform draws of labelled examples for one rule; RuleDroppedError when the limits are met."""

    language: Language
    grammar: Grammar
    level: Level
    rule: Rule
    rng: random.Random
    spare: int = 0  # examples of each class that are drawn beyond those to pick
    positives: list[Example] = field(default_factory=list)
    negatives: list[Example] = field(default_factory=list)
    drawn: int = 0  # examples labelled so far
    drawn_positive: int = 0

    @property
    def positive_rate(self) -> float:
        """The observed share of positive examples."""
        return self.drawn_positive / self.drawn if self.drawn else 0.5

    def pick(self, positives: int, negatives: int) -> tuple[list[Example], list[Example]]:
        """Pick examples of each class at random, no two of them equal; they stay in the stream."""
        self._fill(positives + self.spare, negatives + self.spare)
        budget = self.drawn + SAMPLES_PER_EXAMPLE * (positives + negatives)
        while True:
            self.rng.shuffle(self.positives)
            self.rng.shuffle(self.negatives)
            yes, no = list(dict.fromkeys(self.positives)), list(dict.fromkeys(self.negatives))
            if len(yes) >= positives and len(no) >= negatives:
                return yes[:positives], no[:negatives]
            self._draw(SCREEN, budget)

    def take_others(self, shown: Collection[Example]) -> tuple[list[Example], list[Example]]:
        """Take the spare examples of each class, none of them shown, and empty the stream."""
        budget = self.drawn + SAMPLES_PER_EXAMPLE * self.spare
        while True:
            positives = [item for item in self.positives if item not in shown]
            negatives = [item for item in self.negatives if item not in shown]
            if min(len(positives), len(negatives)) >= self.spare:
                self.positives, self.negatives = [], []
                return positives[: self.spare], negatives[: self.spare]
            self._draw(SCREEN, budget)

    def _fill(self, positives: int, negatives: int) -> None:
        budget = self.drawn + SAMPLES_PER_EXAMPLE * max(positives, negatives) + SCREEN
        if self.drawn == 0:
            self._draw(SCREEN, budget)
            if min(self.drawn_positive, self.drawn - self.drawn_positive) < SCREEN_MINIMUM:
                raise RuleDroppedError(UNBALANCED)
        while len(self.positives) < positives or len(self.negatives) < negatives:
            rate = self.positive_rate
            missing_positives = (positives - len(self.positives)) / rate
            missing = max(missing_positives, (negatives - len(self.negatives)) / (1 - rate))
            self._draw(min(4 + math.ceil(1.1 * missing), LARGEST_BATCH), budget)

    def _draw(self, count: int, budget: int) -> None:
        """Draw and label examples, unless the budget of draws is spent."""
        if self.drawn >= budget:
            raise RuleDroppedError(UNBALANCED)
        sizes, rng = self.level.parts, self.rng
        examples = [self.grammar.draw_example(rng, rng.randint(*sizes)) for _ in range(count)]
        labels = label_examples(self.language, self.grammar, self.rule, examples)
        self.drawn += count
        self.drawn_positive += sum(labels)
        for example, positive in zip(examples, labels, strict=True):
            (self.positives if positive else self.negatives).append(example)


def draw_task_examples(stream: ExampleStream) -> tuple[list[Example], list[Example]]:
    """Draw a task's positive and negative examples by the level's background policy."""
    half = stream.level.kappa // 2
    if stream.level.background == "uniform":
        return stream.pick(half, half)
    try:
        return _mirrored(stream, half)
    except NoMirrorError:  # once in a hundred times, positives are too alike to be mirrored
        return _mirrored(stream, half)


def _mirrored(stream: ExampleStream, count: int) -> tuple[list[Example], list[Example]]:
    """Draw positives, and negative copies that differ in attributes that the rule names."""
    positives, _ = stream.pick(count, 0)
    named, attributes = stream.rule.predicates, enumerate(stream.grammar.attributes)
    relevant = [at for at, a in attributes if a.predicate in named and not a.is_position]
    found: dict[int, Example] = {}
    for _ in range(MIRROR_ROUNDS):
        owners = [at for at in range(count) if at not in found for _ in range(MIRROR_DRAWS)]
        copies = [
            tuple(stream.grammar.redraw(stream.rng, part, relevant) for part in positives[at])
            for at in owners
        ]
        labels = label_examples(stream.language, stream.grammar, stream.rule, copies)
        for at, copy, positive in zip(owners, copies, labels, strict=True):
            if not positive and at not in found and copy not in found.values():
                found[at] = copy
        if len(found) == count:
            return positives, [found[at] for at in range(count)]
    raise NoMirrorError(UNBALANCED)
