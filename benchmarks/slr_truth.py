"""How right a rule really is: its balanced accuracy over many fresh trains."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from slr_shown import Shown, writer_of

from logic_curriculum.generators.slr.backgrounds import LabelledExample, labelled_program
from logic_curriculum.generators.slr.enumeration import space_of
from logic_curriculum.generators.slr.language import Example
from logic_curriculum.rewards.engines.prolog import Cases, judge_groups, own_facts

GENERALISES = 0.75
"""Balanced accuracy from which on a rule counts as one that generalises."""
FRESH = 2_000
"""Trains drawn by the grammar of a level whose space is too large to list."""


def cases_of(level: int, examples: Sequence[Example], labels: Sequence[bool]) -> Cases:
    writer = writer_of(level)
    labelled = [LabelledExample(*pair) for pair in zip(examples, labels, strict=True)]
    program = labelled_program(writer.language, writer.grammar, labelled)
    return own_facts(program, writer.language.positive, writer.language.negative)


@lru_cache(maxsize=1)
def _fresh(level: int) -> Cases:
    """Return all possible trains, or many random ones, with labels that mean nothing."""
    writer = writer_of(level)
    space = space_of(writer.language, writer.level)
    if space is not None:
        return cases_of(level, space.examples, [True] * len(space.examples))
    rng = random.Random(f"fresh trains of level {level}")
    low, high = writer.level.parts
    drawn = [writer.grammar.draw_example(rng, rng.randint(low, high)) for _ in range(FRESH)]
    return cases_of(level, drawn, [True] * FRESH)


def balanced_accuracies(shown: Shown, rules: Sequence[str]) -> list[float]:
    """Return the mean of the shares of both classes that each rule gets right.

    A rule that the judge refuses is right nowhere.
    """
    cases = _fresh(shown.writer.level.number)
    truth = shown.task.metadata["rule"]
    ((known, *executions),) = judge_groups([(cases, [truth, *rules])])
    labels = np.array([outcome is True for outcome in known.outcomes])
    assert known.status == "ok"
    assert 0 < labels.sum() < len(labels)
    found = []
    for execution in executions:
        if execution.status != "ok":
            found.append(0.0)
            continue
        outcomes = np.array([2 if bit is None else int(bit) for bit in execution.outcomes])
        shares = [float(np.mean(outcomes[labels == of] == of)) for of in (True, False)]
        found.append(sum(shares) / 2)
    return found
