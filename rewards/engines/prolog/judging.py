"""What Prolog programs entail.

Programs that a language model wrote run in a confined worker that all threads share, a ``swipl``
process that answers over pipes. Trusted rules may be decided inside this process, where a crash of
SWI-Prolog is one of Python.
"""

import atexit
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from logic_curriculum.rewards.engines.prolog import confinement
from logic_curriculum.rewards.engines.prolog.program import Program

PATH_VARIABLE = "LOGIC_CURRICULUM_SWIPL"
"""Environment variable with the path of ``swipl``; default: the one on ``PATH``."""
INSTALL = (
    "SWI-Prolog (9.0.4 or later) is needed for this, and {missing}. Install it (Debian, "
    "Ubuntu: sudo apt-get install swi-prolog-nox; macOS: brew install swi-prolog; without root: "
    "conda install -c conda-forge swi-prolog; newer: https://www.swi-prolog.org/download/stable), "
    f"or set {PATH_VARIABLE} to the `swipl` of an installation of your own (docs/judges.md)."
)
START_LIMIT_S, WALL_LIMIT_S = 120.0, 30.0
"""Wall-clock seconds to start and, behind all other limits, to judge one rule."""
_LIMITS = ["1024", "3600"]  # MB of address space; CPU seconds of life, the rules' not included
_OPTIONS = ["-q", "-f", "none", "--no-packs", "--no-tty", "--no-signals", "--stack-limit=256m"]
_SERVER = Path(__file__).with_name("worker.pl")
INFERENCES_PER_EXAMPLE = 1_000_000
"""Budget of one proof. The rules of appendix E of the SLR paper need a few hundred on its hardest
level; a divergent rule meets it after some 50 ms."""
CPU_SECONDS = 5  # of one hypothesis, for work that the inferences don't show
_TRIES = 3  # workers that may fail at the same place
_MAX_CHARACTERS = 20_000  # of a hypothesis
_ENDING = re.compile(r"(?:exited|signaled|stopped)\(\d+\)", re.ASCII)
_SAID = re.compile(r"(?as)(ok|syntax|rejected|limit) ([01e]*) (.*)")
_ENGINE = Path(__file__).with_name("judge.pl")  # for trusted rules
_OUTCOMES = {"1": True, "0": False, "e": None}
_log = logging.getLogger(__name__)

Status = Literal["ok", "syntax", "rejected", "limit", "lost"]


class Execution(NamedTuple):
    """The outcome of running a hypothesis over the examples of a program."""

    status: Status
    """``ok``: it ran. ``syntax``: some clause can't be read. ``rejected``: readable, but not
    allowed to run (unsafe goal, redefinition, no clause for the target). ``limit``: it ran out of
    inferences, memory or time. ``lost``: our failure, not gradable."""
    outcomes: tuple[bool | None, ...] = ()
    """For each example whether it is entailed, ``None`` where the proof raised an error; empty
    unless the status is ``ok``."""
    labels: tuple[bool, ...] = ()  # for each example whether it is positive
    detail: str = ""  # why the status is not ``ok``, or the first error a proof raised

    @property
    def accuracy(self) -> float:
        """Share of examples classified as labelled, in [0, 1]; 0.0 unless the status is ``ok``.

        It is the partial score of the SLR paper (appendix B): a positive example counts if it is
        entailed, a negative one if it is not. What a proof that raises asks about is not entailed.
        """
        right = len(self.outcomes) - len(self.wrong)
        return right / len(self.outcomes) if self.outcomes else 0.0

    @property
    def wrong(self) -> list[int]:
        """Positions of the examples classified otherwise than labelled, if it ran."""
        pairs = enumerate(zip(self.outcomes, self.labels, strict=False))
        return [position for position, (outcome, label) in pairs if bool(outcome) is not label]

    @property
    def solved(self) -> bool:
        """Whether every example is classified as labelled: the overall score of the paper."""
        return self.status == "ok" and not self.wrong


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


def find_swipl() -> str | None:
    """Return the path of the ``swipl`` executable, or None."""
    return shutil.which(os.environ.get(PATH_VARIABLE) or "swipl")


def swipl_path() -> str:
    """Return the absolute path of the ``swipl`` executable, or raise :class:`PrologUnavailable`."""
    if path := find_swipl():
        return os.path.abspath(path)
    given = os.environ.get(PATH_VARIABLE)
    wrong = f"{PATH_VARIABLE} is {given!r}, which is no program"
    raise not_installed(wrong if given else "no `swipl` is on PATH")


def judge_programs(groups: Sequence[tuple[Program, Sequence[str]]]) -> list[list[Execution]]:
    """Run hypotheses with all facts of a program each, in a confined process.

    A hypothesis sees all examples and their names, and not their labels. Executions come in the
    order of the hypotheses; what one of them does changes nothing for another. Without a ``swipl``
    that starts and is new enough, PrologUnavailable is raised.
    """
    with _lock:
        return [[_judged(program, text) for text in texts] for program, texts in groups]


