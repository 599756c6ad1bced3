"""What a recipe says of itself and of its options, before it writes anything."""

import signal
import sys

import grpo_slr
import pytest
import sft_slr
import torch
from launching import ROOT
from transformers import Trainer, TrainingArguments
from trl import ModelConfig

from logic_curriculum.curriculum import training_run
from logic_curriculum.curriculum.checkpoints import PREEMPTED
from logic_curriculum.curriculum.training_run import (
    begin_training,
    check_levels,
    run_recipe,
    training,
)

CPU = ["--use_cpu", "true", "--bf16", "false"]


def options(monkeypatch, *words):
    """Return what the GRPO recipe reads from the command line, by name."""
    monkeypatch.setattr(sys, "argv", ["recipe.py", *words, *CPU])
    return {name: value for part in grpo_slr.read_options() for name, value in vars(part).items()}


def test_help_is_the_docstring_and_the_defaults_of_the_yaml(monkeypatch, capsys):
    monkeypatch.setattr(
        sys.modules["__main__"], "__doc__", "A recipe.\n\n    launch \\\n        it"
    )
    with pytest.raises(SystemExit):
        options(monkeypatch, "--help")
    shown = capsys.readouterr().out
    assert "A recipe.\n\n    launch \\\n        it" in shown
    assert "--config FILE.yaml" in shown
    assert "(default: runs/grpo_slr_demo)" in " ".join(shown.split())
    assert shown.endswith("Without --config and a model: recipes/configs/grpo_slr/demo.yaml.\n")


@pytest.mark.parametrize(
    ("option", "values", "said"),
    [
        ("eval_levels", ["21"], "eval_levels asks for level 21, but the tasks of slr"),
        ("last_level", ["30"], "last_level asks for level 30"),
        ("warm_up_levels", ["1", "0"], "warm_up_levels asks for level 0"),
        ("reward_weights", ["1", "1"], "reward_weights has 2 numbers for the rewards slr_reward"),
    ],
)
def test_a_level_that_a_family_lacks_is_refused_before_anything_is_written(
    monkeypatch, tmp_path, option, values, said
):
    folder = tmp_path / "run"
    words = ["recipe.py", f"--{option}", *values, "--output_dir", str(folder), *CPU]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises((SystemExit, ValueError), match=said):
        grpo_slr.main()
    assert not folder.exists()


def test_the_levels_of_a_preset_are_its_own():
    check_levels({"sat": {"preset": "hard3sat"}}, levels=[11, None])


@pytest.mark.parametrize("named", ["--model_name_or_path", "--model-name-or-path"])
def test_the_demo_s_settings_are_for_the_demo_s_model(monkeypatch, named):
    words = ["--families", "sat", "--output_dir", "runs/x"]
    found = options(monkeypatch, *words, named, "org/model")
    assert (found["conversational"], found["warm_up_steps"]) != (False, 240)
    found = options(monkeypatch, *words)
    assert (found["conversational"], found["warm_up_steps"]) == (False, 240)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--eval_taks", "3"], "did you mean --eval_tasks?"),
        (["--eval_tasks", "3", "--quux"], "--quux is an unknown option. --help lists"),
        (["--config", "nowhere.yaml"], "No such file or directory: 'nowhere.yaml'"),
        (["--families", "chess"], "chess"),
        (["--eval_levels", "99"], "levels asks for level 21"),
        (["--config", str(ROOT / "README.md")], "README.md"),
        (["--output_dir", "/dev/null/run"], "/dev/null/run can't be written (Not a directory)"),
    ],
)
def test_a_mistake_ends_in_one_line(monkeypatch, words, said):
    monkeypatch.setattr(sys, "argv", ["grpo_slr.py", *CPU, *words])
    with pytest.raises(SystemExit) as raised:
        run_recipe(grpo_slr.main)
    assert said in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(("words", "bf16"), [([], True), (["--bf16", "false"], False)])
def test_accelerate_s_configuration_for_cpus_is_enough(monkeypatch, words, bf16):
    monkeypatch.setenv("ACCELERATE_USE_CPU", "True")
    monkeypatch.setattr(training_run, "has_bfloat16", lambda: True)
    named = ["--model_name_or_path", "org/model", "--output_dir", "runs/x"]
    monkeypatch.setattr(sys, "argv", ["grpo_slr.py", *named, *words])
    *_, args, _ = grpo_slr.read_options()
    assert (args.use_cpu, args.bf16) == (True, bf16)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("judge_levels", "judge_levels asks for level 99"),
        ("last_level", "levels 1 to 99, .* family 'slr' has levels 1 to 20"),
    ],
)
def test_sft_refuses_a_level_that_is_not_there(monkeypatch, tmp_path, option, said):
    words = ["sft_slr.py", f"--{option}", "99", "--output_dir", str(tmp_path / "run")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match=said):
        run_recipe(sft_slr.main)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 75)])
def test_an_interruption_says_how_to_continue(capsys, tmp_path, number, status):
    before = signal.getsignal(signal.SIGTERM)

    def interrupted():
        args = TrainingArguments(tmp_path, use_cpu=True, report_to="none")
        begin_training(args, ModelConfig(), ["sat"], notice="")
        signal.raise_signal(number)

    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(SystemExit) as raised:
        run_recipe(interrupted)
    signal.signal(signal.SIGINT, heard)
    assert signal.getsignal(signal.SIGTERM) == before
    assert raised.value.code == status
    again = "the same command continues from what is saved, or else starts again"
    said = f"Interrupted: with --resume_from_checkpoint true {again}.\n"
    assert capsys.readouterr().err == f"\n{said}"
    assert (tmp_path / PREEMPTED).is_file() == (number == signal.SIGTERM)


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
