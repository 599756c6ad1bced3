"""Whatever ends or delays a worker: the verdict stays, or the message tells the cause."""

from __future__ import annotations

import logging
import multiprocessing
import os
import platform
import re
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from running import is_running

from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import (
    Program,
    PrologUnavailable,
    confinement,
    judge_programs,
    judging,
)
from logic_curriculum.rewards.engines.prolog.judging import Worker, WorkerFailed

GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."
WRONG = "eastbound(T) :- has_car(T, C), car_color(C, blue)."
MARKED = "eastbound(T) :- has_car(T, marked)."
SLOW = f"eastbound(T) :- forall(between(1, 300000, _), true), {GOOD[16:]}"
has_seccomp = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in confinement.TABLES, reason="none here"
)


@pytest.fixture(autouse=True)
def _own_worker() -> Iterator[None]:
    judging.close_worker()
    judging._warn_once.cache_clear()
    yield
    judging.close_worker()


def _statuses(program: Program, *hypotheses: str) -> list[str]:
    return [execution.status for execution in judge_programs([(program, hypotheses)])[0]]


def _pid() -> int:
    assert judging._worker is not None
    return judging._worker.pid


def _at_marked(monkeypatch: pytest.MonkeyPatch, action: Callable[[int], None]) -> list[int]:
    """Do something to the worker whenever it is sent the marked hypothesis; return process ids."""
    pids: list[int] = []
    send = Worker.send

    def hurt(self: Worker, request: str) -> None:
        if MARKED in request:
            pids.append(self.pid)
            action(self.pid)
        send(self, request)

    monkeypatch.setattr(Worker, "send", hurt)
    return pids


# ------------------------------------------------------------------------------- at work


def test_a_hypothesis_that_ends_three_workers_is_over_its_limit_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    killed = _at_marked(monkeypatch, lambda pid: os.kill(pid, signal.SIGKILL))
    assert _statuses(program, GOOD, MARKED, WRONG) == ["ok", "limit", "ok"]
    assert len(set(killed)) == 3


def test_a_worker_that_says_nothing_is_replaced_and_its_hypothesis_over_its_limit(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setattr(judging, "WALL_LIMIT_S", 1.0)
    stopped = _at_marked(monkeypatch, lambda pid: os.kill(pid, signal.SIGSTOP))
    (executions,) = judge_programs([(program, [GOOD, MARKED, GOOD])])
    assert [execution.status for execution in executions] == ["ok", "limit", "ok"]
    assert "said nothing within 1 s" in executions[1].detail
    assert len(stopped) == 1
    assert not is_running(stopped[0])


def test_a_worker_or_a_process_of_a_hypothesis_killed_from_outside_costs_nobody_a_verdict(
    program: Program,
) -> None:
    judge_programs([(program, [GOOD])])
    first = _pid()
    stop = threading.Event()

    def kill_both() -> None:
        stop.wait(0.3)
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (*map(int, children), first):
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_both)
    killer.start()
    (executions,) = judge_programs([(program, [SLOW] * 5)])
    stop.set()
    killer.join()
    assert all(execution.solved for execution in executions)
    assert _pid() != first


def test_a_program_that_prolog_refuses_is_no_failure_of_the_hypothesis() -> None:
    program = Program.parse("eastbound(a).\nwestbound(b).\nlength(a, 3).\n")
    (executions,) = judge_programs([(program, [GOOD])])
    assert executions[0].status == "lost"
    assert "static_procedure,length/2" in executions[0].detail


@pytest.mark.parametrize("line", ["", "ok 10", "loaded", "exited(0)ok 10 ", "exited(x) ok 10 "])
def test_a_reply_that_the_worker_does_not_know_is_our_failure(
    line: str, monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    with pytest.raises(WorkerFailed):
        judging._execution(line, (True, False))
    read = Worker.read_line
    monkeypatch.setattr(
        Worker,
        "read_line",
        lambda *args: line if (said := read(*args)).startswith("exited") else said,
    )
    assert _statuses(program, GOOD) == ["lost"]


@pytest.mark.parametrize(
    "said", ["", "ok", "ok 1 ", "ok 101 ", "ok  ", "ok 1x ", "limit 10 ", "ok 10", "lost  "]
)
def test_what_a_hypothesis_may_have_made_its_process_say_is_no_failure_of_ours(said: str) -> None:
    assert judging._execution(f"exited(0) {said}", (True, False)).status == "limit"
    assert judging._execution("exited(1) ok 10 ", (True, False)).status == "limit"
    assert judging._execution("signaled(24) ok 10 ", (True, False)).status == "limit"


def test_an_interrupted_judgement_leaves_no_reply_to_the_next(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    judge_programs([(program, [GOOD])])
    with monkeypatch.context() as patch:
        patch.setattr(Worker, "read_line", interrupt)
        with pytest.raises(KeyboardInterrupt):
            judge_programs([(program, [GOOD])])
    assert judge_programs([(program, [WRONG])])[0][0].accuracy == 0.25


def test_threads_and_forked_processes_judge_too(program: Program) -> None:
    groups = [(program, [GOOD, WRONG]), (Program.parse(program.text), [WRONG])]
    expected = judge_programs(groups)
    own = _pid()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(judge_programs, [groups] * 16)) == [expected] * 16
    with multiprocessing.get_context("fork").Pool(2) as processes:
        assert processes.map(judge_programs, [groups] * 4) == [expected] * 4
    assert _pid() == own
    assert judge_programs(groups) == expected


def test_a_worker_ends_when_its_host_is_killed(program: Program) -> None:
    def host(connection: multiprocessing.connection.Connection) -> None:
        judge_programs([(program, [GOOD])])
        connection.send(_pid())
        time.sleep(60)

    receiver, sender = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=host, args=(sender,), daemon=True)
    process.start()
    sender.close()  # so that the death of the child is seen
    pid = receiver.recv()
    process.kill()
    process.join()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and is_running(pid):
        time.sleep(0.05)
    assert not is_running(pid)


