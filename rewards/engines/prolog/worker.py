"""Where SWI-Prolog is, and one confined ``swipl`` process that answers over pipes."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from logic_curriculum.rewards.engines.prolog import confinement
from logic_curriculum.rewards.engines.prolog.program import Program

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
_LIMITS = ["1024", "3600"]  # MB of address space; CPU seconds of life, the rules' not included
_OPTIONS = ["-q", "-f", "none", "--no-packs", "--no-tty", "--no-signals", "--stack-limit=256m"]
_ENGINE = Path(__file__).with_name("worker.pl")
_log = logging.getLogger(__name__)


class PrologUnavailable(RuntimeError):  # noqa: N818 - the public name
    """SWI-Prolog is missing, too old, or does not start; the message says what to do."""


class WorkerFailed(Exception):  # noqa: N818 - an event to recover from
    """The process ended before it had replied, or replied nonsense."""


class WorkerKilled(WorkerFailed):
    """A signal ended the process, or that of a rule."""


class WorkerStalled(WorkerKilled):
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
        swipl = swipl_path()
        launcher = [sys.executable, "-I", "-S", confinement.__file__, *_LIMITS]
        self._process = subprocess.Popen(
            [*launcher, swipl, *_OPTIONS, str(_ENGINE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            start_new_session=True,  # so that the processes of rules end with it
        )
        self.pid = self._process.pid
        self.program: Program | None = None  # what it has loaded
        pipes: tuple[Any, ...] = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = pipes
        try:
            self._wait_until_ready(swipl)
        except BaseException:
            self.close()
            raise

    def send(self, request: str) -> None:
        """Send a request in the protocol of ``worker.pl``."""
        with suppress(BrokenPipeError):  # its end shows in reading
            self._in.write(request.encode("utf-8", "replace"))
            self._in.flush()

    def read_line(self, limit_s: float | None = None) -> str:
        """Return the next line of reply, or raise WorkerFailed; ``limit_s`` is WALL_LIMIT_S."""
        limit_s, started = limit_s or WALL_LIMIT_S, time.monotonic()
        timer = threading.Timer(limit_s, self._kill)
        timer.start()
        try:
            line = self._out.readline()
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            return line[:-1].decode("utf-8", "replace")
        if time.monotonic() - started >= limit_s:
            raise WorkerStalled(f"said nothing within {limit_s:g} s")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        status = self._process.returncode or 0
        if status < 0:
            raise WorkerKilled(f"was ended by signal {-status} ({signal.strsignal(-status)})")
        raise WorkerFailed(f"ended with exit status {status}")

    def close(self) -> None:
        """End the process, and those of its rules."""
        self._kill()
        self._process.wait()
        for pipe in (self._in, self._out, self._err):
            with suppress(BrokenPipeError):
                pipe.close()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _wait_until_ready(self, swipl: str) -> None:
        try:
            if (line := self.read_line(START_LIMIT_S)).startswith("is version"):
                raise not_installed(f"{swipl} {line}")
            if line != "ready":
                raise WorkerFailed(f"replied {line[:200]!r}")
        except WorkerFailed as error:
            told = f"{swipl}, started as a worker, {error} and said {self._told()[-1000:]!r}"
            raise WorkerFailed(told) from error
        if told := self._told():
            _warn_once(told)

    def _told(self) -> str:
        """Return what it said on standard error so far."""
        os.set_blocking(self._err.fileno(), False)
        return (self._err.read() or b"").decode("utf-8", "replace").strip()


@cache
def _warn_once(told: str) -> None:
    _log.warning("Workers of the Prolog judge run, but said at their start: %s", told)
