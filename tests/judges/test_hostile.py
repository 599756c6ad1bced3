"""Hostile hypotheses earn nothing, harm nothing and hang nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hostile_table import ATTACKS, REFUSED, Attack

from rewards.judges.prolog import Execution, Program, equivalence, isomorphic_copy, judge_tasks

GOOD_RULE = "eastbound(T) :- has_car(T, C), car_color(C, red)."
LONGEST_S = 15.0


def _program() -> Program:
    facts = []
    for train in range(8):
        color = ("red", "blue")[train % 2]
        label = ("eastbound", "westbound")[train % 2]
        facts += [f"{label}(train{train}).", f"has_car(train{train}, car{train}_1)."]
        facts += [f"car_color(car{train}_1, {color}).", f"car_num(car{train}_1, 1)."]
    return Program.parse("\n".join(facts) + "\n")


EXTENSIONAL = _program()
ISOMORPHIC = isomorphic_copy(EXTENSIONAL)


BITS = "".join("01"[label] for label in ISOMORPHIC.labels)


@pytest.fixture(params=[True, False], ids=["with proofs", "without"], autouse=True)
def _with_and_without_proofs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.param:
        monkeypatch.setattr(equivalence, "_WORTH_A_PROOF", 0)


def _judge(*hypotheses: str) -> list[tuple[Execution, ...]]:
    return judge_tasks([((ISOMORPHIC, EXTENSIONAL), hypotheses)])[0]


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_an_attack_earns_nothing_harms_nothing_and_ends(attack: Attack, tmp_path: Path) -> None:
    path = tmp_path / "touched"
    started = time.monotonic()
    hypothesis = attack.hypothesis.replace("{path}", str(path)).replace("{bits}", BITS)
    attacked, after = _judge(hypothesis, GOOD_RULE)
    assert not any(execution.solved for execution in attacked), attack.why
    assert not any(execution.status == "lost" for execution in attacked)
    assert not path.exists()
    assert time.monotonic() - started < LONGEST_S
    assert all(execution.solved for execution in after)


@pytest.mark.parametrize("attack", REFUSED, ids=[attack.name for attack in REFUSED])
def test_what_could_do_harm_is_never_run(attack: Attack) -> None:
    for execution in _judge(attack.hypothesis)[0]:
        assert execution.status in ("rejected", "syntax"), attack.why


def test_attacks_leave_no_trace_in_the_worker() -> None:
    before = _judge(GOOD_RULE)
    _judge(*(attack.hypothesis for attack in ATTACKS))
    assert _judge(GOOD_RULE) == before