@has_seccomp
def test_a_worker_is_confined_and_a_hypothesis_in_it_more_so(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    judge_programs([(program, [GOOD])])
    status = dict(re.findall(r"(\w+):\t(.*)", Path(f"/proc/{_pid()}/status").read_text()))
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    for name in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        assert resource.prlimit(_pid(), name) == (0, 0)
    for name in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        assert resource.RLIM_INFINITY not in resource.prlimit(_pid(), name)
    thread = threading.Thread(target=judge_programs, args=([(program, [SLOW])],))
    thread.start()
    children: list[str] = []
    while thread.is_alive() and not children:
        time.sleep(0.05)
        children = Path(f"/proc/{_pid()}/task/{_pid()}/children").read_text().split()
    limits = Path(f"/proc/{children[0]}/limits").read_text()
    thread.join()
    for name, soft in (("open files", "0"), ("processes", "0"), ("cpu time", "5")):
        assert re.search(rf"Max {name} +{soft} ", limits), limits


# ------------------------------------------------------------------------------- at its start


def _use_swipl(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Put a stand-in for swipl on the path."""
    path = folder / "swipl"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'libswipl.so is gone' >&2; exit 3", r"ended with exit status 3 .*libswipl.so is"),
        ("echo is version 8.4.2", r"is version 8\.4\.2"),
        ("while :; do :; done", "said nothing within 0.3 s"),
        ("echo steady; exec cat", "replied 'steady'"),
        ("echo Welcome to Prolog; exec cat", "replied 'Welcome to Prolog'"),
    ],
)
def test_a_swipl_that_does_not_work_is_quoted_with_the_remedy(
    script: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    program: Program,
) -> None:
    if "within" in said:
        monkeypatch.setattr(judging, "START_LIMIT_S", 0.3)
    _use_swipl(monkeypatch, tmp_path, script)
    with pytest.raises(PrologUnavailable, match=said) as raised:
        judge_programs([(program, [GOOD])])
    assert "apt-get install" in str(raised.value)


def test_a_missing_swipl_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(PrologUnavailable, match=r"no `swipl` is on PATH.*apt-get install"):
        judge_programs([(program, [GOOD])])


def test_a_worker_killed_in_starting_is_started_again(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    started: list[int] = []
    wait = Worker._wait_until_ready

    def unlucky(self: Worker, swipl: str) -> None:
        started.append(self.pid)
        if len(started) < 3:
            os.kill(self.pid, signal.SIGKILL)
        wait(self, swipl)

    monkeypatch.setattr(Worker, "_wait_until_ready", unlucky)
    assert judge_programs([(program, [GOOD])])[0][0].solved
    assert len(started) == 3


def test_an_engine_that_judges_its_own_rule_wrong_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: Program
) -> None:
    for source in Path(prolog.__file__).parent.glob("*.pl"):
        text = source.read_text()
        (tmp_path / source.name).write_text(text.replace("Code = 1", "Code = 0"))
    monkeypatch.setattr(judging, "_SERVER", tmp_path / "worker.pl")
    with pytest.raises(PrologUnavailable, match="judges a rule of its own wrong"):
        judge_programs([(program, [GOOD])])


@has_seccomp
def test_a_kernel_without_seccomp_is_warned_about_once_and_judged_with(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    program: Program,
    caplog: pytest.LogCaptureFixture,
) -> None:
    launcher = tmp_path / "launcher.py"
    source = Path(confinement.__file__).read_text()
    assert "= 38, 22, 2" in source
    launcher.write_text(source.replace("= 38, 22, 2", "= 38, 9999, 2"))  # no option of prctl
    monkeypatch.setattr(confinement, "__file__", str(launcher))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert judge_programs([(program, [GOOD])])[0][0].solved
            judging.close_worker()
    assert [record.getMessage().count("PR_SET_SECCOMP") for record in caplog.records] == [1]
