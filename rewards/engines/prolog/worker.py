"""Where SWI-Prolog is, and one confined ``swipl`` process that answers over pipes."""

import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from logic_curriculum.rewards.engines.prolog import confinement

MINIMUM_VERSION = 90004  # 9.0.4, the oldest that is known to work, as Prolog's flag has it
PATH_VARIABLE = "LOGIC_CURRICULUM_SWIPL"
"""Environment variable with the path of ``swipl``; default: the one on ``PATH``."""
INSTALL = (
    "SWI-Prolog (9.0.4 or later) is needed to judge rules, and {missing}. Install it (Debian, "
    "Ubuntu: sudo apt-get install swi-prolog-nox; macOS: brew install swi-prolog; without root: "
    "conda install -c conda-forge swi-prolog; newer: https://www.swi-prolog.org/download/stable), "
    f"or set {PATH_VARIABLE} to the `swipl` of an installation of your own (docs/judges.md)."
)
START_LIMIT_S, WALL_LIMIT_S = 120.0, 30.0
"""Wall-clock seconds to start and, behind all other limits, to judge one rule."""
_ADDRESS_SPACE_MB = 1024
_CPU_SECONDS_OF_LIFE = 3600  # without those of the rules, whose processes have limits of their own
_OPTIONS = ["-q", "-f", "none", "--no-packs", "--no-tty", "--no-signals", "--stack-limit=256m"]
_ENGINE = Path(__file__).with_name("worker.pl")
_VERSION = re.compile(r"version (\d+)", re.ASCII)
_log = logging.getLogger(__name__)


class PrologUnavailable(RuntimeError):  # noqa: N818 - the public name
    """SWI-Prolog is missing, too old, or does not start; the message says what to do."""


class WorkerFailed(Exception):  # noqa: N818 - an event to recover from
    """The process ended before it had replied, or replied nonsense."""


class WorkerStalled(WorkerFailed):
    """It was ended, since the wall-clock limit had passed."""


def not_installed(missing: str) -> PrologUnavailable:
    """Return the error that says what is ``missing``, the rest of a sentence, and the remedy."""
    return PrologUnavailable(INSTALL.format(missing=missing))


def swipl_path() -> str:
    """Return the absolute path of the ``swipl`` executable, or raise :class:`PrologUnavailable`."""
    given = os.environ.get(PATH_VARIABLE)
    if path := shutil.which(given or "swipl"):
        return os.path.abspath(path)
    wrong = f"{PATH_VARIABLE} is {given!r}, which is no program"
    raise not_installed(wrong if given else "no `swipl` is on PATH")


class Worker:
    """A running engine, see ``worker.pl``; not safe for use by two threads at once."""

    def __init__(self) -> None:
        """Start the process and wait until the engine works.

        Raises WorkerFailed, or PrologUnavailable for a version that is too old.
        """
        swipl, limits = swipl_path(), [str(_ADDRESS_SPACE_MB), str(_CPU_SECONDS_OF_LIFE)]
        command = [sys.executable, "-I", "-S", confinement.__file__, *limits, swipl, *_OPTIONS]
        self._process = subprocess.Popen(
            [*command, str(_ENGINE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            start_new_session=True,  # so that the processes of rules end with it
        )
        self.pid = self._process.pid
        try:
            self._wait_until_ready(swipl)
        except BaseException:
            self.close()
            raise

    def send(self, request: str) -> None:
        """Send a request in the protocol of ``worker.pl``."""
        assert self._process.stdin
        with suppress(BrokenPipeError), self._within(WALL_LIMIT_S):  # its end shows in reading
            self._process.stdin.write(request.encode("utf-8", "replace"))
            self._process.stdin.flush()

    def read_line(self) -> str:
        """Return the next line of reply, or raise WorkerFailed or WorkerStalled."""
        return self._read_line(WALL_LIMIT_S)

    def close(self) -> None:
        """End the process, and those of its rules."""
        self._kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    @contextmanager
    def _within(self, limit_s: float) -> Iterator[None]:
        timer = threading.Timer(limit_s, self._kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _read_line(self, limit_s: float) -> str:
        assert self._process.stdout
        started = time.monotonic()
        with self._within(limit_s):
            line = self._process.stdout.readline()
        if line.endswith(b"\n"):
            return line[:-1].decode("utf-8", "replace")
        if time.monotonic() - started >= limit_s:
            raise WorkerStalled(f"said nothing within {limit_s:g} s")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        status = self._process.returncode or 0
        if status < 0:
            raise WorkerFailed(f"was ended by signal {-status} ({signal.strsignal(-status)})")
        raise WorkerFailed(f"ended with exit status {status}")

    def _wait_until_ready(self, swipl: str) -> None:
        try:
            version = _VERSION.fullmatch(line := self._read_line(START_LIMIT_S))
            if version and (number := int(version[1])) < MINIMUM_VERSION:
                dotted = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
                raise not_installed(f"{swipl} is version {dotted}")
            if not version or (line := self._read_line(START_LIMIT_S)) != "ready":
                raise WorkerFailed(f"replied {line[:200]!r}")
        except WorkerFailed as error:
            told = f"{swipl}, started as a worker, {error} and said {self._told()[-1000:]!r}"
            raise WorkerFailed(told) from error
        if told := self._told():
            _warn_once(told)

    def _told(self) -> str:
        """Return what it said on standard error so far."""
        assert self._process.stderr
        os.set_blocking(self._process.stderr.fileno(), False)
        return (self._process.stderr.read() or b"").decode("utf-8", "replace").strip()


@cache
def _warn_once(told: str) -> None:
    _log.warning("Workers of the Prolog judge run, but said at their start: %s", told)
