"""Algorithm 1 of the paper: a rule, backgrounds with labels in equal number, and fresh examples."""

import math
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from logic_curriculum.generators.seeding import stream as seed_stream
from logic_curriculum.generators.slr import enumeration
from logic_curriculum.generators.slr.examples import (
    LabelledExample,
    is_of_split,
    label_classes,
    label_examples,
)
from logic_curriculum.generators.slr.language import Example, Grammar, Language, grammar_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import Rule, RuleSource
from logic_curriculum.rewards.engines.rules import RefusedError
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Labelled = tuple[LabelledExample, ...]
Classes = tuple[list[Example], list[Example]]  # positives and negatives

ATTEMPTS = 1_000  # rules that are tried for one task before the generator gives up
HELD_OUT_PER_CLASS = 32  # fresh examples of each class, where examples are too many to enumerate
HELD_OUT_RIGHT = round(LEAST_SHARE * HELD_OUT_PER_CLASS)  # that an accepted rule is right on
LAST_REDRAWN_LEVEL = 12  # up to here, examples are drawn until short rules that fit are accepted
REDRAWS = 60  # draws of a rule's examples before it is dropped because shortest rules fail
PICKS = 400  # picks of a rule's examples before it is dropped because all belong to another split
OTHER_SPLIT = "gave questions of another split"
SCREEN = 24  # examples that are drawn first, to see whether a rule splits them at all
SCREEN_MINIMUM = 2  # of each class among these; a rule with fewer is dropped
SAMPLES_PER_EXAMPLE = 16  # draws allowed per example wanted of a class, or the rule is dropped
LARGEST_BATCH = 192  # examples that are labelled at once
MIRROR_DRAWS = 8  # altered copies per positive example and round
MIRROR_ROUNDS = 12  # rounds before a rule counts as impossible to mirror
UNBALANCED = "do not split random examples evenly enough"


class RuleDroppedError(Exception):
    """A rule can't be used; the text ends a sentence that begins with the number of such rules."""


class SynthesisError(ValueError):
    """No task was found within the limits; the message says for what, why, and what to change."""


@dataclass(frozen=True)
class Synthesis:
    """What Algorithm 1 returns, before any text is written."""

    language: Language
    level: Level
    grammar: Grammar
    rule: Rule
    examples: Labelled  # κ examples, half of them positive, in random order
    held_out: Labelled
    """Every possible example, where they are enumerated; else fresh ones, drawn uniformly, half of
    them positive, in random order, none of them shown."""
    accepted: tuple[str, ...] | None
    """Where all examples are enumerated, the outcomes on ``held_out`` that are accepted."""
    positive_rate: float
    """Share of positives among all uniform draws for this rule, before rejection."""


@dataclass
class ExampleStream:
    """Uniform draws of labelled examples for one rule; RuleDroppedError when the limits are met."""

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

    def pick(self, positives: int, negatives: int) -> Classes:
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

    def take_others(self, shown: Collection[Example]) -> Classes:
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
        examples = self.grammar.draw_examples(rng, [rng.randint(*sizes) for _ in range(count)])
        labels = label_examples(self.grammar.language, self.level, self.rule, examples)
        self.drawn += count
        self.drawn_positive += sum(labels)
        for example, positive in zip(examples, labels, strict=True):
            (self.positives if positive else self.negatives).append(example)


def draw_task_examples(stream: ExampleStream) -> Classes:
    """Draw a task's positive and negative examples by the level's background policy."""
    if stream.level.background != "mirror":
        return stream.pick(stream.level.positives, stream.level.negatives)
    for _ in range(2):  # once in a hundred times, positives are too alike to be mirrored
        positives, _ = stream.pick(stream.level.positives, 0)
        if negatives := _mirror_images(stream, positives):
            return positives, negatives
    raise RuleDroppedError(UNBALANCED)


def _mirror_images(stream: ExampleStream, positives: Sequence[Example]) -> list[Example]:
    """Return negative copies of positives that differ in attributes that the rule names.

    They are copies of one positive each or, where the classes differ in size, of any. All differ;
    if too few are found, none are returned.
    """
    count, is_paired = stream.level.negatives, stream.level.positives == stream.level.negatives
    named, attributes = stream.rule.words, enumerate(stream.grammar.attributes)
    relevant = [at for at, a in attributes if a.predicate in named and not a.is_position]
    found: dict[int, Example] = {}
    for _ in range(MIRROR_ROUNDS):
        owners = [at for at in range(count) if at not in found for _ in range(MIRROR_DRAWS)]
        copies = [
            tuple(stream.grammar.redraw(stream.rng, part, relevant) for part in original)
            for at in owners
            for original in [positives[at] if is_paired else stream.rng.choice(positives)]
        ]
        labels = label_examples(stream.grammar.language, stream.level, stream.rule, copies)
        for at, copy, positive in zip(owners, copies, labels, strict=True):
            if not positive and at not in found and copy not in found.values():
                found[at] = copy
        if len(found) == count:
            return [found[at] for at in range(count)]
    return []


