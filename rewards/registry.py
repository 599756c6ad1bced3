"""The judges by family, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from logic_curriculum.rewards.answers import Completion
from logic_curriculum.rewards.payload import named_row
from logic_curriculum.rewards.verdict import Verdict
from logic_curriculum.rewards.versions import check_verification

JUDGE_MODULES = {
    "slr": "logic_curriculum.rewards.slr.judge",
    "symbolization": "logic_curriculum.rewards.symbolization.judge",
    "countermodel": "logic_curriculum.rewards.countermodel.judge",
    "validity": "logic_curriculum.rewards.validity.judge",
    "loginum": "logic_curriculum.rewards.loginum.judge",
    "sat": "logic_curriculum.rewards.sat.judge",
}
"""Family → the module whose ``judge_batch(completions, verifications)`` judges it."""
MEASURES = {"slr": "logic_curriculum.rewards.slr.paper"}
"""Family → the module whose ``judge_batch`` scores it as its paper does, for evaluations."""


def judge_batch(
    family: str, completions: Sequence[Completion], verifications: Sequence[Any]
) -> list[Verdict]:
    """Judge completions of one family.

    Args:
        family: A family's name, one of :data:`JUDGE_MODULES`.
        completions: Text or conversational messages, as TRL passes them.
        verifications: One payload per completion: a mapping or its JSON text. The keys of each
            family are listed in ``docs/rewards.md``.

    Returns:
        One verdict per completion, in the same order.

    Raises:
        ValueError: When the family is unknown, the two lengths differ, or a payload is malformed
            or of another version.
    """
    if family not in JUDGE_MODULES:
        raise ValueError(
            f"There is no judge for family {family!r}. Choose one of: {', '.join(JUDGE_MODULES)}."
        )
    if len(completions) != len(verifications):
        raise ValueError(
            f"{len(completions)} completions came with {len(verifications)} verifications, so they "
            "can't be paired. Pass exactly one verification per completion."
        )
    return _judge_checked(JUDGE_MODULES[family], family, completions, verifications)


def measure_batch(
    family: str, completions: Sequence[Completion], verifications: Sequence[Any]
) -> list[Verdict]:
    """Judge completions for an evaluation: verdicts have the metrics of the family's paper, too.

    That costs more than :func:`judge_batch`, whose arguments, result and errors are the same.
    """
    verdicts = judge_batch(family, completions, verifications)
    if family not in MEASURES:
        return verdicts
    measured = paper_batch(family, completions, verifications)
    return [
        replace(verdict, metrics={**verdict.metrics, **paper.metrics})
        for verdict, paper in zip(verdicts, measured, strict=True)
    ]


def paper_batch(
    family: str, completions: Sequence[Completion], verifications: Sequence[Any]
) -> list[Verdict]:
    """Score completions of a family of :data:`MEASURES` as its paper does."""
    return _judge_checked(MEASURES[family], family, completions, verifications)


def _judge_checked(
    module: str, family: str, completions: Sequence[Completion], verifications: Sequence[Any]
) -> list[Verdict]:
    verifications = _shared(verifications)
    for index, verification in enumerate(verifications):
        if index == 0 or verification is not verifications[index - 1]:
            with named_row(index):
                check_verification(family, verification)
    verdicts: list[Verdict] = import_module(module).judge_batch(completions, verifications)
    return verdicts


def _shared(verifications: Sequence[Any]) -> list[Any]:
    """Return payloads with one object for texts that repeat: a group's rows are long and equal."""
    shared: list[Any] = []
    for verification in verifications:
        if isinstance(verification, str) and shared and shared[-1] == verification:
            verification = shared[-1]
        shared.append(verification)
    return shared


def judge(family: str, completion: Completion, verification: Any) -> Verdict:
    """Judge one completion; see :func:`judge_batch`, which is faster for many."""
    return judge_batch(family, [completion], [verification])[0]


def warn_of_training(family: str, verifications: Sequence[Any]) -> None:
    """Warn, once, if training on such rows teaches something else than the family's task."""
    if family in JUDGE_MODULES:  # judge_batch refuses others
        warn = getattr(import_module(JUDGE_MODULES[family]), "warn_of_training", None)
        if warn:
            warn(verifications)
