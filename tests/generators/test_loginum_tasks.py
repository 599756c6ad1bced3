"""Tasks of LogiNumSynth: sizes as configured, splits, prompts, and what gives nothing away."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from loginum_tasks import CONFIGS, tasks

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.language import LANGUAGES
from logic_curriculum.generators.loginum.levels import PRESETS
from logic_curriculum.generators.loginum.prompts import INSTRUCTIONS, STYLES
from logic_curriculum.generators.loginum.synthesis import SynthesisError, synthesize
from logic_curriculum.generators.loginum.vocabulary import draw_words
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact

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


def test_a_prompt_numbers_facts_and_rules_in_the_order_of_the_payload():
    task = generate("loginum", 4, 2, language="formal")
    assert task.prompt.startswith(INSTRUCTIONS)
    question = task.prompt.removeprefix(INSTRUCTIONS)
    payload = task.verification
    facts = [f"fact_{number}: {text}" for number, text in enumerate(payload["facts"], start=1)]
    rules = [f"rule_{number}: {text}" for number, text in enumerate(payload["rules"], start=1)]
    assert question.splitlines() == [
        "Facts:", *facts, "", "Rules:", *rules, "", f"Query: {payload['query']}"
    ]  # fmt: skip


def test_a_world_without_room_is_given_up_with_advice():
    config = replace(PRESETS["HL-HN"].configs[6], facts=3)
    words = draw_words(random.Random(0), config.entities, config.attributes, config.relations)
    with pytest.raises(SynthesisError, match="Give more facts"):
        synthesize(config, 6, words, random.Random(0))
