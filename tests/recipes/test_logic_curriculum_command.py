"""The command ``logic-curriculum``: what it lists, passes on, starts and refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pytest
from launching import ROOT

from logic_curriculum.curriculum import cli


@pytest.fixture
def command(monkeypatch):
    """Return what runs the command with words; its exit status."""

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["logic-curriculum", *words])
        try:
            return cli.main()
        except SystemExit as stop:
            return int(stop.code or 0)

    return run


@pytest.fixture
def launched(monkeypatch) -> list[str]:
    """Return the words that ``accelerate launch`` is given, in place of launching."""
    words: list[str] = []
    monkeypatch.setattr(cli, "launch", lambda given: words.extend(given) or 0)
    return words


def test_it_lists_what_it_can_do(command, capsys):
    assert command("--help") == 0
    listed = capsys.readouterr().out
    for name in (*cli.MODULES, "train"):
        assert f"\n    {name} " in listed


def test_it_says_its_version(command, capsys):
    assert command("--version") == 0
    assert capsys.readouterr().out == f"logic-curriculum {version('logic-curriculum')}\n"


def test_it_passes_its_words_on(command, capsys):
    assert command("generate", "slr", "--show") == 0
    assert "slr · level 1 · train" in capsys.readouterr().out


def test_it_is_a_module_as_well():
    words = [sys.executable, "-m", "logic_curriculum", "generate", "sat", "--show"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith("sat · level 1 · train")


@pytest.mark.parametrize(
    ("words", "script", "config"),
    [
        (["slr", "--config", "qwen2.5-1.5b"], "grpo_slr", "grpo_slr/qwen2.5-1.5b.yaml"),
        (["sat", "--config", "demo"], "grpo_slr", "grpo_sat/demo.yaml"),
        (["sft_slr", "--config", "smollm2-135m"], "sft_slr", "sft_slr/smollm2-135m.yaml"),
    ],
)
def test_training_starts_a_recipe_with_a_configuration_by_name(
    command, launched, words, script, config
):
    assert command("train", *words, "--accelerate", "zero3", "--seed", "3") == 0
    own = cli.ROOT / "accelerate_configs" / "zero3"
    hardware = ["--config_file", f"{own}.yaml", "--deepspeed_config_file", f"{own}.json"]
    recipe = [str(cli.ROOT / "recipes" / f"{script}.py"), "--config", str(cli.CONFIGS / config)]
    assert launched == [*hardware, *recipe, "--seed", "3"]
    assert Path(launched[-3]).is_file()


def test_a_configuration_of_ones_own_is_a_path(command, launched, tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text("seed: 1\n")
    assert command("train", "slr", "--config", str(file)) == 0
    assert launched == [str(cli.ROOT / "recipes" / "grpo_slr.py"), "--config", str(file)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["slr", "--config", "qwen9"],
            "--config qwen9 is neither a file nor one of grpo_slr: demo",
        ),
        (["chess"], "invalid choice: 'chess'"),
        (["sat"], "sat has no default: give --config, one of demo"),
        (["loginum", "--seed", "1"], "loginum has no default: give --config, one of "),
        (["slr", "--accelerate", "tpu"], "invalid choice: 'tpu'"),
    ],
)
def test_what_can_not_be_trained_is_refused_in_a_line(command, launched, capsys, words, said):
    assert command("train", *words) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert not launched


def test_sharding_without_deepspeed_is_refused_in_a_line(command, launched, capsys, monkeypatch):
    found = cli.find_spec
    monkeypatch.setattr(cli, "find_spec", lambda name: found(name) if name == "trl" else None)
    assert command("train", "sft_slr", "--accelerate", "zero3") == 2
    assert "[deepspeed]" in capsys.readouterr().err.splitlines()[-1]
    assert not launched


def test_an_error_of_the_recipe_is_the_last_line():
    words = [sys.executable, "-m", "logic_curriculum", "train", "slr", "--lerning_rate", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert "did you mean --learning_rate?" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_reader_who_leaves_early_ends_the_command_without_a_message(tmp_path):
    row = {"completion": "Answer: 2", "verification": {"correct": [2], "options": 3}}
    (tmp_path / "row.jsonl").write_text(json.dumps(row))
    read, write = os.pipe()
    os.close(read)
    judge = ["judge", "validity", "--predictions", str(tmp_path / "row.jsonl")]
    words = [sys.executable, "-m", "logic_curriculum", *judge]
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(words, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (done.stderr, done.returncode) == (b"", 128 + signal.SIGPIPE)


PREEMPTED = """
import signal, sys, time
from pathlib import Path
def leave(*_):
    time.sleep(1)
    Path("PREEMPTED").touch()
    sys.exit(75)
for each in (signal.SIGTERM, signal.SIGINT):
    signal.signal(each, leave)
Path("ready").touch()
while True:
    time.sleep(0.1)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_reaches_the_recipe_whose_end_and_status_are_awaited(tmp_path, number):
    (tmp_path / "recipe.py").write_text(PREEMPTED)
    heard = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # ignored in background
    start = f"import signal, sys; {heard}; from logic_curriculum.curriculum.cli import launch; "
    code = f"{start}sys.exit(launch(['--cpu', 'recipe.py']))"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", code]
    process = subprocess.Popen(words, cwd=tmp_path, env=env, start_new_session=True)
    try:
        while not (tmp_path / "ready").exists():
            assert process.poll() is None
            time.sleep(0.1)
        if number == signal.SIGINT:  # from a terminal it reaches all
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        assert process.wait() == 75
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert (tmp_path / "PREEMPTED").exists()
