"""Check the files of a dataset: nothing twice, and nothing on two sides."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from logic_curriculum.generators import registry
from logic_curriculum.generators.dataset.files import TaskFile


def verify(folder: Path, files: Sequence[TaskFile]) -> None:
    """Check what was written: sizes, no task twice, no leak key of ``test`` in another split.

    Within a split, tasks of different levels may be equal; in different splits, none are. Where a
    family tells a task's ``question``, no question stands in two splits either. A ``RuntimeError``
    names the files that fail.
    """
    seen: dict[bytes, tuple[str, Path]] = {}  # hashes, which are shorter than what they stand for
    for file in files:
        path = folder / file.path
        side = "test" if file.split == "test" else "train and validation"
        sides = {"fingerprint": file.split, "leak_key": side, "question": file.split}
        here = {name: (name_of_side, path) for name, name_of_side in sides.items()}
        fingerprints, count = set[bytes](), 0
        for row in _metadata(path):
            fingerprints.add(_hash("fingerprint", row["fingerprint"]))
            count += 1
            for name in here:
                if name not in row:
                    continue
                before, where = seen.setdefault(_hash(name, row[name]), here[name])
                if before != sides[name]:
                    raise RuntimeError(
                        f"{path} and {where} share {row[name]!r}, but nothing of {sides[name]} may "
                        f"occur in {before}. {_remedy(file.family)}, and don't use this dataset."
                    )
        fewer = file.at_most and count < file.count
        if len(fingerprints) != count or not (fewer or count == file.count):
            raise RuntimeError(
                f"{path} holds {count} tasks, {len(fingerprints)} of them distinct, where "
                f"{file.count} distinct ones belong. Delete the file and build again."
            )


def _remedy(family: str) -> str:
    if registry.is_own(family):
        return f"Mend make of {family}, which keeps splits apart (docs/own-family.md)"
    return "The generator is to prevent this: report it"


def _metadata(path: Path) -> Iterator[dict[str, Any]]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=100, columns=["metadata"]):
            yield from map(json.loads, batch[0].to_pylist())


def _hash(name: str, value: str) -> bytes:
    return hashlib.blake2b(f"{name} {value}".encode(), digest_size=16).digest()
