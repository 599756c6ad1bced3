"""Splits without a list of tasks: a hash says where each rule and each task belongs.

Test tasks are told by their rule, so that no test rule is trained on. Validation tasks are told by
their whole content, so that they are new although their rules are known.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from generators.slr.grammar import Grammar
from generators.slr.programs import LabelledExample
from generators.slr.rules import Rule
from generators.splits import Split

TEST_SHARE = 0.25
"""Share of all rules that only the test split uses."""
VALIDATION_SHARE = 0.25
"""Share of the other rules' tasks that only the validation split uses."""
SALT = "slr-1334"
"""Mixed into the hash of rules. Level 1 has only nine rules in the shipped languages, so that
chance decides how many tasks each of its splits has; this salt leaves each enough
(docs/tasks-slr.md)."""


def _fraction(*scope: str) -> float:
    """Return a number in [0, 1) that depends on the texts only."""
    digest = hashlib.sha256(json.dumps(scope).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def is_test_rule(canonical: str) -> bool:
    """Return whether a rule belongs to the test split, by its canonical text."""
    return _fraction(SALT, canonical) < TEST_SHARE


def split_of(canonical: str, fingerprint: str) -> Split:
    """Return the one split to which a task belongs."""
    if is_test_rule(canonical):
        return "test"
    return "validation" if _fraction(SALT, fingerprint) < VALIDATION_SHARE else "train"


def content_fingerprint(rule: Rule, grammar: Grammar, examples: Sequence[LabelledExample]) -> str:
    """Return a hash of a task's content: rule and labelled backgrounds, without names and order."""
    content = {
        "rule": rule.canonical,
        "predicates": [attribute.predicate for attribute in grammar.attributes],
        "examples": sorted(json.dumps([item.positive, item.parts]) for item in examples),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]