def synthesize(
    language: Language, level: Level, seed: int, split: str, sources: Mapping[str, RuleSource]
) -> Synthesis:
    """Make the task of a seed; ``sources`` are the rule sources ``"uniform"`` and ``"guided"``."""
    rng = seed_stream("slr", language.name, level.number, seed, split)
    policy = "guided" if rng.random() < level.guided_share else "uniform"
    failures: Counter[str] = Counter()
    for _ in range(ATTEMPTS):
        rule = sources[policy](language, level, rng)
        try:
            return _with_examples(language, level, rule, split, rng)
        except RuleDroppedError as reason:
            failures[str(reason)] += 1
        except RefusedError:
            failures["are above the caps, or take the judge too long"] += 1
    reasons = ", ".join(f"{count} {reason}" for reason, count in failures.items())
    raise SynthesisError(
        f"No task for level {level.number} and split {split!r} of the language {language.name!r} "
        f"with {policy} rules: of {ATTEMPTS} rules, {reasons}; give the language more attributes "
        "or values, ask for smaller sizes, or choose another level or split"
    )


def _with_examples(
    language: Language, level: Level, rule: Rule, split: str, rng: random.Random
) -> Synthesis:
    if not is_of_split(split, rule):
        raise RuleDroppedError("belong to another split")
    grammar = grammar_of(language, level.predicates, level.weights)
    space = enumeration.space_of(language, level)
    stream = ExampleStream(grammar, level, rule, rng, 0 if space else HELD_OUT_PER_CLASS)
    accepted = None
    if space is None:
        examples, held_out = _draw_fresh(stream, split)
    else:
        examples, held_out = _draw_enumerated(space, stream, split)
        outcomes = space.accepted(examples, space.labelled(held_out, True))
        accepted = tuple(sorted(f"{members:0{len(held_out)}b}"[::-1] for members in outcomes))
    rate = stream.positive_rate
    return Synthesis(language, level, grammar, rule, examples, held_out, accepted, rate)


def _draw_enumerated(
    space: enumeration.ExampleSpace, stream: ExampleStream, split: str
) -> tuple[Labelled, Labelled]:
    """Draw a sound question of the split; label all possible examples."""
    language, rule = stream.grammar.language, stream.rule
    if not enumeration.has_sound_questions(space, rule.canonical):
        raise RuleDroppedError("can't be told from their examples")
    labels = label_examples(language, space.level, rule, space.examples)
    every = tuple(map(LabelledExample, space.examples, labels))
    truth = space.labelled(every, True)
    if truth not in enumeration.outcomes_of(space):
        raise RuleDroppedError("are not as simple as rules that are accepted there")
    for _ in range(REDRAWS):
        examples = _shuffled(*draw_task_examples(stream), stream.rng)
        found = enumeration.split_of_question(language, space.level, examples)
        if found == split and space.is_sound(examples, truth):
            return examples, every
    raise RuleDroppedError(OTHER_SPLIT)


def _draw_fresh(stream: ExampleStream, split: str) -> tuple[Labelled, Labelled]:
    """Draw a question of the split and fresh examples, until short rules that fit are accepted."""
    for _ in range(REDRAWS):
        shown = _pick_question(stream, split)
        fresh = stream.take_others(set().union(*shown))
        if stream.level.number > LAST_REDRAWN_LEVEL or is_fair(shown, fresh):
            return _shuffled(*shown, stream.rng), _shuffled(*fresh, stream.rng)
    raise RuleDroppedError("are too often missed by the shortest rules that fit the examples")


def _pick_question(stream: ExampleStream, split: str) -> Classes:
    for _ in range(PICKS):
        classes = draw_task_examples(stream)
        question = label_classes(*classes)
        if enumeration.split_of_question(stream.grammar.language, stream.level, question) == split:
            return classes
    raise RuleDroppedError(OTHER_SPLIT)


def is_fair(shown: Classes, fresh: Classes) -> bool:
    """Return whether every shortest conjunction that fits is accepted, so that none is punished."""
    return all(
        sum(enumeration.holds(rule, item) is positive for item in items) >= HELD_OUT_RIGHT
        for rule in enumeration.shortest_conjunctions(*shown)
        for items, positive in zip(fresh, (True, False), strict=True)
    )


def _shuffled(positives: list[Example], negatives: list[Example], rng: random.Random) -> Labelled:
    """Mix both classes, so that neither an example's place nor its name tells its class."""
    examples = label_classes(positives, negatives)
    rng.shuffle(examples)
    return tuple(examples)
