"""Work that several processes share: results in order, and no process outlives the first one."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TypeVar

from tqdm import tqdm

from logic_curriculum.rewards.engines.prolog.pool import WORKERS_VARIABLE

AHEAD = 4  # items for each process that are on the way: so many more may wait for a slow one
SECONDS_BETWEEN_LINES = 30  # of the progress in a file, such as a cluster's log
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
                f"One of {num_proc} worker processes was killed, perhaps for want of memory. The "
                "same command continues; give it fewer with --num-proc."
            ) from error
        finally:
            if not finished:  # nobody wants the rest
                here.close()


def _begin(here: Connection, there: Connection) -> None:
    """Make a new process ready: it leaves Ctrl-C to the first one, and ends with that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault(WORKERS_VARIABLE, "1")
    here.close()
    threading.Thread(target=_end_with, args=(there,), daemon=True).start()


def _end_with(there: Connection) -> None:
    with suppress(EOFError, OSError):
        there.recv_bytes()  # nothing is ever sent
    os._exit(1)


def progress(total: int, text: str, unit: str) -> tqdm:
    """Return a bar of progress on stderr; in a file, a line now and then."""
    pause = 0.5 if sys.stderr.isatty() else SECONDS_BETWEEN_LINES
    return tqdm(total=total, desc=text, unit=unit, mininterval=pause, delay=1)
