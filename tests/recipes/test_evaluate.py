"""evaluate.py as a user launches it, with a small network."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from launching import ROOT, Launch, command
from peft import LoraConfig, get_peft_model
from transformers import set_seed

from logic_curriculum.curriculum.evaluation.records import read_records
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.generators import generate

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Path:
    """Return the folder of a network that knows the tasks' words and nothing else."""
    tasks = [
        generate("slr", level, seed, style="compact") for level in (1, 2) for seed in range(20)
    ]
    tokenizer = make_tokenizer(tasks, 300)
    set_seed(0)
    folder = tmp_path_factory.mktemp("network")
    make_model(tokenizer, TinyModelConfig(hidden_size=32, layers=2)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_without_a_model_a_small_one_is_made_and_examined(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run", recipe="evaluate", samples=2)

    assert run.returncode == 0, run.stderr[-3000:]
    assert "SLR leaderboard row (Table 4)" in run.stdout
    assert "pass@2" in run.stdout
    left = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"records.jsonl", "report.html", "report.md", "report.png", "tiny-model"} <= left
    assert len(read_records(tmp_path / "run" / "records.jsonl")) == 2 * 8 * 2


def test_two_processes_answer_as_one_does(launch: Launch, network: Path, tmp_path: Path):
    options = {"recipe": "evaluate", "model_name_or_path": network, "samples": 2}
    options |= {"temperature": 0.7, "conversational": False}
    one_run = launch(tmp_path / "one", **options)
    assert one_run.returncode == 0, one_run.stderr[-3000:]
    run = launch(tmp_path / "two", "cpu-2", **options)

    assert "Processes: 2" in run.stdout, run.stderr[-3000:]
    one, two = (read_records(tmp_path / name / "records.jsonl") for name in ("one", "two"))
    assert len(one) == 32
    assert two == one
    assert not (tmp_path / "two" / "records.parts").exists()


def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    launch: Launch, network: Path, tmp_path: Path
):
    options = {  # 80 answers, drawn, one a batch
        **{"model_name_or_path": network, "tasks": 10, "samples": 4, "temperature": 0.7},
        **{"batch_size": 1, "max_new_tokens": 32, "conversational": False},
    }
    launch(tmp_path / "whole", recipe="evaluate", **options)

    words = command("evaluate", {**options, "output_dir": tmp_path / "killed"})
    process = subprocess.Popen(words, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL)
    part = tmp_path / "killed" / "records.parts" / "0.jsonl"
    deadline = time.monotonic() + 300
    while not (part.is_file() and part.read_bytes().count(b"\n") >= 3):
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = part.read_bytes().count(b"\n")
    run = launch(tmp_path / "killed", recipe="evaluate", **options)

    assert 3 <= kept < 80
    assert f"{kept} of 80 answers are there already" in run.stdout, run.stderr[-3000:]
    whole, killed = (tmp_path / name / "records.jsonl" for name in ("whole", "killed"))
    assert killed.read_bytes() == whole.read_bytes()


def test_an_adapters_folder_is_examined_on_top_of_its_base(
    launch: Launch, network: Path, tmp_path: Path
):
    from transformers import AutoModelForCausalLM

    base = AutoModelForCausalLM.from_pretrained(network)
    set_seed(1)
    config = LoraConfig(init_lora_weights=False, target_modules="all-linear")
    get_peft_model(base, config).save_pretrained(tmp_path / "adapter")
    options = {"recipe": "evaluate", "conversational": False}
    launch(tmp_path / "base", model_name_or_path=network, **options)
    run = launch(tmp_path / "tuned", model_name_or_path=tmp_path / "adapter", **options)

    assert run.returncode == 0, run.stderr[-3000:]
    base_said, tuned_said = (
        [record.completion for record in read_records(tmp_path / name / "records.jsonl")]
        for name in ("base", "tuned")
    )
    assert base_said != tuned_said


def test_samples_without_a_temperature_are_refused(launch: Launch, network: Path, tmp_path: Path):
    run = launch(
        tmp_path / "run", recipe="evaluate", model_name_or_path=network, samples=3, temperature=0
    )

    assert run.returncode != 0
    assert "set a temperature, such as 0.7" in run.stderr
