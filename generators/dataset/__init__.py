"""Many tasks: built in parallel, resumable, split without leaks, written as Parquet and a card."""

import itertools
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from logic_curriculum.generators.atomic import atomic_write
from logic_curriculum.generators.dataset.card import render_card
from logic_curriculum.generators.dataset.plan import claim_folder, make_plan
from logic_curriculum.generators.dataset.shards import Shard, build_shard


def build_dataset(
    family: str,
    levels: Iterable[int] | None = None,
    *,
    out: str | Path,
    splits: Sequence[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    seed: int = 0,
    num_proc: int | None = None,
    **options: Any,
) -> Path:
    """Build a dataset of tasks, or finish one that was interrupted.

    Afterwards the folder, which is returned, holds one Parquet file per split and level, a dataset
    card and a manifest; ``datasets.load_dataset(out)`` reads it. The files depend on the arguments
    only, not on ``num_proc``, on interruptions or on Python's hash seed. A finished file is not
    built again, so the same call continues a build that was killed.

    Args:
        family: Name of a family, see :func:`logic_curriculum.generators.families`.
        levels: Curriculum levels; all of the family's by default.
        out: Folder to write; new, empty, or holding a build with the same arguments.
        splits: Splits to build in their published sizes; by default all that have one.
        sizes: Instead of ``splits``, tasks per level for each split, e.g. ``{"train": 100}``.
        seed: Determines the tasks.
        num_proc: Number of worker processes; by default one per CPU.
        options: Options of the family, e.g. ``style`` and ``language``.

    Raises:
        ValueError: An argument is out of range, a level is known to have fewer tasks, or ``out``
            holds something else.
        RuntimeError: A level has too few distinct tasks, or :func:`verify` fails.
    """
    if num_proc is not None and num_proc < 1:
        raise ValueError(
            f"num_proc is {num_proc}: at least 1 process builds. Leave it out to use every CPU."
        )
    folder, processes = Path(out), num_proc or os.cpu_count() or 1
    plan = make_plan(family, levels, splits=splits, sizes=sizes, seed=seed, options=options)
    shards = plan.shards()
    for shard in shards[: len(plan.levels)]:
        shard.candidate(0)  # an option that no task can be made with leaves no folder behind
    claim_folder(folder, plan)
    for number, shard in enumerate(shards, 1):
        if not (folder / shard.path).exists():
            label = f"{family} {shard.split} level {shard.level} ({number}/{len(shards)})"
            build_shard(shard, folder, num_proc=processes, label=label)
    verify(folder, shards)
    with atomic_write(folder / "README.md") as partial:
        partial.write_text(render_card(plan, folder), encoding="utf-8")
    return folder


def verify(folder: Path, shards: Sequence[Shard]) -> None:
    """Check what was written: sizes, no task twice, no leak key of ``test`` in another split.

    Within a split, tasks of different levels may be equal; in different splits, none are. Where a
    family tells a task's ``question``, no question stands in two splits either. A ``RuntimeError``
    names the files that fail.
    """
    seen: dict[tuple[str, str], tuple[str, Path]] = {}
    for shard in shards:
        path = folder / shard.path
        rows = list(map(json.loads, pq.read_table(path, columns=["metadata"])[0].to_pylist()))
        distinct = len({row["fingerprint"] for row in rows})
        if not distinct == len(rows) == shard.count:
            raise RuntimeError(
                f"{path} holds {len(rows)} tasks, {distinct} of them distinct, where {shard.count} "
                "distinct ones belong. Delete the file and build again."
            )
        side = "test" if shard.split == "test" else "train and validation"
        sides = {"fingerprint": shard.split, "leak_key": side, "question": shard.split}
        for row, name in itertools.product(rows, sides):
            if name not in row:
                continue
            before, where = seen.setdefault((name, row[name]), (sides[name], path))
            if before != sides[name]:
                raise RuntimeError(
                    f"{path} and {where} share {row[name]!r}, but nothing of {sides[name]} may "
                    f"occur in {before}. The generator is to prevent this: report it, and do not "
                    "use this dataset."
                )
