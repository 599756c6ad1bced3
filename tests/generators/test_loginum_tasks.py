"""Tasks of LogiNumSynth: sizes as configured, splits, prompts, and what gives nothing away."""

from __future__ import annotations

import json
import re

import pytest
from loginum_tasks import CONFIGS, tasks

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.language import LANGUAGES
from logic_curriculum.generators.loginum.prompts import FORM, INSTRUCTIONS, STYLES
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.task import SPLITS, Task
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import (
    Aggregation,
    Assignment,
    AttributeFact,
    Calculation,
    Constant,
    Expression,
)

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


@EVERY
def test_given_values_and_numbers_of_expressions_lie_in_the_operand_range(preset, level):
    low, high = CONFIGS[preset, level].operands
    for item in tasks(preset, level, COUNT):
        for fact in item.facts:
            if isinstance(fact, AttributeFact):
                assert low <= fact.value <= high
        for rule in item.rules:
            if isinstance(rule.conclusion, Assignment):
                assert all(low <= n <= high for n in numbers_of(rule.conclusion.expression))


def numbers_of(expression: Expression) -> list[int]:
    match expression:
        case Constant(number):
            return [number]
        case Calculation(factor, _, summand):
            assert factor != 0, "the operand has to matter"
            return [factor, summand]
        case Aggregation(_, left, right):
            return numbers_of(left) + numbers_of(right)
    return []


@EVERY
def test_only_expressions_with_a_weight_occur(preset, level):
    config = CONFIGS[preset, level]
    for item in tasks(preset, level, COUNT):
        for rule in item.rules:
            if isinstance(rule.conclusion, Assignment):
                expression = rule.conclusion.expression
                assert config.expressions[type(expression).__name__.lower()]
                if isinstance(expression, Aggregation):
                    for part in (expression.left, expression.right):
                        assert config.parts[type(part).__name__.lower()]


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


def test_some_rules_conclude_about_the_query_without_being_of_use():
    for preset, level in (("EL-EN", 2), ("HL-HN", 5), ("exHL-HN", 10)):
        about = [
            sum(
                isinstance(rule.conclusion, Assignment)
                and rule.conclusion.attribute == item.query.attribute
                for rule in item.rules
            )
            for item in tasks(preset, level, 40)
        ]
        assert sum(about) / len(about) > 3
        assert sum(number > 1 for number in about) > 0.9 * len(about)


def test_some_rules_fire_beside_the_gold_process():
    for preset, level in (("EL-EN", 2), ("HL-HN", 5), ("exHL-HN", 10)):
        more = [
            len(closure(item.facts, item.rules).derivations) - level
            for item in tasks(preset, level, 40)
        ]
        assert sum(more) / len(more) > 1


@pytest.mark.parametrize(("preset", "level"), [(None, 1), (None, 10), ("HL-EN", 4)])
def test_the_same_arguments_make_the_same_task(preset, level):
    first, again = (next(tasks(preset, level, 1)).task for _ in range(2))
    assert first == again
    other = generate("loginum", level, 1, language="formal", preset=preset)
    assert other.verification != first.verification


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


def test_splits_share_no_gold_process():
    for preset, level in ((None, 1), (None, 3), ("EL-EN", 1), ("HL-HN", 5)):
        keys = {
            split: {LOGINUM.leak_key(item.task) for item in tasks(preset, level, 60, split)}
            for split in SPLITS
        }
        assert not keys["train"] & keys["test"]
        assert not keys["train"] & keys["validation"]
        assert not keys["validation"] & keys["test"]


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


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_shows_the_form_of_its_answer_and_no_answer(language, style):
    task = generate("loginum", 3, 1, language=language, style=style)
    places = [task.prompt.index(part) for part in ("Reasoning:", "=>> int_", r"Answer: \boxed{")]
    assert places == sorted(places)
    assert style != "compact" or task.prompt.endswith(f"\n{FORM}\n")
    verdict = judge("loginum", task.prompt, task.verification)
    assert (verdict.solved, verdict.partial) == (False, 0.0)


def test_the_raw_columns_hold_sentences_and_formulas_side_by_side():
    columns = LOGINUM.published_columns(generate("loginum", 2, 0))
    assert len(columns["facts"]) == len(columns["formal_facts"]) == 8
    assert len(columns["rules"]) == len(columns["formal_rules"]) == 6
    assert columns["facts"] != columns["formal_facts"]
    assert len(columns["reasoning"]) == columns["depth"] == 2
    assert columns["answer"] == str(int(columns["answer"]))


def test_metadata_and_payload_are_json():
    task = generate("loginum", 2, 0, preset="EL-HN")
    row = task.to_row()
    assert json.loads(row["verification"]) == task.verification
    assert json.loads(row["metadata"])["preset"] == "EL-HN"
