"""Worker processes that do not outlive a killed build."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import multiprocess

POLL_SECONDS = 0.5

_builder: int | None = None


@contextmanager
def mortal_workers() -> Iterator[None]:
    """Let every process that is forked inside end within a second of this one's death.

    A pool whose parent is killed with SIGKILL waits for it forever: its helper process keeps all
    pipes open. Pools that do not fork notice by themselves.

    Raises:
        KeyboardInterrupt: On Ctrl-C, which the pool of the datasets library would hide.
    """
    global _builder
    _builder = os.getpid()
    try:
        yield
    except multiprocess.TimeoutError as error:  # datasets stops waiting when interrupted
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
    finally:
        _builder = None


def _after_fork() -> None:
    global _builder
    if _builder is not None:
        threading.Thread(target=_end_with, args=(_builder,), daemon=True).start()
        _builder = None  # what this process forks in turn is its own affair


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)


if hasattr(os, "register_at_fork"):  # absent on Windows, where nothing forks
    os.register_at_fork(after_in_child=_after_fork)
