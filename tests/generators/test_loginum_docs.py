"""docs/tasks-loginum.md: its table of levels and presets."""

from __future__ import annotations

from pathlib import Path

from logic_curriculum.generators.loginum.levels import LEVELS, PRESETS

DOCS = Path(__file__).parents[2] / "docs" / "tasks-loginum.md"
TEXT = DOCS.read_text(encoding="utf-8").partition("## The language")[0]


def test_the_table_has_the_sizes_of_each_level_and_preset():
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    tables = {"ladder": dict(enumerate(LEVELS, start=1))}
    tables |= {name: preset.configs for name, preset in PRESETS.items()}
    shown = [row for row in rows if len(row) == 11 and row[0] in tables]
    assert {row[0] for row in shown} == {*tables}
    for name, depths, *cells in shown:
        config = tables[name][int(depths.split("-")[0])]
        assert list(map(int, cells[:5])) == list(vars(config).values())[:5]
