import json
from pathlib import Path

import pytest
from sft_launching import LORA, evaluations, make_base, sft
from sft_slr import SLRArguments, check_gate, ordered_tasks
from trl import SFTConfig

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler
from logic_curriculum.curriculum.dataset import Encoder
from logic_curriculum.curriculum.evaluation import evaluate
from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.generators import generate

OPTIONS = {"style": "compact"}


def scheduler_up_to(level: int) -> CurriculumScheduler:
    return CurriculumScheduler(CurriculumConfig(last_level=level))


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(make_tokenizer([generate("slr", 3, seed, **OPTIONS) for seed in range(5)]), 256)


def trained_on(folder: Path, encoder: Encoder, sizes: list[int], last_level: int) -> list[int]:
    """Return the number of trains of each training task, in their order."""
    script = SLRArguments(**OPTIONS, train_sizes=sizes, conversational=False)
    args = SFTConfig(str(folder), use_cpu=True, bf16=False, report_to="none")
    rows = ordered_tasks(script, scheduler_up_to(last_level), encoder, args)
    return [encoder.tokenizer.decode(row["input_ids"]).count("bound |") for row in rows]


@pytest.mark.parametrize(
    ("sizes", "trains"),
    [
        ([3, 5, 4], [2] * 3 + [2] * 5 + [4] * 4),
        ([3], [2] * 3 + [2] * 3 + [4] * 3),  # one size stands for all levels
    ],
)
def test_training_tasks_come_level_by_level_in_their_sizes(
    tmp_path: Path, encoder: Encoder, sizes: list[int], trains: list[int]
):
    assert trained_on(tmp_path, encoder, sizes, 3) == trains


def test_sizes_that_fit_no_levels_are_refused(tmp_path: Path, encoder: Encoder):
    with pytest.raises(ValueError, match="2 numbers for 3 levels"):
        trained_on(tmp_path, encoder, [5, 5], 3)


@pytest.mark.slow
def test_a_run_leaves_its_model_its_evaluations_and_its_table(tmp_path: Path):
    output = sft(make_base(tmp_path / "base"), tmp_path / "run")

    assert (tmp_path / "run" / "model.safetensors").is_file(), output
    assert [line["step"] for line in evaluations(tmp_path / "run")] == [0, 3, 6]
    assert "| level | tier | best constant | nearest neighbour | step 0 | step 6 |" in output


@pytest.mark.slow
def test_inspect_evaluates_the_adapter_that_a_run_wrote(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    run = tmp_path / "run"
    sft(make_base(tmp_path / "base"), run, **LORA)
    assert (run / "adapter_model.safetensors").is_file()
    words = ["logic", "--model", str(run), "--log-dir", str(tmp_path / "logs"), "--display", "none"]
    words += [
        "-T",
        "family=slr",
        "-T",
        "levels=1",
        "-T",
        "tasks_per_level=2",
        "-T",
        "style=compact",
    ]
    assert evaluate.main([*words, "--max-tokens", "8"]) == 0
    assert "| run | slr | 2 | 2 | 0 |" in capfd.readouterr().out


@pytest.mark.slow
def test_a_gated_run_leaves_its_curriculum(tmp_path: Path):
    options = {"gate": True, "max_steps": 4, "per_device_train_batch_size": 2}
    options |= {"window": 4, "pass_threshold": 0.5}
    output = sft(make_base(tmp_path / "base"), tmp_path / "run", **options)

    assert (tmp_path / "run" / "curriculum.jsonl").is_file(), output
    assert "families" in json.loads((tmp_path / "run" / "summary.json").read_text())


@pytest.mark.parametrize("name", ["judge_steps", "judge_levels", "judge_tasks"])
def test_a_judge_without_work_is_refused(name: str):
    with pytest.raises(ValueError, match=f"{name} is 0"):
        SLRArguments(**{name: 0})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "window is 64 and judge_tasks 10"),
        ({"judge_levels": 4}, "set judge_levels to 5 or more"),
    ],
)
def test_a_gate_that_could_pass_no_level_is_refused(options: dict[str, int], said: str):
    with pytest.raises(SystemExit, match=said):
        check_gate(SLRArguments(gate=True, **options), scheduler_up_to(5))


@pytest.mark.slow
def test_packing_is_refused(tmp_path: Path):
    output = sft(tmp_path / "nothing", tmp_path / "run", packing="true")

    assert "undo the order of the levels" in output.replace("\n", " ")
