"""Pass rates on tasks that no training step sees."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from toy_task import make_task, toy_model, toy_scheduler, toy_tokenizer
from transformers import TrainerState
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


def test_a_run_resumed_at_its_end_measures_the_end_once(tmp_path: Path) -> None:
    lines = [{"step": step, "completions": 0, "rates": {}} for step in (0, 6, 12)]
    log = tmp_path / "pass_rates.jsonl"
    evaluation = LevelEvaluation([1], 1, 0, {"sat": {}})
    trainer = SimpleNamespace(
        args=SimpleNamespace(output_dir=tmp_path), add_callback=lambda callback: None
    )
    evaluation.attach(trainer)
    for resumed_at, kept in ((6, [0, 6]), (12, [0, 6])):
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        state = TrainerState(global_step=resumed_at, max_steps=12)
        evaluation.on_train_begin(trainer.args, state, control=None)
        assert [json.loads(line)["step"] for line in log.open()] == kept
