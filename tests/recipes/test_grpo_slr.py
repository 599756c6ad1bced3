import json
from pathlib import Path

import pytest
from grpo_slr import GRPOArguments, main
from launching import ROOT, Launch, levels

CONFIGS = ROOT / "recipes" / "configs"


@pytest.mark.slow
def test_a_run_leaves_its_model_its_table_and_its_plot(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run", eval_strategy="steps", eval_steps=1)

    assert run.returncode == 0, run.stderr[-3000:]
    assert "best constant" in run.stdout
    assert all(f"step {step:4d}  " in run.stdout for step in (1, 2, 3))  # no log is an evaluation's
    rates = (tmp_path / "run" / "pass_rates.jsonl").read_text().splitlines()
    lines = [(line["step"], line["completions"]) for line in map(json.loads, rates)]
    assert lines == [(step, 8 * step) for step in range(4)]
    left = {path.name for path in (tmp_path / "run").iterdir()}
    drawn = {"curriculum.png", "pass_rates.png"}
    assert {"model.safetensors", "tokenizer.json", "summary.json"} | drawn <= left
    (level,) = levels(tmp_path / "run")
    assert (level["level"], level["tasks"]) == ("1", "8")
    assert 0 < float(level["best constant"]) < 1
    settings = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (settings["rewards"], settings["reward_weights"]) == (["slr_reward"], None)
    assert settings["task_options"] == {"slr": {"style": "compact"}}


@pytest.mark.slow
def test_a_run_goes_on_from_its_latest_checkpoint(launch: Launch, tmp_path: Path):
    first = launch(tmp_path, save_strategy="steps", save_steps=2, max_steps=2)
    assert first.returncode == 0, first.stderr[-3000:]

    second = launch(tmp_path, max_steps=3, resume_from_checkpoint="true")

    assert second.returncode == 0, second.stderr[-3000:]
    assert "step    3" in second.stdout
    assert "step    1" not in second.stdout


def test_an_unknown_reward_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match=r"no reward 'best_reward': choose from .*slr_reward"):
        GRPOArguments(rewards=["best_reward"])


@pytest.mark.slow
def test_a_folder_that_holds_a_run_is_not_overwritten(launch: Launch, tmp_path: Path):
    (tmp_path / "model.safetensors").write_text("precious")

    run = launch(tmp_path)

    assert run.returncode != 0
    assert "--resume_from_checkpoint" in run.stderr
    assert (tmp_path / "model.safetensors").read_text() == "precious"


def test_an_unknown_option_in_the_yaml_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    config = tmp_path / "config.yaml"
    config.write_text("use_cpu: true\nbf16: false\nlearning_rat: 1.0e-4\n")
    monkeypatch.setattr("sys.argv", ["grpo_slr.py", "--config", str(config)])
    with pytest.raises(SystemExit, match="learning_rat"):
        main()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "config"),
    [
        ("symbolization", "grpo_logicskills/symbolization"),
        ("countermodel", "grpo_logicskills/countermodel"),
        ("validity", "grpo_logicskills/validity"),
        ("loginum", "grpo_loginum/process"),
        ("sat", "grpo_sat/demo"),
    ],
)
def test_each_family_runs_its_curriculum(launch: Launch, tmp_path: Path, family: str, config: str):
    run = launch(tmp_path / "run", options_file=CONFIGS / f"{config}.yaml")

    assert run.returncode == 0, run.stderr[-3000:]
    (level,) = levels(tmp_path / "run")
    assert (level["family"], level["level"], level["tasks"]) == (family, "1", "8")
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert list(summary["families"]) == [family]
    assert f"| {level['best constant']} |" in run.stdout
    assert ("Proc, before" in level) == (family == "loginum")


@pytest.mark.slow
def test_three_families_climb_side_by_side(launch: Launch, tmp_path: Path):
    families = ["symbolization", "countermodel", "validity"]

    run = launch(
        tmp_path / "run",
        options_file=CONFIGS / "grpo_logicskills" / "symbolization.yaml",
        families=families,
        task_options=json.dumps({family: {"style": "compact"} for family in families}),
        per_device_train_batch_size=12,  # three groups of four
    )

    assert run.returncode == 0, run.stderr[-3000:]
    assert [level["family"] for level in levels(tmp_path / "run")] == families
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    attempts = [track["levels"][0]["attempts"] for track in summary["families"].values()]
    assert sum(attempts) == 36  # three steps of three groups of four, drawn by the weights
    for family in families:
        assert f"{family} level 1.00" in run.stdout
