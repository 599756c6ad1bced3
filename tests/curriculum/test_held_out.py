"""Pass rates on tasks that no training step sees, by TRL's own evaluation."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from toy_task import make_task, toy_model, toy_scheduler, toy_tokenizer
from transformers import TrainerState
from trl import GRPOConfig

from logic_curriculum.curriculum import CurriculumGRPOTrainer
from logic_curriculum.curriculum.evaluation.held_out import LevelEvaluation
from logic_curriculum.rewards import validity_reward

FAMILY, LEVELS, TASKS = "validity", [1, 2], 5


def make_trainer(folder: Path, evaluation: LevelEvaluation, **options: Any) -> Any:
    trainer = CurriculumGRPOTrainer(
        model=toy_model(),
        reward_funcs=evaluation.watch(validity_reward),
        args=GRPOConfig(
            str(folder),
            **{
                "per_device_train_batch_size": 8,
                "per_device_eval_batch_size": 4,
                "num_generations_eval": 1,
                "max_completion_length": 2,
                "max_steps": 2,
                "eval_strategy": "steps",
                "eval_steps": 1,
                "eval_on_start": True,
                "use_cpu": True,
                "bf16": False,
                "save_strategy": "no",
                "report_to": "none",
                **options,
            },
        ),
        eval_dataset=evaluation.dataset,
        processing_class=toy_tokenizer(),
        curriculum=toy_scheduler(),
        make_task=lambda *about: {**make_task(*about), "correct": [1], "options": 2},
    )
    trainer.add_callback(evaluation)
    return trainer


def test_every_evaluation_is_written_down_and_counts_each_task_once(tmp_path: Path) -> None:
    evaluation = LevelEvaluation(LEVELS, TASKS, 0, {FAMILY: {"style": "compact"}})
    trainer = make_trainer(tmp_path, evaluation)
    trainer.train()

    lines = [json.loads(line) for line in (tmp_path / "pass_rates.jsonl").open()]
    assert [line["step"] for line in lines] == [0, 1, 2]
    assert [line["completions"] for line in lines] == [0, 8, 16]
    rates = {"validation_1", "validation_2", "test_1", "test_2"}
    assert lines[0]["rates"].keys() == rates | {f"{name}_partial" for name in rates}
    text = evaluation.report(tmp_path)
    assert "| family | level | tasks | best constant | before | after | new items, before |" in text
    assert [f"| {FAMILY} | {level} | {TASKS} | " in text for level in LEVELS] == [True, True]
    assert (tmp_path / "levels.md").read_text() == text
    assert (tmp_path / "pass_rates.png").read_bytes().startswith(b"\x89PNG")
    assert evaluation.measured == 2
    assert [place[2:] for place in evaluation.answers] == [(level, 0) for level in LEVELS]
    assert all("\n  judge: " in answer for answer in evaluation.answers.values())


def test_padding_and_other_rows_are_not_counted(tmp_path: Path) -> None:
    evaluation = LevelEvaluation([1], 2, 0, {FAMILY: {"style": "compact"}})
    rows = list(evaluation.dataset)
    reward = evaluation.watch(validity_reward)
    right = [row["completion"] for row in rows]
    columns = {name: [row[name] for row in rows] for name in rows[0] if name != "completion"}
    del columns["prompt"]
    reward(completions=["none", *right[1:]], **columns)
    reward(completions=["none", "none"], **{name: [own[0]] * 2 for name, own in columns.items()})
    others = {"family": columns["family"], "verification": columns["verification"]}
    reward(completions=["none"] * len(rows), **others)
    evaluation.on_evaluate(
        SimpleNamespace(
            output_dir=tmp_path,
            steps_per_generation=1,
            num_iterations=1,
            gradient_accumulation_steps=1,
            generation_batch_size=8,
        ),
        TrainerState(is_world_process_zero=True),
        None,
    )
    (line,) = map(json.loads, (tmp_path / "pass_rates.jsonl").open())
    assert (line["rates"]["validation_1"], line["rates"]["test_1"]) == (0.5, 1.0)


def test_a_run_resumed_at_its_end_measures_the_end_once(tmp_path: Path) -> None:
    lines = [{"step": step, "completions": 0, "rates": {}} for step in (0, 6, 12)]
    log = tmp_path / "pass_rates.jsonl"
    evaluation = LevelEvaluation([1], 1, 0, {"sat": {}})
    args = SimpleNamespace(output_dir=tmp_path)
    for resumed_at, kept in ((6, [0, 6]), (12, [0, 6])):
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        evaluation.on_train_begin(args, TrainerState(global_step=resumed_at, max_steps=12), None)
        assert [json.loads(line)["step"] for line in log.open()] == kept
