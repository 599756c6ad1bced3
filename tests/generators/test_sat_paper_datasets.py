"""The paper's datasets: sizes against its tables, and Algorithm 1's inputs as options."""

from __future__ import annotations

import json
from collections import Counter
from statistics import fmean, stdev

import pyarrow.parquet as pq
import pytest

from logic_curriculum.generators import build_dataset, generate, registry
from logic_curriculum.generators.dataset.plan import make_plan
from logic_curriculum.generators.sampling import published_tasks
from logic_curriculum.generators.sat.levels import PRESETS
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.propositional import parse, variables

PAPER = [name for name in PRESETS if name.endswith("-paper")]
# Table 4: consistent and inconsistent sets by interval of clauses.
TABLE_4 = {
    "hard3sat-paper": ([13, 14, 7, 8, 1, 0, 0, 0], [0, 10, 15, 10, 10, 15, 10, 15]),
    "uniform-paper": ([63, 13, 0, 0, 0, 0, 0, 0], [5, 10, 14, 12, 7, 20, 7, 7]),
    "symbolic-paper": ([13, 25, 22, 17, 7, 1, 0, 0], [0, 10, 15, 10, 10, 15, 10, 15]),
}
# Tables 5 and 6: mean and deviation of the number of sentences, by variables and by interval.
TABLE_5 = {
    "hard3sat-paper": "9.1 3.11 12.89 4.91 15.5 5.87 19.88 7.12 23.62 7.46 25.89 9.83 31.12 9.49 "
    "42.0 0.0 40.14 10.01 47.0 9.8 46.71 14.2 51.57 12.7 51.5 15.91 55.25 18.09 66.17 14.29 "
    "65.43 18.14 80.0 0.0",
    "uniform-paper": "3.0 0.0 9.9 6.64 11.0 8.07 13.6 9.67 16.0 12.1 17.0 12.54 18.67 14.87 "
    "23.8 16.68 26.78 20.1 29.1 23.07 31.14 21.75 36.56 27.51 32.3 23.44 40.33 28.27 38.11 26.97 "
    "45.71 34.67 51.11 36.87",
}
TABLE_6 = {
    "hard3sat-paper": "7.62 1.5 14.92 3.06 25.45 3.05 35.72 2.24 43.82 2.09 55.0 3.38 65.5 2.64 "
    "76.0 3.38",
    "uniform-paper": "5.96 2.36 14.04 2.87 25.21 2.81 36.5 3.15 44.0 2.38 56.3 3.11 65.71 3.25 "
    "83.71 6.85",
}
GROUPS = {"hard3sat-paper": 41, "uniform-paper": 56, "symbolic-paper": 46}  # Tables 2 and 7
DIFFERENT = {"hard3sat-paper": [], "uniform-paper": [(23.07, 23.08), (34.67, 34.68), (3.11, 3.25)]}
"""Deviations that come out otherwise: printed and ours."""


