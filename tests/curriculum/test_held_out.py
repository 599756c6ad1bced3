"""Pass rates on tasks that no training step sees."""

import json
from pathlib import Path

import pytest
from toy_task import make_task, toy_model, toy_scheduler, toy_tokenizer
from trl import GRPOConfig

from logic_curriculum.curriculum import CurriculumGRPOTrainer
from logic_curriculum.curriculum.evaluation.held_out import LevelEvaluation
from logic_curriculum.rewards import slr_reward


def test_levels_are_measured_without_computing_a_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = CurriculumGRPOTrainer(
        model=toy_model(),
        reward_funcs=slr_reward,
        args=GRPOConfig(
            str(tmp_path),
            per_device_train_batch_size=8,
            per_device_eval_batch_size=4,
            num_generations_eval=1,
            max_completion_length=2,
            max_steps=1,
            use_cpu=True,
            bf16=False,
            save_strategy="no",
            report_to="none",
        ),
        processing_class=toy_tokenizer(),
        curriculum=toy_scheduler(),
        make_task=lambda *about: {**make_task(*about), "validation program": "eastbound(t)."},
    )
    learnt: list[bool] = []
    own = trainer.compute_loss

    def counted(model: object, inputs: object, **options: object) -> object:
        learnt.append(trainer.model.training)
        return own(model, inputs, **options)

    monkeypatch.setattr(trainer, "compute_loss", counted)
    LevelEvaluation([1, 2], 4, 0, {"slr": {"style": "compact"}}).attach(trainer)
    trainer.train()
    assert learnt == [True]
    lines = [json.loads(line) for line in (tmp_path / "pass_rates.jsonl").open()]
    assert [line["step"] for line in lines] == [0, 1]
    rates = {"validation_1", "validation_2", "test_1", "test_2"}
    assert lines[0]["rates"].keys() == rates | {f"{name}_partial" for name in rates}
    assert "eval_test_2_loss" not in trainer.state.log_history[0]
