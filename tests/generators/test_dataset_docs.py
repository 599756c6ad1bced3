"""The layout that docs/datasets.md shows is what a build writes."""

from __future__ import annotations

import re
from pathlib import Path

from logic_curriculum.generators.dataset import build_dataset

PAGE = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text(encoding="utf-8")


def test_the_layout_is_what_a_build_writes(tmp_path):
    sizes = {"train": 1, "validation": 1, "test": 1}
    folder = build_dataset("slr", [1], out=tmp_path / "set", sizes=sizes, num_proc=1)
    written = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    (layout,) = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
    shown = sorted(line.split()[0] for line in layout.splitlines()[1:] if line)
    assert shown == written
