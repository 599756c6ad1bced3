"""One run for two programs, where the outcome on the original follows from that on its copy.

A rule that reaches every fact from the example it is asked about, and names no object, runs step
by step alike on a program and on its isomorphic copy: the copy only renames the objects and
permutes the examples. The engine proves this for most hypotheses (``engine/invariance.pl``); for
them the outcomes on the original are those on the copy in the original's order. The others,
which include everything that tries to exploit names or order, are run on the original too.

The copy says in its last line of which text it is a copy, and in which order it has the examples.
``isomorphic_copy`` writes that line only if the proof's premises hold for the program.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from rewards.judges.prolog.execution import Execution
from rewards.judges.prolog.program import Program
from rewards.judges.prolog.seat import Executions, Job

_CERTIFICATE = re.compile(r"% copy of (\d{1,10}) in order (\d{1,9}(?: \d{1,9})*)\n", re.ASCII)
_WORTH_A_PROOF = 8000
"""Length of an original's text from which a proof takes less time than running it, in characters.
"""


class _Pair(NamedTuple):
    """Where copy and original stand in a job, and how their examples correspond."""

    copy: int
    original: int
    order: tuple[int, ...]
    """For each example of the copy, the position of its original; some may occur repeatedly."""


def certificate(original: str, order: Sequence[int]) -> str:
    """Return the line that marks a text as the copy of an original."""
    return f"% copy of {_checksum(original)} in order {' '.join(map(str, order))}\n"


def run_with_proofs(job: Job, run: Callable[[Job], list[Executions]]) -> list[Executions]:
    """Run a job, on the original program only where the copy does not decide.

    Args:
        job: Programs and hypotheses; a copy may stand anywhere before its original.
        run: Runs a job on a worker.
    """
    pair = _find_pair(job.programs)
    if pair is None or len(job.programs[pair.original].text) < _WORTH_A_PROOF:
        return run(job)
    others = tuple(p for index, p in enumerate(job.programs) if index != pair.original)
    partial = run(replace(job, programs=others, prove=True))
    copy = job.programs[pair.copy]
    undecided = [
        index for index, done in enumerate(partial) if not _is_decided(done[pair.copy], copy)
    ]
    hypotheses = tuple(job.hypotheses[index] for index in undecided)
    original = job.programs[pair.original]
    rest = run(Job((original,), hypotheses)) if hypotheses else []
    found = {index: executions[0] for index, executions in zip(undecided, rest, strict=True)}
    return [
        (
            *done[: pair.original],
            found[index] if index in found else _translate(done[pair.copy], pair, original),
            *done[pair.original :],
        )
        for index, done in enumerate(partial)
    ]


def _find_pair(programs: Sequence[Program]) -> _Pair | None:
    """Find a copy that comes first, and its original; a wrong certificate counts as none."""
    copy = programs[0]
    match = _CERTIFICATE.fullmatch(_last_line(copy.text))
    if match is None:
        return None
    order = tuple(int(index) for index in match[2].split())
    for position, program in enumerate(programs[1:], start=1):
        if _checksum(program.text) == int(match[1]) and _corresponds(order, copy, program):
            return _Pair(0, position, order)
    return None


def _corresponds(order: Sequence[int], copy: Program, original: Program) -> bool:
    """Tell whether an order gives each example of the copy an original with the same label."""
    count = len(original.examples)
    if len(order) != len(copy.examples) or frozenset(order) != frozenset(range(count)):
        return False
    return copy.labels == tuple(original.labels[position] for position in order)


def _last_line(text: str) -> str:
    return text[text.rfind("\n", 0, -1) + 1 :]


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace"))


def _is_decided(execution: Execution, copy: Program) -> bool:
    """Tell whether the outcome on the original follows.

    It does for what was refused, since both programs have the same predicates, and for what is
    proved invariant and names values only. A constant of the copy is a value or a fresh name, so
    one that occurs in it is no object of the original.
    """
    if execution.status in ("syntax", "rejected"):
        return True
    named = execution.constants
    return named is not None and all(f", {constant})" in copy.text for constant in named)


def _translate(execution: Execution, pair: _Pair, original: Program) -> Execution:
    """Put the outcomes on the copy in the order of the original."""
    if execution.status != "ok":
        return replace(execution, labels=original.labels)
    by_position = dict(zip(pair.order, execution.outcomes, strict=True))
    outcomes = tuple(by_position[position] for position in range(len(original.examples)))
    return replace(execution, outcomes=outcomes, labels=original.labels)
