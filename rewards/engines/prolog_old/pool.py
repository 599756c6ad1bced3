"""Judges hypotheses that a language model wrote, in a pool of confined workers.

A supervisor has one worker at a time, replaces it when it dies, and finds out which hypothesis
ended it. The pool of supervisors is shared by the threads of this process.
"""

import atexit
import logging
import os
import queue
import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from operator import is_
from typing import Literal, NamedTuple, cast

from logic_curriculum.common.processes import WORKERS_VARIABLE, cores
from logic_curriculum.rewards.engines.prolog_old import worker as workers
from logic_curriculum.rewards.engines.prolog_old.cases import Cases
from logic_curriculum.rewards.engines.prolog_old.worker import BadReply, WorkerDied, WorkerStalled

RANKS_VARIABLE = "LOCAL_WORLD_SIZE"  # set by torchrun and accelerate: processes of this node
INFERENCES_PER_EXAMPLE = 50_000
"""Budget of one proof. The rules of appendix E of the SLR paper need a few hundred on its hardest
level, an unselective join of five cars 33,000; a divergent rule meets it after milliseconds."""
CHARACTERS_OF_LIFE = 2_000_000
"""A worker is replaced after so many characters of hypotheses: the names in them stay in it."""
START_TRIES = 5  # workers that may die in starting before the judge gives up
_TRIES = 3  # workers that a hypothesis must end to be called guilty
_BATCH = 32  # hypotheses in one exchange with a worker
_MAX_CHARACTERS = 20_001  # one more than the engine reads: it refuses without parsing
_OUTCOMES = {"1": True, "0": False, "e": None}
_REPLY = re.compile(r"(?as)(ok|syntax|rejected|limit) (\d{1,18}) ([01e]+|-)(?: (.*))?")
_NOT_RUN = "-"
_log = logging.getLogger(__name__)

Status = Literal["ok", "syntax", "rejected", "limit", "lost"]


class Execution(NamedTuple):
    """The outcome of running a hypothesis over the examples of a program."""

    status: Status
    """``ok``: it ran. ``syntax``: some clause can't be read. ``rejected``: readable, but not
    allowed to run (unknown predicate, forbidden goal, redefinition, no clause for the target).
    ``limit``: a budget was exceeded. ``lost``: our failure, not gradable."""
    outcomes: tuple[bool | None, ...] = ()
    """For each example whether it is entailed, ``None`` where the proof raised an error; empty
    unless the status is ``ok``."""
    labels: tuple[bool, ...] = ()  # for each example whether it is positive
    inferences: int = 0  # logical ones, spent on all examples; equal on every machine
    detail: str = ""  # why the status is not ``ok``, or the first error a proof raised

    @property
    def accuracy(self) -> float:
        """Share of examples classified as labelled, in [0, 1]; 0.0 unless the status is ``ok``.

        It is the partial score of the SLR paper (appendix B). A proof that raised counts as wrong.
        """
        return (
            sum(map(is_, self.outcomes, self.labels)) / len(self.labels) if self.outcomes else 0.0
        )

    @property
    def wrong(self) -> list[int]:
        """Positions of the examples classified otherwise than labelled, if it ran."""
        pairs = enumerate(zip(self.outcomes, self.labels, strict=False))
        return [position for position, (outcome, label) in pairs if outcome is not label]

    @property
    def solved(self) -> bool:
        """Whether every example is classified as labelled."""
        return self.status == "ok" and self.outcomes == self.labels


Executions = tuple[Execution, Execution | None]
"""What a hypothesis did on the cases of a job, and on the further ones if it was run on them."""


@dataclass(frozen=True)
class Job:
    """Hypotheses to run over the cases of one program."""

    cases: Cases
    hypotheses: tuple[str, ...]
    further: Cases | None = None  # for the hypotheses that are right on all of the first


