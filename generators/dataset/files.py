"""One file of a dataset: the tasks of one split and level."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from logic_curriculum.generators import registry
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import Task

TAKE_ALL = ", take all there are with --at-most (at_most=True)"  # a remedy where there are too few


@dataclass(frozen=True)
class TaskFile:
    """What determines the content of one Parquet file."""

    family: str
    split: str
    level: int
    count: int  # number of tasks, at least 1
    seed: int  # the seed of the whole dataset
    options: Mapping[str, Any]  # options of the family, such as `style` and `language`
    at_most: bool = False  # whether fewer are taken where no more are found

    @property
    def path(self) -> str:
        """Where the file lies inside the dataset's folder."""
        return f"data/{self.split}/level-{self.level:02d}.parquet"

    @property
    def parts(self) -> tuple[TaskFile, ...]:
        """What it is put together from: a file for each kind of task, or itself alone."""
        published_parts = registry.family(self.family).published_parts
        return tuple(
            dataclasses.replace(self, count=count, options={**self.options, **more})
            for count, more in published_parts(self.split, self.level, self.count, self.options)
        )

    def candidate(self, index: int) -> Task:
        """Return candidate number ``index``, checked, with its fingerprint and leak key."""
        family = registry.family(self.family)
        seed = derive_seed("dataset", self.family, self.split, self.level, self.seed, index)
        task = registry.generate(self.family, self.level, seed, split=self.split, **self.options)
        registry.check_solution(task)
        keys = {"fingerprint": family.fingerprint(task), "leak_key": family.leak_key(task)}
        return dataclasses.replace(task, metadata={**task.metadata, **keys})
