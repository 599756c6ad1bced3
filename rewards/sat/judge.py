"""Judge of consistency: can all statements be true together, and what proves it?

The question is that of LTGen (sections 2 and 4). A yes or no can be guessed, so a task may ask for
a certificate as well: an assignment that makes all statements true, or a minimal unsatisfiable set
of statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import Field, StrictBool
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.engines import propositional
from logic_curriculum.rewards.engines.propositional import Formula, parse, variables
from logic_curriculum.rewards.judge import Judge, Verdict, Verification
from logic_curriculum.rewards.sat.answer import Certificate, read_certificate, read_verdict

_NAMES = {True: "consistent", False: "inconsistent"}


@dataclass(frozen=True)
class SatPayload(Verification):
    """A task's ``verification``."""

    formulas: Annotated[tuple[str, ...], Field(min_length=1)]
    satisfiable: StrictBool  # whether all formulas can be true together
    atoms: dict[str, str] = field(default_factory=dict, compare=False)
    """Variable → the sentence that says it, if the task has sentences; for readers only."""
    certificate: StrictBool = False  # whether a verdict earns nothing without its proof

    @cached_property
    def parsed(self) -> tuple[Formula, ...]:
        """The formulas, parsed."""
        return tuple(map(parse, self.formulas))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables, each once, sorted."""
        return tuple(sorted(variables(*self.parsed)))


class _Finding(NamedTuple):
    error: str | None  # one of `SatJudge.errors`, or `None` when it is right
    partial: float  # in [0, 1]
    text: str = ""  # the certificate as it was read
    is_graded: bool = True  # False when the solver's budget did not suffice


class SatJudge(Judge[SatPayload]):
    """Judges sat.

    ``reward`` is 1.0 for the right verdict, with a right certificate if one is asked for, else
    0.0. ``partial`` is the same, but for right verdicts with a wrong certificate: the share of
    statements that the assignment makes true (those with variables left out count as false),
    or, of an unsatisfiable set that is not minimal, the size of a minimal set within it divided
    by its own; half of that in both cases. A guess may earn a part of it, so it is for shaping
    only. Metrics: ``verdict`` (1.0 for the right verdict, whatever the certificate) and
    :attr:`errors`.

    A payload: ``{"formulas": [str], "satisfiable": bool}``; with ``"certificate": true``, a verdict
    without proof earns nothing.
    """

    family = "sat"
    task_version = 3
    reward_version = 5
    rewards: ClassVar[Mapping[str, str]] = {
        "sat_partial_reward": "partial", "sat_verdict_reward": "verdict",
    }  # fmt: skip
    errors = (  # "positive" is consistent; from the third on, where a certificate is asked for
        *("false_positive", "false_negative", "no_certificate", "incomplete_assignment"),
        *("wrong_assignment", "unknown_statement", "not_unsatisfiable", "not_minimal"),
    )

    def read_payload(self, payload: Mapping[str, Any]) -> SatPayload:
        """Return the statements and their status."""
        found = SatPayload(**payload)
        if found.certificate:
            _ = found.parsed  # read now, so that the error of a malformed formula names its row
        return found

    def judge_text(self, text: str, payload: SatPayload) -> Verdict:
        """Return the verdict on a completion."""
        status = _NAMES[payload.satisfiable]
        said = read_verdict(text)
        if said.answer is None:
            return Verdict(False, 0.0, explanation=said.explanation, metrics=self._metrics(said))
        if said.answer is not payload.satisfiable:
            error = "false_positive" if said.answer else "false_negative"
            why, metrics = f"{error}: the statements are {status}", self._metrics(said, error)
            return Verdict(False, 0.0, True, 0.0, _NAMES[said.answer], why, metrics)
        found = _Finding(None, 1.0)
        if payload.certificate:
            proof = read_certificate(text, payload.names, said)
            found = _check_certificate(proof.answer, payload)
            said = Reading(proof.status, said.answer) if proof.status == "ambiguous" else said
        solved, why = found.error is None and found.is_graded, f"the statements are {status}"
        if not found.is_graded:
            why = "the solver's budget did not suffice"
        elif found.error:
            why = f"{status} is right, but {found.error.replace('_', ' ')}"
        return Verdict(
            solved=solved,
            reward=float(solved) if found.is_graded else None,
            syntax=found.error != "no_certificate",
            partial=found.partial,
            answer=f"{status}: {found.text}" if found.text else status,
            explanation=why,
            metrics={**self._metrics(said, found.error), "verdict": 1.0},
        )

    def _metrics(self, reading: Reading[bool], error: str | None = None) -> dict[str, float]:
        return {"verdict": 0.0, **reading.metrics, **self.error_metrics(error)}


def _check_certificate(certificate: Certificate | None, payload: SatPayload) -> _Finding:
    if payload.satisfiable and isinstance(certificate, Mapping):
        return _check_assignment(certificate, payload)
    if not payload.satisfiable and isinstance(certificate, frozenset):
        return _check_core(certificate, payload)
    return _Finding("no_certificate", 0.0)


def _check_assignment(assignment: Mapping[str, bool], payload: SatPayload) -> _Finding:
    values = {name: assignment[name] for name in payload.names if name in assignment}
    given = ", ".join(f"{name}={str(value).lower()}" for name, value in values.items())
    true = sum(
        all(name in assignment for name in variables(formula))
        and propositional.is_true(formula, assignment)
        for formula in payload.parsed
    )
    partial = 0.5 * true / len(payload.parsed)
    if len(assignment) < len(payload.names):
        return _Finding("incomplete_assignment", partial, given)
    if true < len(payload.parsed):
        return _Finding("wrong_assignment", partial, given)
    return _Finding(None, 1.0, given)


def _check_core(numbers: frozenset[int], payload: SatPayload) -> _Finding:
    given = ", ".join(map(str, sorted(numbers)))
    if not numbers <= set(range(1, len(payload.parsed) + 1)):
        return _Finding("unknown_statement", 0.0, given)
    named = [payload.parsed[number - 1] for number in sorted(numbers)]
    consistent = propositional.satisfiable(named)
    if consistent:
        return _Finding("not_unsatisfiable", 0.0, given)
    minimal = None if consistent is None else propositional.is_minimal(named)
    if minimal is None:
        return _Finding(None, 0.0, given, is_graded=False)
    if not minimal:
        size = propositional.smaller_core_size(named)
        return _Finding("not_minimal", 0.5 * size / len(named), given)
    return _Finding(None, 1.0, given)
