"""The worker pool survives its workers."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from rewards.judges.prolog import Program, PrologUnavailable, confinement, judge_groups, pool, seat
from rewards.judges.prolog.worker import Worker, WorkerStalled

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

    def deadly(self: Worker, requests: list[str], replies: int, cpu_limit: float) -> list[str]:
        if any("kill_the_worker" in request for request in requests):
            os.kill(self.pid, signal.SIGKILL)
        return exchange(self, requests, replies, cpu_limit)

    monkeypatch.setattr(Worker, "exchange", deadly)


def test_the_guilty_one_is_found_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    _deadly_exchange(monkeypatch)
    executions = judge_groups([(program, [GOOD, WRONG, KILLER, GOOD])])[0]
    assert [e.status for e in executions] == ["ok", "ok", "limit", "ok"]
    assert [e.solved for e in executions] == [True, False, False, True]


def test_a_runaway_inside_one_inference_is_stopped_by_its_cpu_time(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setattr(seat, "INFERENCES_PER_EXAMPLE", 10**12)
    monkeypatch.setattr(seat, "BATCH_CPU_LIMIT_S", 0.3)
    monkeypatch.setattr(seat, "CPU_LIMIT_S", 0.3)
    runaway = "eastbound(T) :- eastbound(T)."
    executions = judge_groups([(program, [GOOD, runaway, GOOD])])[0]
    assert [e.status for e in executions] == ["ok", "limit", "ok"]


def test_a_worker_killed_from_outside_costs_nobody_a_verdict(program: Program) -> None:
    slow = "eastbound(T) :- has_car(T, C), \\+ (between(1, 20000, X), X < 0), car_color(C, red)."
    stop = threading.Event()

    def kill_each_worker_once() -> None:
        for place in pool.pool()._seats:
            stop.wait(0.2)
            if place._worker:
                os.kill(place._worker.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_each_worker_once)
    judge_groups([(program, [GOOD])])
    killer.start()
    try:
        groups = judge_groups([(program, [slow] * 12)] * 2)
    finally:
        stop.set()
        killer.join()
    assert all(execution.solved for group in groups for execution in group)


def test_a_silent_worker_is_our_failure(monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    def silent(*_: object) -> list[str]:
        raise WorkerStalled("no reply")

    monkeypatch.setattr(Worker, "exchange", silent)
    executions = judge_groups([(program, [GOOD])])[0]
    assert [e.status for e in executions] == ["lost"]


def test_a_worker_is_replaced_after_its_term(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setattr(seat, "_JUDGEMENTS_OF_LIFE", 3)
    monkeypatch.setenv(pool.WORKERS_VARIABLE, "1")
    pids = []
    for _ in range(2):
        assert judge_groups([(program, [GOOD] * 4)])[0][0].solved
        worker = pool.pool()._seats[0]._worker
        assert worker is not None
        pids.append(worker.pid)
    assert pids[0] != pids[1]


def test_more_programs_than_the_cache_holds_are_judged_right(program: Program) -> None:
    programs = [Program.parse(f"{program.text}extra(car0_1, {i}).\n") for i in range(40)]
    rules = [f"eastbound(T) :- extra(_, {i}), has_car(T, C), car_color(C, red)." for i in range(40)]
    for _ in range(2):
        judged = judge_groups([(p, [rule]) for p, rule in zip(programs, rules, strict=True)])
        assert all(executions[0].solved for executions in judged)


def test_threads_share_the_pool(program: Program) -> None:
    with ThreadPoolExecutor(6) as executor:
        results = list(executor.map(lambda _: judge_groups([(program, [GOOD, WRONG])]), range(30)))
    assert all([e.solved for e in result[0]] == [True, False] for result in results)


def _solved_in_child(program: Program) -> bool:
    return judge_groups([(program, [GOOD])])[0][0].solved


def test_a_forked_process_gets_workers_of_its_own(program: Program) -> None:
    assert judge_groups([(program, [GOOD])])[0][0].solved
    with multiprocessing.get_context("fork").Pool(3) as processes:
        assert processes.map(_solved_in_child, [program] * 6) == [True] * 6
    assert judge_groups([(program, [GOOD])])[0][0].solved


def test_no_worker_outlives_the_pool(program: Program) -> None:
    judge_groups([(program, [GOOD])] * 4)
    pids = [place._worker.pid for place in pool.pool()._seats if place._worker]
    pool.close_pool()
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_worker_ends_when_its_host_is_killed(program: Program) -> None:
    def host(connection: multiprocessing.connection.Connection) -> None:
        judge_groups([(program, [GOOD])])
        connection.send([place._worker.pid for place in pool.pool()._seats if place._worker])
        time.sleep(60)

    receiver, sender = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=host, args=(sender,))
    process.start()
    (pid,) = receiver.recv()
    process.kill()
    process.join()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _is_running(pid):
        time.sleep(0.05)
    assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif("seccomp" not in confinement.confinement(), reason="no seccomp here")
def test_a_worker_is_confined(program: Program) -> None:
    judge_groups([(program, [GOOD])])
    worker = next(place._worker for place in pool.pool()._seats if place._worker)
    with open(f"/proc/{worker.pid}/status") as file:
        status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    assert status["NoNewPrivs"].strip() == "1"
    assert status["Seccomp"].strip() == "2"
    for name in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        assert resource.prlimit(worker.pid, name) == (0, 0)
    for name in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        assert resource.RLIM_INFINITY not in resource.prlimit(worker.pid, name)


def test_a_number_of_workers_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    pool.close_pool()
    monkeypatch.setenv(pool.WORKERS_VARIABLE, "many")
    with pytest.raises(ValueError, match="'many'"):
        judge_groups([(program, [GOOD])])


def test_a_missing_swipl_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(PrologUnavailable, match="apt-get install"):
        judge_groups([(program, [GOOD])])
