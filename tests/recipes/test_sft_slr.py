import json
from pathlib import Path

import pytest
from sft_launching import evaluations, make_base, sft
from sft_slr import SLRArguments, gated

from logic_curriculum.curriculum import CurriculumConfig
from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.curriculum.sft_examples import Encoder
from logic_curriculum.curriculum.sft_tasks import held_out, training_row, training_set
from logic_curriculum.generators import generate

OPTIONS = {"style": "compact"}


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(make_tokenizer([generate("slr", 3, seed, **OPTIONS) for seed in range(5)]), 256)


def test_training_tasks_come_level_by_level_in_their_sizes(tmp_path: Path, encoder: Encoder):
    rows = training_set(tmp_path, [1, 2, 3], [3, 5, 4], encoder, 0, OPTIONS, False)

    lines = [encoder.tokenizer.decode(row["input_ids"]).count("bound |") for row in rows]
    assert lines == [2] * 3 + [2] * 5 + [4] * 4  # trains of a task, by level


def test_one_size_stands_for_all_levels(tmp_path: Path, encoder: Encoder):
    assert len(training_set(tmp_path, [1, 2], [3], encoder, 0, OPTIONS, False)) == 6


def test_sizes_that_fit_no_levels_are_refused(tmp_path: Path, encoder: Encoder):
    with pytest.raises(ValueError, match="2 numbers for 3 levels"):
        training_set(tmp_path, [1, 2, 3], [5, 5], encoder, 0, OPTIONS, False)


def test_a_task_made_on_the_fly_is_a_chat_on_request():
    row = training_row(OPTIONS, True, "slr", 1, 0)

    assert [message["role"] for message in row["prompt"] + row["completion"]] == [
        "user",
        "assistant",
    ]


def test_held_out_tasks_are_of_each_split_and_level():
    tasks = held_out(["validation", "test"], 2, 3, 0, OPTIONS)

    assert [(task.metadata["split"], task.level) for task in tasks] == [
        (split, level) for split in ("validation", "test") for level in (1, 2) for _ in range(3)
    ]


@pytest.mark.slow
def test_a_run_leaves_its_model_its_evaluations_and_its_table(tmp_path: Path):
    output = sft(make_base(tmp_path / "base"), tmp_path / "run")

    assert (tmp_path / "run" / "model.safetensors").is_file(), output
    assert [line["step"] for line in evaluations(tmp_path / "run")] == [0, 3, 6]
    assert "| level | tier | best constant | step 0 | step 3 | step 6 |" in output


@pytest.mark.slow
def test_a_gated_run_leaves_its_curriculum(tmp_path: Path):
    options = {"gate": True, "max_steps": 4, "per_device_train_batch_size": 2}
    output = sft(make_base(tmp_path / "base"), tmp_path / "run", **options)

    assert (tmp_path / "run" / "curriculum.jsonl").is_file(), output
    assert "families" in json.loads((tmp_path / "run" / "summary.json").read_text())


@pytest.mark.parametrize("name", ["judge_steps", "judge_levels", "judge_tasks"])
def test_a_judge_without_work_is_refused(name: str):
    with pytest.raises(ValueError, match=f"{name} is 0"):
        SLRArguments(**{name: 0})


def test_a_gate_that_would_not_see_the_highest_level_is_refused(encoder: Encoder):
    script = SLRArguments(gate=True, judge_levels=4)

    with pytest.raises(SystemExit, match="set judge_levels to 5 or more"):
        gated(script, CurriculumConfig(last_level=5), encoder, {})


@pytest.mark.slow
def test_packing_is_refused(tmp_path: Path):
    output = sft(tmp_path / "nothing", tmp_path / "run", packing="true")

    assert "undo the order of the levels" in output.replace("\n", " ")
