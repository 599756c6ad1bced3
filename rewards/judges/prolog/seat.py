"""A place for one worker, which replaces it when it dies and finds out who killed it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from rewards.judges.prolog.availability import PrologUnavailable
from rewards.judges.prolog.execution import Execution, Status
from rewards.judges.prolog.program import Program
from rewards.judges.prolog.source import Source
from rewards.judges.prolog.worker import (
    BadProgram,
    BadReply,
    Worker,
    WorkerDied,
    WorkerRanAway,
    WorkerStalled,
)

INFERENCES_PER_EXAMPLE = 100_000
"""Budget of one proof. The rules of appendix E of the SLR paper need a few hundred on its hardest
level, an unselective join of five cars 33,000; a divergent rule meets it after milliseconds."""
BATCH_CPU_LIMIT_S = 1.5
"""CPU seconds without progress after which a batch is stopped and judged again one by one."""
CPU_LIMIT_S = 5.0
"""CPU seconds after which a single hypothesis is a runaway. The inference budget ends nearly all
of them thousands of times earlier; this ends what spends its time inside one inference."""
_JUDGEMENTS_OF_LIFE = 20_000
"""A worker is replaced after so many judgements: the atoms of all hypotheses stay in it."""
_PROGRAMS_CACHED = 3  # one task's; more would push each other out of the processor's cache
_BATCH = 32
_MAX_CHARACTERS = 20_001  # one more than the engine reads: it refuses without parsing
_OUTCOMES = {"1": True, "0": False, "e": None}
_REPLY = re.compile(
    r"(?:=([a-z]\w*(?:,[a-z]\w*)*|) )?"  # the constants of a proof
    r"(ok|syntax|rejected|limit|lost) (\d{1,18}) ([01e]+|-)(?: (.*))?",
    re.ASCII | re.DOTALL,
)

_log = logging.getLogger(__name__)

Executions = tuple[Execution, ...]
"""What one hypothesis did: an execution for each program of its job."""


@dataclass(frozen=True)
class Job:
    """Programs of one task, and the hypotheses to run over each of them."""

    programs: tuple[Program, ...]
    """A hypothesis may use the background predicates of the first."""
    hypotheses: tuple[str, ...]
    prove: bool = False
    """Whether to look for a proof that a hypothesis can't tell isomorphic programs apart."""

    def __post_init__(self) -> None:
        """Refuse programs that can't be judged together."""
        names = dict.fromkeys((program.positive, program.negative) for program in self.programs)
        if len(names) != 1:
            raise ValueError(
                f"A task's programs have the label predicates {list(names)}; "
                "give at least one program, and programs with the same label predicates."
            )


