"""scripts/gpu_check.sh: its commands are ones that the programs take, and it writes its page."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from accelerate.commands.launch import launch_command_parser
from trl.scripts.vllm_serve import make_parser

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "gpu_check.sh"
MODEL = "Qwen/Qwen3-1.7B"
FAKES = {
    "nvidia-smi": 'case "$*" in --list*) echo a; echo b ;; *name*) echo H100 ;; '
    "*) echo 2048 ;; esac",
    "accelerate": 'for last; do :; done; mkdir -p "$last"; echo \'"num_tokens": 1000.0, '
    '"train_runtime": 2.5, "step_time": 2.0, "reward_time": 0.5\' >"$last/trainer_state.json"; '
    'case "$*" in *fsdp2*) exit 1 ;; esac',
    "inspect": ":",
    "trl": "sleep 60",
}
"""Programs of a machine with two GPUs."""


def commands() -> list[list[str]]:
    words = ["sh", str(SCRIPT), "--dry-run", MODEL]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [shlex.split(line) for line in done.stdout.splitlines()]


def read(recipe: str) -> tuple[Any, ...]:
    """Return what a recipe reads from the command line."""
    sys.path.insert(0, str(ROOT / "recipes"))
    found: tuple[Any, ...] = import_module(recipe).read_options()
    return found


def test_every_configuration_for_training_on_gpus_is_run():
    given = {word for words in commands() for word in words if word.startswith("recipes/configs/")}
    named = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "recipes" / "configs").glob("*/*.yaml")
        if "has not met its hardware yet" in path.read_text()
    }
    assert named <= given


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words[:8]))
def test_a_command_is_one_that_its_program_takes(words, monkeypatch):
    if words[0] == "trl":
        (parsed,) = make_parser().parse_args_and_config(words[2:])
        assert (parsed.model, parsed.max_model_len) == (MODEL, 2048)
        return
    if words[0] == "accelerate":
        launched = launch_command_parser().parse_args(words[2:])
        assert (ROOT / launched.config_file).is_file()
        words = ["python", launched.training_script, *launched.training_script_args]
    if words[0] == "inspect":
        from inspect_ai._cli.eval import eval_command

        context = eval_command.make_context("eval", words[2:])
        assert context.params["model"] == f"vllm/{MODEL}"
        return
    start = next(at for at, word in enumerate(words) if word.startswith("recipes/"))
    recipe, on_cpu = Path(words[start]).stem, ["--use_cpu", "true", "--bf16", "false"]
    monkeypatch.setattr(sys, "argv", [*words[start:], *on_cpu])
    options = {
        name: value for part in filter(None, read(recipe)) for name, value in vars(part).items()
    }
    assert options["model_name_or_path"] == MODEL
    assert options.get("max_steps", 4) == 4


def test_it_writes_a_page_with_a_row_for_each_run(tmp_path):
    for name, text in FAKES.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    page = tmp_path / "page.md"
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "RUNS": str(tmp_path / "runs"),
    }
    subprocess.run(
        ["sh", str(SCRIPT), MODEL, str(page)], env=environment, check=True, capture_output=True
    )
    text = page.read_text()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in text.splitlines()
        if "| " in line
    ]
    found = {row[0]: row[1:] for row in rows}
    outcome, _, speed, share, memory = found["grpo_slr-qwen2.5-1.5b-single_gpu"]
    assert (outcome, speed, share, memory) == ("ok", "400", "25%", "2.0")
    assert found["sft_slr-llama3.1-8b-paper-fsdp2"][0].startswith("failed: ")
    assert "2 × H100" in text
