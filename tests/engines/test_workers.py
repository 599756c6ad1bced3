"""Whatever ends or delays a worker: the verdict stays, or the message tells the cause."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sample_programs import trains

from logic_curriculum.rewards.engines.prolog_old import Cases, judge_groups, own_facts, pool
from logic_curriculum.rewards.engines.prolog_old import worker as workers
from logic_curriculum.rewards.engines.prolog_old.pool import (
    CHARACTERS_OF_LIFE,
    START_TRIES,
    _execution,
)
from logic_curriculum.rewards.engines.prolog_old.worker import BadReply, Worker

GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."
WRONG = "eastbound(T) :- has_car(T, C), car_color(C, blue)."
MARKED = "eastbound(T) :- has_car(T, marked)."
SLOW = "eastbound(T) :- has_car(T, C), \\+ (between(1, 10000, X), X < 0), car_color(C, red)."


@pytest.fixture(autouse=True)
def _own_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pool.close_pool()
    monkeypatch.setenv(pool.WORKERS_VARIABLE, "1")
    yield
    pool.close_pool()


def _worker() -> Worker:
    (supervisor,) = pool.pool()._supervisors
    assert supervisor._worker is not None
    return supervisor._worker


def _kill_starts(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Kill that many workers in their start; return the process ids of all that start."""
    started: list[int] = []
    wait = Worker._wait_until_ready

    def unlucky(self: Worker) -> None:
        started.append(self.pid)
        if len(started) <= times:
            os.kill(self.pid, signal.SIGKILL)
        wait(self)

    monkeypatch.setattr(Worker, "_wait_until_ready", unlucky)
    return started


