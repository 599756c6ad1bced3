"""docs/tasks-loginum.md: what its code prints, and its table of levels and presets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from logic_curriculum.generators.loginum.levels import EXPRESSIONS, PRESETS
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards.engines.numeric.syntax import Expression

DOCS = Path(__file__).parents[2] / "docs" / "tasks-loginum.md"
TEXT = DOCS.read_text(encoding="utf-8").partition("## The language")[0]
BLOCKS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)


def test_there_are_an_example_and_an_extension():
    assert len(BLOCKS) == 2


@pytest.mark.parametrize(("code", "printed"), BLOCKS, ids=["example", "extension"])
def test_the_code_prints_what_stands_below_it(code, printed, capsys, monkeypatch):
    for registry in (EXPRESSIONS, PRESETS):
        for name in ("remainder", "mine"):
            monkeypatch.setitem(registry, name, None)  # so that it is taken out afterwards
            monkeypatch.delitem(registry, name)
    monkeypatch.setattr(Expression, "FUNCTIONS", dict(Expression.FUNCTIONS))
    exec(code, {"__name__": "__main__"})
    assert capsys.readouterr().out.rstrip("\n") == printed.rstrip("\n")


def test_the_table_is_the_one_that_describe_prints():
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    shown = [row for row in rows if row[0] == "ladder" or row[0] in PRESETS]
    printed = [re.split(r"  +", line) for line in family("loginum").describe().splitlines()]
    wanted = [row for row in printed if row[0] == "ladder" or row[0] in PRESETS]
    assert [row for row in shown if len(row) == 11] == wanted
