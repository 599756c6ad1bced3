"""Presets of LogiNumSynth: their sizes, the levels they have, and who else has none."""

from __future__ import annotations

import pytest

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.dataset.plan import make_plan
from logic_curriculum.generators.loginum.levels import LEVELS, PRESETS

LOGINUM = registry.family("loginum")


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
        ({"vocabulary": 3}, "Raise it, or leave it out"),
        ({"vocabulary": -5}, "vocabulary=-5"),
        ({"vocabulary": 2.5}, "vocabulary=2.5"),
    ],
)
def test_bad_options_are_refused_with_the_choices(options, named):
    with pytest.raises(ValueError, match=named):
        generate("loginum", **{"level": 2, "seed": 0, **options})


@pytest.mark.parametrize(
    "family", [name for name in registry.families() if not registry.family(name).presets]
)
def test_families_without_presets_refuse_one(family, capsys, tmp_path):
    with pytest.raises(ValueError, match=f"{family} has no presets"):
        registry.family(family).levels("EL-EN")
    with pytest.raises(ValueError, match=f"{family} has no presets"):
        make_plan(family, None, splits=None, sizes=None, seed=0, options={"preset": "EL-EN"})
    with pytest.raises(SystemExit):
        main([family, "--preset", "EL-EN", "--out", str(tmp_path / "set")])
    assert "unrecognized arguments: --preset EL-EN" in capsys.readouterr().err


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


def test_describe_prints_a_row_for_each_level(capsys):
    assert main(["loginum", "--describe"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line[:1].isdigit() for line in lines) == len(LEVELS)
    assert all(name in lines[-1] for name in PRESETS)
    one = LOGINUM.describe(preset="exhl-hn")
    assert [line.split()[0] for line in one.splitlines()[3:]] == ["7", "8", "9", "10"]
