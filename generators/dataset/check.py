"""Check the files of a dataset: nothing twice, and nothing on two sides."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from logic_curriculum.generators import registry
from logic_curriculum.generators.dataset.grouping import Grouping
from logic_curriculum.generators.dataset.plan import TaskFile
from logic_curriculum.generators.task import SPLITS

SIDES = {
    "fingerprint": SPLITS,
    "leak_key": ("train or validation", "train or validation", "test"),
    "question": SPLITS,
}
"""Key in a task's metadata → on which side of the dataset the tasks of each split are."""
_APART = 2**20  # how far the numbers of two sides are apart; files are numbered in between


def check_files(files: Sequence[TaskFile], folder: Path, group: Grouping) -> None:
    """Check what was written: sizes, no task twice, no leak key of ``test`` in another split.

    Within a split, tasks of different levels may be equal; in different splits, none are. Where a
    family tells a task's ``question``, no question is in two splits either. A ``RuntimeError``
    names the files that fail.
    """
    for file in files:
        count = pq.read_metadata(folder / file.path).num_rows
        if count != file.count and not (file.at_most and count < file.count):
            raise RuntimeError(
                f"{folder / file.path} holds {count} tasks, where {file.count} belong. Delete the "
                "file and build again."
            )
    keys = partial(_keys, files=files, folder=folder.resolve())
    for wrong in group(keys, range(len(files)), _on_two_sides, "checking").to_pylist():
        one, other = (files[wrong[end] % _APART] for end in ("high", "low"))
        name, _, value = wrong["key"].partition(" ")
        if name not in SIDES:
            raise RuntimeError(
                f"{folder / one.path} holds task {value} twice. Delete the file and build again."
            )
        here, there = (SIDES[name][wrong[end] // _APART] for end in ("high", "low"))
        remedy = "The generator is to prevent this: report it"
        if registry.is_own(one.family):
            remedy = f"Mend make of {one.family}, which keeps splits apart (docs/own-family.md)"
        raise RuntimeError(
            f"{folder / one.path} and {folder / other.path} share {value!r}, but nothing of {here} "
            f"may occur in {there}. {remedy}, and don't use this dataset."
        )


def _keys(place: int, files: Sequence[TaskFile], folder: Path) -> Iterator[tuple[str, int]]:
    """Yield what may not recur of each row of a file, with its side: a number and the file's."""
    split = SPLITS.index(files[place].split)
    with pq.ParquetFile(folder / files[place].path) as file:
        batches = file.iter_batches(columns=["metadata"])
        rows = (json.loads(text) for batch in batches for text in batch[0].to_pylist())
        for number, row in enumerate(rows):
            yield f"{place} {row['fingerprint']}", number * _APART + place  # a side of its own
            for name, sides in SIDES.items():
                if name in row:
                    yield f"{name} {row[name]}", sides.index(sides[split]) * _APART + place


def _on_two_sides(groups: pa.Table) -> pa.Table:
    low, high = (pc.divide(groups[name], _APART) for name in ("low", "high"))
    return groups.filter(pc.not_equal(low, high))
