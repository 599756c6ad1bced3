"""Hostile answers are paid nothing, end, and leave the verdicts on their neighbours as they are."""

from __future__ import annotations

import pytest
from hostile_answers import TARGETS, attacks

from logic_curriculum.rewards import judge_batch


@pytest.mark.parametrize("name", TARGETS)
def test_no_attack_is_paid_or_harms_its_neighbours(name: str) -> None:
    target, hostile = TARGETS[name], attacks(name)
    texts = [text for attack in hostile for text in (attack, target.block(target.right))]
    verdicts = judge_batch(name.split()[0], texts, [target.payload] * len(texts))
    assert all(verdict.solved for verdict in verdicts[1::2])
    pairs = zip(hostile, verdicts[::2], strict=True)
    assert {attack[:200]: verdict for attack, verdict in pairs if verdict.reward != 0.0} == {}
