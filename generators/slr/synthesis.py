"""Algorithm 1 of the paper: a rule, backgrounds with labels in equal number, and fresh examples."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from logic_curriculum.generators.seeding import stream as seed_stream
from logic_curriculum.generators.slr import backgrounds, enumeration, splits
from logic_curriculum.generators.slr.backgrounds import ExampleStream, LabelledExample
from logic_curriculum.generators.slr.language import Example, Grammar, Language, grammar_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import Rule, RuleSource
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Labelled = tuple[LabelledExample, ...]
Classes = tuple[list[Example], list[Example]]  # positives and negatives

ATTEMPTS = 1_000  # rules that are tried for one task before the generator gives up
HELD_OUT_PER_CLASS = 32  # fresh examples of each class, where examples are too many to enumerate
HELD_OUT_RIGHT = round(LEAST_SHARE * HELD_OUT_PER_CLASS)  # that an accepted rule is right on
LAST_REDRAWN_LEVEL = 12  # up to here, examples are drawn until short rules that fit are accepted
SHORTEST = 2  # literals of such a rule at most
REDRAWS = 60  # draws of a rule's examples before it is dropped because shortest rules fail
PICKS = 400  # picks of a rule's examples before it is dropped because all belong to another split
OTHER_SPLIT = "gave questions of another split"


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
        except backgrounds.RuleDroppedError as reason:
            failures[str(reason)] += 1
    reasons = ", ".join(f"{count} {reason}" for reason, count in failures.items())
    raise SynthesisError(
        f"No task for level {level.number} and split {split!r} of the language {language.name!r} "
        f"with {policy} rules: of {ATTEMPTS} rules, {reasons}; give the language more attributes "
        "or values, or choose another level or split"
    )


def _with_examples(
    language: Language, level: Level, rule: Rule, split: str, rng: random.Random
) -> Synthesis:
    if splits.is_test_rule(rule.canonical) != (split == "test"):
        raise backgrounds.RuleDroppedError("belong to another split")
    grammar = grammar_of(language, level.predicates)
    space = enumeration.space_of(language, level)
    stream = ExampleStream(language, grammar, level, rule, rng, 0 if space else HELD_OUT_PER_CLASS)
    accepted = None
    if space is None:
        examples, held_out = _draw_fresh(stream, split)
    else:
        examples, held_out = _draw_enumerated(space, stream, split)
        accepted = space.accepted_patterns(examples, space.labelled(held_out, True))
    rate = stream.positive_rate
    return Synthesis(language, level, grammar, rule, examples, held_out, accepted, rate)


def _draw_enumerated(
    space: enumeration.ExampleSpace, stream: ExampleStream, split: str
) -> tuple[Labelled, Labelled]:
    """Draw a sound question of the split; label all possible examples."""
    language, grammar, rule = stream.language, stream.grammar, stream.rule
    if not enumeration.has_sound_questions(space, rule.canonical):
        raise backgrounds.RuleDroppedError("can't be told from their examples")
    labels = backgrounds.label_examples(language, grammar, rule, space.examples)
    every = tuple(map(LabelledExample, space.examples, labels))
    for _ in range(REDRAWS):
        examples = _shuffled(*backgrounds.draw_task_examples(stream), stream.rng)
        fits_test_rule = space.fits_test_rule(examples)
        found = splits.split_of_enumerated(grammar, examples, fits_test_rule)
        if found == split and space.is_sound(examples, space.labelled(every, True)):
            return examples, every
    raise backgrounds.RuleDroppedError(OTHER_SPLIT)


def _draw_fresh(stream: ExampleStream, split: str) -> tuple[Labelled, Labelled]:
    """Draw a question of the split and fresh examples, until short rules that fit are accepted."""
    for _ in range(REDRAWS):
        shown = _pick_question(stream, split)
        fresh = stream.take_others(set().union(*shown))
        if stream.level.number > LAST_REDRAWN_LEVEL or is_fair(shown, fresh):
            return _shuffled(*shown, stream.rng), _shuffled(*fresh, stream.rng)
    missed = "are too often missed by the shortest rules that fit the examples"
    raise backgrounds.RuleDroppedError(missed)


def _pick_question(stream: ExampleStream, split: str) -> Classes:
    for _ in range(PICKS):
        classes = backgrounds.draw_task_examples(stream)
        question = splits.content_hash(stream.grammar, backgrounds.label_classes(*classes))
        if splits.split_of(question) == split:
            return classes
    raise backgrounds.RuleDroppedError(OTHER_SPLIT)


def is_fair(shown: Classes, fresh: Classes) -> bool:
    """Return whether every shortest conjunction that fits is accepted, so that none is punished."""
    return all(
        sum(enumeration.holds(rule, item) is positive for item in items) >= HELD_OUT_RIGHT
        for rule in enumeration.shortest_conjunctions(*shown, SHORTEST)
        for items, positive in zip(fresh, (True, False), strict=True)
    )


def _shuffled(positives: list[Example], negatives: list[Example], rng: random.Random) -> Labelled:
    """Mix both classes, so that neither an example's place nor its name tells its class."""
    examples = backgrounds.label_classes(positives, negatives)
    rng.shuffle(examples)
    return tuple(examples)
