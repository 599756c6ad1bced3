"""What a dataset is made of: its arguments, checked, and their record in the dataset's folder."""

import hashlib
import itertools
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import pyarrow.parquet as pq

from logic_curriculum.common.files import PARTIAL, atomic_write
from logic_curriculum.generators import registry
from logic_curriculum.generators.dataset.files import TAKE_ALL, TaskFile
from logic_curriculum.generators.dataset.pieces import FOLDER, changes
from logic_curriculum.generators.family import check_integer
from logic_curriculum.generators.sampling import available_tasks, check_available
from logic_curriculum.generators.task import SPLITS
from logic_curriculum.rewards.registry import check_recorded, versions_of_all

MANIFEST = "manifest.json"
OWN = (MANIFEST, FOLDER)  # what another shard may put into the folder at any time


@dataclass(frozen=True)
class Plan:
    """Everything that determines a dataset's files."""

    family: str
    sizes: Mapping[str, Mapping[int, int]]  # number of tasks by split and level
    seed: int
    options: Mapping[str, Any]  # options of the family, by name
    option_files: Mapping[str, str]  # SHA-256 of the content of each option that names a file
    versions: Mapping[str, str]  # versions of the software that decides the files' bytes
    task_versions: Mapping[str, int]  # version of the family's tasks, under its name
    reward_versions: Mapping[str, int]  # version of the reward that the rows are judged by
    at_most: bool = False  # whether a level that has fewer tasks gives all of them

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels of the dataset, ascending."""
        return tuple(next(iter(self.sizes.values())))

    def files(self) -> list[TaskFile]:
        """Return the files to build, in order."""
        return [
            TaskFile(self.family, split, level, count, self.seed, self.options, self.at_most)
            for split, counts in self.sizes.items()
            for level, count in counts.items()
        ]

    def manifest(self) -> str:
        """Return the plan as JSON text."""
        said = {name: value for name, value in self.__dict__.items() if name != "at_most" or value}
        return json.dumps(said, indent=2) + "\n"

    def built(self, folder: Path) -> Self:
        """Return the plan with the numbers of tasks that the folder's files hold."""
        sizes: dict[str, dict[int, int]] = {split: {} for split in self.sizes}
        for file in self.files():
            sizes[file.split][file.level] = pq.read_metadata(folder / file.path).num_rows
        return replace(self, sizes=sizes)


def make_plan(
    family: str,
    levels: Iterable[int] | None,
    *,
    splits: Sequence[str] | None,
    sizes: Mapping[str, int] | None,
    seed: int,
    options: Mapping[str, Any],
    at_most: bool = False,
) -> Plan:
    """Check the arguments of :func:`build_dataset`, by ``ValueError``, and fill in its defaults."""
    check_integer("seed", seed)
    if isinstance(levels, int) or isinstance(sizes, int):
        raise ValueError(
            f"levels is {levels} and sizes {sizes}, but several of both are built: write "
            'levels=[1, 2] and sizes={"train": 100, "test": 10}.'
        )
    if isinstance(splits, str) or "split" in options:
        raise ValueError(
            f"{splits or options['split']} is one split, but several are built: write "
            'splits=["train", "test"].'
        )
    if at_most and sizes is None:
        raise ValueError(
            "at_most is of sizes, and there are none: give them (--count N) or leave it out. The "
            "published sizes are cut to what a level has anyway."
        )
    given = {
        name: os.fspath(value) if isinstance(value, os.PathLike) else value
        for name, value in sorted(options.items())
    }
    return _with_versions(
        family=family,
        sizes=_sizes(
            family, given, _levels(family, given.get("preset"), levels), splits, sizes, at_most
        ),
        seed=seed,
        options=given,
        at_most=at_most,
    )


def _with_versions(family: str, options: Mapping[str, Any], **others: Any) -> Plan:
    paths = {name: Path(value) for name, value in options.items() if isinstance(value, str)}
    packages = {name: version(name) for name in ("logic-curriculum", "pyarrow")}
    return Plan(
        family=family,
        options=options,
        option_files={
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in paths.items()
            if path.suffix and path.is_file()
        },
        versions={**packages, **registry.family(family).versions()},
        **others | versions_of_all([family]),
    )


