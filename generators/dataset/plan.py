"""What a dataset is made of: its arguments, checked, and their record in the dataset's folder."""

import hashlib
import itertools
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from logic_curriculum.generators import registry
from logic_curriculum.generators.atomic import PARTIAL, atomic_write
from logic_curriculum.generators.dataset.files import TaskFile
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
        return json.dumps(self.__dict__, indent=2) + "\n"


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
        raise ValueError(
            f"levels is {levels} and sizes {sizes}, but several of both are built: write "
            'levels=[1, 2] and sizes={"train": 100, "test": 10}.'
        )
    if isinstance(splits, str) or "split" in options:
        raise ValueError(
            f"{splits or options['split']} is one split, but several are built: write "
            'splits=["train", "test"].'
        )
    given = {
        name: os.fspath(value) if isinstance(value, os.PathLike) else value
        for name, value in sorted(options.items())
    }
    return _with_versions(
        family=family,
        sizes=_sizes(family, given, _levels(family, given.get("preset"), levels), splits, sizes),
        seed=seed,
        options=given,
    )


def _with_versions(
    family: str, sizes: Mapping[str, Mapping[int, int]], seed: int, options: Mapping[str, Any]
) -> Plan:
    paths = {name: Path(value) for name, value in options.items() if isinstance(value, str)}
    packages = {name: version(name) for name in ("logic-curriculum", "pyarrow")}
    return Plan(
        family=family,
        sizes=sizes,
        seed=seed,
        options=options,
        option_files={
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in paths.items()
            if path.suffix and path.is_file()
        },
        versions={**packages, **registry.family(family).versions()},
        **versions_of_all([family]),
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
    plan = _with_versions(there["family"], sizes, there["seed"], there["options"])
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
        for level in levels:
            check_available(family, level, split, count, options)
    return {split: dict.fromkeys(levels, sizes[split]) for split in chosen}


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
        found = available_tasks(family, level, split, options)
        if found == 0:
            check_available(family, level, split, wanted, options)
        sizes[split][level] = wanted if found is None else min(wanted, found)
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
