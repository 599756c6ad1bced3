"""The families by name: built in, registered by a caller, or brought by an installed package."""

from dataclasses import fields
from pkgutil import resolve_name
from typing import Any

from logic_curriculum.generators.family import Family
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.functions import add_rewards
from logic_curriculum.rewards.registry import installed_families, load_family

_BUILT_IN = {
    "slr": "slr.family:SlrFamily",
    "symbolization": "logicskills.symbolization.family:SymbolizationFamily",
    "countermodel": "logicskills.countermodel.family:CountermodelFamily",
    "validity": "logicskills.validity.family:ValidityFamily",
    "loginum": "loginum.family:LoginumFamily",
    "sat": "sat.family:SatFamily",
}
"""Family → its class below this package, imported when it is first asked for."""
_REGISTERED: dict[str, Family] = {}
_RESERVED = {"family", "level", "levels", "seed", "count", "index", "sizes", "splits"}
_RESERVED |= {"out", "num_proc", "shard", "show", "describe", "help"}
"""Arguments of commands and functions that also take the options of a family."""


def register_family(family: Family) -> None:
    """Make a family of your own known by its name in this process; see docs/own-family.md.

    Its judge has to have the same name, and no other family may; else a ``ValueError``. A class
    that is registered again, as by a notebook's cell that runs twice, replaces the old one.
    """
    if not isinstance(family, Family):
        raise ValueError(
            f"{family!r} is no instance of a subclass of Family: register one, as in "
            "register_family(KnightsFamily())."
        )
    if family.judge.family != family.name:
        raise ValueError(
            f"The judge of family {family.name!r} says family={family.judge.family!r}, but rows "
            "find their judge by the family's name: give both the same name."
        )
    if not getattr(family, "tiers", ()):
        raise ValueError(
            f"Family {family.name!r} has no tiers, so it has no levels: give `tiers` one entry for "
            "each level, such as ('easy', 'hard')."
        )
    if clashes := [item.name for item in fields(family.options) if item.name in _RESERVED]:
        raise ValueError(
            f"Family {family.name!r} can't have an option {clashes[0]!r}, since commands and "
            "functions have an argument of that name: rename the option."
        )
    classes = [type(_REGISTERED.get(family.name, family)), type(family)]
    known, new = [(found.__module__, found.__qualname__) for found in classes]
    if family.name in _BUILT_IN or known != new:
        raise ValueError(f"There is a family {family.name!r} already: choose another name.")
    add_rewards(family.judge)
    _REGISTERED[family.name] = family


def families() -> tuple[str, ...]:
    """Return the names of all families."""
    return tuple(dict.fromkeys((*_BUILT_IN, *_REGISTERED, *installed_families())))


def family(name: str) -> Family:
    """Return a family by its name; a ``ValueError`` if there is none."""
    if name not in _REGISTERED:
        if name in _BUILT_IN:
            _REGISTERED[name] = resolve_name(f"logic_curriculum.generators.{_BUILT_IN[name]}")()
        elif name in installed_families():
            register_family(load_family(name))
    if name not in _REGISTERED:
        raise ValueError(f"There is no task family {name!r}: choose one of {', '.join(families())}")
    return _REGISTERED[name]


_family = family  # a parameter of `generate` has this name, too


def generate(family: str, level: int, seed: int, **options: Any) -> Task:
    """Make a task: a pure function of its arguments, equal on every machine.

    Args:
        family: One of :func:`families`.
        level: Curriculum level, from 1; with a ``preset``, one of that dataset's levels.
        seed: Any integer.
        options: Those of the family, e.g. ``split``, ``language`` and ``style`` of ``slr``.

    Raises:
        ValueError: There is no such family or level, the seed is no int, or a value can't be used.
        TypeError: The family has no such option.
    """
    return _family(family).generate(level, seed, **options)