def read_plan(folder: Path) -> Plan:
    """Return the plan of a dataset's folder; a ``ValueError`` if it has none or other versions."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise ValueError(
            f"{folder} holds no dataset of this builder (no {MANIFEST}): name the folder that "
            "`logic-curriculum generate … --shard K/N --out` wrote to."
        )
    there = json.loads(manifest.read_text(encoding="utf-8"))
    sizes = {
        split: {int(level): count for level, count in counts.items()}
        for split, counts in there["sizes"].items()
    }
    given = {"sizes": sizes, "seed": there["seed"], "at_most": there.get("at_most", False)}
    plan = _with_versions(there["family"], there["options"], **given)
    _check_same(manifest, plan)
    return plan


def claim_folder(folder: Path, plan: Plan) -> None:
    """Record a plan in a new or empty folder, or refuse one that holds anything else."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        others = folder.iterdir() if folder.is_dir() else ()
        known = all(path.suffix == PARTIAL or path.name in OWN for path in others)
        if folder.is_file() or not known:
            raise ValueError(
                f"{folder} exists and is not a dataset of this builder (no {MANIFEST}): nothing in "
                "it was changed. Name a folder that is new or empty."
            )
        with atomic_write(manifest, shared=True) as partial:  # shards may start at the same time
            partial.write_text(plan.manifest(), encoding="utf-8")
    _check_same(manifest, plan)


def _check_same(manifest: Path, plan: Plan) -> None:
    there = json.loads(manifest.read_text(encoding="utf-8"))
    here = json.loads(plan.manifest())
    if there.get("family") == plan.family:
        check_recorded(f"The dataset in {manifest.parent}", there, [plan.family])
    if differences := changes(there, here):
        raise ValueError(
            f"{manifest.parent} holds a dataset with other arguments ({differences}): nothing in "
            "it was changed. Name another folder, or delete this one to build it anew."
        )


def _levels(family: str, preset: str | None, levels: Iterable[int] | None) -> list[int]:
    valid = registry.family(family).levels(preset)
    given = list(valid if levels is None else levels)
    for level in given:
        check_integer("level", level)
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
    at_most: bool,
) -> dict[str, dict[int, int]]:
    if sizes is None:
        return _published_sizes(family, options, levels, splits)
    if splits is not None:
        raise ValueError(
            f"Splits {list(splits)} and sizes {dict(sizes)}: sizes name their splits themselves. "
            "Give one of the two."
        )
    chosen = _chosen_splits(sizes, SPLITS)
    for split, count in sizes.items():
        check_integer(f"sizes[{split!r}]", count)
        if count < 1:
            raise ValueError(
                f"{count} tasks for split {split!r}: a split holds at least 1 task per level. "
                "Leave the split out if you do not want it."
            )
    size = partial(_size, family, options=options, at_most=at_most)
    return {
        split: {level: size(level, split, sizes[split]) for level in levels} for split in chosen
    }


def _size(
    family: str, level: int, split: str, count: int, options: Mapping[str, Any], at_most: bool
) -> int:
    """Return how many tasks a level gives; a ``ValueError`` where it has too few or none."""
    found = available_tasks(family, level, split, options)
    if found and at_most:
        return min(count, found)
    check_available(family, level, split, count, options, TAKE_ALL)
    return count


def _published_sizes(
    family: str, options: Mapping[str, Any], levels: list[int], splits: Sequence[str] | None
) -> dict[str, dict[int, int]]:
    """Return the published sizes of splits, by default of all; all tasks, where there are fewer."""
    sizes_of, preset = registry.family(family).published_sizes, options.get("preset")
    offered = sizes_of(levels[0], preset)
    chosen = _chosen_splits(offered if splits is None else splits, offered)
    sizes: dict[str, dict[int, int]] = {split: {} for split in chosen}
    for split, level in itertools.product(chosen, levels):
        wanted = sizes_of(level, preset)[split]
        sizes[split][level] = _size(family, level, split, wanted, options, at_most=True)
    return sizes


def _chosen_splits(named: Collection[str], offered: Collection[str]) -> list[str]:
    """Return the splits in their usual order, after checking that they are offered."""
    known = [split for split in SPLITS if split in offered]
    chosen = [split for split in known if split in named]
    wrong = [split for split in named if split not in known]
    if wrong or not chosen:
        other = "" if len(known) == len(SPLITS) else ", or give sizes of your own"
        raise ValueError(
            f"Split {', '.join(map(repr, wrong)) or 'list is empty'}: the splits are "
            f"{', '.join(known)}. Choose among them{other}."
        )
    return chosen
