"""How many different tasks the levels have whose possible examples are listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, islice

from logic_curriculum.generators.slr.language import Language
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.programs import LabelledExample
from logic_curriculum.generators.slr.spaces import (
    SmallRule,
    Space,
    questions,
    small_rules,
    space_of,
)
from logic_curriculum.generators.slr.splits import is_test_rule, split_of_listed

ENDLESS = 20_000
"""A level with more tasks than this over all splits counts as endless."""


def count_tasks(language: Language, level: Level) -> Mapping[str, int] | None:
    """Count the different tasks of a level by split, exactly; None if they are practically endless.

    Tasks are different if their rules or their labelled examples are, names and order aside. Tasks
    that belong to no split are not counted.
    """
    space = space_of(language, level)
    return None if space is None else _count(space)


@lru_cache(maxsize=64)
def _count(space: Space) -> Mapping[str, int] | None:
    asked = chain.from_iterable(
        ((rule, question) for question in questions(space, rule)) for rule in small_rules(space)
    )
    listed = list(islice(asked, ENDLESS + 1))
    if len(listed) > ENDLESS:
        return None
    return Counter(split for rule, question in listed if (split := _split(space, rule, question)))


def _split(space: Space, rule: SmallRule, question: tuple[LabelledExample, ...]) -> str | None:
    """Return the split that has a task, or None if no split has it."""
    if not space.is_sound(question, rule.members):
        return None
    tested = space.fits_test_rule(question)
    split = split_of_listed(space.grammar, question, tested)
    return split if (split == "test") == is_test_rule(rule.canonical) else None
