"""Which rows a small dataset of each family holds."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
from pin_hash import combined
from pin_library import build_dataset


class Small(NamedTuple):
    """A dataset of few rows."""

    levels: tuple[int, ...]
    sizes: Mapping[str, int] | None
    """Rows of a level by split; None for the published ones."""
    options: Mapping[str, Any]


FEW = {"train": 3, "validation": 1, "test": 2}
DATASETS: Mapping[str, tuple[Small, ...]] = {
    "slr": (Small((1, 2), FEW, {}), Small((3, 12), FEW, {"language": "houses"})),
    "symbolization": (Small((1, 2), FEW, {}), Small((5,), FEW, {"language": "mixed"})),
    "countermodel": (Small((1, 2), FEW, {}), Small((7,), FEW, {"style": "paper"})),
    "validity": (Small((1, 2), FEW, {}),),
    "loginum": (Small((1, 2), FEW, {}), Small((4, 5), {"test": 3}, {"preset": "HL-HN"})),
    "sat": (Small((1, 2), FEW, {}), Small((3, 4), None, {"preset": "hard3sat"})),
}


def table(path: Path) -> Any:
    """Return what a Parquet file holds: columns, types, rows and the sizes of its row groups.

    Not its bytes, which depend on the version of pyarrow.
    """
    file = pq.ParquetFile(path)
    groups = [file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)]
    return [str(file.schema_arrow), groups, file.read().to_pylist()]


def dataset_pins(family: str) -> dict[str, dict[str, str]]:
    """Return dataset → file → hash of its content."""
    found = {}
    for small in DATASETS[family]:
        options = " ".join(f"{name}={value}" for name, value in small.options.items())
        with tempfile.TemporaryDirectory(prefix="pins-") as name:
            folder = build_dataset(
                family,
                small.levels,
                out=Path(name) / "dataset",
                sizes=small.sizes,
                seed=3,
                num_proc=1,
                **small.options,
            )
            found[options or "default"] = {
                path.relative_to(folder).as_posix(): combined([table(path)])
                for path in sorted(folder.rglob("*.parquet"))
            }
    return found
