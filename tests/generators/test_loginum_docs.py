"""docs/tasks-loginum.md: its table of levels and presets."""

from __future__ import annotations

import re
from pathlib import Path

from logic_curriculum.generators.loginum.levels import PRESETS
from logic_curriculum.generators.registry import family

DOCS = Path(__file__).parents[2] / "docs" / "tasks-loginum.md"
TEXT = DOCS.read_text(encoding="utf-8").partition("## The language")[0]


def test_the_table_is_the_one_that_describe_prints():
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    shown = [row for row in rows if row[0] == "ladder" or row[0] in PRESETS]
    printed = [re.split(r"  +", line) for line in family("loginum").describe().splitlines()]
    wanted = [row for row in printed if row[0] == "ladder" or row[0] in PRESETS]
    assert [row for row in shown if len(row) == 11] == wanted