class Seat:
    """Runs jobs on a worker of its own; not safe for use by two threads at once."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def run(self, job: Job) -> list[Executions]:
        """Return the executions of each hypothesis, in order."""
        try:
            return self._run(job, strict=False)
        except BadProgram:
            self.close()
        try:
            return self._run(job, strict=True)
        except (BadProgram, ValueError) as error:
            self.close()
            return [_same(job, Execution("lost", detail=f"Bad program: {error}"))] * len(
                job.hypotheses
            )

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._worker:
            self._worker.close()
            self._worker = None

    def _run(self, job: Job, strict: bool) -> list[Executions]:
        sources = [p.strict_source if strict else p.source for p in job.programs]
        results: list[Executions] = []
        for start in range(0, len(job.hypotheses), _BATCH):
            results += self._run_batch(job, sources, job.hypotheses[start : start + _BATCH])
        return results

    def _run_batch(
        self, job: Job, sources: Sequence[Source], hypotheses: Sequence[str]
    ) -> list[Executions]:
        """Judge a batch in one exchange; when the worker dies of it, judge one by one."""
        try:
            return self._exchange(job, sources, hypotheses, BATCH_CPU_LIMIT_S)
        except (WorkerDied, WorkerStalled, BadReply):
            self.close()
        return [self._run_single(job, sources, hypothesis) for hypothesis in hypotheses]

    def _run_single(self, job: Job, sources: Sequence[Source], hypothesis: str) -> Executions:
        """Judge a hypothesis that may be the death of its worker.

        Twice dead is guilty, if a worker survives a harmless hypothesis over the same programs:
        the first death may have come from outside.
        """
        reason = ""
        for _ in range(2):
            try:
                return self._exchange(job, sources, [hypothesis], CPU_LIMIT_S)[0]
            except WorkerStalled as error:
                self.close()
                return _same(job, Execution("lost", detail=str(error)))
            except BadReply as error:
                self.close()
                return _same(job, Execution("lost", detail=f"Bad reply of the worker: {error}"))
            except WorkerDied as error:
                self.close()
                reason = str(error)
                if isinstance(error, WorkerRanAway):
                    break
        if not self._survives(job, sources):
            return _same(job, Execution("lost", detail=f"The programs end a worker: {reason}"))
        _log.info("A hypothesis ended its worker (%s): %.200r", reason, hypothesis)
        return _same(job, Execution("limit", detail=f"The worker was ended: {reason}"))

    def _survives(self, job: Job, sources: Sequence[Source]) -> bool:
        """Tell whether a worker can load the programs, and judge a harmless hypothesis."""
        try:
            self._exchange(job, sources, [f"{job.programs[0].positive}(_)."], CPU_LIMIT_S)
        except (WorkerDied, WorkerStalled, BadReply):
            self.close()
            return False
        return True

    def _exchange(
        self, job: Job, sources: Sequence[Source], hypotheses: Sequence[str], cpu_limit: float
    ) -> list[Executions]:
        worker = self._ready(len(hypotheses))
        loads, missing = _load_requests(worker, sources)
        texts = [hypothesis[:_MAX_CHARACTERS] for hypothesis in hypotheses]
        lengths = ",".join(str(len(text)) for text in texts)
        keys = ",".join(str(source.key) for source in sources)
        names = f"{job.programs[0].positive}/1,{job.programs[0].negative}"
        task = f"task({names},{INFERENCES_PER_EXAMPLE},{str(job.prove).lower()})"
        header = f"judge([{keys}],{task},[{lengths}]).\n"
        count = len(missing) + len(texts) * len(sources)
        lines = worker.exchange([*loads, header, *texts], count, cpu_limit)
        loaded = lines[: len(missing)]
        if loaded != ["loaded"] * len(missing):
            raise BadReply(f"{loaded} to requests to load {len(missing)} programs")
        worker.programs.update(dict.fromkeys(missing))
        replies = iter(lines[len(missing) :])
        return [tuple(_execution(next(replies), p.labels) for p in job.programs) for _ in texts]

    def _ready(self, judgements: int) -> Worker:
        """Return a live worker with life left in it."""
        if self._worker and self._worker.judged > _JUDGEMENTS_OF_LIFE:
            self.close()
        if self._worker is None:
            self._worker = _start()
        self._worker.judged += judgements
        return self._worker


def _start() -> Worker:
    """Start a worker; try again once, since what ended a first one may have come from outside.

    Raises:
        PrologUnavailable: No worker can be started here.
    """
    try:
        return Worker()
    except PrologUnavailable:
        return Worker()


def _load_requests(worker: Worker, sources: Sequence[Source]) -> tuple[list[str], list[int]]:
    """Return the requests that bring the sources into the worker, and the keys they load."""
    requests, missing = [], []
    for source in sources:
        if source.key in worker.programs:
            del worker.programs[source.key]
            worker.programs[source.key] = None
        else:
            lists = f"{source.goals}.\n{source.facts}.\n"
            size = len(lists) if lists.isascii() else len(lists.encode("utf-8", "replace"))
            requests += [f"load({source.key},{size}).\n", lists]
            missing.append(source.key)
    for _ in range(len(worker.programs) + len(missing) - max(_PROGRAMS_CACHED, len(sources))):
        oldest = next(iter(worker.programs))
        del worker.programs[oldest]
        requests.insert(0, f"drop({oldest}).\n")
    return requests, missing


def _execution(line: str, labels: tuple[bool, ...]) -> Execution:
    """Read one line of reply, in the form that ``engine/serving.pl`` describes.

    Raises:
        BadReply: The line has another form, or not one outcome for each label.
    """
    match = _REPLY.fullmatch(line)
    if match is None:
        raise BadReply(f"{line[:200]!r}")
    names, status, inferences, bits, detail = match.groups()
    outcomes = () if bits == "-" else tuple([_OUTCOMES[bit] for bit in bits])
    expected = len(labels) if status == "ok" else 0
    if len(outcomes) != expected:
        raise BadReply(f"status {status} and {len(outcomes)} outcomes for {len(labels)} examples")
    constants = None if names is None else tuple(names.split(",")) if names else ()
    return Execution(
        cast(Status, status), outcomes, labels, int(inferences), detail or "", constants
    )


def _same(job: Job, execution: Execution) -> Executions:
    return (execution,) * len(job.programs)
