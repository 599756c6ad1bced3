import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from launching import ROOT, Launch
from sft_loginum import LoginumArguments, evaluation_questions, training_set
from transformers import TrainingArguments

from logic_curriculum.curriculum.recadam import RecallArguments

CONFIGS = ROOT / "recipes" / "configs" / "sft_loginum"


def sft(launch: Launch, run: Path, *hardware: Any, **options: object):
    return launch(run, *hardware, recipe="sft_loginum", **options)


def answers(run: Path, name: str) -> Iterator[dict[str, Any]]:
    for line in (run / "evaluation" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@pytest.mark.slow
def test_a_run_measures_both_accuracies_before_and_after_with_and_without_examples(
    launch: Launch, tmp_path: Path
):
    run = sft(launch, tmp_path, shots=[0, 1], eval_presets=["EL-EN", "EL-HN"])

    assert run.returncode == 0, run.stderr[-3000:]
    assert "| model | shots | EL-EN Proc | EL-EN paper's Proc | EL-EN Ans |" in run.stdout
    for name in ("before", "after"):
        rows = list(answers(tmp_path, name))
        found = [(row["metadata"]["preset"], row["shots"]) for row in rows]
        assert sorted(set(found)) == [("EL-EN", 0), ("EL-EN", 1), ("EL-HN", 0), ("EL-HN", 1)]
        assert len(found) == 24
    assert (tmp_path / "accuracies.md").read_text() in run.stdout


@pytest.mark.slow
def test_recall_adam_trains_an_adapter_and_an_interrupted_run_goes_on(
    launch: Launch, tmp_path: Path
):
    options = {
        "use_peft": True,
        "lora_target_modules": ["q_proj", "v_proj"],
        "recadam": True,
        "learning_rate": 1e-5,
        "save_strategy": "steps",
        "save_steps": 1,
    }
    first = sft(launch, tmp_path, **options)
    assert first.returncode == 0, first.stderr[-3000:]
    assert (tmp_path / "trained" / "adapter_model.safetensors").is_file()
    (tmp_path / "trained" / "training.json").unlink()  # as if killed after its last checkpoint
    (tmp_path / "evaluation" / "after.jsonl").unlink()
    before = (tmp_path / "evaluation" / "before.jsonl").stat().st_mtime_ns

    second = sft(launch, tmp_path, **options, resume_from_checkpoint="true")

    assert second.returncode == 0, second.stderr[-3000:]
    assert "warm-up loss" not in second.stdout
    assert json.loads((tmp_path / "trained" / "training.json").read_text())["steps"] == 2
    assert (tmp_path / "evaluation" / "before.jsonl").stat().st_mtime_ns == before


@pytest.mark.slow
def test_two_processes_share_training_and_evaluation(launch: Launch, tmp_path: Path):
    run = sft(launch, tmp_path, "cpu-2")

    assert "Processes: 2" in run.stdout, run.stderr[-3000:]
    assert len(list(answers(tmp_path, "after"))) == 6, run.stderr[-3000:]
    assert (tmp_path / "accuracies.md").is_file(), run.stderr[-3000:]


TABLE_10 = {
    "llama3.2-1b": {
        "GSM8k": 2e-8,
        "MATH": 8e-9,
        "MATHQA": 2e-8,
        "SVAMP": 8e-9,
        "MAWPS": 8e-9,
        "AIME": 8e-9,
        "RuleTaker": 2e-8,
        "ProofWriter": 5e-7,
        "FOLIO": 5e-8,
        "FLD": 2e-7,
        "LogiQA": 5e-7,
        "ReClor": 2e-8,
        "AbductionR": 5e-7,
        "RuleArena": 5e-8,
    },
    "qwen3-1.7b": {
        "GSM8k": 1e-7,
        "MATH": 2e-8,
        "MATHQA": 5e-8,
        "SVAMP": 5e-8,
        "MAWPS": 8e-8,
        "AIME": 8e-8,
        "RuleTaker": 2e-8,
        "ProofWriter": 2e-7,
        "FOLIO": 2e-7,
        "FLD": 5e-7,
        "LogiQA": 5e-7,
        "ReClor": 5e-7,
        "AbductionR": 2e-8,
        "RuleArena": 2e-7,
    },
}
NUMERICAL = ["GSM8k", "MATH", "MATHQA", "SVAMP", "MAWPS", "AIME"]
RECALLED = {
    "llama3.2-1b": [*NUMERICAL, "RuleTaker", "ProofWriter", "LogiQA", "ReClor", "AbductionR"],
    "qwen3-1.7b": [*NUMERICAL, "LogiQA", "RuleArena"],
}
PRINTED = {
    "lora_r": 32,
    "lora_alpha": 64,
    "lora_dropout": 0.05,
    "lora_target_modules": [
        *("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    ],
    "per_device_train_batch_size": 8,
    "adam_beta1": 0.9,
    "adam_beta2": 0.999,
    "adam_epsilon": 1e-8,
    "anneal_fun": "sigmoid",
    "anneal_k": 0.2,
    "anneal_t0": 100,
    "anneal_w": 1.0,
    "pretrain_cof": 3000,
    "train_examples": 5000,  # Table 7
    "eval_tasks": 500,  # Table 7
    "temperature": 0.3,
    "top_p": 0.8,
    "top_k": 20,
}
"""Appendices F.1 and F.3."""


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_recall_adam_starts_at_the_learning_rate_of_each_config(path: Path):
    config = yaml.safe_load(path.read_text())
    args = TrainingArguments("unused", learning_rate=config["learning_rate"], use_cpu=True)
    own = {f.name: config[f.name] for f in fields(RecallArguments) if f.name in config}

    kind, options = RecallArguments(**{**own, "recadam": True}).for_trainer(args) or (None, {})

    assert kind is not None
    kind([torch.nn.Parameter(torch.ones(1))], **options)  # raises where the pull overshoots


@pytest.mark.parametrize("model", ["llama3.2-1b", "qwen3-1.7b"])
def test_the_configs_hold_the_papers_values(model: str):
    text = (CONFIGS / f"{model}.yaml").read_text()
    config = yaml.safe_load(text)
    listed = re.findall(r"^#   (\w+) +(\S+) +(true|false) +(\w+-Train)", text, re.MULTILINE)
    chosen = [("GSM8k", *(config[name] for name in ("learning_rate", "recadam", "train_preset")))]
    rows = [*chosen, *((n, float(rate), recalled == "true", p) for n, rate, recalled, p in listed)]

    assert {name: config[name] for name in PRINTED} == PRINTED
    assert {name: rate for name, rate, *_ in rows} == TABLE_10[model]
    assert [name for name, _, recalled, _ in rows if recalled] == RECALLED[model]
    assert {name: preset for name, *_, preset in rows} == {
        name: "EL-Train" if name in NUMERICAL else "EN-Train" for name in TABLE_10[model]
    }
    for _, rate, *_ in rows:  # none is too high for its pull
        assert rate * config["pretrain_cof"] * config["anneal_w"] < 1


def test_the_ladder_is_trained_and_evaluated_at_the_levels_asked():
    levels = {"train_levels": [1, 2], "eval_levels": [2, 3]}
    script = LoginumArguments(
        **levels,
        train_preset="ladder",
        eval_presets=["ladder"],
        eval_tasks=4,
        train_examples=4,
        style="compact",
        shots=[0],
    )
    questions = evaluation_questions(script, seed=0)
    assert [question.task.level for question in questions] == [2, 3, 2, 3]
    assert len(training_set(script, seed=0)) == 4


@pytest.mark.parametrize(
    ("name", "made"), [("train_levels", training_set), ("eval_levels", evaluation_questions)]
)
def test_a_depth_that_a_dataset_lacks_is_refused(name: str, made: Callable[..., object]):
    with pytest.raises(ValueError, match="level=11 with preset"):
        made(LoginumArguments(**{name: [11]}), seed=0)
