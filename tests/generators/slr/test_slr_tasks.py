"""Generated tasks: what prompts show and hide, the payload, houses."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.prompts import STYLES

SAMPLE = [(level, seed) for level in (1, 4, 6, 9, 12, 20) for seed in (0, 1)]
ROOT = Path(__file__).parents[3]


@cache
def task_of(level, seed, style="prolog"):
    return generate("slr", level, seed, style=style)


def test_the_prolog_prompt_shows_the_validation_program():
    for level, seed in SAMPLE:
        task = task_of(level, seed)
        assert task.verification["validation_program"] in task.prompt


def test_the_natural_prompt_tells_every_constant_that_a_rule_may_need():
    for level, seed in SAMPLE:
        task = task_of(level, seed, "natural")
        vocabulary = task.prompt.split("Predicates:\n")[1].split("\n\n")[0]
        words = set(re.findall(r"\w+", vocabulary))
        for _, value in re.findall(r"(\w+)\(\w+, ([a-z]\w*|\d+)\)", task.metadata["rule"]):
            assert value in words


@pytest.mark.parametrize("style", STYLES)
def test_prompts_do_not_show_the_rule(style):
    for level, seed in SAMPLE:
        task = task_of(level, seed, style)
        assert task.metadata["rule"] not in task.prompt
        assert task.metadata["rule"].split(":- ")[1] not in task.prompt


def test_the_judge_s_payload_has_outcomes_where_all_examples_are_enumerated_alone():
    for level, seed in SAMPLE:
        payload = task_of(level, seed).verification
        assert {"validation_program", "heldout_program", "positive", "negative"} <= set(payload)
        assert ("accepted" in payload) == (level == 1)
        assert not {"isomorphic_program", "heldout_threshold"} & set(payload)


@pytest.mark.parametrize("level", [1, 6, 13, 20])
def test_houses_makes_tasks_of_every_style(level):
    for style in STYLES:
        task = generate("slr", level, 0, language="houses", style=style)
        assert task.verification["positive"] == "sold"
        assert task.metadata["rule"].startswith("sold(H) :- ")
        assert not re.search(
            r"train|\bcars?\b|car[_0-9]", task.prompt + json.dumps(task.verification)
        )
