"""The paper's datasets: as many consistent and inconsistent tasks as Table 3 counts."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow.parquet as pq
import pytest

from logic_curriculum.generators import build_dataset, registry
from logic_curriculum.generators.dataset.plan import make_plan
from logic_curriculum.generators.sat.levels import PRESETS

# Variables, then consistent and inconsistent sets of hard3sat, uniform and symbolic.
TABLE_3 = """
 3  5 5  5 5  5 5
 4  4 5  5 5  5 5
 5  5 5  5 5  5 5
 6  3 5  5 5  5 5
 7  3 5  5 5  5 5
 8  4 5  5 5  5 5
 9  3 5  5 4  5 5
10  0 5  5 5  5 5
11  2 5  4 5  5 5
12  1 5  5 5  5 5
13  2 5  3 4  5 5
14  2 5  4 5  5 5
15  3 5  5 5  5 5
16  3 5  4 5  5 5
17  1 5  4 5  5 5
18  2 5  3 4  5 5
19  0 5  4 5  5 5
"""
TOTALS = {"hard3sat": (43, 85), "uniform": (76, 82), "symbolic": (85, 85)}


def columns() -> dict[str, dict[int, tuple[int, int]]]:
    rows = [list(map(int, line.split())) for line in TABLE_3.strip().splitlines()]
    return {
        name: {row[0]: (row[1 + 2 * place], row[2 + 2 * place]) for row in rows}
        for place, name in enumerate(TOTALS)
    }


@pytest.mark.parametrize("name", TOTALS)
def test_each_preset_has_the_counts_of_table_3(name):
    sets = PRESETS[name].sets
    counts = {n: (len(sizes[True]), len(sizes[False])) for n, sizes in sets.items()}
    assert counts == columns()[name]
    assert tuple(map(sum, zip(*counts.values(), strict=True))) == TOTALS[name]


@pytest.mark.parametrize("name", TOTALS)
def test_a_dataset_of_a_preset_is_made_of_both_kinds_in_those_numbers(name):
    plan = make_plan("sat", None, splits=None, sizes=None, seed=0, options={"preset": name})
    assert plan.levels == registry.family("sat").levels(name)
    for file in plan.files():
        parts = {part.options["target"]: part.count for part in file.parts}
        assert (parts.get("sat", 0), parts["unsat"]) == columns()[name][file.level]
        assert sum(parts.values()) == file.count
        assert file.split == "test"


@pytest.mark.parametrize(
    ("split", "count", "options"),
    [
        ("test", 20, {"preset": "hard3sat"}),  # another number than the paper's nine
        ("train", 9, {"preset": "hard3sat"}),  # the paper's number, of another split
        ("test", 9, {"preset": "hard3sat", "target": "unsat"}),
        ("test", 50, {}),  # the ladder
    ],
)
def test_elsewhere_a_coin_decides(split, count, options):
    assert registry.family("sat").published_parts(split, 4, count, options) == [(count, {})]


def test_each_of_the_rarer_kind_stands_with_its_match_and_places_tell_nothing(tmp_path):
    build_dataset("sat", [4, 10], out=tmp_path / "set", num_proc=1, preset="hard3sat")

    for level, expected in ((4, (4, 5)), (10, (0, 5))):
        table = pq.read_table(tmp_path / "set" / "data" / "test" / f"level-{level:02d}.parquet")
        rows = table.to_pylist()
        labels = [row["consistent"] for row in rows]
        assert (sum(labels), len(labels) - sum(labels)) == expected
        if all(expected):
            assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
        shapes = Counter(json.loads(row["metadata"])["shape_key"] for row in rows)
        twins = Counter({2: expected[0], 1: expected[1] - expected[0]})
        assert Counter(shapes.values()) == twins
