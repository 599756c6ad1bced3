"""Every command of the README and the guides is one that its program takes; the cheap ones run.

bash reads the blocks, with programs that only write down how they were called. Those of this
library are then started in this process. A recipe stops when it has read its options, a large
build when it has checked its plan, and what asks a language model when it has the model's name.
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from pages import BLOCKS, ROOT, Block
from transformers import training_args

from logic_curriculum.curriculum import cli, training_run
from logic_curriculum.generators import build_dataset, dataset, generate, llm
from logic_curriculum.generators.dataset.plan import make_plan

INTEGRATIONS = "logic_curriculum.curriculum.integrations"
ELSEWHERE = {
    "lm_eval": "tests/recipes/test_lm_eval.py",
    "uvicorn": "tests/curriculum/test_openenv.py",
    "vf-eval": "tests/curriculum/test_verifiers.py",
    "vf-validate": "tests/curriculum/test_verifiers.py",
    "inspect": "tests/curriculum/test_inspect.py",
    "verl.trainer.main_ppo": "tests/curriculum/test_verl.py",
    f"{INTEGRATIONS}.verifiers_taskset": "tests/curriculum/test_verifiers.py",
    "logic_curriculum.curriculum.models.merging": "tests/curriculum/test_adapters.py",
    "logic-curriculum evaluate": "tests/curriculum/test_inspect.py",
    "logic-curriculum report": "tests/curriculum/test_inspect.py",
    "logic-curriculum play": "tests/curriculum/test_play_view.py",
    "docs/own-family.md": "tests/generators/test_own_family.py",
}
"""Programs, modules and pages with a test of their own."""
FOREIGN = ("conda", "docker", "sbatch", "scontrol")
"""Programs that have nothing to do with this library, and are not here."""
VARIABLES = {
    "RANK": "0",
    "HEAD": "node1",
    "SCRATCH": "scratch",
    "SLURM_ARRAY_TASK_ID": "3",
    "SLURM_CPUS_PER_TASK": "64",
    "SLURM_JOB_NODELIST": "node[1-2]",
    "SLURM_NNODES": "2",
    "SLURM_NODEID": "0",
}
TOOLS = ("bash", "head", "ls")
COPIED = ("Makefile", "constraints.txt", "pyproject.toml")
LINKED = ("accelerate_configs", "benchmarks", "recipes", "scripts", "tests")
"""What of the repository the commands name; a page may write files of its own over the copies."""
SMALL = 10
"""Tasks per level that a build may have, so that it runs."""
RECORDER = f"""#!{sys.executable} -S
import json, os, sys
name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
if name == "srun":
    while words[0].startswith("--"):
        del words[0]
    os.execvp(words[0], words)
with open(os.environ["CALLS"], "a") as file:
    print(json.dumps([name, *words]), file=file)
