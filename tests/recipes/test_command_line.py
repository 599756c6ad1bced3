"""What a recipe says of itself and of its options, before it writes anything."""

import sys
from dataclasses import fields

import evaluate
import grpo_slr
import pytest
import sft_slr
import torch
from launching import ROOT
from transformers import Trainer, TrainingArguments
from trl import ModelConfig

from logic_curriculum.curriculum.command_line import (
    LOCAL,
    check_levels,
    parse,
    run_recipe,
    training,
)
from logic_curriculum.curriculum.evaluation.run import EvaluationArguments
from logic_curriculum.curriculum.models.warm_up import WarmUpArguments

DEMO = ROOT / "recipes" / "configs" / "evaluate" / "demo.yaml"


def test_help_is_the_docstring_and_the_defaults_of_the_yaml(monkeypatch, capsys):
    monkeypatch.setattr(
        sys.modules["__main__"], "__doc__", "A recipe.\n\n    launch \\\n        it"
    )
    monkeypatch.setattr(sys, "argv", ["recipe.py", "--help"])
    with pytest.raises(SystemExit):
        parse((EvaluationArguments, WarmUpArguments), DEMO)
    shown = capsys.readouterr().out
    assert "A recipe.\n\n    launch \\\n        it" in shown
    assert "--config FILE.yaml" in shown
    assert "(default: runs/evaluate_demo)" in " ".join(shown.split())
    assert shown.endswith("Without --config and a model: recipes/configs/evaluate/demo.yaml.\n")


@pytest.mark.parametrize("option", [["--temperature", "0.7"], ["--temperature=0.7"]])
def test_an_endpoint_takes_no_options_of_a_local_model(monkeypatch, option):
    words = ["evaluate.py", "--endpoint", "gpt", "--output_dir", "runs/x"]
    monkeypatch.setattr(sys, "argv", [*words, *option])
    with pytest.raises(SystemExit, match="--temperature is for a model that runs here"):
        evaluate.read_options()


def test_an_endpoint_ignores_what_a_configuration_says_of_a_local_model(monkeypatch):
    assert {item.name for item in fields(WarmUpArguments)} < set(LOCAL)
    words = ["evaluate.py", "--config", str(DEMO), "--endpoint", "gpt"]
    monkeypatch.setattr(sys, "argv", words)
    script, warm_up, model_args = evaluate.read_options()
    assert (script.endpoint, script.tasks) == ("gpt", 20)
    assert warm_up is model_args is None


@pytest.mark.parametrize(
    ("recipe", "option", "values", "said"),
    [
        (grpo_slr, "eval_levels", ["21"], "eval_levels asks for level 21, but the tasks of slr"),
        (grpo_slr, "last_level", ["30"], "last_level asks for level 30"),
        (grpo_slr, "warm_up_levels", ["1", "0"], "warm_up_levels asks for level 0"),
        (
            evaluate,
            "levels",
            ["3", "11"],
            "levels asks for level 11, but the tasks of symbolization",
        ),
        (evaluate, "warm_up_levels", ["12"], "have the levels 1-10: choose among them"),
    ],
)
def test_a_level_that_a_family_lacks_is_refused_before_anything_is_written(
    monkeypatch, tmp_path, recipe, option, values, said
):
    folder = tmp_path / "run"
    words = ["recipe.py", f"--{option}", *values, "--output_dir", str(folder)]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match=said):
        recipe.main()
    assert not folder.exists()


def test_the_levels_of_a_preset_are_its_own():
    check_levels({"sat": {"preset": "hard3sat"}}, levels=[11, None])


@pytest.mark.parametrize(
    "named",
    [
        ["--model_name_or_path", "org/model"],
        ["--model-name-or-path", "org/model"],
        ["--endpoint=gpt"],
    ],
)
def test_the_demo_s_settings_are_for_the_demo_s_model(monkeypatch, named):
    words = ["recipe", "--families", "sat", "--output_dir", "runs/x"]
    monkeypatch.setattr("sys.argv", [*words, *named])
    script, *_ = parse((EvaluationArguments, WarmUpArguments, ModelConfig), DEMO)
    assert (script.temperature, script.max_new_tokens, script.options) == (0.0, 2048, {})
    monkeypatch.setattr("sys.argv", words)
    script, *_ = parse((EvaluationArguments, WarmUpArguments, ModelConfig), DEMO)
    assert (script.temperature, script.max_new_tokens) == (0.7, 48)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--taks", "3"], "--taks is an unknown option: did you mean --tasks?"),
        (["--tasks", "3", "--quux"], "--quux is an unknown option. --help lists all options."),
        (["--config", "nowhere.yaml"], "No such file or directory: 'nowhere.yaml'"),
        (["--families", "chess"], "chess"),
        (["--levels", "99"], "levels asks for level 99"),
        (["--config", str(ROOT / "README.md")], "README.md"),
        (["--output_dir", "/dev/null/run"], "Not a directory: '/dev/null/run'"),
    ],
)
def test_a_mistake_ends_in_one_line(monkeypatch, words, said):
    monkeypatch.setattr(sys, "argv", ["evaluate.py", *words])
    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    with pytest.raises(SystemExit) as raised:
        run_recipe(evaluate.main)
    assert said in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("option", ["judge_levels", "last_level"])
def test_sft_refuses_a_level_that_is_not_there(monkeypatch, tmp_path, option):
    words = ["sft_slr.py", f"--{option}", "99", "--output_dir", str(tmp_path / "run")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match=f"{option} asks for level 99"):
        run_recipe(sft_slr.main)
    assert not (tmp_path / "run").exists()


def test_an_interruption_says_how_to_go_on(capsys):
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as raised:
        run_recipe(interrupted)
    assert raised.value.code == 130
    said = "Interrupted: the same command continues with --resume_from_checkpoint true.\n"
    assert capsys.readouterr().err == f"\n{said}"


def test_an_error_in_training_keeps_its_traceback(monkeypatch, tmp_path):
    def broken(self, **_):
        raise ValueError("inside")

    monkeypatch.setattr(Trainer, "_inner_training_loop", broken)
    options = TrainingArguments(str(tmp_path), use_cpu=True, report_to="none")
    trainer = Trainer(torch.nn.Linear(1, 1), options, train_dataset=[{}])

    def train():
        with training():
            trainer.train()

    with pytest.raises(RuntimeError, match="inside") as raised:
        run_recipe(train)
    assert isinstance(raised.value.__cause__, ValueError)