def interval(clauses: int) -> int:
    return min((clauses - 1) // 10, 7)


def differing(groups: list[list[int]], printed: str) -> list[tuple[float, float]]:
    """Return the deviations that differ from the printed ones, with ours; no mean may differ."""
    numbers, found = list(map(float, printed.split())), []
    for sizes, mean, deviation in zip(groups, numbers[::2], numbers[1::2], strict=True):
        assert fmean(sizes) == pytest.approx(mean, abs=0.00501)
        if stdev(sizes) != pytest.approx(deviation, abs=0.00501):
            found.append((deviation, round(stdev(sizes), 2)))
    return found


@pytest.mark.parametrize("name", PAPER)
def test_the_sizes_of_the_paper_s_sets_are_those_of_its_tables(name):
    sets = PRESETS[name].sets.values()
    for status, expected in zip((True, False), TABLE_4[name], strict=True):
        found = Counter(interval(c) for s in sets for c in s[status])
        assert [found[place] for place in range(8)] == expected
    every = [[*sizes[True], *sizes[False]] for sizes in sets]
    flat = [clauses for sizes in every for clauses in sizes]
    assert len(set(flat)) == GROUPS[name]
    if name in TABLE_5:
        by_interval = [[c for c in flat if interval(c) == place] for place in range(8)]
        found = differing(every, TABLE_5[name]) + differing(by_interval, TABLE_6[name])
        assert found == DIFFERENT[name]


@pytest.mark.parametrize("name", PAPER)
def test_tasks_and_datasets_have_the_composition(name):
    sizes = PRESETS[name].sets
    levels = [3, 5, 12]
    tasks = published_tasks("sat", levels, 0, preset=name)
    found = Counter((t.level, t.verification["satisfiable"], t.metadata["clauses"]) for t in tasks)
    assert found == Counter(
        (n, status, clauses) for n in levels for status in sizes[n] for clauses in sizes[n][status]
    )
    plan = make_plan("sat", [12], splits=None, sizes=None, seed=0, options={"preset": name})
    (file,) = plan.files()
    parts = {(p.options["target"], p.options["clauses"]): p.count for p in file.parts}
    assert sum(parts.values()) == file.count == sum(map(len, sizes[12].values()))
    drawn = {generate("sat", 12, seed, preset=name).metadata["clauses"] for seed in range(9)}
    assert drawn <= {clauses for status in sizes[12] for clauses in sizes[12][status]}


def test_what_the_paper_has_none_of_is_refused():
    with pytest.raises(ValueError, match="counts no such set"):
        generate("sat", 10, 0, preset="hard3sat-paper", target="sat")
    with pytest.raises(ValueError, match="are of test"):
        published_tasks("sat", [3], 0, "train", preset="hard3sat-paper")


@pytest.mark.parametrize("target", ["sat", "unsat"])
@pytest.mark.parametrize("mode", ["uniform", "3sat"])
@pytest.mark.parametrize("matched", [True, False])
def test_the_inputs_of_algorithm_1_are_options(target, mode, matched):
    asked = {"variables": 5, "clauses": 20, "mode": mode, "target": target, "matched": matched}
    for seed in range(3):
        task = generate("sat", 1, seed, max_depth=2, **asked)
        formulas = list(map(parse, task.verification["formulas"]))
        assert len(formulas) == task.metadata["clauses"] == 20
        assert len(variables(*formulas)) == task.metadata["variables"] == 5
        assert task.verification["satisfiable"] is (target == "sat")
        assert task.metadata["depth"] <= (1 if mode == "3sat" else 2)
        assert judge("sat", task.solution, task.verification).solved


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"variables": 1}, "variables=1: .*greater than or equal to 2"),
        ({"variables": 40}, "variables=40: .*less than or equal to 20"),
        ({"clauses": 0}, "clauses=0"),
        ({"negated": 1.0}, "negated=1.0: .*less than 1"),
        ({"nested": -0.1}, "nested=-0.1"),
        ({"max_depth": 0}, "max_depth=0"),
        ({"operators": "∧∨"}, "without ¬"),
        ({"operators": "¬+"}, "operators='¬\\+'"),
        ({"mode": "cnf"}, "choose one of uniform, 3sat"),
        ({"mode": "3sat", "clauses": 5, "variables": 5}, "Ask for 9 or more"),
        ({"mode": "3sat", "clauses": 4, "variables": 3}, "Ask for 5 or more"),
        ({"mode": "3sat", "clauses": 9, "variables": 2}, "three different"),
        ({"clauses": 2}, r"^clauses=2 with 5 .* Ask for 3 or more, or for .* \(matched=False\)"),
        ({"operators": "¬"}, "operators='¬'"),
        ({"mode": "3sat", "clauses": 100, "variables": 4, "matched": False}, "always inconsistent"),
        ({"clauses": 1, "variables": 12, "matched": False}, "no place for every variable"),
    ],
)
def test_what_can_not_be_is_refused_in_a_line(options, said):
    with pytest.raises(ValueError, match=said) as refused:
        generate("sat", 4, 0, **options)
    assert "\n" not in str(refused.value)


def test_a_set_that_is_not_found_is_given_up_with_a_reason():
    asked = {"mode": "3sat", "variables": 6, "clauses": 6, "matched": False, "target": "unsat"}
    with pytest.raises(RuntimeError, match="Ask for more clauses"):
        generate("sat", 1, 0, **asked)


# Datasets of matched pairs

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
