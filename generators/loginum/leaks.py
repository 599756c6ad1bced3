"""What tasks of different splits must not share, and on which side of a split a task stands."""

from __future__ import annotations

import hashlib

from logic_curriculum.generators.loginum.process import GoldStep, Process
from logic_curriculum.generators.splits import Split
from logic_curriculum.rewards.engines.numeric.syntax import (
    AnyOf,
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
    if type(conclusion) is RelationFact:
        marks = {conclusion[1]: "a", conclusion[2]: "b"}
        concluded = "ab"
    else:
        variable, _, expression = conclusion
        marks = {variable: "a"}
        concluded = _expression_shape(expression, step, process, marks)
    shapes = sorted([_condition_shape(condition, marks) for condition in conditions])
    return f"{' '.join(shapes)} > {concluded}"


def _condition_shape(condition: Condition, marks: dict[str, str]) -> str:
    if type(condition) is AnyOf:
        return "|".join(sorted([_pattern_shape(pattern, marks) for pattern in condition.patterns]))
    return _pattern_shape(condition, marks)


def _pattern_shape(pattern: Fact, marks: dict[str, str]) -> str:
    if type(pattern) is AttributeFact:
        variable, _, value = pattern
        return f"{marks.get(variable, 'c')}{value}"
    _, first, second = pattern
    return marks.get(first, "c") + marks.get(second, "c")


def _expression_shape(
    expression: Expression, step: GoldStep, process: Process, marks: dict[str, str]
) -> str:
    text = str(expression)
    lookups = dict.fromkeys(expression.lookups())
    goals = step.uses[len(step.uses) - len(lookups) :]
    for lookup, goal in zip(lookups, goals, strict=True):
        text = text.replace(str(lookup), f"{marks.get(lookup.entity, 'c')}{process.value(goal)}")
    return text
