import json
from pathlib import Path

import pytest
import yaml
from launching import ROOT, Launch

CONFIGS = ROOT / "recipes" / "configs" / "grpo_loginum"


def test_the_two_configs_differ_in_what_is_paid_and_nothing_else():
    process, answer = (
        yaml.safe_load((CONFIGS / f"{name}.yaml").read_text()) for name in ("process", "answer")
    )

    differing = {name for name in process if process[name] != answer[name]}
    assert differing == {"notice", "output_dir", "reward_weights"}
    assert process["rewards"] == ["loginum_reward", "loginum_process_reward"]
    assert (process["reward_weights"], answer["reward_weights"]) == ([0.0, 1.0], [1.0, 0.0])
    assert process["pass_reward"] == "loginum_reward"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["process", "answer"])
def test_the_curriculum_climbs_the_ladder(launch: Launch, tmp_path: Path, name: str):
    run = launch(
        tmp_path / "run",
        recipe="grpo_loginum",
        options_file=CONFIGS / f"{name}.yaml",
        exercise_steps=5,
    )

    assert run.returncode == 0, run.stderr[-3000:]
    (level,) = json.loads((tmp_path / "run" / "levels.json").read_text())
    assert (level["family"], level["level"], level["tasks"]) == ("loginum", 1, 8)
    assert 0 <= level["partial_before"] <= 1
    assert "process: before  after" in run.stdout
