"""What Prolog programs entail.

Programs that a language model wrote run in a confined worker that all threads share. Trusted rules
may be decided inside this process, where a crash of SWI-Prolog is one of Python.
"""

import atexit
import logging
import os
import re
import subprocess
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from logic_curriculum.rewards.engines.prolog import worker as workers
from logic_curriculum.rewards.engines.prolog.program import Program
from logic_curriculum.rewards.engines.prolog.worker import (
    PATH_VARIABLE,
    Worker,
    WorkerFailed,
    not_installed,
    swipl_path,
)

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
            close_worker()
            failure = error
            if loaded and isinstance(error, workers.WorkerStalled):
                break
        except BaseException:  # what the worker has yet to say belongs to nobody
            close_worker()
            raise
    if loaded and isinstance(failure, workers.WorkerKilled):
        return Execution("limit", (), program.labels, f"its worker {failure}")
    return Execution("lost", detail=f"{_TRIES} workers failed; the last one {failure}")


def _execution(line: str, labels: tuple[bool, ...]) -> Execution:
    """Read the reply to a rule, which ``worker.pl`` describes."""
    ending, _, said = line.partition(" ")
    if not _ENDING.fullmatch(ending):
        raise WorkerFailed(f"replied {line[:200]!r}")
    if ending == "signaled(9)":  # perhaps from outside
        raise workers.WorkerKilled(f"had a process that {ending}")
    match = _SAID.fullmatch(said) if ending == "exited(0)" else None
    outcomes = tuple([_OUTCOMES[bit] for bit in match[2]]) if match else ()
    if match is None or len(outcomes) != (len(labels) if match[1] == "ok" else 0):
        return Execution("limit", (), labels, f"its process {ending}")
    return Execution(cast(Status, match[1]), outcomes, labels, match[3])


_worker: Worker | None = None
_lock = threading.RLock()


def _ready(program: Program) -> Worker:
    """Return this process's worker when it has loaded a program; it is started on first use."""
    global _worker
    if _worker is None:
        _worker = _start()
    if _worker.program is not program:
        facts = ",\n".join([str(fact)[:-1] for fact in program.facts])  # short lines: read faster
        source = f"[{','.join(program.examples)}]-[{facts}]"
        _worker.send(f"program({len(source)}).\n{source}")
        if (line := _worker.read_line()) != "loaded":
            raise WorkerFailed(f"said of the program: {line}")
        _worker.program = program
    return _worker


def _start() -> Worker:
    for _ in range(_TRIES):
        try:
            return Worker()
        except WorkerFailed as error:
            failure = error
            _log.warning("A worker of the Prolog judge did not start: %s", error)
    raise workers.PrologUnavailable(
        f"{workers.INSTALL.format(missing=failure)} If it is installed: does `swipl --version` "
        "work, and may a process here use 1 GB of address space (`ulimit -v`)?"
    )


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
