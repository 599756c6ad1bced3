"""Judges of all families under threads, asyncio, fork, spawn, and beside other processes."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing.connection import Connection

import pytest
from running import is_running

from logic_curriculum.generators import families, generate
from logic_curriculum.rewards import Verdict
from logic_curriculum.rewards.engines.prolog import judging
from logic_curriculum.rewards.registry import measure_batch

TIMES = itertools.count()


@cache
def answers(family: str) -> tuple[list[str], list[dict]]:
    """Return right, wrong and broken answers to two tasks of a family, and their payloads."""
    tasks = [generate(family, level=2, seed=seed) for seed in (1, 2)]
    texts = [
        [task.solution, other.solution, task.solution[: len(task.solution) // 2], "?"]
        for task, other in zip(tasks, reversed(tasks), strict=True)
    ]
    payloads = [dict(task.verification) for task in tasks for _ in texts[0]]
    return [text for own in texts for text in own], payloads


def findings(family: str) -> list[Verdict]:
    """Judge the answers again: no text comes twice, so that no batch is remembered."""
    texts, payloads = answers(family)
    return measure_batch(family, [f"Attempt {next(TIMES)}.\n{text}" for text in texts], payloads)


@cache
def calm(family: str) -> list[Verdict]:
    """Return the verdicts of this process while it does nothing else."""
    verdicts = findings(family)
    assert None not in [verdict.reward for verdict in verdicts]
    assert len({verdict.reward for verdict in verdicts}) > 1
    return verdicts


def all_calm() -> list[list[Verdict]]:
    return [calm(name) for name in families()]


def all_found() -> list[list[Verdict]]:
    return [findings(name) for name in families()]


def test_sixteen_threads_judge_as_one_does():
    expected = all_calm() * 8
    with ThreadPoolExecutor(16) as executor:
        assert list(executor.map(findings, families() * 8)) == expected


def test_judging_in_asyncio_leaves_the_loop_free():
    expected = all_calm() * 3

    async def judge_all() -> tuple[list[list[Verdict]], int]:
        work = asyncio.gather(*(asyncio.to_thread(findings, name) for name in families() * 3))
        turns = 0
        while not work.done():
            await asyncio.sleep(0.001)
            turns += 1
        return await work, turns

    found, turns = asyncio.run(judge_all())
    assert found == expected
    assert turns > 1


def worker_pid() -> int:
    """Return the process id of the worker that gives the scores of the paper."""
    assert judging._worker is not None
    return judging._worker.pid


def tell(connection: Connection) -> None:
    """Send verdicts, and the process id of the worker."""
    found = all_found()
    connection.send((found, worker_pid()))


@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.slow)])
def test_a_child_of_a_process_that_has_judged_judges_too_and_leaves_no_worker(method: str):
    expected = all_calm()
    own = worker_pid()
    context = multiprocessing.get_context(method)
    receivers, children = [], []
    for _ in range(2):  # at once
        receiver, sender = context.Pipe(duplex=False)
        children.append(context.Process(target=tell, args=(sender,), daemon=True))
        children[-1].start()
        sender.close()  # so that the death of the child is seen
        receivers.append(receiver)
    assert all_found() == expected  # meanwhile
    of_children = []
    for receiver, child in zip(receivers, children, strict=True):
        found, pid = receiver.recv()
        child.join()
        assert found == expected
        assert child.exitcode == 0
        of_children.append(pid)
    assert own not in of_children
    deadline = time.monotonic() + 10
    while any(map(is_running, of_children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, of_children))
    assert is_running(own)
    assert all_found() == expected


@pytest.mark.slow
def test_verdicts_are_the_same_beside_twenty_busy_processes():
    expected = all_calm()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(20)]
    try:
        deadline = time.monotonic() + 60
        while os.getloadavg()[0] < 20 and time.monotonic() < deadline:
            assert all_found() == expected
        assert all_found() == expected
    finally:
        for process in busy:
            process.kill()
            process.wait()
