"""The judges by family: those of this library, and those of families that others register."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from logic_curriculum.rewards.completions import Completion
from logic_curriculum.rewards.countermodel.judge import CountermodelJudge
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.loginum.judge import LoginumJudge
from logic_curriculum.rewards.sat.judge import SatJudge
from logic_curriculum.rewards.slr.judge import SlrJudge
from logic_curriculum.rewards.symbolization.judge import SymbolizationJudge
from logic_curriculum.rewards.validity.judge import ValidityJudge
from logic_curriculum.rewards.verdict import Verdict

ENTRY_POINTS = "logic_curriculum.families"
"""Group of entry points by which an installed package brings families of its own."""
_BUILT_IN: list[type[Judge[Any]]] = [SlrJudge, SymbolizationJudge, CountermodelJudge, ValidityJudge]
_BUILT_IN += [LoginumJudge, SatJudge]
JUDGES: dict[str, Judge[Any]] = {judge.family: judge() for judge in _BUILT_IN}
"""Family → its judge. A family of an installed package comes in when it is first asked for."""


@cache
def installed_families() -> dict[str, EntryPoint]:
    """Return the families of installed packages: name → entry point of the family's object."""
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def load_family(name: str) -> Any:
    """Return the object of an installed family."""
    loaded = installed_families()[name].load()
    return loaded() if isinstance(loaded, type) else loaded


def judge_of(family: str) -> Judge[Any]:
    """Return a family's judge; a ``ValueError`` if there is no such family."""
    if family not in JUDGES and family in installed_families():
        JUDGES[family] = load_family(family).judge
    if family not in JUDGES:
        names = dict.fromkeys((*JUDGES, *installed_families()))
        raise ValueError(
            f"There is no judge for family {family!r}. Choose one of: {', '.join(names)}."
        )
    return JUDGES[family]


def judge_batch(
    family: str, completions: Sequence[Completion], verifications: Sequence[Any]
) -> list[Verdict]:
    """Judge completions of one family: texts, or conversational messages as TRL passes them.

    ``verifications`` has one payload per completion, a mapping or its JSON text, whose keys
    ``docs/rewards.md`` lists; the verdicts are in the same order.

    Raises:
        ValueError: When the family is unknown, the two lengths differ, or a payload is malformed
            or of another version.
    """
    return judge_of(family).judge_batch(completions, verifications)


def measure_batch(
    family: str, completions: Sequence[Completion], verifications: Sequence[Any]
) -> list[Verdict]:
    """Judge completions for an evaluation: verdicts have the metrics of the family's paper, too.

    That costs more than :func:`judge_batch`, whose arguments, result and errors are the same.
    """
    return judge_of(family).measure_batch(completions, verifications)


def judge(family: str, completion: Completion, verification: Any) -> Verdict:
    """Judge one completion; see :func:`judge_batch`, which is faster for many."""
    return judge_batch(family, [completion], [verification])[0]
