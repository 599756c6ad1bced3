"""scripts/gpu_check.sh: its commands are ones that the programs take."""

from __future__ import annotations

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
