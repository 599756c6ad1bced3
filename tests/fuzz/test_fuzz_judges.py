"""Every judge, on answers that are nearly right: always the same proper verdict."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_answers import FAMILIES, answers, batches

from logic_curriculum.rewards import REWARDS, Verdict, judge_batch
from logic_curriculum.rewards.registry import judge_of


def check_verdict(verdict: Verdict) -> None:
    """Check all that is promised of any verdict on a sound row, whatever the completion."""
    assert type(verdict) is Verdict
    assert type(verdict.reward) is float, verdict.explanation
    assert 0.0 <= verdict.reward <= 1.0
    assert 0.0 <= verdict.partial <= 1.0
    assert verdict.solved is (verdict.reward == 1.0)
    assert all(type(v) is float and math.isfinite(v) for v in verdict.metrics.values())
    assert verdict.answer is None or type(verdict.answer) is str
    assert len(verdict.explanation.splitlines()) <= 1, verdict.explanation
    assert json.loads(json.dumps(asdict(verdict))) == asdict(verdict)


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_a_verdict_is_proper_and_depends_on_its_row_alone(family: str, data: st.DataObject) -> None:
    drawn = data.draw(batches(family))
    hostile = [(task.verification, completion) for task, completion in drawn]
    right = [(task.verification, task.solution) for task, _ in drawn]
    rows = [row for pair in zip(hostile, right, strict=True) for row in pair]
    completions, payloads = [text for _, text in rows], [payload for payload, _ in rows]
    verdicts = judge_batch(family, completions, payloads)
    assert len(verdicts) == len(rows)
    for verdict in verdicts:
        check_verdict(verdict)
    assert all(verdict.solved for verdict in verdicts[1::2])

    fresh = type(judge_of(family))()
    assert fresh.judge_batch(completions[::-1], payloads[::-1]) == verdicts[::-1]
    texts = [json.dumps(payload) for payload in payloads[::2]]
    alone = [
        fresh.judge_batch([text], [row]) for text, row in zip(completions[::2], texts, strict=True)
    ]
    assert [verdict for (verdict,) in alone] == verdicts[::2]
    paid = REWARDS[f"{family}_reward"](completions, verification=payloads)
    assert paid == [verdict.reward for verdict in verdicts]


def _judged(rows: list[tuple[str, object, object]]) -> list[Verdict]:
    return [judge_batch(family, [text], [payload])[0] for family, text, payload in rows]


@settings(max_examples=1 + settings().max_examples // 400)
@given(data=st.data())
def test_another_process_comes_to_the_same_verdicts(data: st.DataObject) -> None:
    rows = []
    for family in FAMILIES:
        several = st.lists(answers(family), min_size=3, max_size=30)
        rows += [(family, text, task.verification) for task, text in data.draw(several)]
    os.environ["PYTHONHASHSEED"] = "7"
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            there = process.submit(_judged, rows[::-1]).result()
    finally:
        del os.environ["PYTHONHASHSEED"]
    assert there[::-1] == _judged(rows)
