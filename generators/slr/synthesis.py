"""Algorithm 1 of the paper: a rule, backgrounds with labels in equal number, and fresh examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from generators.seeding import stream as seed_stream
from generators.slr.backgrounds import ExampleStream, RuleDroppedError, draw_task_examples
from generators.slr.grammar import Example, Grammar, grammar_of
from generators.slr.language import Language
from generators.slr.levels import Level
from generators.slr.programs import LabelledExample
from generators.slr.rules import Rule, RuleSource
from generators.slr.splits import content_fingerprint, is_test_rule, split_of

ATTEMPTS = 1_000
"""Rules that are tried for one task before the generator gives up."""
HELD_OUT_PER_CLASS = 16


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
    """Fresh examples, drawn uniformly, half of them positive, in random order."""
    positive_rate: float
    """Share of positives among all uniform draws for this rule, before rejection."""
    fingerprint: str
    """Hash of rule and examples without names and order; equal for equal tasks."""


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
        RuleDroppedError: It does not yield them within the limits, or the rule or the task that it
            yields belongs to another split.
    """
    if is_test_rule(rule.canonical) != (split == "test"):
        raise RuleDroppedError("belong to another split")
    grammar = grammar_of(language, level.predicates)
    stream = ExampleStream(language, grammar, level, rule, rng)
    examples = _shuffled(*draw_task_examples(stream), rng)
    fingerprint = content_fingerprint(rule, grammar, examples)
    if split_of(rule.canonical, fingerprint) != split:
        raise RuleDroppedError("gave a task of another split")
    held_out = _shuffled(*stream.take(HELD_OUT_PER_CLASS, HELD_OUT_PER_CLASS), rng)
    return Synthesis(
        language=language,
        level=level,
        grammar=grammar,
        rule=rule,
        examples=examples,
        held_out=held_out,
        positive_rate=stream.positive_rate,
        fingerprint=fingerprint,
    )


def _shuffled(
    positives: list[Example], negatives: list[Example], rng: random.Random
) -> tuple[LabelledExample, ...]:
    """Mix both classes, so that neither an example's place nor its name tells its class."""
    examples = [LabelledExample(parts, True) for parts in positives]
    examples += [LabelledExample(parts, False) for parts in negatives]
    rng.shuffle(examples)
    return tuple(examples)
