"""Judge of consistency: can all statements be true together, and what proves it?

The question is that of LTGen (sections 2 and 4). A yes or no can be guessed, so a task may ask for
a certificate as well: an assignment that makes all statements true, or statements of which none can
be left out without their contradiction being gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.engines.propositional import cores
from logic_curriculum.rewards.engines.propositional.parser import parse
from logic_curriculum.rewards.engines.propositional.syntax import Formula, variables
from logic_curriculum.rewards.engines.propositional.truth_table import is_true
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.payload import required, shown
from logic_curriculum.rewards.sat.answer import Certificate, read_certificate, read_verdict
from logic_curriculum.rewards.verdict import Verdict

ERRORS = (
    "false_positive",
    "false_negative",
    "no_certificate",
    "incomplete_assignment",
    "wrong_assignment",
    "unknown_statement",
    "not_unsatisfiable",
    "not_minimal",
)
"""What can be wrong with an answer; at most one of these metrics is 1.0. *Positive* is consistent;
those from ``no_certificate`` on occur where a certificate is asked for."""
_NAMES = {True: "consistent", False: "inconsistent"}


@dataclass(frozen=True)
class SatTask:
    """Statements and whether they can be true together."""

    texts: tuple[str, ...]
    satisfiable: bool
    certificate: bool

    @cached_property
    def formulas(self) -> tuple[Formula, ...]:
        """The statements, numbered from 0."""
        return tuple(map(parse, self.texts))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables, each once, sorted."""
        return tuple(sorted(variables(*self.formulas)))


class Finding(NamedTuple):
    """What became of a certificate."""

    error: str | None
    """One of :data:`ERRORS`, or ``None`` when it is right."""
    partial: float
    """In [0, 1]."""
    text: str = ""
    """The certificate as it was read."""
    is_graded: bool = True
    """False when the solver's budget did not suffice."""


class SatJudge(Judge[SatTask]):
    """Judges sat.

    ``reward`` is 1.0 for the right verdict, with a right certificate if one is asked for, else
    0.0. ``partial`` is the same, but for right verdicts with a wrong certificate: the share of
    statements that the assignment makes true (those with variables left out count as false),
    or, of an unsatisfiable set that is not minimal, the size of a minimal set within it divided
    by its own; half of that in both cases. A guess may earn a part of it, so it is for shaping
    only. Metrics: ``verdict`` (1.0 for the right verdict, whatever the certificate) and
    :data:`ERRORS`.

    A payload: ``{"formulas": [str], "satisfiable": bool}``; with ``"certificate": true``, a verdict
    without proof earns nothing.
    """

    family = "sat"
    task_version = 2
    reward_version = 2
    rewards: ClassVar[Mapping[str, str]] = {
        "sat_partial_reward": "partial",
        "sat_verdict_reward": "verdict",
    }

    def read_payload(self, payload: Mapping[str, Any]) -> SatTask:
        """Return the statements and their status."""
        return _read_task(payload)

    def judge_text(self, text: str, payload: SatTask) -> Verdict:
        """Return the verdict on a completion."""
        return _judge_text(text, payload)


def _read_task(payload: Mapping[str, Any]) -> SatTask:
    texts = required(payload, "formulas", list, "a list of formulas")
    if not texts or not all(isinstance(each, str) for each in texts):
        raise ValueError(
            f"formulas is {shown(texts)}, but the judge reads a list of texts, one or more. Give "
            'e.g. ["(v1→¬v2)", "v1"].'
        )
    certificate = _flag(payload, "certificate", False)
    task = SatTask(tuple(texts), _flag(payload, "satisfiable", None), certificate)
    if certificate:
        _check_formulas(task)
    return task


def _flag(payload: Mapping[str, Any], key: str, default: bool | None) -> bool:
    value = payload.get(key, default)
    if not isinstance(value, bool):
        raise ValueError(
            f"{key} is {shown(value)} among {sorted(map(str, payload))}, but the judge reads true "
            "or false. Keep the generator's 'verification' column as it is."
        )
    return value


def _check_formulas(task: SatTask) -> None:
    """Read the formulas now, so that the error of a malformed one names its row."""
    _ = task.formulas


def _judge_text(text: str, task: SatTask) -> Verdict:
    said = read_verdict(text)
    if said.answer is None:
        return Verdict(False, 0.0, explanation=said.explanation, metrics=_metrics(said))
    if said.answer is not task.satisfiable:
        error = "false_positive" if said.answer else "false_negative"
        return Verdict(
            solved=False,
            reward=0.0,
            syntax=True,
            answer=_NAMES[said.answer],
            explanation=f"{error}: the statements are {_NAMES[task.satisfiable]}",
            metrics=_metrics(said, error),
        )
    found = Finding(None, 1.0)
    if task.certificate:
        proof = read_certificate(text, task.names, said)
        found = _judge_certificate(proof.answer, task)
        said = Reading(proof.status, said.answer) if proof.status == "ambiguous" else said
    solved = found.error is None and found.is_graded
    return Verdict(
        solved=solved,
        reward=float(solved) if found.is_graded else None,
        syntax=found.error != "no_certificate",
        partial=found.partial,
        answer=f"{_NAMES[task.satisfiable]}: {found.text}"
        if found.text
        else _NAMES[task.satisfiable],
        explanation=_explanation(found, task),
        metrics={**_metrics(said, found.error), "verdict": 1.0},
    )


def _explanation(found: Finding, task: SatTask) -> str:
    if not found.is_graded:
        return "the solver's budget did not suffice"
    if found.error:
        return f"{_NAMES[task.satisfiable]} is right, but {found.error.replace('_', ' ')}"
    return f"the statements are {_NAMES[task.satisfiable]}"


def _judge_certificate(certificate: Certificate | None, task: SatTask) -> Finding:
    if task.satisfiable and isinstance(certificate, Mapping):
        return _judge_assignment(certificate, task)
    if not task.satisfiable and isinstance(certificate, frozenset):
        return _judge_core(certificate, task)
    return Finding("no_certificate", 0.0)


def _judge_assignment(assignment: Mapping[str, bool], task: SatTask) -> Finding:
    given = ", ".join(f"{n}={str(assignment[n]).lower()}" for n in task.names if n in assignment)
    true = sum(
        all(name in assignment for name in variables(formula)) and is_true(formula, assignment)
        for formula in task.formulas
    )
    partial = 0.5 * true / len(task.formulas)
    if len(assignment) < len(task.names):
        return Finding("incomplete_assignment", partial, given)
    if true < len(task.formulas):
        return Finding("wrong_assignment", partial, given)
    return Finding(None, 1.0, given)


def _judge_core(numbers: frozenset[int], task: SatTask) -> Finding:
    given = ", ".join(map(str, sorted(numbers)))
    if not all(1 <= number <= len(task.formulas) for number in numbers):
        return Finding("unknown_statement", 0.0, given)
    named = [task.formulas[number - 1] for number in sorted(numbers)]
    consistent = cores.satisfiable(named)
    if consistent:
        return Finding("not_unsatisfiable", 0.0, given)
    minimal = None if consistent is None else cores.is_minimal(named)
    if minimal is None:
        return Finding(None, 0.0, given, is_graded=False)
    if not minimal:
        size = cores.smaller_core_size(named)
        return Finding("not_minimal", 0.5 * size / len(named), given)
    return Finding(None, 1.0, given)


def _metrics(reading: Reading[bool], error: str | None = None) -> dict[str, float]:
    errors = {name: float(name == error) for name in ERRORS}
    return {"verdict": 0.0, **reading.metrics, **errors}
