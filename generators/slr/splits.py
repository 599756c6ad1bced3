"""Splits without a list of tasks: a hash says where each rule and each question belongs.

A question is a set of labelled examples, without names and order: what a task asks, whichever rule
is behind it. No test rule is trained on, and no question stands in two splits at any level.
"""

import hashlib
import json
from collections.abc import Sequence

from logic_curriculum.generators.slr.backgrounds import LabelledExample
from logic_curriculum.generators.slr.language import Grammar
from logic_curriculum.generators.slr.rules import Rule
from logic_curriculum.generators.task import Split, digest

TEST_RULES = 0.25  # share of all rules that only the test split uses
TEST_QUESTIONS = VALIDATION_QUESTIONS = 0.125  # shares where examples are not enumerated
ENUMERATED_VALIDATION = 0.25  # where they are: share of the questions that no test rule answers
SALT = "slr-5309158"
"""Mixed into the hashes. Level 1 has only nine rules in the shipped languages, so that chance
decides how many tasks each of its splits has; this salt leaves each enough (docs/tasks-slr.md)."""


def _fraction(*scope: str) -> float:
    """Return a number in [0, 1) that depends on the texts only."""
    octets = hashlib.sha256(json.dumps([SALT, *scope]).encode()).digest()
    return int.from_bytes(octets[:8], "big") / 2**64


def is_test_rule(canonical: str) -> bool:
    """Return whether a rule belongs to the test split, by its canonical text."""
    return _fraction(canonical) < TEST_RULES


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
    share = _fraction("exchanged", *_vocabulary(grammar), *unlabelled)
    return "validation" if share < ENUMERATED_VALIDATION else "train"


def content_hash(
    grammar: Grammar, examples: Sequence[LabelledExample], rule: Rule | None = None
) -> str:
    """Return a hash of a question or, with its ``rule``, of a whole task."""
    content: dict[str, object] = {
        "predicates": _vocabulary(grammar),
        "examples": sorted(json.dumps([item.positive, item.parts]) for item in examples),
    }
    if rule is not None:
        content["rule"] = rule.canonical
    return digest(json.dumps(content, sort_keys=True))


def _vocabulary(grammar: Grammar) -> list[str]:
    return [attribute.predicate for attribute in grammar.attributes]
