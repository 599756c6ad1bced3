"""Hostile hypotheses escape nothing, spoil nothing and hang nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hostile_attack import Attack
from hostile_table import ATTACKS, BEYOND_THE_SANDBOX
from sample_programs import one_car_trains

from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import (
    Execution,
    Program,
    isomorphic_copy,
    judge_programs,
    judging,
)

GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."
LONGEST_S = 20.0
PROGRAM = Program.parse(one_car_trains(("red", "blue") * 4))
BITS = "".join("01"[label] for label in PROGRAM.labels)
READS_NAMES = {"name parity"}
"""Solves the program as shown, as in the paper; that is what the renamed copy is for."""


SOME = ATTACKS[::8]
"""Some of each kind: the default run takes these, the slow one all."""


class Run(NamedTuple):
    attacked: Execution
    after: Execution  # what a good rule did after it
    seconds: float


@pytest.fixture(scope="module", autouse=True)
def _little_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "CPU_SECONDS", 1)
        yield
    judging.close_worker()


def _run(attacks: list[Attack], path: Path) -> dict[str, Run]:
    runs = {}
    for attack in attacks:
        hypothesis = attack.hypothesis.replace("{path}", str(path)).replace("{bits}", BITS)
        started = time.monotonic()
        ((attacked, after),) = judge_programs([(PROGRAM, [hypothesis, GOOD])])
        runs[attack.name] = Run(attacked, after, time.monotonic() - started)
    return runs


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file that attacks try to create."""
    return tmp_path_factory.mktemp("outside") / "touched"


@pytest.fixture(
    scope="module",
    params=[SOME, pytest.param(ATTACKS, marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def runs(request: pytest.FixtureRequest, path: Path) -> dict[str, Run]:
    """Run attacks on one worker, a good rule after each."""
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) > 500
    judge_programs([(PROGRAM, [GOOD])])
    assert judging._worker is not None
    pid = judging._worker.pid
    found = _run(request.param, path)
    assert judging._worker is not None
    assert judging._worker.pid == pid  # none ended the worker
    return found


def test_no_attack_escapes(runs: dict[str, Run], path: Path) -> None:
    assert not path.exists()


def test_no_attack_spoils_the_next_verdict(runs: dict[str, Run]) -> None:
    assert [name for name, run in runs.items() if not run.after.solved] == []


def test_no_attack_hangs(runs: dict[str, Run]) -> None:
    assert [name for name, run in runs.items() if run.seconds > LONGEST_S] == []


def test_no_attack_is_our_failure_and_none_solves_the_program(runs: dict[str, Run]) -> None:
    assert [name for name, run in runs.items() if run.attacked.status == "lost"] == []
    assert {name for name, run in runs.items() if run.attacked.solved} == READS_NAMES & set(runs)
    texts = [attack.hypothesis for attack in ATTACKS if attack.name in READS_NAMES]
    (copied,) = judge_programs([(isomorphic_copy(PROGRAM), texts)])
    assert not any(execution.solved for execution in copied)


def test_without_the_sandbox_too_nothing_outside_is_touched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: Path
) -> None:
    for source in Path(prolog.__file__).parent.glob("*.pl"):
        text = source.read_text().replace("memberchk(Name, [=>", "memberchk(Name, [nothing")
        unchecked = text.replace(
            "->  check(Module, Goal)", "->  catch(check(Module, Goal), _, true)"
        )
        assert (unchecked != text) == (source.name == "judge.pl")
        (tmp_path / source.name).write_text(unchecked)
    judging.close_worker()
    monkeypatch.setattr(judging, "_SERVER", tmp_path / "worker.pl")
    runs = _run(BEYOND_THE_SANDBOX, path)
    judging.close_worker()
    assert not path.exists()
    assert [name for name, run in runs.items() if not run.after.solved] == []
    assert [name for name, run in runs.items() if run.attacked.status == "lost"] == []
