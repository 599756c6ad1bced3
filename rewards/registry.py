"""The judges by family: those of this library and of families that others register or install."""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from logic_curriculum.rewards.completions import Completion, as_list, completion_texts
from logic_curriculum.rewards.countermodel.judge import CountermodelJudge
from logic_curriculum.rewards.engines.prolog.judging import PrologUnavailable, find_swipl
from logic_curriculum.rewards.judge import Judge, Verdict
from logic_curriculum.rewards.loginum.judge import LoginumJudge
from logic_curriculum.rewards.sat import SatJudge
from logic_curriculum.rewards.slr.judge import SlrJudge
from logic_curriculum.rewards.symbolization import SymbolizationJudge
from logic_curriculum.rewards.validity import ValidityJudge

ENTRY_POINTS = "logic_curriculum.families"
"""Group of entry points by which an installed package brings its families."""
_BUILT_IN: list[type[Judge[Any]]] = [SlrJudge, SymbolizationJudge, CountermodelJudge, ValidityJudge]
_BUILT_IN += [LoginumJudge, SatJudge]
JUDGES: dict[str, Judge[Any]] = {judge.family: judge() for judge in _BUILT_IN}
"""Family → its judge. A family of an installed package comes in when it is first asked for."""

# -- judges ----------------------------------------------------------------------------------------


@cache
def installed_families() -> dict[str, EntryPoint]:
    """Return the families of installed packages: name → entry point of the family's object."""
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


@cache
def load_family(name: str) -> Any:
    """Return the object of an installed family; a ``ValueError`` says that it can't be loaded."""
    entry = installed_families()[name]
    try:
        loaded = entry.load()
        return loaded() if isinstance(loaded, type) else loaded
    except Exception as error:  # a plug-in may fail in any way
        package = f" of the package {entry.dist.name}" if entry.dist else ""
        raise ValueError(
            f"The entry point {name!r} = {entry.value!r}{package} can't be loaded ({error!r}): "
            "fix or uninstall the package that brings this family."
        ) from error


def checked_judge(family: Any) -> Judge[Any]:
    """Return the judge of a family's object; a ``ValueError`` if it has none of its name."""
    judge = getattr(family, "judge", None)
    if not isinstance(judge, Judge) or getattr(judge, "family", None) != family.name:
        raise ValueError(
            f"The judge of family {family.name!r} is {judge!r:.80}, but it has to be an instance "
            "of a subclass of Judge, with brackets, as in `judge = KnightsJudge()`, whose `family` "
            "is the family's name."
        )
    return judge


def judge_of(family: str) -> Judge[Any]:
    """Return a family's judge; a ``ValueError`` if there is no such family."""
    if family not in JUDGES and family in installed_families():
        JUDGES[family] = checked_judge(load_family(family))
    if family not in JUDGES:
        names = ", ".join(dict.fromkeys((*JUDGES, *installed_families())))
        raise ValueError(
            f"There is no judge for family {family!r}. Choose one of: {names}; your own is "
            "made known by register_family, or by an entry point (docs/own-family.md)."
        )
    return JUDGES[family]


def judge_batch(
    family: str, completions: Iterable[Completion], verifications: Iterable[Any]
) -> list[Verdict]:
    """Judge completions of one family; see :meth:`.Judge.judge_batch`.

    ``docs/rewards.md`` lists the keys of each family's payload. An unknown family is a ValueError.
    """
    return judge_of(family).judge_batch(completions, verifications)


def measure_batch(
    family: str, completions: Iterable[Completion], verifications: Iterable[Any]
) -> list[Verdict]:
    """Judge completions for an evaluation: verdicts have the metrics of the family's paper, too.

    That costs more than :func:`judge_batch`, whose arguments, result and errors are the same.
    Without SWI-Prolog, a warning says that slr's are left out.
    """
    judge, texts = judge_of(family), completion_texts(completions)
    rows = as_list("verifications", verifications)
    verdicts = judge.judge_batch(texts, rows)
    if judge.paper is None:
        return verdicts
    try:
        measured = judge.paper.judge_batch(texts, rows)
    except PrologUnavailable as missing:
        if find_swipl():
            raise
        warnings.warn(f"The scores of the {family} paper are left out. {missing}", stacklevel=2)
        return verdicts
    return [
        replace(verdict, metrics={**verdict.metrics, **paper.metrics})
        for verdict, paper in zip(verdicts, measured, strict=True)
    ]


def judge(family: str, completion: Completion, verification: Any) -> Verdict:
    """Judge one completion; see :func:`judge_batch`, which is faster for many."""
    return judge_batch(family, [completion], [verification])[0]


# -- versions --------------------------------------------------------------------------------------

FIRST_VERSIONS = {"task_version": 1, "reward_version": 1}
"""Versions of a family without a registered judge, such as a trainer's tasks."""


def versions_of_all(families: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return ``task_versions`` and ``reward_versions``, each by family, for a record of a run."""
    known = {*JUDGES, *installed_families()}
    found = {f: judge_of(f).versions if f in known else FIRST_VERSIONS for f in families}
    return {
        f"{name}s": {family: versions[name] for family, versions in found.items()}
        for name in FIRST_VERSIONS
    }


def check_recorded(what: str, record: Mapping[str, Any], families: Iterable[str]) -> None:
    """Raise a ValueError for a run with other versions of these families, or without any.

    ``record`` holds what :func:`versions_of_all` returned then; ``what`` begins the message, e.g.
    ``"The checkpoint"``.
    """
    for names, versions in versions_of_all(families).items():
        name, recorded = names.removesuffix("s"), record.get(names) or {}
        for family, current in versions.items():
            if (there := recorded.get(family)) != current:
                given = f"records no {name}" if there is None else f"has {name} {there!r}"
                raise ValueError(
                    f"{what} {given} of {family}, but this library has {name} {current}, and the "
                    "two can't be mixed: begin a new run in another folder, or install the version "
                    "of the library that made it."
                )
