"""The SFT recipe on two CPU processes, whole, with ZeRO-3 and with FSDP 2."""

import shutil
from pathlib import Path

import pytest
import torch
from peft import AutoPeftModelForCausalLM
from safetensors.torch import load_file
from sft_launching import LORA, STEPS, evaluations, losses, make_base, seen, sft, state, trained_on
from transformers import AutoModelForCausalLM, AutoTokenizer

from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.curriculum.evaluation.prompts import Question
from logic_curriculum.generators import generate

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500, func_only=True)]


Hardware = tuple[str, tuple[str, ...]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def one(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run on one process, eight tasks at a time."""
    folder = tmp_path_factory.mktemp("one") / "run"
    output = sft(base, folder)
    assert (folder / "levels.md").is_file(), output
    return folder


@pytest.fixture(scope="module")
def two(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return that of a run on two processes, twice two tasks a step for each."""
    folder = tmp_path_factory.mktemp("two") / "run"
    batches = {"per_device_train_batch_size": 2, "gradient_accumulation_steps": 2}
    output = sft(base, folder, "cpu-2", **batches)
    assert "Processes: 2" in output
    assert (folder / "levels.md").is_file(), output
    return folder


def test_one_process_learns_level_by_level_in_both_epochs(one: Path):
    assert seen(one) == trained_on(one) * 2


def test_two_processes_learn_in_the_very_same_order(one: Path, two: Path):
    assert seen(two) == seen(one)
    for step in range(STEPS):
        assert seen(two, step) == seen(one, step)


def test_one_process_of_eight_equals_two_of_four(base: Path, one: Path, pair: Hardware):
    two = one.with_name(pair[0])
    output = sft(base, two, *pair, per_device_train_batch_size=4)

    assert "Processes: 2" in output
    assert seen(two) == seen(one)
    assert losses(two) == pytest.approx(losses(one), abs=1e-3)
    weights, others = (load_file(folder / "model.safetensors") for folder in (one, two))
    for name, weight in weights.items():
        torch.testing.assert_close(weight, others[name], rtol=0, atol=1e-4)
    assert evaluations(two) == evaluations(one)


def test_two_processes_judge_the_same_tasks_alike(one: Path, two: Path):
    assert [line["step"] for line in evaluations(two)] == [0, 3, 6]
    assert evaluations(two) == evaluations(one)


def test_random_order_is_another_one(base: Path, one: Path, tmp_path: Path):
    output = sft(base, tmp_path / "run", train_sampling_strategy="random")

    assert len(seen(tmp_path / "run")) == len(seen(one)), output
    assert sorted(seen(tmp_path / "run")) == sorted(seen(one))
    assert seen(tmp_path / "run") != seen(one)


def test_the_gate_moves_all_processes_at_once(base: Path, tmp_path: Path):
    output = sft(
        base,
        tmp_path / "run",
        "cpu-2",
        gate=True,
        per_device_train_batch_size=4,
        max_steps=4,
        save_steps=4,
        judge_steps=2,
        window=4,
        pass_threshold=1e-9,  # passed by a single answer
        max_new_tokens=24,
    )

    track = state(tmp_path / "run", 4)["stateful_callbacks"]["curriculum"]["families"]["slr"]
    passed = [line["levels"] for line in evaluations(tmp_path / "run")]
    assert track["counts"]["1"]["attempts"] == 2 * 4, (
        output
    )  # four tasks of level 1, at steps 2 and 4
    assert len(seen(tmp_path / "run")) == 4 * 8
    assert (track["state"]["level"] == 2) == (sum(levels["1"][1] for levels in passed[1:]) > 0)


def test_a_resumed_run_ends_as_if_nothing_had_happened_and_its_adapter_can_be_merged(
    base: Path, pair: Hardware, tmp_path: Path
):
    run, batches = tmp_path / "run", {**LORA, "per_device_train_batch_size": 4}

    output = sft(base, run, *pair, **batches)
    assert "Processes: 2" in output
    assert (run / "adapter_model.safetensors").is_file(), output
    require_mergeable(base, run, tmp_path / "merged")
    whole, learnt = losses(run), seen(run)

    shutil.rmtree(run / f"checkpoint-{STEPS}")  # as if killed after the one before
    shutil.rmtree(tmp_path / "run-seen")
    output = sft(base, run, *pair, **batches, resume_from_checkpoint="true")

    assert seen(run) == learnt[3 * 8 :], output
    assert losses(run) == pytest.approx(whole, abs=1e-4)


def require_mergeable(base: Path, adapter: Path, merged: Path) -> None:
    """Check that a merged adapter is an ordinary model that answers as the adapter does."""
    tokenizer = AutoTokenizer.from_pretrained(base, padding_side="left")
    tuned = AutoPeftModelForCausalLM.from_pretrained(adapter)
    questions = [
        Question(task, task.prompt)
        for task in (generate("slr", 2, seed, style="compact") for seed in range(4))
    ]
    before = TransformersModel(tuned, tokenizer, Decoding(8)).answer(questions, 0)
    tuned.merge_and_unload().save_pretrained(merged)
    whole = AutoModelForCausalLM.from_pretrained(merged)
    after = TransformersModel(whole, tokenizer, Decoding(8)).answer(questions, 0)
    assert after == before