class Supervisor:
    """Runs jobs on a worker of its own; not safe for use by two threads at once."""

    def __init__(self) -> None:
        self._worker: workers.Worker | None = None

    def run(self, job: Job) -> list[Executions]:
        """Return the executions of each hypothesis, in order."""
        executions: list[Executions] = []
        for at in range(0, len(job.hypotheses), _BATCH):
            batch = replace(job, hypotheses=job.hypotheses[at : at + _BATCH])
            try:
                executions += self._run_batch(batch)
            except workers.BadProgram as error:
                self.close()
                executions += [_lost(f"Bad program: {error}")] * len(batch.hypotheses)
        return executions

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._worker:
            self._worker.close()
            self._worker = None

    def _run_batch(self, job: Job) -> list[Executions]:
        """Judge a batch in one exchange; when the worker dies of it, judge one by one."""
        try:
            return self._exchange(job)
        except (WorkerDied, WorkerStalled, BadReply):
            self.close()
        return [self._run_single(replace(job, hypotheses=(text,))) for text in job.hypotheses]

    def _run_single(self, job: Job) -> Executions:
        """Judge a hypothesis that may end its worker.

        It counts as the cause if it ends three workers, and a worker survives a harmless hypothesis
        over the same cases: what ended them may have come from outside. A worker that stalls or
        replies nonsense is our failure.
        """
        reason, is_ours = "", False
        for _ in range(_TRIES):
            try:
                return self._exchange(job)[0]
            except (WorkerDied, WorkerStalled, BadReply) as error:
                self.close()
                reason, is_ours = str(error), is_ours or not isinstance(error, WorkerDied)
        if is_ours:
            return _lost(f"{_TRIES} workers failed, the last one so: {reason}")
        if not all(self._survives(cases) for cases in (job.cases, job.further) if cases):
            return _lost(f"The program ends a worker: {reason}")
        _log.info("A hypothesis ended its worker (%s): %.200r", reason, job.hypotheses[0])
        return Execution("limit", detail=f"The worker was ended: {reason}"), None

    def _survives(self, cases: Cases) -> bool:
        try:
            self._exchange(Job(cases, (f"{cases.positive}(_).",)))
        except (WorkerDied, WorkerStalled, BadReply):
            self.close()
            return False
        return True

    def _exchange(self, job: Job) -> list[Executions]:
        cases, further = job.cases, job.further
        texts = [hypothesis[:_MAX_CHARACTERS] for hypothesis in job.hypotheses]
        worker = self._ready(sum(map(len, texts)))
        task = f"task({cases.positive}/1,{cases.negative},{INFERENCES_PER_EXAMPLE})"
        lengths = ",".join([str(len(text)) for text in texts])
        following, more = "none", []
        if further:
            following, more = f"next('{cases.bits}',{len(further.source)})", [further.source]
        head = f"judge({task},{len(cases.source)},[{lengths}],{following}).\n"
        request = [head, cases.source, *texts, *more]
        lines = worker.exchange(request, len(texts) * (2 if further else 1))
        first = [_execution(line, cases.labels) for line in lines[: len(texts)]]
        if not further:
            return [(execution, None) for execution in first]
        results: list[Executions] = []
        for execution, line in zip(first, lines[len(texts) :], strict=True):
            if execution.solved == (line == _NOT_RUN):
                raise BadReply(f"{line[:200]!r} after {execution.status}")
            second = _execution(line, further.labels) if execution.solved else None
            results.append((execution, second))
        return results

    def _ready(self, characters: int) -> workers.Worker:
        if self._worker and self._worker.read > CHARACTERS_OF_LIFE:
            self.close()
        if self._worker is None:
            self._worker = _start()
        self._worker.read += characters
        return self._worker


def _start() -> workers.Worker:
    for attempt in range(START_TRIES):
        time.sleep(0.1 * attempt)
        try:
            return workers.Worker()
        except workers.StartFailed as error:
            failure = error
            _log.warning("A worker of the Prolog judge did not start (%s)", error)
    raise workers.PrologUnavailable(failure.message(START_TRIES))


def _lost(why: str) -> Executions:
    return Execution("lost", detail=why), None


def _execution(line: str, labels: tuple[bool, ...]) -> Execution:
    """Read one line of reply, in the form that ``engine/serving.pl`` describes."""
    match = _REPLY.fullmatch(line)
    if match is None:
        raise BadReply(f"{line[:200]!r}")
    status, inferences, bits, detail = match.groups()
    outcomes = () if bits == "-" else tuple([_OUTCOMES[bit] for bit in bits])
    if len(outcomes) != (len(labels) if status == "ok" else 0):
        raise BadReply(f"status {status} and {len(outcomes)} outcomes for {len(labels)} examples")
    return Execution(cast(Status, status), outcomes, labels, int(inferences), detail or "")


class Pool:
    """A fixed number of supervisors; each starts a worker when it is first used."""

    def __init__(self, size: int) -> None:
        self._supervisors = [Supervisor() for _ in range(size)]
        self._free: queue.LifoQueue[Supervisor] = queue.LifoQueue()
        for supervisor in self._supervisors:
            self._free.put(supervisor)

    def run(self, jobs: Sequence[Job]) -> list[list[Executions]]:
        """Return for each job the executions of its hypotheses, all in order."""
        threads = min(len(self._supervisors), len(jobs))
        if threads <= 1:
            return list(map(self._run, jobs))
        with ThreadPoolExecutor(threads) as executor:
            return list(executor.map(self._run, jobs))

    def close(self) -> None:
        """End all workers, also those at work."""
        for supervisor in self._supervisors:
            supervisor.close()

    def _run(self, job: Job) -> list[Executions]:
        supervisor = self._free.get()
        try:
            return supervisor.run(job)
        finally:
            self._free.put(supervisor)


def judge_groups(groups: Sequence[tuple[Cases, Sequence[str]]]) -> list[list[Execution]]:
    """Run hypotheses over the cases of a program each, in confined workers.

    Cases are loaded once for a group. Executions come in the order of the hypotheses; each depends
    on cases and hypothesis alone, not on its company, the machine or what was judged before.
    Without a ``swipl`` that starts and is new enough, PrologUnavailable is raised.
    """
    judged = judge_further([(cases, None, hypotheses) for cases, hypotheses in groups])
    return [[first for first, _ in executions] for executions in judged]


def judge_further(
    groups: Sequence[tuple[Cases, Cases | None, Sequence[str]]],
) -> list[list[Executions]]:
    """As :func:`judge_groups`; those that are right on all cases run on the further ones, too."""
    return pool().run([Job(cases, tuple(texts), further) for cases, further, texts in groups])


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
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


def _size() -> int:
    return _count(WORKERS_VARIABLE) or max(1, cores() // (_count(RANKS_VARIABLE) or 1))


def _count(variable: str) -> int | None:
    given = os.environ.get(variable)
    if given is not None and (not given.isdecimal() or int(given) == 0):
        problem = f"{variable} is {given!r}, which is no number of processes"
        raise ValueError(f"{problem}; set it to a positive integer or leave it out.")
    return None if given is None else int(given)


atexit.register(close_pool)
os.register_at_fork(after_in_child=_forget_pool)
