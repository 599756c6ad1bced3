"""Tasks of every configuration, read back from their payloads; shared by tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.loginum.levels import LEVELS, PRESETS, Config
from logic_curriculum.rewards.engines.numeric.syntax import (
    Fact,
    Query,
    Rule,
    parse_fact,
    parse_query,
    parse_rule,
)

CONFIGS: dict[tuple[str | None, int], Config] = {
    **{(None, level): config for level, config in enumerate(LEVELS, start=1)},
    **{
        (name, depth): config
        for name, preset in PRESETS.items()
        for depth, config in preset.configs.items()
    },
}
"""Preset, or ``None`` for the ladder, and level → configuration."""


@dataclass(frozen=True)
class Read:
    """A task with its payload parsed."""

    task: Task
    facts: list[Fact]
    rules: list[Rule]
    query: Query
    conclusions: list[Fact]
    """What the gold steps conclude."""


def read(task: Task) -> Read:
    payload = task.verification
    return Read(
        task,
        [parse_fact(text) for text in payload["facts"]],
        [parse_rule(text) for text in payload["rules"]],
        parse_query(payload["query"]),
        [parse_fact(step["conclusion"]) for step in payload["steps"]],
    )


def tasks(preset: str | None, level: int, count: int, split: str = "train") -> Iterator[Read]:
    """Yield tasks of a configuration; a preset is an option, which the ladder has not."""
    options = {} if preset is None else {"preset": preset}
    for seed in range(count):
        yield read(generate("loginum", level, seed, split=split, language="formal", **options))
