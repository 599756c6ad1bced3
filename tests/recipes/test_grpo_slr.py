import json
from pathlib import Path

import pytest
from launching import Launch


def test_a_run_leaves_its_model_its_table_and_its_plot(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run")

    assert run.returncode == 0, run.stderr[-3000:]
    assert "best constant" in run.stdout
    left = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"model.safetensors", "tokenizer.json", "curriculum.png", "summary.json"} <= left
    (level,) = json.loads((tmp_path / "run" / "levels.json").read_text())
    assert level["level"] == 1
    assert level["tasks"] == 8
    assert 0 < level["constant"] < 1


@pytest.mark.slow
def test_a_run_goes_on_from_its_latest_checkpoint(launch: Launch, tmp_path: Path):
    first = launch(tmp_path, save_strategy="steps", save_steps=2, max_steps=2)
    assert first.returncode == 0, first.stderr[-3000:]

    second = launch(tmp_path, max_steps=3, resume_from_checkpoint="true")

    assert second.returncode == 0, second.stderr[-3000:]
    assert "step    3" in second.stdout
    assert "step    1" not in second.stdout


def test_an_unknown_reward_is_refused_with_the_names_there_are(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run", rewards="best_reward")

    assert run.returncode != 0
    assert "best_reward" in run.stderr
    assert "slr_reward" in run.stderr


def test_a_folder_that_holds_a_run_is_not_overwritten(launch: Launch, tmp_path: Path):
    (tmp_path / "model.safetensors").write_text("precious")

    run = launch(tmp_path)

    assert run.returncode != 0
    assert "--resume_from_checkpoint" in run.stderr
    assert (tmp_path / "model.safetensors").read_text() == "precious"


def test_an_unknown_option_in_the_yaml_is_named(launch: Launch, tmp_path: Path):
    config = tmp_path / "config.yaml"
    config.write_text("use_cpu: true\nbf16: false\nlearning_rat: 1.0e-4\n")

    run = launch(tmp_path / "run", options_file=config)

    assert run.returncode != 0
    assert "learning_rat" in run.stderr
