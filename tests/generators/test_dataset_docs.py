"""What docs/datasets.md shows is true."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from logic_curriculum.generators.__main__ import _parser
from logic_curriculum.generators.dataset import build_dataset

PAGE = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_python_block_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = blocks("python")
    names: dict[str, object] = {}
    exec(block, names)
    assert {split: len(part) for split, part in names["tasks"].items()} == {"train": 60, "test": 15}
    assert set(names["one_level"]["test"]["level"]) == {3}


@pytest.mark.parametrize(
    "command", [line for block in blocks("console") for line in block.splitlines() if line]
)
def test_each_command_is_accepted_by_the_parser(command):
    words = shlex.split(command, comments=True)
    words = words[words.index("logic_curriculum.generators") + 1 :]
    assert _parser("slr").parse_args(words).family == "slr"


def test_the_layout_is_what_a_build_writes(tmp_path):
    sizes = {"train": 1, "validation": 1, "test": 1}
    folder = build_dataset("slr", [1], out=tmp_path / "set", sizes=sizes, num_proc=1)
    written = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    (layout,) = blocks("text")
    shown = sorted(line.split()[0] for line in layout.splitlines()[1:] if line)
    assert shown == written
