"""Presets of LogiNumSynth: Table 7, the levels they have, and who else has none."""

from __future__ import annotations

import itertools

import pytest

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.dataset.plan import make_plan
from logic_curriculum.generators.loginum.levels import LEVELS, PRESETS, TIERS

LOGINUM = registry.family("loginum")
# Copied from the paper once more: entities, attributes, relationships, facts, rules, depths,
# conditions, weights of expressions, weights of parts, operands, size.
TABLE_7 = """
EL-EN    10 15 10 15   15  1-3  1-1 1,1,1,0 1,1,1 1..10     500
EL-HN    10 15 10 15   15  1-3  1-1 0,0,1,1 1,1,1 -100..100 500
HL-EN    10 15 10 15   15  4-6  2-3 1,1,1,0 1,1,1 1..10     500
HL-HN    10 15 10 15   15  4-6  2-3 0,0,1,1 1,1,1 -100..100 500
exHL-HN  30 40 40 15*d 5*d 7-10 3-6 0,0,1,1 1,1,1 -100..100 400
EL-Train 10 15 10 15   15  1-3  1-1 1,1,2,2 1,1,2 -100..100 5000
EN-Train 10 15 10 15   15  4-6  2-3 1,1,1,0 1,1,1 1..10     5000
"""
ROWS = {line.split()[0]: line.split()[1:] for line in TABLE_7.strip().splitlines()}


def numbers(text: str, between: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(between))


def count(text: str, depth: int) -> int:
    return int(text.removesuffix("*d")) * (depth if text.endswith("*d") else 1)


@pytest.mark.parametrize("name", ROWS)
def test_a_preset_is_its_row_of_table_7(name):
    cells = ROWS[name]
    first, last = numbers(cells[5], "-")
    preset = PRESETS[name]
    assert list(preset.configs) == list(range(first, last + 1))
    assert preset.size == int(cells[10])
    for depth, config in preset.configs.items():
        assert (config.entities, config.attributes, config.relations) == tuple(map(int, cells[:3]))
        assert (config.facts, config.rules) == (count(cells[3], depth), count(cells[4], depth))
        assert config.conditions == numbers(cells[6], "-")
        assert tuple(config.expressions.values()) == numbers(cells[7], ",")
        assert tuple(config.parts.values()) == numbers(cells[8], ",")
        assert list(config.expressions) == ["constant", "retrieval", "calculation", "aggregation"]
        assert config.operands == numbers(cells[9], "..")


def test_there_are_no_other_presets():
    assert list(PRESETS) == list(ROWS)


def test_published_sizes_spread_over_the_depths_and_add_up():
    for name, preset in PRESETS.items():
        sizes = [LOGINUM.published_sizes(depth, preset=name) for depth in preset.configs]
        assert sum(next(iter(size.values())) for size in sizes) == preset.size
        counts = [next(iter(size.values())) for size in sizes]
        assert max(counts) - min(counts) <= 1
        assert {tuple(size) for size in sizes} == {("train" if "Train" in name else "test",)}
    assert LOGINUM.published_sizes(10, preset="exHL-HN") == {"test": 100}


@pytest.mark.parametrize("name", ["el-en", "EL-EN", "El-En"])
def test_the_case_of_a_presets_name_does_not_matter(name):
    assert generate("loginum", 2, 0, preset=name) == generate("loginum", 2, 0, preset="EL-EN")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"preset": "EL-EN", "level": 4}, "a level is a depth, and EL-EN has the levels 1-3"),
        ({"preset": "exhl-hn", "level": 6}, "levels 7-10"),
        ({"preset": "EL"}, "EL-Train"),
        ({"preset": 3}, "EL-Train"),
        ({"split": "dev"}, "train, validation, test"),
        ({"language": "latin"}, "english, formal"),
        ({"style": "haiku"}, "full, compact"),
        ({"level": 11}, "1 to 10"),
        ({"vocabulary": 3}, "raise the limit"),
        ({"vocabulary": -5}, "vocabulary=-5"),
        ({"vocabulary": 2.5}, "vocabulary=2.5"),
    ],
)
def test_bad_options_are_refused_with_the_choices(options, named):
    with pytest.raises(ValueError, match=named):
        generate("loginum", **{"level": 2, "seed": 0, **options})


@pytest.mark.parametrize(
    "family", [name for name in registry.families() if name not in ("loginum", "sat")]
)
def test_families_without_presets_refuse_one(family, capsys, tmp_path):
    with pytest.raises(ValueError, match=f"{family} has no presets"):
        registry.family(family).levels("EL-EN")
    with pytest.raises(ValueError, match=f"{family} has no presets"):
        make_plan(family, None, splits=None, sizes=None, seed=0, options={"preset": "EL-EN"})
    assert main([family, "--preset", "EL-EN", "--out", str(tmp_path / "set")]) == 2
    assert "no such option" in capsys.readouterr().err


def test_a_plan_has_the_levels_and_the_split_of_its_preset():
    plan = make_plan("loginum", None, splits=None, sizes=None, seed=0, options={"preset": "HL-HN"})
    assert plan.sizes == {"test": {4: 167, 5: 167, 6: 166}}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [({"splits": ["train"]}, "sizes of your own"), ({"levels": [7]}, "HL-HN has levels 4 to 6")],
)
def test_a_plan_refuses_what_its_preset_has_not(arguments, named):
    given = {"levels": None, "splits": None, "sizes": None, **arguments}
    with pytest.raises(ValueError, match=named):
        make_plan(
            "loginum",
            given["levels"],
            splits=given["splits"],
            sizes=given["sizes"],
            seed=0,
            options={"preset": "HL-HN"},
        )


def test_show_begins_at_the_first_depth_of_a_preset(capsys):
    assert main(["loginum", "--preset", "HL-EN", "--show", "--language", "formal"]) == 0
    assert capsys.readouterr().out.startswith("loginum · level 4 · train · seed 0\n")


def test_describe_prints_a_row_for_each_level(capsys):
    assert main(["loginum", "--describe"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line[:1].isdigit() for line in lines) == len(LEVELS)
    assert all(name in lines[-1] for name in PRESETS)
    one = LOGINUM.describe(preset="exhl-hn")
    assert [line.split()[0] for line in one.splitlines()[3:]] == ["7", "8", "9", "10"]


def test_the_ladder_grows():
    for before, after in itertools.pairwise(LEVELS):
        for name in ("entities", "attributes", "relations", "facts", "rules"):
            assert getattr(before, name) < getattr(after, name)
        assert before.conditions <= after.conditions
    for before, after in itertools.pairwise(LEVELS[1:]):  # level 1 computes nothing
        assert before.operands[1] <= after.operands[1]
    assert len(TIERS) == len(LEVELS)
