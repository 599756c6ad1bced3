"""The base of every family of tasks: all that is particular to one stands in its subclass."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import SPLITS, Task, digest
from logic_curriculum.rewards.judge import Judge

BOOLS = (bool, bool | None, "bool", "bool | None")  # as a dataclass may write down a type
CANDIDATES = 300  # training tasks whose solutions compete for the best constant answer


def option(default: Any, help: str, choices: Sequence[Any] = ()) -> Any:
    """Return a dataclass field that parsers show with its help; a list or dict is copied.

    Without ``choices``, every value is accepted; a ``default`` of None is accepted beside them.
    """
    metadata = {"help": help, **({"choices": tuple(choices)} if choices else {})}
    if isinstance(default, list | dict):
        return field(default_factory=lambda: copy(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Options:
    """The options of a family's tasks: subclass it, and add fields made by :func:`option`.

    A value that is not among the choices of its field, or no bool where that is its type, is a
    ``ValueError``.
    """

    split: str = option("train", "train, validation or test", SPLITS)

    def __post_init__(self) -> None:
        for item in self.__dataclass_fields__.values():  # as fields() has them, but faster
            value, choices = getattr(self, item.name), item.metadata.get("choices")
            if choices and value not in choices and not (value is item.default is None):
                known = ", ".join(map(str, choices))
                raise ValueError(f"{item.name}={value!r} does not exist: choose one of {known}")
            if item.type in BOOLS and not isinstance(value, bool) and value is not item.default:
                raise ValueError(
                    f"{item.name}={value!r} is neither True nor False: give one of them"
                )


class Family(ABC):
    """A family of tasks. Subclass it, and register an instance (:func:`register_family`).

    A subclass must have ``name``, ``judge``, ``tiers`` and :meth:`make`. The rest has defaults for
    a family that makes tasks at will and whose splits need not be kept apart.
    """

    name: ClassVar[str]  # what the family is called in `generate`, in rows and on command lines
    judge: ClassVar[Judge[Any]]  # judges answers; its versions go into every task
    tiers: ClassVar[Sequence[str]]
    """Tier of each level, from level 1; there are as many levels as tiers."""
    options: ClassVar[type[Options]] = Options  # the options of the family's tasks
    leak_unit: ClassVar[str] = "task"  # what `leak_key` stands for, e.g. `"rule"`
    item_name: ClassVar[str] = "items"
    """What held-out evaluation calls the things that only the test split has, in the plural."""
    instructions: ClassVar[Sequence[str]] = ()
    """Starts of prompts, the longest first; few-shot prompts give one once, then examples."""
    columns: ClassVar[Mapping[str, str]] = {}
    """Published column → what it holds, for the dataset card."""
    configs: ClassVar[Sequence[Any]] = ()  # configuration of each level, for :meth:`config`
    presets: ClassVar[Mapping[str, Any]] = {}
    """Published dataset → its ``configs`` by level, and its ``sizes(level)`` by split."""
    level_meaning: ClassVar[str] = ""  # what numbers the levels of a preset, e.g. `"a depth"`

    @abstractmethod
    def make(self, level: int, seed: int, options: Any) -> Task:
        """Make a task: a pure function of its arguments; see :meth:`generate`."""

    def generate(self, level: int, seed: int, **options: Any) -> Task:
        """Make a task; see :func:`logic_curriculum.generators.generate`."""
        given = self.read_options(options)
        check_integer("level", level)
        check_integer("seed", seed)
        if getattr(given, "preset", None) is None and level not in self.levels():
            raise ValueError(
                f"{self.name} has no level {level!r}: its levels are 1 to {len(self.tiers)}; "
                "choose one of them"
            )
        task = self.make(level, seed, given)
        if not isinstance(task, Task) or task.family != self.name:
            raise ValueError(
                f"{type(self).__name__}.make returned {task!r:.80}, which is no task of this "
                f"family: return Task(family={self.name!r}, …)."
            )
        try:
            task = replace(task, verification={**task.verification, **self.judge.versions})
            task = replace(task, metadata={**task.metadata, "split": given.split})
            task.to_row()
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{type(self).__name__}.make returned a task whose verification or metadata can't "
                f"be written as JSON ({error}): give both as dicts of texts, numbers, lists and "
                "dicts, so that a row can hold them."
            ) from error
        return task

    def read_options(self, options: Mapping[str, Any]) -> Options:
        """Return options by name as an instance of :attr:`options`; TypeError for unknown ones."""
        known = self.options.__dataclass_fields__
        if unknown := [f"{name}={value!r}" for name, value in options.items() if name not in known]:
            raise TypeError(
                f"{unknown[0]}: tasks of the family {self.name} have no such option; they have "
                f"{', '.join(known)}. Leave it out."
            )
        return self.options(**options)

    def tier(self, level: int) -> str | None:
        """Return the tier of a level; None where the ladder has no such level."""
        return self.tiers[level - 1] if 1 <= level <= len(self.tiers) else None

    def levels(self, preset: str | None = None) -> Sequence[int]:
        """Return the levels of the family, or of a preset; a ``ValueError`` where there is none."""
        if preset is not None:
            return tuple(self.find_preset(preset)[1].configs)
        return range(1, len(self.tiers) + 1)

    @classmethod
    def find_preset(cls, name: str) -> tuple[str, Any]:
        """Return a preset and its name, in any case of letters; ValueError if there is none."""
        for known, preset in cls.presets.items():
            if isinstance(name, str) and known.lower() == name.lower():
                return known, preset
        choices = ", ".join(cls.presets) or f"none, since {cls.name} has no presets"
        raise ValueError(f"preset={name!r} does not exist: choose one of {choices}")

    def config(self, level: int, preset: str | None) -> tuple[str, Any]:
        """Return a preset's name, empty without one, and the configuration of a level."""
        if preset is None:
            return "", self.configs[level - 1]
        name, found = self.find_preset(preset)
        if level not in found.configs:
            meaning = self.level_meaning and f"a level is {self.level_meaning}, and "
            raise ValueError(
                f"level={level} with preset={preset!r}: {meaning}{name} has the levels "
                f"{ranges(found.configs)}. Choose one of them, or leave the preset out."
            )
        return name, found.configs[level]

    def fingerprint(self, task: Task) -> str:
        """Return a text that is equal for tasks with equal content, by default of the prompt."""
        return digest(task.prompt)

    def leak_key(self, task: Task) -> str:
        """Return a text that no task of another split may share with a test task."""
        return self.fingerprint(task)

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of a published dataset, by default none."""
        return {}

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of a level by split: of a preset, or in the usual size."""
        if preset is not None:
            return dict(self.find_preset(preset)[1].sizes(level))
        return {"train": 1000, "validation": 20, "test": 50}

    def published_parts(
        self, split: str, level: int, count: int, options: Mapping[str, Any]
    ) -> Sequence[tuple[int, Mapping[str, Any]]]:
        """Return numbers of tasks, together ``count``, each with the options that make them."""
        return [(count, {})]

    def available_tasks(self, level: int, options: Any) -> int | None:
        """Return how many different tasks a level has in ``options.split``; None if endless."""
        return None

    def constant_answers(self, level: int, options: Mapping[str, Any]) -> list[str]:
        """Return the candidates for the best constant answer: by default, training solutions."""
        seeds = [derive_seed("constant", level, index) for index in range(CANDIDATES)]
        return [self.generate(level, seed, **options).solution for seed in seeds]

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return completions that try to pass without solving the task, by what they say.

        ``logic-curriculum play`` offers those that the judge refuses; by default none.
        """
        return {}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return what makes a level what it is, by column of :meth:`describe`'s table."""
        return vars(self.config(level, preset)[1]) if self.configs else {}

    def describe(self, preset: str | None = None) -> str:
        """Return the table of levels, or of those of a preset, as text."""
        rows: list[dict[str, object]] = []
        for level in self.levels(preset):
            tier = {} if preset else {"tier": self.tier(level)}
            rows.append({"level": level, **tier, **self.level_settings(level, preset)})
        cells = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
        if self.presets and preset is None:
            lines += ["", f"Presets, each with levels of its own: {', '.join(self.presets)}"]
        return "\n".join([f"{self.name} {preset or ''}".rstrip(), "", *lines])

    def versions(self) -> dict[str, str]:
        """Return the versions of other software that decides what a task looks like."""
        return {}


def _cell(value: object) -> str:
    """Return a setting as a table shows it: ``2 to 3`` for a range, ``constant 1`` for a weight."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {weight}" for name, weight in value.items() if weight)
    if isinstance(value, tuple):
        low, *_, high = value
        return str(low) if low == high else f"{low} to {high}"
    return str(value)


def ranges(numbers: Collection[int]) -> str:
    """Return ascending numbers as ranges: ``(1, 2, 3, 5)`` gives ``1-3,5``."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    pairs = zip(starts, ends, strict=True)
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in pairs)


def check_integer(name: str, value: object) -> None:
    """Raise a ``ValueError`` for what is no int: seeds and levels are hashed, where 3.0 isn't 3."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(
            f"{name} is {value!r} of type {type(value).__name__}, but tasks are counted in whole "
            "numbers. Pass an int such as 3."
        )