@pytest.mark.parametrize("times", [START_TRIES - 1])
def test_a_worker_killed_in_starting_is_started_again(
    times: int, monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    started = _kill_starts(monkeypatch, times)
    assert judge_groups([(cases, [GOOD])])[0][0].solved
    assert len(started) == times + 1


def _kill_at_marked(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Kill the worker the first times that it is sent the marked hypothesis."""
    killed: list[int] = []
    exchange = Worker.exchange

    def deadly(self: Worker, request: list[str], replies: int) -> list[str]:
        if MARKED in request and len(killed) < times:
            killed.append(self.pid)
            os.kill(self.pid, signal.SIGKILL)
        return exchange(self, request, replies)

    monkeypatch.setattr(Worker, "exchange", deadly)
    return killed


def test_a_hypothesis_that_ends_each_of_its_workers_exceeds_the_budget(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    killed = _kill_at_marked(monkeypatch, 99)
    executions = judge_groups([(cases, [GOOD, MARKED, WRONG])])[0]
    assert [e.status for e in executions] == ["ok", "limit", "ok"]
    assert "signal 9" in executions[1].detail
    assert len(killed) == 1 + pool._TRIES  # once in company


def _floods(count: int) -> list[str]:
    """Return hypotheses that each bring new functors and new atoms."""
    return [
        "eastbound(T) :- member(T, ["
        + ", ".join(f"f{number}_{i}(g{number}_{i})" for i in range(200))
        + "])."
        for number in range(count)
    ]


def _resident_bytes(pid: int) -> int:
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc here")
def test_a_flood_of_functors_does_not_fill_the_memory(cases: Cases) -> None:
    sizes, pids = [], []
    floods = _floods(1200)
    for start in range(0, len(floods), 60):
        executions = judge_groups([(cases, floods[start : start + 60])])[0]
        assert {execution.status for execution in executions} == {"ok"}
        pids.append(_worker().pid)
        sizes.append(_resident_bytes(pids[-1]))
    assert sum(map(len, floods)) > 2 * CHARACTERS_OF_LIFE
    assert len(set(pids)) >= 3
    assert max(sizes) < 200e6


def test_a_worker_is_replaced_once_it_has_read_its_share(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    monkeypatch.setattr(pool, "CHARACTERS_OF_LIFE", 3 * len(GOOD))
    pids = []
    for _ in range(3):
        assert judge_groups([(cases, [GOOD] * 2)])[0][0].solved
        pids.append(_worker().pid)
    # 2 and 4 texts: the second exchange began below the limit of 3, the third did not
    assert pids[0] == pids[1] != pids[2]


def _meanwhile(action: Callable[[], None], cases: Cases, hypotheses: list[str]) -> list[bool]:
    judge_groups([(cases, [GOOD])])  # so that there is a worker
    thread = threading.Thread(target=action)
    thread.start()
    try:
        executions = judge_groups([(cases, hypotheses)])[0]
    finally:
        thread.join()
    return [execution.solved for execution in executions]


def test_a_worker_that_is_stopped_for_a_moment_keeps_its_verdicts(cases: Cases) -> None:
    def stop_and_go() -> None:
        for _ in range(4):
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.2)
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.02)

    judge_groups([(cases, [GOOD])])
    pid = _worker().pid
    assert _meanwhile(stop_and_go, cases, [SLOW] * 20) == [True] * 20
    assert _worker().pid == pid


def test_a_worker_that_was_stopped_for_good_is_set_going_again(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    wait = Worker._wait_until_ready

    def stopped(self: Worker) -> None:
        os.kill(self.pid, signal.SIGSTOP)
        wait(self)

    monkeypatch.setattr(workers, "_CONTINUE_S", 0.1)
    monkeypatch.setattr(Worker, "_wait_until_ready", stopped)  # in starting
    assert judge_groups([(cases, [GOOD])])[0][0].solved
    pid = _worker().pid
    os.kill(pid, signal.SIGSTOP)  # before it is sent more than its pipe holds
    assert all(e.solved for e in judge_groups([(cases, [GOOD + " " * 15_000] * 32)])[0])
    assert _meanwhile(lambda: os.kill(pid, signal.SIGSTOP), cases, [SLOW] * 20) == [True] * 20
    assert _worker().pid == pid


def test_work_that_takes_longer_than_the_wall_limit_keeps_its_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cases = own_facts(trains(("red", "blue") * 24))
    judge_groups([(cases, [GOOD])])
    started = time.monotonic()
    calm = judge_groups([(cases, [SLOW] * 8)])
    monkeypatch.setattr(workers, "_WALL_LIMIT_S", (time.monotonic() - started) / 3)
    assert judge_groups([(cases, [SLOW + " "] * 8)]) == calm
    assert all(execution.solved for execution in calm[0])


def test_a_worker_without_a_sign_of_life_is_lost_and_no_verdict(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    judge_groups([(cases, [GOOD])])
    monkeypatch.setattr(workers, "_WALL_LIMIT_S", 0.2)
    start = pool._start

    def stopped() -> Worker:
        monkeypatch.setattr(workers, "_WALL_LIMIT_S", 60.0)
        worker = start()
        os.kill(worker.pid, signal.SIGSTOP)
        monkeypatch.setattr(workers, "_WALL_LIMIT_S", 0.2)
        return worker

    monkeypatch.setattr(pool, "_start", stopped)
    os.kill(_worker().pid, signal.SIGSTOP)
    (execution,) = judge_groups([(cases, [GOOD])])[0]
    assert execution.status == "lost"
    assert "no sign of life" in execution.detail


@pytest.mark.slow
def test_a_hypothesis_may_take_long_on_very_many_examples() -> None:
    cases = own_facts(trains(("red", "blue") * 4000))
    judge_groups([(cases, [GOOD])])
    counting = "forall(between(1, 16000, _), true)"
    (execution,) = judge_groups(
        [(cases, [f"eastbound(T) :- {counting}, has_car(T, C), car_color(C, red)."])]
    )[0]
    assert execution.solved


ODD = [
    "", "ok", "ok 1", "ok 1 -", "ok 1 1", "ok 1 101", "ok 1 1x", "ok x 10", "ok -1 10", "ok 1  10",
    " ok 1 10", "fine 1 10", "syntax 0 10 why", "syntax 0", "loaded", ".", "failed length",
    "ok ١ 10",
]  # fmt: skip


@pytest.mark.parametrize("line", ODD)
def test_a_malformed_reply_is_told_from_a_good_one(line: str) -> None:
    with pytest.raises(BadReply):
        _execution(line, (True, False))


def test_a_good_reply_is_read() -> None:
    assert _execution("ok 7 1e", (True, False)).outcomes == (True, None)
    assert _execution("ok 7 10 a text = b] ok", (True, False)).detail == "a text = b] ok"
    assert _execution("limit 9 - a\x0btext\u2028", (True, False)).detail == "a\x0btext\u2028"


def test_lines_that_nobody_asked_for_are_a_lost_verdict(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    """As any odd line is; three workers are tried, which takes seconds."""
    read = Worker._read
    monkeypatch.setattr(Worker, "_read", lambda *args: read(*args) + b"ok 1 10101010\n")
    executions = judge_groups([(cases, [GOOD] * 2)])[0]
    assert [execution.status for execution in executions] == ["lost"] * 2