print(name)
"""
COMMANDS = [block for block in BLOCKS if block.language in ("sh", "console")]


class Stopped(BaseException):
    """What a command was started for is done."""


def stop_after(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*words: Any, **given: Any) -> None:
        function(*words, **given)
        raise Stopped

    return called


def small_build(family: str, levels: Any, **given: Any) -> Path:
    """Build a small dataset; of a larger one, check the plan."""
    place = {name: given.pop(name) for name in ("out", "num_proc", "ray", "push_to_hub")}
    known = {name: given.pop(name) for name in ("splits", "sizes", "seed")}
    if known["sizes"] and max(known["sizes"].values()) <= SMALL and "llm" not in given:
        return build_dataset(family, levels, out=place["out"], num_proc=1, **known, **given)
    make_plan(family, levels, options=given, **known)
    raise Stopped


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder like the repository's, with the files that the commands read."""
    for name in COPIED:
        shutil.copy(ROOT / name, tmp_path)
    for name in LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    row = json.dumps({**generate("slr", 1, 0).to_row(), "prediction": "<answer>?</answer>"})
    for name in ("answers.jsonl", "predictions.jsonl"):
        (tmp_path / name).write_text(f"{row}\n")
    published = tmp_path / "LogicSkills" / "logicskills" / "data"
    published.mkdir(parents=True)
    question = {"task": "validity", "input": "Which?\n\n1. This.\n", "answer": [1]}
    (published / "validity.jsonl").write_text(json.dumps(question))
    (tmp_path / "llm.yaml").write_text("model: m\nclient: {api_key: none}\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # where commands say PYTHONPATH=.
    monkeypatch.setattr(sys, "argv", ["bash"])
    monkeypatch.setattr(training_args, "is_torch_bf16_gpu_available", lambda: True)
    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for module, name in ((training_run, "parse"), (llm, "load_model")):
        monkeypatch.setattr(module, name, stop_after(getattr(module, name)))
    monkeypatch.setattr(dataset, "build_dataset", small_build)
    monkeypatch.setattr(cli, "launch", lambda words: accelerate("launch", *words))
    return tmp_path


def calls(block: Block, folder: Path) -> list[list[str]]:
    """Return the words of the commands that bash starts for a block, in order."""
    programs = folder / "programs"
    programs.mkdir()
    for name in (*STARTERS, *FOREIGN, *ELSEWHERE, "srun"):
        if "/" not in name and not (programs / name).exists():
            (programs / name).write_text(RECORDER)
            (programs / name).chmod(0o755)
    for name in TOOLS:
        (programs / name).symlink_to(shutil.which(name) or name)
    text = block.text
    if block.language == "console":
        text = "\n".join(re.findall(r"^\$ (.*)$", text, re.MULTILINE))
    log = folder / "calls.jsonl"
    log.touch()
    done = subprocess.run(
        [programs / "bash", "-euo", "pipefail", "-c", text],
        env={**VARIABLES, "HOME": str(folder), "PATH": str(programs), "CALLS": str(log)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in log.read_text().splitlines()]


def as_main(run: Callable[..., Any], name: str, words: list[str]) -> None:
    """Run a script or a module with the words, until it stops."""
    sys.argv = [name, *words]
    try:
        run(name, run_name="__main__")
    except Stopped:
        return
    except ImportError as error:
        if "optional dependency" not in str(error):
            raise
        pytest.skip(str(error))
    except SystemExit as stop:
        if stop.code not in (0, None):
            raise


def python(*words: str) -> None:
    first, *rest = words
    if first == "-c":
        compile(rest[0], first, "exec")
    elif first == "-m":
        assert rest[0] == "verl.trainer.main_ppo" or find_spec(rest[0])
        if rest[0] not in ELSEWHERE:
            as_main(runpy.run_module, rest[0], rest[1:])
    else:
        script(first, rest)


def script(file: str, words: list[str]) -> None:
    """Start a recipe; a benchmark stops when it has read its options."""
    if "--deepspeed" in words and find_spec("deepspeed") is None:
        pytest.skip("--deepspeed needs DeepSpeed")
    with pytest.MonkeyPatch.context() as patch:
        if file.startswith("benchmarks/"):
            patch.syspath_prepend(Path(file).resolve().parent)  # as Python does
            parse_args = argparse.ArgumentParser.parse_args
            patch.setattr(argparse.ArgumentParser, "parse_args", stop_after(parse_args))
        as_main(runpy.run_path, file, words)


def accelerate(launch: str, *words: str) -> int:
    from accelerate.commands.config.config_args import load_config_from_file
    from accelerate.commands.launch import launch_command_parser

    options = launch_command_parser().parse_args(words)
    if options.config_file:
        load_config_from_file(options.config_file)
    script(options.training_script, options.training_script_args)
    return 0


def torchrun(*words: str) -> None:
    from torch.distributed.run import get_args_parser

    options = get_args_parser().parse_args(words)
    script(options.training_script, options.training_script_args)


def logic_curriculum(*words: str) -> None:
    as_main(lambda name, run_name: sys.exit(cli.main()), "logic-curriculum", [*words])


def make(*words: str) -> None:
    subprocess.run(["make", "--dry-run", *words], check=True, capture_output=True)


def pip(*words: str) -> None:
    """Look for the extras that are named, and the file of constraints."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.findall(r"\[(.*?)\]", " ".join(words))
    assert {extra for extras in named for extra in extras.split(",")} <= set(known)
    assert "-c" not in words or (ROOT / words[words.index("-c") + 1]).is_file()


def pytest_(*words: str) -> None:
    assert all((ROOT / word).is_file() for word in words if word.startswith("tests/"))


STARTERS: dict[str, Callable[..., Any]] = {
    "accelerate": accelerate,
    "logic-curriculum": logic_curriculum,
    "make": make,
    "pip": pip,
    "pytest": pytest_,
    "python": python,
    "torchrun": torchrun,
}


def test_what_is_tested_elsewhere_has_its_test():
    assert all((ROOT / file).is_file() for file in ELSEWHERE.values())


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: block.name)
def test_the_commands_of_a_block_are_accepted(block, folder, capsys):
    for other in BLOCKS:
        if other.page == block.page and other.file:
            (folder / other.file).write_text(other.text)
    started = calls(block, folder)
    refused = suppress(SystemExit) if block.language == "console" else nullcontext()
    for program, *words in started:
        if not {block.page, program, " ".join([program, *words[:1]])} & {*ELSEWHERE, *FOREIGN}:
            with refused:
                STARTERS[program](*words)
    assert started or re.fullmatch(r"export .*\n", block.text)
    shown = re.findall(r"^(?!\$ ).+$", block.text, re.MULTILINE)
    if block.language == "console":
        assert "".join(capsys.readouterr()).splitlines() == shown


CONSUMERS = {
    "docs/curriculum.md": lambda file: script("recipes/grpo_slr.py", ["--config", file]),
    "docs/llm.md": llm.load_config,
}
"""What reads the YAML of a page, where no command of the page does."""
YAML = [block for block in BLOCKS if block.language == "yaml" and not block.file]


@pytest.mark.parametrize("block", YAML, ids=lambda block: block.name)
def test_the_yaml_of_a_page_is_read(block, folder):
    (folder / "block.yaml").write_text(block.text)
    assert yaml.safe_load(block.text)
    CONSUMERS[block.page]("block.yaml")
