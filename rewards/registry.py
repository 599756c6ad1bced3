"""The judges by family, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from rewards.extraction import Completion
from rewards.verdict import Verdict

JUDGE_MODULES = {
    "slr": "rewards.slr",
    "symbolization": "rewards.symbolization",
    "countermodel": "rewards.countermodel",
    "validity": "rewards.validity",
    "loginum": "rewards.loginum",
    "sat": "rewards.sat",
}
"""Family → the module whose ``judge_batch(completions, verifications)`` judges it."""


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
        ValueError: When the family is unknown, the two lengths differ, or a payload is malformed.
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
    verdicts: list[Verdict] = import_module(JUDGE_MODULES[family]).judge_batch(
        completions, verifications
    )
    return verdicts


def judge(family: str, completion: Completion, verification: Any) -> Verdict:
    """Judge one completion; see :func:`judge_batch`, which is faster for many."""
    return judge_batch(family, [completion], [verification])[0]
