"""Seats for workers, shared by the threads of this process."""

from __future__ import annotations

import atexit
import os
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from logic_curriculum.rewards.engines.prolog.seat import Executions, Job, Seat

WORKERS_VARIABLE = "LOGIC_CURRICULUM_WORKERS"
"""Environment variable with the number of workers; default: one for each CPU of the process."""


class Pool:
    """A fixed number of seats; a worker is started when its seat is first used."""

    def __init__(self, size: int) -> None:
        self._seats = [Seat() for _ in range(size)]
        self._free: queue.LifoQueue[Seat] = queue.LifoQueue()
        for seat in self._seats:
            self._free.put(seat)

    def run(self, jobs: Sequence[Job]) -> list[list[Executions]]:
        """Return for each job the executions of its hypotheses, all in order."""
        threads = min(len(self._seats), len(jobs))
        if threads <= 1:
            return [self._run(job) for job in jobs]
        with ThreadPoolExecutor(threads) as executor:
            return list(executor.map(self._run, jobs))

    def close(self) -> None:
        """End all workers, also those at work."""
        for seat in self._seats:
            seat.close()

    def _run(self, job: Job) -> list[Executions]:
        seat = self._free.get()
        try:
            return seat.run(job)
        finally:
            self._free.put(seat)


_pool: Pool | None = None
_lock = threading.Lock()


def pool() -> Pool:
    """Return this process's pool; it is made on first use."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = Pool(_size())
        return _pool


def close_pool() -> None:
    """End the workers of this process; the next judgement starts new ones."""
    global _pool
    with _lock:
        if _pool is not None:
            _pool.close()
        _pool = None


def _forget_pool() -> None:
    """Leave the parent's workers to the parent after a fork."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


def _size() -> int:
    given = os.environ.get(WORKERS_VARIABLE)
    if given is None:
        return _available_cpus()
    if not given.isdecimal() or int(given) == 0:
        raise ValueError(
            f"{WORKERS_VARIABLE} is {given!r}, which is no number of workers; "
            "set it to a positive integer or leave it out."
        )
    return int(given)


def _available_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


atexit.register(close_pool)
os.register_at_fork(after_in_child=_forget_pool)
