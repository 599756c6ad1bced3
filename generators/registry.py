"""The families by name: built in, registered by a caller, or brought by an installed package."""

from collections.abc import Sequence
from dataclasses import fields
from pkgutil import resolve_name
from typing import Any

from logic_curriculum.generators.family import Family, Options
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.functions import add_rewards
from logic_curriculum.rewards.registry import checked_judge, installed_families, load_family

_BUILT_IN = {
    "slr": "slr.family:SlrFamily",
    "symbolization": "logicskills.symbolization:SymbolizationFamily",
    "countermodel": "logicskills.countermodel:CountermodelFamily",
    "validity": "logicskills.validity:ValidityFamily",
    "loginum": "loginum.family:LoginumFamily",
    "sat": "sat.family:SatFamily",
}
"""Family → its class below this package, imported when it is first asked for."""
_REGISTERED: dict[str, Family] = {}
_RESERVED = {"family", "level", "levels", "seed", "count", "index", "sizes", "splits"}
_RESERVED |= {"out", "num_proc", "ray", "push_to_hub", "show", "describe", "help"}
"""Arguments of commands and functions that also take the options of a family."""


def register_family(family: Family) -> None:
    """Make your own family known by its name in this process; see docs/own-family.md.

    Its judge has to have the same name, and no family of this library may; a ``ValueError`` says
    so, and what else is wrong with it. A family that is registered again, as by a notebook's cell
    that runs twice, replaces the old one.
    """
    if not isinstance(family, Family):
        raise ValueError(
            f"{family!r} is no instance of a subclass of Family: register one, as in "
            "register_family(KnightsFamily())."
        )
    checked_judge(family)
    name, tiers, options = family.name, getattr(family, "tiers", ()), family.options
    if not tiers or isinstance(tiers, str) or not isinstance(tiers, Sequence):
        raise ValueError(
            f"Family {name!r} has no tiers but {tiers!r}, so it has no levels: give `tiers` one "
            "entry for each level, such as ('easy', 'hard')."
        )
    is_class = isinstance(options, type) and issubclass(options, Options)
    if not is_class or "__dataclass_fields__" not in vars(options):  # is_dataclass asks its bases
        raise ValueError(
            f"The options of family {name!r} are {options!r}, but they have to be a dataclass: "
            "write @dataclass(frozen=True) over a subclass of Options, and give the class."
        )
    if clashes := [item.name for item in fields(options) if item.name in _RESERVED]:
        raise ValueError(
            f"Family {name!r} can't have an option {clashes[0]!r}, since commands and "
            "functions have an argument of that name: rename the option."
        )
    if name in _BUILT_IN:
        raise ValueError(f"There is a family {name!r} already: choose another name.")
    add_rewards(family.judge)
    _REGISTERED[name] = family


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
        raise ValueError(
            f"There is no task family {name!r}: choose one of {', '.join(families())}; your "
            "own is made known by register_family, or by an entry point (docs/own-family.md)."
        )
    return _REGISTERED[name]


def check_solutions(tasks: Sequence[Task]) -> None:
    """Raise a ``ValueError`` if the judge does not accept a task's own solution, read from its row.

    The tasks are of one family.
    """
    rows, judge = [task.to_row() for task in tasks], _family(tasks[0].family).judge
    columns = ([row[name] for row in rows] for name in ("completion", "verification"))
    for task, verdict in zip(tasks, judge.judge_batch(*columns), strict=True):
        if not verdict.solved:
            raise ValueError(
                f"{type(judge).__name__} does not accept the solution {task.solution!r:.80} of the "
                f"task of {task.family} with level {task.level} and seed {task.seed}, "
                f"{verdict.explanation!r:.80}: mend the judge or the family's make."
            )


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
