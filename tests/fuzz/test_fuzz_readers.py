"""The readers of answer blocks and steps, on any text and around a right answer."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_answers import FAMILIES, answers, tasks

from logic_curriculum.rewards import answers as reader
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.answers import read_mapping, without_markup
from logic_curriculum.rewards.blocks import without_thoughts
from logic_curriculum.rewards.completions import completion_text
from logic_curriculum.rewards.loginum.answer import MAX_STEPS, read_steps

KEYS = ("answer", "F", "domain", "result")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw a completion of any family, between two texts."""
    _, completion = draw(answers(draw(st.sampled_from(FAMILIES))))
    return draw(st.text(max_size=20)) + completion_text(completion) + draw(st.text(max_size=20))


@given(text=texts())
def test_readers_read_any_text_and_make_up_nothing(text: str) -> None:
    found = reader.read(text, lambda block: block or None, ("rule", "result"))
    assert found.status in reader.STATUSES
    assert sum(found.metrics.values()) == 1.0
    assert (found.answer is None) is (found.status != "answered")
    block = reader.read(text, lambda block: None).status
    assert block in ("unreadable", "truncated")
    steps = read_steps(text)
    assert len(steps) <= MAX_STEPS
    assert len({step.number for step in steps}) == len(steps)
    without_markup(text)
    with suppress(reader.RefusedError):
        read_mapping(text, KEYS)


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_nothing_around_a_right_answer_block_changes_its_reward(
    family: str, data: st.DataObject
) -> None:
    task = data.draw(st.sampled_from(tasks(family)))
    _, completion = data.draw(answers(family))
    before, is_thinking = without_thoughts(completion_text(completion))
    after = data.draw(st.text(st.characters(blacklist_characters="<[◁ca"), max_size=40))
    if not is_thinking:
        block = task.solution if "<" in task.solution or "[R" in task.solution else None
        block = block or f"<answer>{task.solution.rsplit('{', 1)[1][:-1]}</answer>"
        verdict = judge(family, f"{before}\n{block}\n{after}", task.verification)
        assert verdict.solved, verdict.explanation
