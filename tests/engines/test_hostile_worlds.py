"""Hypotheses that learn nothing are paid nothing, on any task, and leave the others as they are."""

from __future__ import annotations

import pytest
from hostile_worlds import WORLDS
from sample_programs import trains

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge_batch
from logic_curriculum.rewards.engines.prolog import judge_groups, own_facts

HYPOTHESES = [attack.hypothesis for attack in WORLDS]


def test_no_attack_fits_the_worlds_of_single_examples() -> None:
    good = "eastbound(T) :- has_car(T, C), car_color(C, red)."
    mixed = [text for hypothesis in HYPOTHESES for text in (hypothesis, good)]
    (runs,) = judge_groups([(own_facts(trains()), mixed)])
    assert all(run.solved for run in runs[1::2])
    attacks = dict(zip(WORLDS, runs[::2], strict=True))
    assert {attack.name: run for attack, run in attacks.items() if run.status == "lost"} == {}
    assert {attack.name: run for attack, run in attacks.items() if run.solved} == {}
    assert (runs[-2:], runs[:2]) == tuple(
        judge_groups([(own_facts(trains()), part)])[0] for part in (mixed[-2:], mixed[:2])
    )


@pytest.mark.parametrize("level", [1, 3, 6, 12])
@pytest.mark.parametrize("seed", range(2))
def test_no_attack_is_paid_for_a_task(level: int, seed: int) -> None:
    task = generate("slr", level, seed)
    answers = [f"[RULE]\n{text}\n[/RULE]" for text in HYPOTHESES] + [task.solution]
    verdicts = judge_batch("slr", answers, [task.verification] * len(answers))
    paid = {a.name: v for a, v in zip(WORLDS, verdicts, strict=False) if v.reward != 0.0}
    assert paid == {}
    assert verdicts[-1].solved
