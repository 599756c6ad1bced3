"""The task families by name. A family's module is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from logic_curriculum.generators.task import Task

_MODULES = {
    "slr": "logic_curriculum.generators.slr",
    "symbolization": "logic_curriculum.generators.logicskills.symbolization",
    "countermodel": "logic_curriculum.generators.logicskills.countermodel",
    "validity": "logic_curriculum.generators.logicskills.validity",
    "loginum": "logic_curriculum.generators.loginum",
    "sat": "logic_curriculum.generators.sat",
}


class Family(Protocol):
    """What the module of a family offers."""

    LEVELS: int
    """Number of levels, counted from 1."""
    TIERS: Mapping[int, str]
    """Tier name of each level."""

    def generate(self, level: int, seed: int, **options: Any) -> Task:
        """Make a task; the options are the family's own."""

    def fingerprint(self, task: Task) -> str:
        """Return a text that is equal for tasks with equal content."""

    def leak_key(self, task: Task) -> str:
        """Return a text that no task of another split may share with a test task."""

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published dataset."""

    def published_sizes(self, level: int, **options: Any) -> dict[str, int]:
        """Return the published number of tasks of a level by split.

        The only option is ``preset``, and only families with presets have it.
        """

    def versions(self) -> dict[str, str]:
        """Return the versions of the software that decides what a task looks like."""

    def describe(self, **options: Any) -> str:
        """Return the table of levels as text; the options are the family's own."""


class FamilyWithPresets(Family, Protocol):
    """A family from which several published datasets are made, with ``preset`` as an option."""

    def preset_levels(self, preset: str) -> Sequence[int]:
        """Return the levels of a published dataset.

        Raises:
            ValueError: There is no such preset; the message names those that there are.
        """


class FamilyInParts(Family, Protocol):
    """A family whose published datasets say how many tasks of each kind they hold."""

    def published_parts(
        self, split: str, level: int, count: int, options: Mapping[str, Any]
    ) -> Sequence[tuple[int, Mapping[str, Any]]]:
        """Return numbers of tasks, together ``count``, each with the options that make them."""


def families() -> tuple[str, ...]:
    """Return the names of all families."""
    return tuple(_MODULES)


def family(name: str) -> Family:
    """Return the module of a family.

    Raises:
        ValueError: There is no such family.
    """
    if name not in _MODULES:
        raise ValueError(f"There is no task family {name!r}: choose one of {', '.join(families())}")
    return _module(_MODULES[name])


@cache
def _module(path: str) -> Family:
    return cast(Family, import_module(path))


def levels(name: str, preset: str | None = None) -> Sequence[int]:
    """Return the levels of a family, from 1, or those of one of its presets.

    Raises:
        ValueError: There is no such family or preset.
    """
    if preset is not None:
        return _with_presets(name, preset).preset_levels(preset)
    return range(1, family(name).LEVELS + 1)


def published_sizes(name: str, level: int, preset: str | None = None) -> dict[str, int]:
    """Return the published number of tasks of a level by split.

    Raises:
        ValueError: There is no such family or preset.
    """
    if preset is not None:
        return _with_presets(name, preset).published_sizes(level, preset=preset)
    return family(name).published_sizes(level)


def published_parts(
    name: str, split: str, level: int, count: int, options: Mapping[str, Any]
) -> Sequence[tuple[int, Mapping[str, Any]]]:
    """Return numbers of tasks, and the further options of each, that a shard is put together from.

    A family without ``published_parts`` has one part, all of the tasks.
    """
    module = family(name)
    if not hasattr(module, "published_parts"):
        return [(count, {})]
    return cast(FamilyInParts, module).published_parts(split, level, count, options)


def _with_presets(name: str, preset: str) -> FamilyWithPresets:
    module = family(name)
    if not hasattr(module, "preset_levels"):
        raise ValueError(
            f"preset={preset!r}: the family {name} has no presets, only its levels. Leave it out."
        )
    return cast(FamilyWithPresets, module)


def describe(name: str, **options: Any) -> str:
    """Return the table of a family's levels as text.

    Args:
        name: One of :func:`families`.
        options: The family's own, e.g. ``language`` of ``slr``.

    Raises:
        ValueError: There is no such family, or an option has a value that can't be used.
    """
    return family(name).describe(**options)


def check_integer(name: str, value: object) -> None:
    """Refuse what is no whole number: seeds and levels are hashed, where 3 and 3.0 differ.

    Raises:
        ValueError: ``value`` is of another type than ``int``; the message calls it ``name``.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(
            f"{name} is {value!r} of type {type(value).__name__}, but tasks are counted in whole "
            "numbers. Pass an int such as 3."
        )


# The parameter is called `family` for those who pass it by name, hence the module's alias.
_family = family


def generate(family: str, level: int, seed: int, **options: Any) -> Task:
    """Make a task: a pure function of its arguments, equal on every machine.

    Args:
        family: One of :func:`families`.
        level: Curriculum level, from 1; with a ``preset``, one of that dataset's levels.
        seed: Any integer; with the other arguments it determines the task.
        options: The family's own, e.g. ``split``, ``language`` and ``style`` of ``slr``.

    Returns:
        The task, with the family's task version and reward version in its verification.

    Raises:
        ValueError: There is no such family or level, the seed is no int, or an option has a value
            that can't be used.
        TypeError: The family has no such option.
    """
    valid = levels(family)
    check_integer("level", level)
    check_integer("seed", seed)
    if options.get("preset") is None and level not in valid:
        raise ValueError(
            f"{family} has no level {level!r}: its levels are 1 to {valid[-1]}; choose one of them"
        )
    task = _family(family).generate(level, seed, **options)
    from logic_curriculum.rewards.versions import (
        versions_of,  # importing generators brings no judges
    )

    return replace(task, verification={**task.verification, **versions_of(family)})
