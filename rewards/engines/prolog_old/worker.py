"""Where SWI-Prolog is, and one confined ``swipl`` process that answers over pipes."""

import fcntl
import logging
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from logic_curriculum.rewards.engines.prolog import confinement
from logic_curriculum.rewards.engines.prolog.worker import (
    INSTALL,
    PATH_VARIABLE,
    PrologUnavailable,
    not_installed,
    swipl_path,
)

__all__ = ["PATH_VARIABLE", "PrologUnavailable", "Worker", "not_installed", "swipl_path"]

MINIMUM_VERSION = 90004  # 9.0.4, the oldest that is known to work
_SERVING = Path(__file__).parent / "engine" / "serving.pl"
_ADDRESS_SPACE_MB = 1024
_STACK_LIMIT = "256m"
"""More than the budget of inferences can fill, as each pays for what it leaves on the stacks; so no
verdict depends on what else is on them."""
_CPU_SECONDS_OF_LIFE = 3600
_PIPE_BYTES = 1 << 20
_WALL_LIMIT_S = 120.0
"""Wall-clock seconds without a sign of life after which a worker counts as lost. A working engine
gives one now and then, so that it takes a frozen process or machine to get here."""
_CONTINUE_S = 1.0
"""Seconds without a sign of life after which a worker is sent SIGCONT, in case something outside
has stopped it; one that is running does not notice."""
_SIGN_OF_LIFE = b"."
_VERSION = re.compile(rb"version (\d+)\n")
_log = logging.getLogger(__name__)


class WorkerDied(Exception):  # noqa: N818 - an event to recover from
    """The process ended before it had replied."""


class BadProgram(Exception):  # noqa: N818 - as above
    """The engine could not read a program in the form it was sent, and ended."""


class BadReply(Exception):  # noqa: N818 - as above
    """The process replied something that the protocol does not know."""


class WorkerStalled(Exception):  # noqa: N818 - as above
    """No sign of life within the wall-clock limit."""


class StartFailed(Exception):  # noqa: N818 - as above
    """The process ended, or said nothing, before the engine was ready."""

    def __init__(self, swipl: str, status: int | None, said: str) -> None:
        self.status = status  # as in ``subprocess``: ``None`` if the process is still running
        self.how = f"{swipl}, started as a worker, {_ending(status)} and said {said[-1000:]!r}"
        super().__init__(self.how)

    def message(self, tries: int) -> str:
        """Return the message to the user after so many failures in a row."""
        if self.status is not None and self.status < 0:
            return (
                f"No worker of the Prolog judge survived its start in {tries} tries: {self.how}. "
                "Something outside ends it, such as a memory limit of the container or a "
                f"scheduler: allow a process here {_ADDRESS_SPACE_MB} MB and try again."
            )
        return (
            INSTALL.format(missing=self.how) + " If it is installed: does `swipl --version` work, "
            f"and may a process here use {_ADDRESS_SPACE_MB} MB of address space (`ulimit -v`)?"
        )


def _ending(status: int | None) -> str:
    if status is None:
        return f"was not ready within {_WALL_LIMIT_S:g} s"
    if status < 0:
        return f"was ended by signal {-status} ({signal.strsignal(-status)})"
    return f"ended with exit status {status}"


class Worker:
    """A running engine; not safe for use by two threads at once."""

    def __init__(self) -> None:
        """Start the process and wait until the engine works, or raise StartFailed."""
        launcher = [sys.executable, "-I", "-S", confinement.__file__]
        limits = [str(_ADDRESS_SPACE_MB), str(_CPU_SECONDS_OF_LIFE)]
        self._swipl = swipl_path()
        engine = [self._swipl, "-q", "-f", "none", "--no-packs", "--no-tty"]
        self._process = subprocess.Popen(
            [*launcher, *limits, *engine, f"--stack-limit={_STACK_LIMIT}", str(_SERVING)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux: a large program in one go
            with suppress(OSError):  # more than this user may have; smaller pipes do as well
                fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        os.set_blocking(self._in, False)
        self._poll, self._writable = select.poll(), select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._writable.register(self._in, select.POLLOUT)
        self._unread = b""
        self.read = 0  # characters of hypotheses sent so far
        try:
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    def exchange(self, request: Sequence[str], replies: int) -> list[str]:
        """Send a request in the protocol of ``engine/serving.pl``; return its lines of reply.

        Raises WorkerDied, BadProgram, BadReply or WorkerStalled.
        """
        self._send("".join(request).encode("utf-8", "replace"))
        lines: list[bytes] = []
        while len(lines) < replies:
            *complete, self._unread = (self._unread + self._read()).split(b"\n")
            lines += [line for line in complete if line != _SIGN_OF_LIFE]
            if complete and complete[-1].startswith(b"failed "):
                raise BadProgram(complete[-1].decode("utf-8", "replace"))
        if len(lines) > replies or self._unread:
            raise BadReply(f"more than {replies} lines")
        return [line.decode("utf-8", "replace") for line in lines]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _wait_until_ready(self) -> None:
        """Read what the engine says of itself at its start; see ``engine/serving.pl``."""
        heard, deadline = b"", time.monotonic() + _WALL_LIMIT_S
        while not heard.endswith(b"ready\n"):
            data = os.read(self._out, 1 << 12) if self._wait(self._poll, deadline) else b""
            heard += data
            if not data:
                break
        version = _VERSION.match(heard)
        if version and (number := int(version[1])) < MINIMUM_VERSION:
            dotted = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
            raise not_installed(f"{self._swipl} is version {dotted}")
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            os.set_blocking(pipe.fileno(), False)
            said = (pipe.read() or b"").decode("utf-8", "replace").strip()
        if version is None or not heard.endswith(b"ready\n"):
            raise StartFailed(self._swipl, self._exit_status(), said)
        if said:
            _warn_once(said)

    def _wait(self, poll: select.poll, deadline: float) -> bool:
        """Wait for a pipe and tell whether it is ready; a stopped process is set going again."""
        while True:
            left = deadline - time.monotonic()
            if poll.poll(max(0.0, min(left, _CONTINUE_S)) * 1000):
                return True
            if left <= _CONTINUE_S:
                return False
            self._process.send_signal(signal.SIGCONT)

    def _exit_status(self) -> int | None:
        try:
            return self._process.wait(1)
        except subprocess.TimeoutExpired:
            return None

    def _send(self, data: bytes) -> None:
        rest = memoryview(data)
        with suppress(BrokenPipeError):  # what it said before it ended is yet to be read
            while rest:
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    if not self._wait(self._writable, time.monotonic() + _WALL_LIMIT_S):
                        raise _silence() from None

    def _read(self) -> bytes:
        if not self._wait(self._poll, time.monotonic() + _WALL_LIMIT_S):
            raise _silence()
        data = os.read(self._out, 1 << 16)
        if not data:
            raise WorkerDied(f"it {_ending(self._exit_status())}")
        return data


def _silence() -> WorkerStalled:
    return WorkerStalled(f"no sign of life from the worker within {_WALL_LIMIT_S:g} s")


@cache
def _warn_once(said: str) -> None:
    _log.warning("Workers of the Prolog judge run, but said at their start: %s", said)
