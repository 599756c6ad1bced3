"""Hostile hypotheses earn nothing, harm nothing and hang nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hostile_attack import Attack
from hostile_copies import COPIES
from hostile_table import ATTACKS, REFUSED
from hostile_work import SPENDING
from hostile_worlds import WORLDS
from sample_programs import one_car_trains, trains

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge_batch
from logic_curriculum.rewards.engines.prolog_old import (
    Execution,
    Program,
    judge_groups,
    own_facts,
    whole_program,
)

GOOD_RULE = "eastbound(T) :- has_car(T, C), car_color(C, red)."
LONGEST_S = 20.0
TEXT = one_car_trains(("red", "blue") * 4)
KINDS = {"own facts": own_facts(TEXT), "whole program": whole_program(Program.parse(TEXT))}
BITS = "".join("01"[label] for label in KINDS["own facts"].labels)


def _judge(kind: str, *hypotheses: str) -> list[Execution]:
    return judge_groups([(KINDS[kind], hypotheses)])[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_an_attack_earns_nothing_harms_nothing_and_ends(
    attack: Attack, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "touched"
    hypothesis = attack.hypothesis.replace("{path}", str(path)).replace("{bits}", BITS)
    started = time.monotonic()
    attacked, after = _judge(kind, hypothesis, GOOD_RULE)
    assert time.monotonic() - started < LONGEST_S
    assert not attacked.solved, attack.why
    assert attacked.status != "lost"
    assert not path.exists()
    assert after.solved


@pytest.mark.parametrize("attack", SPENDING, ids=[attack.name for attack in SPENDING])
def test_what_spends_the_budget_on_each_of_many_examples_ends(attack: Attack) -> None:
    cases = own_facts(one_car_trains(("red", "blue") * 32))
    started = time.monotonic()
    ((attacked,),) = judge_groups([(cases, [attack.hypothesis])])
    assert time.monotonic() - started < LONGEST_S
    assert not attacked.solved
    assert attacked.status in ("ok", "limit")


@pytest.mark.parametrize("attack", COPIES, ids=[attack.name for attack in COPIES])
def test_copies_of_large_terms_end_on_each_of_many_examples(attack: Attack) -> None:
    cases = own_facts(one_car_trains(("red", "blue") * 32))
    started = time.monotonic()
    ((attacked,),) = judge_groups([(cases, [attack.hypothesis])])
    assert time.monotonic() - started < LONGEST_S
    assert attacked.status in ("ok", "limit", "rejected")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("attack", REFUSED, ids=[attack.name for attack in REFUSED])
def test_what_could_do_harm_is_never_run(attack: Attack, kind: str) -> None:
    assert _judge(kind, attack.hypothesis)[0].status in ("rejected", "syntax"), attack.why


@pytest.mark.parametrize("kind", KINDS)
def test_attacks_leave_no_trace_in_the_worker(kind: str) -> None:
    before = _judge(kind, GOOD_RULE)
    _judge(kind, *(attack.hypothesis for attack in ATTACKS))
    assert _judge(kind, GOOD_RULE) == before


# Hypotheses that learn nothing

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
