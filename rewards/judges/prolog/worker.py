"""One confined ``swipl`` process that answers over pipes."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from rewards.judges.prolog import confinement
from rewards.judges.prolog.availability import MINIMUM_VERSION, PrologUnavailable, swipl_path

_SERVING = Path(__file__).parent / "engine" / "serving.pl"
_ADDRESS_SPACE_MB = 1024
_STACK_LIMIT = "64m"
_CPU_SECONDS_OF_LIFE = 3600
_PIPE_BYTES = 1 << 20
_PATIENCE_S = 0.25
"""How long to wait for a reply before looking at the worker's clock, in seconds."""
_WALL_LIMIT_S = 120.0
"""Wall-clock seconds without a reply after which a worker counts as lost."""
_VERSION = re.compile(rb"version (\d+)\n")
_log = logging.getLogger(__name__)


class WorkerDied(Exception):  # noqa: N818 - an event to recover from
    """The process ended before it had replied."""


class WorkerRanAway(WorkerDied):
    """The process used up its CPU time without a reply."""


class BadProgram(Exception):  # noqa: N818 - as above
    """The engine could not read a program in the form it was sent, and ended."""


class BadReply(Exception):  # noqa: N818 - as above
    """The process replied something that the protocol does not know."""


class WorkerStalled(Exception):  # noqa: N818 - an event to recover from
    """No reply within the wall-clock limit, though there was CPU time left."""


class Worker:
    """A running engine; not safe for use by two threads at once."""

    def __init__(self) -> None:
        """Start the process and wait until the engine has shown that it works.

        Raises:
            PrologUnavailable: There is no ``swipl``, it is too old or it does not start.
        """
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
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux: a large program in one go
            with suppress(OSError):  # more than this user may have; smaller pipes do as well
                fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._unread = b""
        self.programs: dict[int, None] = {}
        """Keys of the loaded programs, the least recently used first."""
        self.judged = 0
        """Judgements made so far."""
        try:
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    def exchange(self, requests: Sequence[str], replies: int, cpu_limit: float) -> list[str]:
        """Send requests and return as many lines of reply.

        Args:
            requests: Texts in the protocol of ``engine/serving.pl``.
            replies: Number of lines the requests are answered with.
            cpu_limit: CPU seconds the worker may use from one part of its reply to the next.

        Raises:
            WorkerDied: The process ended.
            WorkerRanAway: It used more than ``cpu_limit``.
            BadProgram: It could not read a program, and ended.
            BadReply: It sent more than it was asked for.
            WorkerStalled: It was silent for too long on the wall clock.
        """
        self._send("".join(requests).encode("utf-8", "replace"))
        lines: list[bytes] = []
        while len(lines) < replies:
            *complete, self._unread = (self._unread + self._read(cpu_limit)).split(b"\n")
            lines += complete
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
            data = b""
            if self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                data = os.read(self._out, 1 << 12)
            heard += data
            if not data:
                break
        version = _VERSION.match(heard)
        if version and int(version[1]) < MINIMUM_VERSION:
            raise PrologUnavailable(f"{self._swipl} is version {_dotted(int(version[1]))}")
        said = self._standard_error()
        if version is None or not heard.endswith(b"ready\n"):
            raise PrologUnavailable(self._failure(said), _ADDRESS_SPACE_MB)
        if said:
            _warn_once(said)

    def _failure(self, said: str) -> str:
        """Say how the start failed."""
        try:
            how = f"ended with exit status {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            how = f"was not ready within {_WALL_LIMIT_S:g} s"
        return f"{self._swipl}, started as a worker, {how} and said {said[-1000:]!r}"

    def _standard_error(self) -> str:
        """Return what is to be read on standard error, and close it."""
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            os.set_blocking(pipe.fileno(), False)
            return (pipe.read() or b"").decode("utf-8", "replace").strip()

    def _send(self, data: bytes) -> None:
        rest = memoryview(data)
        with suppress(BrokenPipeError):  # what it said before it ended is yet to be read
            while rest:
                rest = rest[os.write(self._in, rest) :]

    def _read(self, cpu_limit: float) -> bytes:
        """Return the next bytes of reply, watching the worker's clocks meanwhile."""
        if not self._poll.poll(_PATIENCE_S * 1000):
            self._wait(cpu_limit)
        data = os.read(self._out, 1 << 16)
        if not data:
            raise WorkerDied("it ended")
        return data

    def _wait(self, cpu_limit: float) -> None:
        cpu, wall = self._cpu_seconds(), time.monotonic()
        while not self._poll.poll(_PATIENCE_S * 1000):
            if self._cpu_seconds() - cpu > cpu_limit:
                raise WorkerRanAway(f"more than {cpu_limit:g} s of CPU time")
            if time.monotonic() - wall > _WALL_LIMIT_S:
                raise WorkerStalled(f"no reply from the worker within {_WALL_LIMIT_S:g} s")

    def _cpu_seconds(self) -> float:
        """Return the CPU time the process has used, in seconds."""
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
        except FileNotFoundError:
            return _cpu_seconds_by_ps(self.pid)
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cpu_seconds_by_ps(pid: int) -> float:
    """Ask ``ps`` for the CPU time of a process, in seconds: for systems without ``/proc``."""
    asked = subprocess.run(
        ["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    seconds = 0.0
    for part in asked.stdout.strip().replace("-", ":").split(":"):
        seconds = seconds * 60 + float(part or 0)
    return seconds


def _dotted(version: int) -> str:
    return f"{version // 10000}.{version // 100 % 100}.{version % 100}"


@cache
def _warn_once(said: str) -> None:
    _log.warning("Workers of the Prolog judge run, but said at their start: %s", said)
