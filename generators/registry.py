"""The families by name: built in, registered by a caller, or brought by an installed package."""

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


def register_family(family: Family) -> None:
    """Make a family of your own known by its name in this process; see docs/own-family.md.

    Its judge has to have the same name, and no other family may; else a ``ValueError``.
    """
    if family.judge.family != family.name:
        raise ValueError(
            f"The judge of family {family.name!r} says family={family.judge.family!r}, but rows "
            "find their judge by the family's name: give both the same name."
        )
    known = _REGISTERED.get(family.name, family)
    if family.name in _BUILT_IN or type(known) is not type(family):
        raise ValueError(f"There is a family {family.name!r} already: choose another name.")
    _REGISTERED[family.name] = family
    add_rewards(family.judge)


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
