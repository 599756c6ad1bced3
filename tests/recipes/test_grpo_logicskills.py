import json
from pathlib import Path

import pytest
from launching import ROOT, Launch

CONFIGS = ROOT / "recipes" / "configs" / "grpo_logicskills"


@pytest.mark.slow
@pytest.mark.parametrize("family", ["symbolization", "countermodel", "validity"])
def test_each_skill_runs_its_curriculum(launch: Launch, tmp_path: Path, family: str):
    run = launch(
        tmp_path / "run",
        recipe="grpo_logicskills",
        options_file=CONFIGS / f"{family}.yaml",
    )

    assert run.returncode == 0, run.stderr[-3000:]
    (level,) = json.loads((tmp_path / "run" / "levels.json").read_text())
    assert (level["family"], level["level"], level["tasks"]) == (family, 1, 8)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert list(summary["families"]) == [family]
    assert f"{level['constant']:.2f}" in run.stdout


@pytest.mark.slow
def test_the_three_skills_climb_side_by_side(launch: Launch, tmp_path: Path):
    families = ["symbolization", "countermodel", "validity"]

    run = launch(
        tmp_path / "run",
        recipe="grpo_logicskills",
        families=families,
        per_device_train_batch_size=12,  # three groups of four
    )

    assert run.returncode == 0, run.stderr[-3000:]
    levels = json.loads((tmp_path / "run" / "levels.json").read_text())
    assert [level["family"] for level in levels] == families
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert [track["levels"][0]["attempts"] for track in summary["families"].values()] == [12] * 3
    for family in families:
        assert f"{family} level 1.00" in run.stdout
