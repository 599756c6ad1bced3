"""Many tasks: made in parallel, resumable, distinct, without leaks, as Parquet and a card."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import write_text
from logic_curriculum.common.processes import cores
from logic_curriculum.generators.dataset.card import render_card
from logic_curriculum.generators.dataset.files import (
    FOLDER,
    by_processes,
    check_files,
    cluster,
    write_files,
)
from logic_curriculum.generators.dataset.plan import claim_folder, make_plan
from logic_curriculum.generators.registry import check_solutions

__all__ = ["build_dataset"]


def build_dataset(
    family: str,
    levels: Iterable[int] | None = None,
    *,
    out: str | Path,
    splits: Sequence[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    seed: int = 0,
    num_proc: int | None = None,
    ray: str | None = None,
    push_to_hub: str | None = None,
    **options: Any,
) -> Path:
    """Build a dataset of tasks, or finish one that was interrupted.

    Afterwards the folder, which is returned, holds one Parquet file per split and level, a dataset
    card and a manifest; ``datasets.load_dataset(out)`` reads it. The files depend on the arguments
    only, not on ``num_proc``, ``ray``, interruptions or Python's hash seed. What is finished is not
    made again, so the same call continues a build that was killed.

    Args:
        family: Name of a family, see :func:`logic_curriculum.generators.families`.
        levels: Curriculum levels; all of the family's by default.
        out: Folder to write; new, empty, or holding a build with the same arguments.
        splits: Splits to build in their published sizes; by default all that have one.
        sizes: Instead of ``splits``, tasks per level for each split, e.g. ``{"train": 100}``.
        seed: Determines the tasks.
        num_proc: Number of worker processes; by default one per CPU that this process may use.
        ray: Instead of processes, the address of a Ray cluster, whose machines all see ``out``:
            ``"auto"``, or ``"local"`` for one of this machine. All its CPUs work.
        push_to_hub: Repository on the Hugging Face hub, e.g. ``"me/slr"``, that gets the folder.
        options: Options of the family, e.g. ``style`` and ``language``.

    Raises:
        ValueError: An argument is out of range, a level is known to have fewer tasks, or ``out``
            holds something else.
        RuntimeError: A level has too few distinct tasks, or a judge doesn't accept a solution, or
            splits share what they may not.
    """
    if num_proc is not None and num_proc < 1:
        raise ValueError(
            f"num_proc is {num_proc}: give at least 1 (--num-proc 1), or leave it out for all CPUs"
        )
    folder = Path(out)
    plan = make_plan(family, levels, splits=splits, sizes=sizes, seed=seed, options=options)
    group = cluster(ray) if ray else partial(by_processes, num_proc or cores())
    files = plan.files()
    for file in files[: len(plan.levels)]:
        # an option that no task can be made with leaves no folder behind
        check_solutions([file.candidate(0)])
    if push_to_hub:
        from huggingface_hub import HfApi

        # who may not write there hears it before the work
        HfApi().create_repo(push_to_hub, repo_type="dataset", exist_ok=True)
    claim_folder(folder, plan)
    write_files(files, folder, group)
    check_files(files, folder, group)
    write_text(folder / "README.md", render_card(plan, folder))
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    if push_to_hub:
        HfApi().upload_folder(repo_id=push_to_hub, repo_type="dataset", folder_path=folder)
    return folder
