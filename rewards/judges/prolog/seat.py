"""A place for one worker, which replaces it when it dies and finds out who killed it."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from rewards.judges.prolog.availability import PrologUnavailable
from rewards.judges.prolog.cases import Cases
from rewards.judges.prolog.execution import Execution, Status
from rewards.judges.prolog.worker import (
    BadProgram,
    BadReply,
    StartFailed,
    Worker,
    WorkerDied,
    WorkerStalled,
)

INFERENCES_PER_EXAMPLE = 50_000
"""Budget of one proof. The rules of appendix E of the SLR paper need a few hundred on its hardest
level, an unselective join of five cars 33,000; a divergent rule meets it after milliseconds."""
CHARACTERS_OF_LIFE = 2_000_000
"""A worker is replaced after so many characters of hypotheses: the names in them stay in it."""
START_TRIES = 5
"""Workers that may die in starting before the judge gives up; what ended them may have come from
outside."""
_TRIES = 3
"""Workers that a hypothesis must end to be called guilty."""
_BATCH = 32
_MAX_CHARACTERS = 20_001  # one more than the engine reads: it refuses without parsing
_OUTCOMES = {"1": True, "0": False, "e": None}
_REPLY = re.compile(
    r"(ok|syntax|rejected|limit) (\d{1,18}) ([01e]+|-)(?: (.*))?", re.ASCII | re.DOTALL
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """Hypotheses to run over the cases of one program."""

    cases: Cases
    hypotheses: tuple[str, ...]


class Seat:
    """Runs jobs on a worker of its own; not safe for use by two threads at once."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def run(self, job: Job) -> list[Execution]:
        """Return the execution of each hypothesis, in order."""
        results: list[Execution] = []
        for start in range(0, len(job.hypotheses), _BATCH):
            results += self._run_batch(job.cases, job.hypotheses[start : start + _BATCH])
        return results

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._worker:
            self._worker.close()
            self._worker = None

    def _run_batch(self, cases: Cases, hypotheses: Sequence[str]) -> list[Execution]:
        """Judge a batch in one exchange; when the worker dies of it, judge one by one."""
        try:
            return self._exchange(cases, hypotheses)
        except BadProgram as error:
            self.close()
            return [Execution("lost", detail=f"Bad program: {error}")] * len(hypotheses)
        except (WorkerDied, WorkerStalled, BadReply):
            self.close()
        return [self._run_single(cases, hypothesis) for hypothesis in hypotheses]

    def _run_single(self, cases: Cases, hypothesis: str) -> Execution:
        """Judge a hypothesis that may be the death of its worker.

        Thrice dead is guilty, if a worker survives a harmless hypothesis over the same cases:
        a death may have come from outside.
        """
        reason = ""
        for _ in range(_TRIES):
            try:
                return self._exchange(cases, [hypothesis])[0]
            except (WorkerStalled, BadReply) as error:
                self.close()
                return Execution("lost", detail=str(error))
            except WorkerDied as error:
                self.close()
                reason = str(error)
        if not self._survives(cases):
            return Execution("lost", detail=f"The program ends a worker: {reason}")
        _log.info("A hypothesis ended its worker (%s): %.200r", reason, hypothesis)
        return Execution("limit", detail=f"The worker was ended: {reason}")

    def _survives(self, cases: Cases) -> bool:
        """Tell whether a worker can judge a harmless hypothesis over the cases."""
        try:
            self._exchange(cases, [f"{cases.positive}(_)."])
        except (WorkerDied, WorkerStalled, BadReply):
            self.close()
            return False
        return True

    def _exchange(self, cases: Cases, hypotheses: Sequence[str]) -> list[Execution]:
        texts = [hypothesis[:_MAX_CHARACTERS] for hypothesis in hypotheses]
        worker = self._ready(sum(map(len, texts)))
        source = cases.source
        size = len(source) if source.isascii() else len(source.encode())
        task = f"task({cases.positive}/1,{cases.negative},{INFERENCES_PER_EXAMPLE})"
        lengths = ",".join(str(len(text)) for text in texts)
        request = [f"judge({task},{size},[{lengths}]).\n", source, *texts]
        lines = worker.exchange(request, len(texts))
        return [_execution(line, cases.labels) for line in lines]

    def _ready(self, characters: int) -> Worker:
        """Return a live worker with life left in it."""
        if self._worker and self._worker.read > CHARACTERS_OF_LIFE:
            self.close()
        if self._worker is None:
            self._worker = _start()
        self._worker.read += characters
        return self._worker


def _start() -> Worker:
    """Start a worker.

    Raises:
        PrologUnavailable: No worker can be started here.
    """
    for attempt in range(1, START_TRIES + 1):
        try:
            return Worker()
        except StartFailed as error:
            failure = error
            _log.warning("A worker of the Prolog judge did not start (%s)", error)
        if attempt < START_TRIES:
            time.sleep(0.1 * attempt)
    raise PrologUnavailable(failure.message(START_TRIES))


def _execution(line: str, labels: tuple[bool, ...]) -> Execution:
    """Read one line of reply, in the form that ``engine/serving.pl`` describes.

    Raises:
        BadReply: The line has another form, or not one outcome for each label.
    """
    match = _REPLY.fullmatch(line)
    if match is None:
        raise BadReply(f"{line[:200]!r}")
    status, inferences, bits, detail = match.groups()
    outcomes = () if bits == "-" else tuple([_OUTCOMES[bit] for bit in bits])
    if len(outcomes) != (len(labels) if status == "ok" else 0):
        raise BadReply(f"status {status} and {len(outcomes)} outcomes for {len(labels)} examples")
    return Execution(cast(Status, status), outcomes, labels, int(inferences), detail or "")
