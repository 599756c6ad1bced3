"""Tasks that SFT learns from, the levels one after the other, and tasks that are kept out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accelerate import PartialState
from datasets import Dataset, concatenate_datasets, load_dataset

from logic_curriculum.curriculum.sft_examples import Encoder
from logic_curriculum.curriculum.skill_tasks import as_messages
from logic_curriculum.generators import Task, build_dataset, generate
from logic_curriculum.generators.seeding import derive_seed


def training_set(
    folder: Path,
    levels: Sequence[int],
    sizes: Sequence[int],
    encoder: Encoder,
    seed: int,
    options: Mapping[str, Any],
    conversational: bool,
) -> Dataset:
    """Return the tokens of distinct training tasks, in the order of their levels.

    The main process builds the tasks on all cores; what is in the folder already is read.

    Args:
        folder: Where the tasks are kept, a folder of ``generators.build_dataset`` for each level.
        levels: The levels, in the order in which they are learnt.
        sizes: Tasks of each level, or one number for all.
        encoder: Makes tokens of a row.
        seed: Seed of the tasks.
        options: Options of ``logic_curriculum.generators.generate``.
        conversational: Whether prompts and solutions become chat messages.

    Returns:
        Columns ``input_ids`` and ``labels``.

    Raises:
        ValueError: If there are neither as many sizes as levels nor one, or a task is too long.
        RuntimeError: If a level has fewer distinct tasks than asked for.
    """
    if len(sizes) not in (1, len(levels)):
        raise ValueError(
            f"train_sizes has {len(sizes)} numbers for {len(levels)} levels, so it is unclear "
            "which level each is for: give one number for each level, or one for all."
        )
    each = list(sizes) * len(levels) if len(sizes) == 1 else sizes
    with PartialState().main_process_first():
        parts = [
            _level(folder / f"level_{level:02d}", level, size, seed, options)
            for level, size in zip(levels, each, strict=True)
        ]
        rows = concatenate_datasets(parts)
        return rows.map(
            lambda row: encoder.encode(as_messages(row) if conversational else row),
            remove_columns=rows.column_names,
        )


def _level(folder: Path, level: int, size: int, seed: int, options: Mapping[str, Any]) -> Dataset:
    built = build_dataset("slr", [level], out=folder, sizes={"train": size}, seed=seed, **options)
    files = sorted(str(path) for path in (built / "data" / "train").glob("*.parquet"))
    return load_dataset("parquet", data_files=files, columns=["prompt", "completion"])["train"]


def training_row(
    options: Mapping[str, Any], conversational: bool, family: str, level: int, seed: int
) -> dict[str, Any]:
    """Return ``prompt`` and ``completion`` of the training task of a seed."""
    task = generate(family, level, seed, split="train", **options)
    row = {"prompt": task.prompt, "completion": task.solution}
    return as_messages(row) if conversational else row


def held_out(
    splits: Sequence[str], levels: int, count: int, seed: int, options: Mapping[str, Any]
) -> list[Task]:
    """Return tasks for evaluations: ``count`` of each split and each level from 1.

    A level that has few tasks may have one of them twice.
    """
    return [
        generate(
            "slr",
            level=level,
            seed=derive_seed("evaluation", split, level, seed, index),
            split=split,
            **options,
        )
        for split in splits
        for level in range(1, levels + 1)
        for index in range(count)
    ]
