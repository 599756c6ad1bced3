"""What a dataset is made of: its arguments, checked, and their record in the dataset's folder."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import PARTIAL, write_text
from logic_curriculum.generators import registry
from logic_curriculum.generators.family import check_integer
from logic_curriculum.generators.sampling import available_tasks, check_available
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import SPLITS, Task
from logic_curriculum.rewards.registry import versions_of_all

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class TaskFile:
    """The tasks of one split and level, which are one Parquet file."""

    family: str
    split: str
    level: int
    count: int  # number of tasks, at least 1
    seed: int  # the seed of the whole dataset
    options: Mapping[str, Any]  # options of the family, such as `style` and `language`

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
        """Return candidate number ``index``, with its fingerprint and leak key."""
        family = registry.family(self.family)
        seed = derive_seed("dataset", self.family, self.split, self.level, self.seed, index)
        task = registry.generate(self.family, self.level, seed, split=self.split, **self.options)
        keys = {"fingerprint": family.fingerprint(task), "leak_key": family.leak_key(task)}
        return dataclasses.replace(task, metadata={**task.metadata, **keys})


@dataclass(frozen=True)
class Plan:
    """Everything that determines a dataset's files."""

    family: str
    sizes: Mapping[str, Mapping[int, int]]  # number of tasks by split and level
    seed: int
    options: Mapping[str, Any]  # options of the family, by name
    record: Mapping[str, Any]  # versions of what decides the files' bytes, by kind

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels of the dataset, ascending."""
        return tuple(next(iter(self.sizes.values())))

    def files(self) -> list[TaskFile]:
        """Return the files to build, in order."""
        return [
            TaskFile(self.family, split, level, count, self.seed, self.options)
            for split, counts in self.sizes.items()
            for level, count in counts.items()
        ]

    def manifest(self) -> str:
        """Return the plan as JSON text."""
        said = {"family": self.family, "sizes": self.sizes, "seed": self.seed}
        said |= {"options": self.options, **self.record}
        return json.dumps(said, indent=2) + "\n"


def make_plan(
    family: str,
    levels: Iterable[int] | None,
    *,
    splits: Sequence[str] | None,
    sizes: Mapping[str, int] | None,
    seed: int,
    options: Mapping[str, Any],
) -> Plan:
    """Check the arguments of :func:`build_dataset`, by ``ValueError``, and fill in its defaults."""
    check_integer("seed", seed)
    if isinstance(levels, int) or isinstance(sizes, int):
        one = f"levels is {levels}: write levels=[{levels}]"
        other = f'sizes is {sizes}: write sizes={{"train": {sizes}}}'
        told = one if isinstance(levels, int) else other
        raise ValueError(f"{told}, since several can be built.")
    if isinstance(splits, str) or "split" in options:
        one = options.get("split", splits)
        raise ValueError(f"{one!r} is one split, but several are built: write splits=[{one!r}].")
    given = {
        name: os.fspath(value) if isinstance(value, os.PathLike) else value
        for name, value in sorted(options.items())
    }
    files = {name: Path(text) for name, text in given.items() if isinstance(text, str)}
    hashes = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if path.suffix and os.path.isfile(path)  # no error where a long text is no path
    }
    packages = {name: version(name) for name in ("logic-curriculum", "pyarrow")}
    versions = {**packages, **registry.family(family).versions()}
    record = {"option_files": hashes, "versions": versions, **versions_of_all([family])}
    asked = _levels(family, given.get("preset"), levels)
    counts = _sizes(family, given, asked, splits, sizes)
    return Plan(family, counts, seed, given, record)


def claim_folder(folder: Path, plan: Plan) -> None:
    """Record a plan in a new or empty folder, or refuse one that holds anything else."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        others = folder.iterdir() if folder.is_dir() else ()
        if folder.is_file() or not all(path.suffix == PARTIAL for path in others):
            raise ValueError(
                f"{folder} exists and is not a dataset of this builder (no {MANIFEST}): nothing in "
                "it was changed. Name a folder that is new or empty."
            )
        write_text(manifest, plan.manifest())
    there = json.loads(manifest.read_text(encoding="utf-8"))
    here = json.loads(plan.manifest())
    if changed := [name for name in {**here, **there} if there.get(name) != here.get(name)]:
        told = "; ".join(f"{n}: {there.get(n)} there, {here.get(n)} asked" for n in changed)
        raise ValueError(
            f"{folder} holds a dataset with other arguments ({told}): nothing in "
            "it was changed. Name another folder, or delete this one to build it again."
        )


def _levels(family: str, preset: str | None, levels: Iterable[int] | None) -> list[int]:
    valid = registry.family(family).levels(preset)
    if isinstance(levels, str):
        raise ValueError(f"levels is the text {levels!r}: give a list of numbers, such as [1, 2].")
    given = list(valid if levels is None else levels)
    wrong = sorted(set(given) - set(valid))
    if wrong or not given:
        raise ValueError(
            f"Levels {wrong or 'list is empty'}: {preset or family} has levels {min(valid)} to "
            f"{max(valid)}. Choose among them."
        )
    return sorted(set(given))


def _sizes(
    family: str,
    options: Mapping[str, Any],
    levels: list[int],
    splits: Sequence[str] | None,
    sizes: Mapping[str, int] | None,
) -> dict[str, dict[int, int]]:
    """Return the number of tasks by split and level: as given, or the published ones."""
    if splits is not None and sizes is not None and {*splits} != {*sizes}:
        raise ValueError(
            f"Splits {list(splits)} and sizes {dict(sizes)}: sizes name their splits themselves. "
            "Give one of the two, or the same splits in both."
        )
    for split, count in (sizes or {}).items():
        if not isinstance(count, int) or count < 1:
            raise ValueError(
                f"{count!r} tasks for split {split!r}: give a whole number of tasks, at least 1. "
                "Leave the split out if you do not want it."
            )
    published, preset = registry.family(family).published_sizes, options.get("preset")
    offered = published(levels[0], preset) if sizes is None else SPLITS
    known = [split for split in SPLITS if split in offered]
    named = next(names for names in (sizes, splits, known) if names is not None)
    if (wrong := [split for split in named if split not in known]) or not named:
        other = "" if len(known) == len(SPLITS) else ", or give sizes of your own"
        raise ValueError(
            f"Split {', '.join(map(repr, wrong)) or 'list is empty'}: the splits are "
            f"{', '.join(known)}. Choose among them{other}."
        )
    found: dict[str, dict[int, int]] = {split: {} for split in known if split in named}
    for split, level in itertools.product(found, levels):
        count = published(level, preset)[split] if sizes is None else sizes[split]
        available = available_tasks(family, level, split, options)
        if available and sizes is None:
            count = min(count, available)
        check_available(family, level, split, count, options)
        found[split][level] = count
    return found
