"""Labelled examples: as a program, and as a question that belongs to one split.

A question is a set of labelled examples, without names and order: what a task asks, whichever rule
is behind it. There is no list of tasks: a hash says where each rule and each question belongs. No
test rule is trained on, and no question stands in two splits at any level.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logic_curriculum.generators.slr.language import Example, Grammar, Language, vocabulary_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import Rule
from logic_curriculum.generators.task import Split, digest
from logic_curriculum.rewards.engines.rules import Examples, LabelledExamples, compile_rule

TEST_RULES = 0.25  # share of all rules that only the test split uses
TEST_QUESTIONS = VALIDATION_QUESTIONS = 0.125  # shares where examples are not enumerated
ENUMERATED_VALIDATION = 0.25  # where they are: share of the questions that no test rule answers
MOST_STEPS = 200_000  # of labelling: far more examples at once than a judge has
SALT = "slr-49829"
"""Mixed into the hashes. Level 1 has only nine rules in the shipped languages, so that chance
decides which attributes the rules of a split are about, and how many tasks it has. With this salt,
each split has rules about two attributes, and tasks enough (docs/tasks-slr.md)."""


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


def background_facts(grammar: Grammar, number: int, parts: Example) -> list[str]:
    """Return the ground facts about one example, part after part in vocabulary order."""
    language, names = grammar.language, grammar.predicates
    whole = whole_name(language, number)
    facts = []
    for place, values in enumerate(parts, start=1):
        part = part_name(language, number, place)
        facts.append(f"{language.membership}({whole}, {part}).")
        facts += [f"{name}({part}, {value})." for name, value in zip(names, values, strict=True)]
    return facts


def labelled_program(grammar: Grammar, examples: Sequence[LabelledExample], start: int = 0) -> str:
    """Write examples as a program: for each its label fact, then its background facts."""
    language, lines = grammar.language, []
    for number, example in enumerate(examples, start=start):
        lines.append(f"{language.label(example.positive)}({whole_name(language, number)}).")
        lines += background_facts(grammar, number, example.parts)
    return "\n".join(lines)


def program_and_cases(
    grammar: Grammar, examples: Sequence[LabelledExample], start: int = 0
) -> tuple[str, str]:
    """Write examples as a program, and as :meth:`.LabelledExamples.packed` writes them."""
    language, text = grammar.language, labelled_program(grammar, examples, start)
    drawn = Examples.of_parts(grammar.predicates, [item.parts for item in examples])
    names = tuple(whole_name(language, number) for number, _ in enumerate(examples, start=start))
    labels = sum(1 << at for at, item in enumerate(examples) if item.positive)
    return text, LabelledExamples(drawn, names, labels, language.membership).packed(text)


def label_examples(
    language: Language, level: Level, rule: Rule, examples: Sequence[Example]
) -> list[bool]:
    """Return for each example whether the rule entails its positive label.

    UnreadableError and RefusedError say what in the rule is not of the rule language, or above the
    level's caps.
    """
    vocabulary = vocabulary_of(language, level)
    names = [name for name, _ in vocabulary.attributes]
    drawn = Examples.of_parts(names, examples, wanted=rule.words)
    outcomes, _ = compile_rule(rule.text, vocabulary, level.caps).entailed(drawn, MOST_STEPS)
    return [bool(outcomes >> at & 1) for at in range(len(examples))]


def _fraction(*scope: str) -> float:
    """Return a number in [0, 1) that depends on the texts only."""
    octets = hashlib.sha256(json.dumps([SALT, *scope]).encode()).digest()
    return int.from_bytes(octets[:8], "big") / 2**64


def is_test_rule(canonical: str) -> bool:
    """Return whether a rule belongs to the test split, by its canonical text."""
    return _fraction(canonical) < TEST_RULES


def is_of_split(split: str, rule: Rule) -> bool:
    """Return whether tasks of a split may have a rule."""
    return is_test_rule(rule.canonical) == (split == "test")


def split_of(question: str) -> Split:
    """Return the one split that asks a question, where examples are too many to enumerate."""
    share = _fraction(question)
    if share < TEST_QUESTIONS:
        return "test"
    return "validation" if share < TEST_QUESTIONS + VALIDATION_QUESTIONS else "train"


def split_of_enumerated(
    grammar: Grammar, examples: Sequence[LabelledExample], fits_test_rule: bool
) -> Split:
    """Return the one split that asks a question, where all possible examples are enumerated.

    There, the few questions have several answers each: what a test rule answers is for tests. A
    question and the same with its labels exchanged are of one split, or the examples alone would
    tell the labels.
    """
    if fits_test_rule:
        return "test"
    unlabelled = sorted(json.dumps(item.parts) for item in examples)
    share = _fraction("exchanged", *grammar.predicates, *unlabelled)
    return "validation" if share < ENUMERATED_VALIDATION else "train"


def content_hash(
    grammar: Grammar, examples: Sequence[LabelledExample], rule: Rule | None = None
) -> str:
    """Return a hash of a question or, with its ``rule``, of a whole task."""
    content: dict[str, object] = {"rule": rule.canonical} if rule else {}
    content["predicates"] = grammar.predicates
    content["examples"] = sorted(json.dumps([item.positive, item.parts]) for item in examples)
    return digest(json.dumps(content, sort_keys=True))
