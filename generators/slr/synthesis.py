"""Algorithm 1 of the paper: a rule, backgrounds with labels in equal number, and fresh examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from logic_curriculum.generators.seeding import stream as seed_stream
from logic_curriculum.generators.slr.backgrounds import (
    ExampleStream,
    LabelledExample,
    RuleDroppedError,
    draw_task_examples,
    label_examples,
)
from logic_curriculum.generators.slr.enumeration import (
    ExampleSpace,
    has_sound_questions,
    holds,
    shortest_conjunctions,
    space_of,
)
from logic_curriculum.generators.slr.language import Example, Grammar, Language, grammar_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import Rule, RuleSource
from logic_curriculum.generators.slr.splits import (
    content_fingerprint,
    is_test_rule,
    question_of,
    split_of,
    split_of_enumerated,
)
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Labelled = tuple[LabelledExample, ...]

ATTEMPTS = 1_000
"""Rules that are tried for one task before the generator gives up."""
HELD_OUT_PER_CLASS = 32
"""Fresh examples of each class, where examples are too many to enumerate."""
HELD_OUT_RIGHT = round(LEAST_SHARE * HELD_OUT_PER_CLASS)
"""Of these, what an accepted rule has to be right on."""
LAST_REDRAWN_LEVEL = 12
"""Up to here, examples are drawn again until the shortest rules that fit them are accepted."""
SHORTEST = 2
"""Literals of such a rule at most."""
REDRAWS = 60
"""Draws of a rule's examples before it is dropped because shortest rules fail."""
PICKS = 400
"""Picks of a rule's examples before it is dropped because all belong to another split."""

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
    examples: tuple[LabelledExample, ...]
    """κ examples, half of them positive, in random order."""
    held_out: tuple[LabelledExample, ...]
    """Every possible example, where they are enumerated; else fresh ones, drawn uniformly, half of
    them positive, in random order, none of them shown."""
    accepted: tuple[str, ...] | None
    """Where all examples are enumerated, the outcomes on ``held_out`` that are accepted."""
    positive_rate: float
    """Share of positives among all uniform draws for this rule, before rejection."""

    @cached_property
    def question(self) -> str:
        """Hash of the examples without names and order, equal for equal questions."""
        return question_of(self.grammar, self.examples)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of rule and examples without names and order, equal for equal tasks."""
        return content_fingerprint(self.rule, self.grammar, self.examples)


def synthesize(
    language: Language, level: Level, seed: int, split: str, sources: Mapping[str, RuleSource]
) -> Synthesis:
    """Make the task of a seed.

    Args:
        language: Vocabulary and grammar.
        level: One row of Table 2.
        seed: Any integer; with the other arguments it determines the task.
        split: ``"train"``, ``"validation"`` or ``"test"``.
        sources: The rule sources ``"uniform"`` and ``"guided"``.

    Raises:
        SynthesisError: No rule within the limits gave a balanced task of this split.
    """
    rng = seed_stream("slr", language.name, level.number, seed, split)
    policy = "guided" if rng.random() < level.guided_share else "uniform"
    failures: Counter[str] = Counter()
    for _ in range(ATTEMPTS):
        rule = sources[policy].draw(language, level, rng)
        try:
            return _fill_in(language, level, rule, split, rng)
        except RuleDroppedError as reason:
            failures[str(reason)] += 1
    reasons = ", ".join(f"{count} {reason}" for reason, count in failures.items())
    raise SynthesisError(
        f"No task for level {level.number} and split {split!r} of the language {language.name!r} "
        f"with {policy} rules: of {ATTEMPTS} rules, {reasons}; give the language more attributes "
        "or values, or choose another level or split"
    )


def _fill_in(
    language: Language, level: Level, rule: Rule, split: str, rng: random.Random
) -> Synthesis:
    """Draw the examples of a rule.

    Raises:
        RuleDroppedError: It does not yield them within the limits, or the rule or its questions
            belong to another split.
    """
    if is_test_rule(rule.canonical) != (split == "test"):
        raise RuleDroppedError("belong to another split")
    grammar = grammar_of(language, level.predicates)
    space = space_of(language, level)
    spare = 0 if space else HELD_OUT_PER_CLASS
    stream = ExampleStream(language, grammar, level, rule, rng, spare)
    draw = _draw_fresh if space is None else partial(_draw_enumerated, space)
    examples, held_out = draw(stream, split)
    accepted = None
    if space is not None:
        accepted = space.accepted_patterns(examples, space.labelled(held_out, True))
    return Synthesis(
        language=language,
        level=level,
        grammar=grammar,
        rule=rule,
        examples=examples,
        held_out=held_out,
        accepted=accepted,
        positive_rate=stream.positive_rate,
    )


def _draw_enumerated(
    space: ExampleSpace, stream: ExampleStream, split: str
) -> tuple[Labelled, Labelled]:
    """Draw a sound question of the split; label all possible examples."""
    if not has_sound_questions(space, stream.rule.canonical):
        raise RuleDroppedError("can't be told from their examples")
    labels = label_examples(stream.language, stream.grammar, stream.rule, space.examples)
    every = tuple(map(LabelledExample, space.examples, labels))
    for _ in range(REDRAWS):
        examples = _shuffled(*draw_task_examples(stream), stream.rng)
        found = split_of_enumerated(stream.grammar, examples, space.fits_test_rule(examples))
        if found == split and space.is_sound(examples, space.labelled(every, True)):
            return examples, every
    raise RuleDroppedError(OTHER_SPLIT)


def _draw_fresh(stream: ExampleStream, split: str) -> tuple[Labelled, Labelled]:
    """Draw a question of the split and fresh examples, until short rules that fit are accepted."""
    for _ in range(REDRAWS):
        positives, negatives = _pick_question(stream, split)
        fresh = stream.take_others({*positives, *negatives})
        if stream.level.number > LAST_REDRAWN_LEVEL or is_fair(positives, negatives, *fresh):
            examples = _shuffled(positives, negatives, stream.rng)
            return examples, _shuffled(*fresh, stream.rng)
    raise RuleDroppedError("are too often missed by the shortest rules that fit the examples")


def _pick_question(stream: ExampleStream, split: str) -> tuple[list[Example], list[Example]]:
    for _ in range(PICKS):
        positives, negatives = draw_task_examples(stream)
        question = question_of(stream.grammar, _labelled(positives, negatives))
        if split_of(question) == split:
            return positives, negatives
    raise RuleDroppedError(OTHER_SPLIT)


def is_fair(
    positives: Sequence[Example],
    negatives: Sequence[Example],
    fresh_positives: Sequence[Example],
    fresh_negatives: Sequence[Example],
) -> bool:
    """Return whether every shortest conjunction of few literals that fits is accepted.

    So no honest short rule is punished for the draw of the examples. Of either class,
    :data:`HELD_OUT_PER_CLASS` examples are fresh.
    """
    return all(
        sum(holds(rule, item) for item in fresh_positives) >= HELD_OUT_RIGHT
        and sum(not holds(rule, item) for item in fresh_negatives) >= HELD_OUT_RIGHT
        for rule in shortest_conjunctions(positives, negatives, SHORTEST)
    )


def _labelled(positives: Sequence[Example], negatives: Sequence[Example]) -> list[LabelledExample]:
    return [
        *(LabelledExample(parts, True) for parts in positives),
        *(LabelledExample(parts, False) for parts in negatives),
    ]


def _shuffled(
    positives: Sequence[Example], negatives: Sequence[Example], rng: random.Random
) -> Labelled:
    """Mix both classes, so that neither an example's place nor its name tells its class."""
    examples = _labelled(positives, negatives)
    rng.shuffle(examples)
    return tuple(examples)
