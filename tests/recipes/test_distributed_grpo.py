"""The GRPO recipe on two CPU processes, whole, with ZeRO-3 and with FSDP 2."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from launching import SMALL_GRPO, Launch, accelerate, levels, run
from safetensors.torch import load_file
from sft_launching import losses, make_base, state

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500, func_only=True)]

DEMO = "recipes/configs/grpo_slr/demo.yaml"
"""A model that the command line names gets no configuration of its own accord."""
Hardware = tuple[str, tuple[str, ...]]

STEPS = 4
GIVEN = {
    **SMALL_GRPO,
    "num_generations": 8,
    "gradient_accumulation_steps": 3,
    "max_completion_length": 48,
    "max_steps": STEPS,
    "learning_rate": 1e-3,
    "eval_tasks": 0,
    "last_level": 3,
    "strategy": "staircase",
    "pass_threshold": 0.05,
    "window": 3,
    "save_strategy": "steps",
    "save_steps": STEPS,
}
"""Four steps of three groups of eight completions; the level rises after each step or so."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def one(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run on one process, eight completions at a time."""
    folder = tmp_path_factory.mktemp("one") / "run"
    output = given(base, folder, per_device_train_batch_size=8)
    assert (folder / "model.safetensors").is_file(), output
    return folder


def given(
    base: Path, folder: Path, hardware: str = "cpu", flags: tuple[str, ...] = (), **options: object
) -> str:
    """Run the recipe on given completions, and return its output."""
    options = {**GIVEN, "model_name_or_path": base, **options, "output_dir": folder}
    words = accelerate("tests/recipes/given_grpo.py", options, hardware, flags, ["--config", DEMO])
    launched = run(words, 1200, OMP_NUM_THREADS="1")
    return launched.stdout + launched.stderr[-4000:]


def test_one_process_of_eight_equals_two_of_four(
    base: Path, one: Path, pair: Hardware, tmp_path: Path
):
    """Completions are given, not sampled, see given_grpo.py.

    Of three groups the second lies half on one process and half on the other, so its advantages
    are right only if rewards are gathered; completions differ in length, so the loss is right only
    if tokens are counted over both.
    """
    output = given(base, tmp_path / "two", *pair, per_device_train_batch_size=4)

    assert "Processes: 2" in output
    assert curriculum_log(tmp_path / "two") == curriculum_log(one), output
    assert len({line["level"] for line in curriculum_log(one)}) > 1
    for name in ("reward", "reward_std", "completions/mean_length"):
        assert logged(tmp_path / "two", name) == pytest.approx(logged(one, name), abs=1e-6)
    assert min(logged(one, "reward_std")) > 0
    assert losses(tmp_path / "two", STEPS) == pytest.approx(losses(one, STEPS), abs=1e-4)
    start = load_file(base / "model.safetensors")
    weights, others = (load_file(at / "model.safetensors") for at in (one, tmp_path / "two"))
    for name, weight in weights.items():
        assert not torch.allclose(weight, start[name], rtol=0, atol=1e-3)
        torch.testing.assert_close(others[name], weight, rtol=0, atol=1e-4)


def test_a_resumed_run_samples_and_learns_as_if_nothing_had_happened(
    launch: Launch, base: Path, pair: Hardware, tmp_path: Path
):
    options = {
        "options_file": DEMO,
        "model_name_or_path": base,
        "per_device_train_batch_size": 4,
        "max_completion_length": 16,
        "max_steps": 4,
        "learning_rate": 1e-3,
        "eval_tasks": 0,
        "save_strategy": "steps",
        "save_steps": 2,
    }
    first = launch(tmp_path, *pair, **options)
    assert (tmp_path / "checkpoint-4").is_dir(), first.stderr[-3000:]
    lengths = logged(tmp_path, "completions/mean_length")
    whole, attempts = losses(tmp_path, 4), curriculum_log(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")

    shutil.rmtree(tmp_path / "checkpoint-4")  # as if killed after the one before
    (tmp_path / "model.safetensors").unlink()
    second = launch(tmp_path, *pair, **options, resume_from_checkpoint="true")

    assert (tmp_path / "model.safetensors").is_file(), second.stderr[-3000:]
    assert "step    2" not in second.stdout
    assert logged(tmp_path, "completions/mean_length") == lengths
    assert curriculum_log(tmp_path) == attempts
    assert losses(tmp_path, 4) == pytest.approx(whole, abs=1e-6)
    for name, weight in load_file(tmp_path / "model.safetensors").items():
        torch.testing.assert_close(weight, weights[name], rtol=0, atol=1e-6)


def test_two_processes_warm_up_train_and_evaluate_together(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run", "cpu-2", per_device_train_batch_size=4)

    assert "Processes: 2" in run.stdout, run.stderr[-3000:]
    assert (tmp_path / "run" / "model.safetensors").is_file(), run.stderr[-3000:]
    (level,) = levels(tmp_path / "run")
    assert level["tasks"] == "8"
    # steps, processes, completions
    assert sum(line["attempts"] for line in curriculum_log(tmp_path / "run")) == 3 * 2 * 4


def test_two_processes_train_an_adapter(launch: Launch, base: Path, pair: Hardware, tmp_path: Path):
    options = {"use_peft": True, "lora_target_modules": "all-linear", "options_file": DEMO}
    run = launch(tmp_path, *pair, **options, model_name_or_path=base, per_device_train_batch_size=4)

    assert "Processes: 2" in run.stdout
    weights = load_file(tmp_path / "adapter_model.safetensors")
    assert len(weights) == 2 * 7 * 2, run.stderr[-3000:]  # layers, projections, A and B
    assert all(len(weight.shape) == 2 for weight in weights.values())
    assert (tmp_path / "levels.md").is_file(), run.stderr[-3000:]


def curriculum_log(folder: Path) -> list[dict[str, object]]:
    """Return the lines of ``curriculum.jsonl``: levels, attempts and passes of all processes."""
    return [json.loads(line) for line in (folder / "curriculum.jsonl").open()]


def logged(folder: Path, name: str) -> list[float]:
    """Return what the trainer logged of a metric, step by step."""
    return [entry[name] for entry in state(folder, STEPS)["log_history"] if name in entry]
