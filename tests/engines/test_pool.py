"""The worker pool survives its workers."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator

import pytest
from running import is_running

from logic_curriculum.rewards.engines.prolog import confinement
from logic_curriculum.rewards.engines.prolog_old import (
    Cases,
    PrologUnavailable,
    judge_groups,
    pool,
)
from logic_curriculum.rewards.engines.prolog_old.worker import Worker

GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."
WRONG = "eastbound(T) :- has_car(T, C), car_color(C, blue)."
KILLER = "eastbound(T) :- has_car(T, kill_the_worker)."


@pytest.fixture(autouse=True)
def _own_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pool.close_pool()
    monkeypatch.setenv(pool.WORKERS_VARIABLE, "2")
    yield
    pool.close_pool()


def _deadly_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worker die whenever it is sent the killer."""
    exchange = Worker.exchange

    def deadly(self: Worker, request: list[str], replies: int) -> list[str]:
        if any("kill_the_worker" in text for text in request):
            os.kill(self.pid, signal.SIGKILL)
        return exchange(self, request, replies)

    monkeypatch.setattr(Worker, "exchange", deadly)


def test_the_guilty_one_is_found_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    _deadly_exchange(monkeypatch)
    executions = judge_groups([(cases, [GOOD, WRONG, KILLER, GOOD])])[0]
    assert [e.status for e in executions] == ["ok", "ok", "limit", "ok"]
    assert [e.solved for e in executions] == [True, False, False, True]


def test_a_worker_killed_from_outside_costs_nobody_a_verdict(cases: Cases) -> None:
    slow = "eastbound(T) :- has_car(T, C), \\+ (between(1, 10000, X), X < 0), car_color(C, red)."
    stop = threading.Event()

    def kill_each_worker_once() -> None:
        for supervisor in pool.pool()._supervisors:
            stop.wait(0.2)
            if supervisor._worker:
                os.kill(supervisor._worker.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_each_worker_once)
    judge_groups([(cases, [GOOD])])
    killer.start()
    try:
        groups = judge_groups([(cases, [slow] * 12)] * 2)
    finally:
        stop.set()
        killer.join()
    assert all(execution.solved for group in groups for execution in group)


def test_no_worker_outlives_the_pool(cases: Cases) -> None:
    judge_groups([(cases, [GOOD])] * 4)
    pids = [supervisor._worker.pid for supervisor in pool.pool()._supervisors if supervisor._worker]
    pool.close_pool()
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_worker_ends_when_its_host_is_killed(cases: Cases) -> None:
    def host(connection: multiprocessing.connection.Connection) -> None:
        judge_groups([(cases, [GOOD])])
        connection.send(
            [
                supervisor._worker.pid
                for supervisor in pool.pool()._supervisors
                if supervisor._worker
            ]
        )
        time.sleep(60)

    receiver, sender = multiprocessing.Pipe()
    context = multiprocessing.get_context("fork")
    process = context.Process(target=host, args=(sender,), daemon=True)
    process.start()
    sender.close()  # so that the death of the child is seen
    (pid,) = receiver.recv()
    process.kill()
    process.join()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and is_running(pid):
        time.sleep(0.05)
    assert not is_running(pid)


@pytest.mark.skipif("seccomp" not in confinement.confinement(), reason="no seccomp here")
def test_a_worker_is_confined(cases: Cases) -> None:
    judge_groups([(cases, [GOOD])])
    worker = next(
        supervisor._worker for supervisor in pool.pool()._supervisors if supervisor._worker
    )
    with open(f"/proc/{worker.pid}/status") as file:
        status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    assert status["NoNewPrivs"].strip() == "1"
    assert status["Seccomp"].strip() == "2"
    for name in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        assert resource.prlimit(worker.pid, name) == (0, 0)
    for name in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        assert resource.RLIM_INFINITY not in resource.prlimit(worker.pid, name)


def test_a_number_of_workers_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    pool.close_pool()
    monkeypatch.setenv(pool.WORKERS_VARIABLE, "many")
    with pytest.raises(ValueError, match="'many'"):
        judge_groups([(cases, [GOOD])])


@pytest.mark.parametrize(("cores", "ranks", "workers"), [(64, None, 64), (64, 8, 8), (2, 4, 1)])
def test_the_ranks_of_a_node_divide_its_cores(
    cores: int, ranks: int | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(pool.WORKERS_VARIABLE)
    monkeypatch.setattr(pool, "cores", lambda: cores)
    monkeypatch.delenv(pool.RANKS_VARIABLE, raising=False)
    if ranks:
        monkeypatch.setenv(pool.RANKS_VARIABLE, str(ranks))
    assert len(pool.pool()._supervisors) == workers


def test_a_missing_swipl_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(PrologUnavailable, match="apt-get install"):
        judge_groups([(cases, [GOOD])])