def _judged(program: Program, text: str) -> Execution:
    """Judge a hypothesis. If its worker took too long or was killed at work, it is the cause."""
    if len(text) > _MAX_CHARACTERS:
        return Execution("rejected", (), program.labels, f"over {_MAX_CHARACTERS:,} characters")
    for _ in range(_TRIES):
        loaded = False
        try:
            worker = _ready(program)
            loaded = True
            limits = f"{INFERENCES_PER_EXAMPLE},{CPU_SECONDS}"
            worker.send(f"rule({program.positive},{limits},{len(text)}).\n{text}")
            return _execution(worker.read_line(), program.labels)
        except WorkerFailed as error:
            started = _worker is not None
            close_worker()
            failure = error
            if loaded and isinstance(error, WorkerStalled):
                break
        except BaseException:  # what the worker has yet to say belongs to nobody
            close_worker()
            raise
    if not started:
        raise not_installed(str(failure))
    if loaded and isinstance(failure, WorkerKilled):
        return Execution("limit", (), program.labels, f"its worker {failure}")
    return Execution("lost", detail=f"{_TRIES} workers failed; the last one {failure}")


def _execution(line: str, labels: tuple[bool, ...]) -> Execution:
    """Read the reply to a rule, which ``worker.pl`` describes."""
    ending, _, said = line.partition(" ")
    if not _ENDING.fullmatch(ending):
        raise WorkerFailed(f"replied {line[:200]!r}")
    if ending == "signaled(9)":  # perhaps from outside
        raise WorkerKilled(f"had a process that {ending}")
    match = _SAID.fullmatch(said) if ending == "exited(0)" else None
    outcomes = tuple([_OUTCOMES[bit] for bit in match[2]]) if match else ()
    if match is None or len(outcomes) != (len(labels) if match[1] == "ok" else 0):
        return Execution("limit", (), labels, f"its process {ending}")
    return Execution(cast(Status, match[1]), outcomes, labels, match[3])


class Worker:
    """A running engine, see ``worker.pl``; not safe for use by two threads at once."""

    def __init__(self) -> None:
        """Start the process and wait until the engine works.

        Raises WorkerFailed, or PrologUnavailable for a version that is too old.
        """
        swipl = swipl_path()
        launcher = [sys.executable, "-I", "-S", confinement.__file__, *_LIMITS]
        self._process = subprocess.Popen(
            [*launcher, swipl, *_OPTIONS, str(_SERVER)],
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


_worker: Worker | None = None
_lock = threading.RLock()


def _ready(program: Program) -> Worker:
    """Return this process's worker when it has loaded a program; it is started on first use."""
    global _worker
    if _worker is None:
        _worker = Worker()
    if _worker.program is not program:
        facts = ",\n".join([str(fact)[:-1] for fact in program.facts])  # short lines: read faster
        source = f"[{','.join(program.examples)}]-[{facts}]"
        _worker.send(f"program({len(source)}).\n{source}")
        if (line := _worker.read_line()) != "loaded":
            raise WorkerFailed(f"said of the program: {line}")
        _worker.program = program
    return _worker


def close_worker() -> None:
    """End the worker of this process; the next judgement starts a new one."""
    global _worker
    if _worker:
        _worker.close()
    _worker = None


def _forget_worker() -> None:
    global _worker, _lock
    _worker, _lock = None, threading.RLock()


atexit.register(close_worker)
os.register_at_fork(after_in_child=_forget_worker)


_in_process = threading.Lock()


def entailed(rule: str, program: Program) -> list[bool | None]:
    """Decide for each example whether the rule and the facts connected to it entail its label.

    Each example is decided alone: while Prolog is asked, there are only the facts of its connected
    component and those about no example. The labels play no part. ``None`` says that the proof
    raises. The rule is a trusted Prolog program of clauses with full stops.

    A ValueError says that the rule can't be read or does not end; PrologUnavailable, that pyswip or
    the shared library of SWI-Prolog is missing.
    """
    cases = [
        f"{example}-[{','.join(str(fact)[:-1] for fact in facts)}]"
        for example, facts in program.alone().items()
    ]
    given = f"{_quoted(rule)}, {program.positive}, [{','.join(cases)}]"
    with _in_process:
        pyswip = _pyswip()
        is_new = pyswip.core.PL_thread_self() == -1  # this thread, to Prolog
        (reply,) = pyswip.Prolog.query(f"judge:decided({given}, Status, Answers)")
        if is_new:
            pyswip.core._lib.PL_thread_destroy_engine()
    if reply["Status"] != "ok":
        raise ValueError(
            f"The rule {rule!r} can't be decided on the given facts: {reply['Status']}, "
            f"{reply['Answers']}. Give a rule that SWI-Prolog can read and prove."
        )
    return [_OUTCOMES[bit] for bit in reply["Answers"]]


def _quoted(text: str) -> str:
    """Write a text as a string of Prolog."""
    escaped = [c if c.isalnum() and c.isascii() else f"\\x{ord(c):x}\\" for c in text]
    return f'"{"".join(escaped)}"'


@cache
def _pyswip() -> Any:
    """Start Prolog in this process, load the engine, and return pyswip."""
    if PATH_VARIABLE in os.environ:  # point pyswip there, by the variables that it reads
        told = subprocess.check_output([swipl_path(), "--dump-runtime-variables"], text=True)
        values = dict(line.rstrip(";").split("=", 1) for line in told.splitlines() if "=" in line)
        for variable, name in (("SWI_HOME_DIR", "PLBASE"), ("LIBSWIPL_PATH", "PLLIBSWIPL")):
            os.environ.setdefault(variable, values[name].strip('"'))
    try:
        import pyswip
        import pyswip.core
    except Exception as error:  # pyswip raises bare Exceptions for a missing library
        raise not_installed(f"pyswip can't load its shared library ({error})") from error
    loading = f"set_prolog_gc_thread(false), use_module({_quoted(str(_ENGINE))}, [])"
    if not list(pyswip.Prolog.query(loading)):
        raise not_installed(f"the engine {_ENGINE} does not load in its shared library")
    return pyswip
