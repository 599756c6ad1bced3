"""Work that several processes share: results in order, and no process outlives the first one."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

AHEAD = 4  # items for each process that are on the way: so many more may wait for a slow one
Item = TypeVar("Item")
Result = TypeVar("Result")


def cores() -> int:
    """Return how many CPUs this process may use, which a cluster's scheduler limits."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


def in_order(
    function: Callable[[Item], Result], items: Iterable[Item], num_proc: int
) -> Iterator[Result]:
    """Yield ``function(item)`` for each item, in order, worked out by ``num_proc`` processes.

    Memory is constant: items are read as they are needed. Processes are forked where that is safe,
    and each has one worker of the Prolog judge unless the environment says otherwise. When this
    process ends, by SIGKILL too, or stops to read, they end at once.

    Raises:
        RuntimeError: One of the processes was killed.
    """
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    here, there = context.Pipe()  # closes with this process
    with here, there, ProcessPoolExecutor(num_proc, context, _begin, (here, there)) as pool:
        waiting: deque[Future[Result]] = deque()
        finished = False
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > AHEAD * num_proc:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            finished = True
        except BrokenProcessPool as error:
            raise RuntimeError(
                f"One of {num_proc} worker processes was killed, perhaps for want of memory. Run "
                "the command again, with fewer by --num-proc."
            ) from error
        finally:
            if not finished:  # nobody wants the rest
                here.close()


def _begin(here: Connection, there: Connection) -> None:
    """Make a new process ready: it leaves Ctrl-C to the first one, and ends with that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    here.close()
    threading.Thread(target=_end_with, args=(there,), daemon=True).start()


def _end_with(there: Connection) -> None:
    with suppress(EOFError, OSError):
        there.recv_bytes()  # nothing is ever sent
    os._exit(1)


@contextmanager
def threads_that_end(count: int) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of threads that have ended in the kernel, too, when it is left.

    Python counts a thread as ended while C libraries still tidy up after it under locks of theirs,
    such as that of the name resolver. A process forked at that moment would wait for them forever.
    """
    started: list[int] = []  # native ids
    try:
        with ThreadPoolExecutor(
            count, initializer=lambda: started.append(threading.get_native_id())
        ) as threads:
            yield threads
    finally:
        for each in started:
            while Path(f"/proc/self/task/{each}").exists():  # only Linux has it, and forks
                time.sleep(0.0001)
