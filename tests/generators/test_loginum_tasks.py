"""Tasks of LogiNumSynth: sizes as configured, splits, prompts, and what gives nothing away."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.language import LANGUAGES, draw_words
from logic_curriculum.generators.loginum.levels import LEVELS, PRESETS, Config
from logic_curriculum.generators.loginum.process import Application, Process
from logic_curriculum.generators.loginum.prompts import STYLES
from logic_curriculum.generators.loginum.synthesis import SynthesisError, synthesize
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
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


LOGINUM = family("loginum")
EVERY = pytest.mark.parametrize(("preset", "level"), CONFIGS)
COUNT = 12
"""Tasks of each configuration in a quick test."""


@EVERY
def test_a_task_has_exactly_the_facts_rules_and_steps_that_are_asked_for(preset, level):
    config = CONFIGS[preset, level]
    for item in tasks(preset, level, COUNT):
        assert len(item.facts) == len(set(item.facts)) == config.facts
        assert len(item.rules) == len({str(rule) for rule in item.rules}) == config.rules
        assert len(item.conclusions) == item.task.metadata["depth"] == level
        low, high = config.conditions
        assert all(low <= len(rule.conditions) <= high for rule in item.rules)


@pytest.mark.parametrize(
    ("uses", "depth", "height"),
    [  # the steps that each step uses; a number is a step's, from 1
        ([[]], 1, 1),
        ([[], [1], [2]], 3, 3),  # case 3 of the paper's appendix G.2: 1 → 2 → 3
        ([[], [], [1, 2]], 3, 2),  # case 9: 1 → 3
        ([[], [], [2], [2], [3, 1, 4]], 5, 3),  # case 1: 2 → 3 → 5
        ([[], [], [], [1], [2, 3], [4, 5]], 6, 3),  # case 2: 1 → 4 → 6
        ([[], [], [1], [3, 2], [4, 1]], 5, 4),  # case 4: 1 → 3 → 4 → 5
        ([[], [], [], [1, 2, 3]], 4, 2),  # case 7: 1 → 4
    ],
)
def test_depth_counts_steps_and_height_those_of_the_longest_chain(uses, depth, height):
    goals = [("warm", f"Entity{number}") for number in range(len(uses) + 1)]  # the first is given
    steps = [Application(None, (goals[0], *(goals[n] for n in used)), None) for used in uses]
    derived = dict(zip(goals[1:], steps, strict=True))
    process = Process(goals[-1], {goals[0]: None}, derived)
    assert (len(process.derived), process.height) == (depth, height)


@pytest.mark.parametrize(
    ("preset", "level"), [(None, 1), (None, 5), ("HL-EN", 4), ("HL-HN", 6), ("exHL-HN", 7)]
)
@pytest.mark.parametrize("depth", ["steps", "height"])
def test_a_level_is_the_depth_that_is_asked_for(preset, level, depth):
    for seed in range(3):
        task = generate("loginum", level, seed, preset=preset, depth=depth, language="formal")
        heights: list[int] = []
        for step in task.verification["steps"]:
            heights.append(1 + max([heights[used - 1] for used in step["steps"]], default=0))
        about = task.metadata
        assert (about["depth"], about["height"]) == (len(heights), heights[-1])
        assert (heights[-1] if depth == "height" else len(heights)) == level
        assert judge("loginum", task.solution, task.verification).metrics["verified"] == 1.0


def test_conditions_do_not_give_the_answer_away():
    """A rule that fires on the answer would ask for its value, which rarely occurs by chance."""
    asking = 0
    for preset, level in (("EL-HN", 2), ("HL-HN", 5)):
        for item in tasks(preset, level, 150):
            answer = (item.query.attribute, item.task.verification["answer"])
            asking += any(
                isinstance(condition, AttributeFact) and condition[1:] == answer
                for rule in item.rules
                for condition in rule.conditions
            )
    assert asking <= 3


def test_language_and_style_do_not_change_the_task():
    made = [
        generate("loginum", 4, 3, language=language, style=style)
        for language in LANGUAGES
        for style in STYLES
    ]
    assert all(task.verification == made[0].verification for task in made)
    assert len({LOGINUM.fingerprint(task) for task in made}) == 1
    assert len({task.prompt for task in made}) == len(LANGUAGES) * len(STYLES)


def test_a_vocabulary_changes_names_only():
    wide = generate("loginum", 3, 5, language="formal", style="compact")
    narrow = generate("loginum", 3, 5, language="formal", style="compact", vocabulary=20)

    def bare(task: Task) -> str:
        return re.sub(
            r"\b(?!fact_|rule_|is\b|max|min|addition|subtraction)[A-Za-z]+", "·", task.prompt
        )

    assert wide.prompt != narrow.prompt
    assert bare(wide) == bare(narrow)
    assert wide.verification["answer"] == narrow.verification["answer"]


def test_a_world_without_room_is_given_up_with_advice():
    config = replace(PRESETS["HL-HN"].configs[6], facts=3)
    words = draw_words(random.Random(0), config.entities, config.attributes, config.relations)
    with pytest.raises(SynthesisError, match="Give more facts"):
        synthesize(config, 6, words, random.Random(0))
