"""What tasks of different splits must not share, and on which side of a split a task stands."""

from __future__ import annotations

import hashlib

from generators.loginum.process import GoldStep, Process
from generators.splits import Split
from rewards.judges.numeric.syntax import (
    AnyOf,
    Assignment,
    AttributeFact,
    Condition,
    Expression,
    Fact,
    RelationFact,
)

TEST_SHARE = 0.2
"""Share of all keys that only the test split uses."""
VALIDATION_SHARE = 0.1
"""Share of all keys that only the validation split uses."""


def process_key(process: Process) -> str:
    """Return a hash of the gold process: its rules' forms and numbers, and the values they use.

    It is equal for processes that differ in names, or in the order of conditions or steps, only.
    """
    shapes = sorted([_shape(step, process) for step in process.steps])
    return hashlib.sha256("; ".join(shapes).encode()).hexdigest()[:32]


def side_of(key: str) -> Split:
    """Return the one split to which the tasks with a key belong."""
    fraction = int(key[:15], 16) / 16**15
    if fraction < TEST_SHARE:
        return "test"
    return "validation" if fraction < TEST_SHARE + VALIDATION_SHARE else "train"


def _shape(step: GoldStep, process: Process) -> str:
    """Return a rule as text: variables told apart by their place in the conclusion alone."""
    conditions, conclusion = step.rule
    marks = _marks(conclusion)
    shapes = sorted([_condition_shape(condition, marks) for condition in conditions])
    if isinstance(conclusion, RelationFact):
        return f"{' '.join(shapes)} > ab"
    return f"{' '.join(shapes)} > {_expression_shape(conclusion.expression, step, process, marks)}"


def _marks(conclusion: Assignment | RelationFact) -> dict[str, str]:
    if isinstance(conclusion, RelationFact):
        return {conclusion.first: "a", conclusion.second: "b"}
    return {conclusion.entity: "a"}


def _condition_shape(condition: Condition, marks: dict[str, str]) -> str:
    if type(condition) is AnyOf:
        return "|".join(sorted([_pattern_shape(pattern, marks) for pattern in condition.patterns]))
    return _pattern_shape(condition, marks)


def _pattern_shape(pattern: Fact, marks: dict[str, str]) -> str:
    if type(pattern) is AttributeFact:
        return f"{marks.get(pattern.entity, 'c')}{pattern.value}"
    return marks.get(pattern.first, "c") + marks.get(pattern.second, "c")


def _expression_shape(
    expression: Expression, step: GoldStep, process: Process, marks: dict[str, str]
) -> str:
    text = str(expression)
    lookups = dict.fromkeys(expression.lookups())
    goals = step.uses[len(step.uses) - len(lookups) :]
    for lookup, goal in zip(lookups, goals, strict=True):
        text = text.replace(str(lookup), f"{marks.get(lookup.entity, 'c')}{process.value(goal)}")
    return text
