"""What is told of prompts that are too long."""

from __future__ import annotations

import pytest
from datasets import Dataset

from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.curriculum.prompt_lengths import warn_of_cut_prompts, warn_of_long_prompts
from logic_curriculum.generators import generate

OPTIONS = {"slr": {"style": "natural"}}


@pytest.fixture(scope="module")
def tokenizer():
    return make_tokenizer([generate("slr", level, 0, style="natural") for level in (1, 8)])


@pytest.fixture(scope="module")
def longest(tokenizer) -> dict[int, int]:
    """Return the tokens of the first prompt of levels 1 to 8."""
    prompts = {level: generate("slr", level, 0, style="natural").prompt for level in range(1, 9)}
    return {level: len(tokenizer(prompt)["input_ids"]) for level, prompt in prompts.items()}


def test_levels_whose_prompts_leave_no_room_for_a_completion_are_told(tokenizer, longest, caplog):
    context = longest[7] + 10
    warn_of_long_prompts(tokenizer, context, 10, OPTIONS, range(1, 9), False)
    assert f"about {longest[8]:,} tokens at level 8" in caplog.text
    assert "(levels 8)" in caplog.text


@pytest.mark.parametrize("context", [None, 100_000])
def test_nothing_is_told_where_all_prompts_fit(tokenizer, caplog, context):
    warn_of_long_prompts(tokenizer, context, 10, OPTIONS, range(1, 9), False)
    assert not caplog.records


def test_examples_that_were_cut_are_counted_by_level(caplog):
    lengths = {1: [3, 4], 2: [5, 5, 4], 3: [5]}
    encoded = {
        level: Dataset.from_dict({"input_ids": [[0] * n for n in sizes]})
        for level, sizes in lengths.items()
    }
    warn_of_cut_prompts(encoded, 5)
    assert "max_length is 5: 2 of 3 at level 2, 1 of 1 at level 3 are that long" in caplog.text
    caplog.clear()
    warn_of_cut_prompts(encoded, 6)
    warn_of_cut_prompts(encoded, None)
    assert not caplog.records
