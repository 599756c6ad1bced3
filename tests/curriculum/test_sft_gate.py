"""The judge in the loop, and the levels that it opens, with a network that learns nothing."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from toy_task import ON_CPU
from transformers import TrainerCallback, set_seed
from trl import SFTConfig

from logic_curriculum.curriculum import (
    CurriculumCallback,
    CurriculumConfig,
    CurriculumDataset,
    CurriculumScheduler,
)
from logic_curriculum.curriculum.dataset import Encoder, held_out_tasks
from logic_curriculum.curriculum.evaluation import held_out as evaluations
from logic_curriculum.curriculum.evaluation import records
from logic_curriculum.curriculum.evaluation.held_out import JudgedEvaluation, report
from logic_curriculum.curriculum.evaluation.models import Decoding
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.curriculum.strategies import Group
from logic_curriculum.curriculum.trainers import CurriculumSFTTrainer
from logic_curriculum.generators import Task, generate
from logic_curriculum.rewards import Verdict

OPTIONS = {"style": "compact"}
TASKS = 2  # of each level, in an evaluation


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return held_out_tasks("slr", ["validation"], [1, 2, 3], TASKS, 0, OPTIONS)


class Recorded(CurriculumSFTTrainer):
    """Keeps the texts of each batch that it learns from."""

    def training_step(self, model: Any, inputs: dict[str, Any], *rest: Any) -> Any:
        texts = self.processing_class.batch_decode(inputs["input_ids"], skip_special_tokens=True)
        self.learnt.append((self.state.global_step, texts))
        return super().training_step(model, inputs, *rest)


def numbered(family: str, level: int, seed: int) -> dict[str, str]:
    return {"prompt": f"level {level}:", "completion": f" {seed % 1000}"}


def make_trainer(
    folder: Path, tasks: list[Task], pad_token: str | None = "<eos>", **options: Any
) -> Recorded:
    set_seed(0)
    tokenizer = make_tokenizer(tasks)
    tokenizer.pad_token = pad_token
    size = TinyModelConfig(hidden_size=16, intermediate_size=16, layers=1, heads=2)
    scheduler = CurriculumScheduler(
        CurriculumConfig(last_level=3, window=TASKS, pass_threshold=0.4, replay_share=0.0)
    )
    batches = {"per_device_train_batch_size": 2, "gradient_accumulation_steps": 2}
    steps = {"max_steps": 6, "logging_steps": 1, "save_steps": 3}
    trainer = Recorded(
        model=make_model(tokenizer, size),
        tasks=CurriculumDataset(scheduler, numbered),
        encoder=Encoder(tokenizer, 64),
        args=SFTConfig(str(folder), **{**batches, **steps, **ON_CPU, **options}),
        processing_class=tokenizer,
    )
    trainer.learnt = []
    return trainer


def gated(folder: Path, tasks: list[Task], **options: Any) -> tuple[Recorded, CurriculumCallback]:
    trainer = make_trainer(folder, tasks, **options)
    gate = CurriculumCallback(trainer.tasks.scheduler)
    JudgedEvaluation(tasks, Decoding(1), 4, 2, gate).attach(trainer)
    trainer.add_callback(gate)
    return trainer, gate


def levels_learnt(trainer: Recorded) -> dict[int, set[str]]:
    levels: dict[int, set[str]] = {}
    for step, texts in trainer.learnt:
        levels.setdefault(step, set()).update(text.split(":")[0] for text in texts)
    return levels


@pytest.fixture
def all_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = Verdict(True, 1.0, True, 1.0)
    monkeypatch.setattr(records, "judge_batch", lambda _, texts, __: [solved] * len(texts))


def test_the_step_after_a_move_learns_from_the_new_level(tmp_path: Path, tasks: list[Task]):
    class Move(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            if state.global_step in (1, 4):
                level = trainer.tasks.scheduler.level("slr")
                passed = [Group(n, "slr", level, 1, 1, 1.0, 0.0) for n in range(TASKS)]
                trainer.tasks.scheduler.observe(passed, step=0)

    trainer = make_trainer(tmp_path, tasks, save_strategy="no")
    trainer.add_callback(Move())
    trainer.train()

    names = ["level 1", "level 2", "level 2", "level 2", "level 3", "level 3"]
    assert levels_learnt(trainer) == {step: {name} for step, name in enumerate(names)}


@pytest.mark.usefixtures("all_solved")
def test_pass_rates_open_the_next_level_and_are_logged(tmp_path: Path, tasks: list[Task]):
    trainer, gate = gated(tmp_path, tasks, save_strategy="no")
    trainer.train()

    names = ["level 1", "level 1", "level 2", "level 2", "level 3", "level 3"]
    assert levels_learnt(trainer) == {step: {name} for step, name in enumerate(names)}
    assert gate.scheduler.finished
    assert [move.kind for move in gate.scheduler.history] == ["advance", "advance", "finish"]
    first = trainer.state.log_history[0]
    assert first["eval_validation_lrl"] == 3.0
    assert first["eval_validation_pass_rate_2"] == 1.0
    assert first["eval_validation_syntax_rate"] == 1.0
    steps = [entry["step"] for entry in trainer.state.log_history if "loss" in entry]
    assert steps == [1, 2, 3, 4, 5, 6]  # evaluations take no loss's place


@pytest.mark.usefixtures("all_solved")
def test_a_resumed_run_goes_on_at_its_level_and_another_training_leaves_its_record(
    tmp_path: Path, tasks: list[Task]
):
    trainer, gate = gated(tmp_path, tasks)
    trainer.train()
    record = (tmp_path / "evaluation.jsonl").read_text()

    again, gate_again = gated(tmp_path, tasks)
    again.train(resume_from_checkpoint=str(tmp_path / "checkpoint-3"))
    with pytest.raises(ValueError, match="The curriculum was trained before"):
        again.train()

    assert again.learnt == [batch for batch in trainer.learnt if batch[0] >= 3]
    assert gate_again.scheduler.state_dict() == gate.scheduler.state_dict()
    assert (tmp_path / "evaluation.jsonl").read_text() == record
    assert [json.loads(line)["step"] for line in record.splitlines()] == [0, 2, 4, 6]


def test_what_cannot_be_graded_moves_no_level(
    tmp_path: Path, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
):
    ungraded = Verdict(False, None)
    monkeypatch.setattr(records, "judge_batch", lambda _, texts, __: [ungraded] * len(texts))
    trainer, gate = gated(tmp_path, tasks, save_strategy="no")
    trainer.train()

    assert gate.scheduler.level("slr") == 1
    assert gate.scheduler.counts("slr")[1].attempts == 0


@pytest.mark.usefixtures("all_solved")
def test_the_report_has_a_row_a_level_and_a_column_an_evaluation(
    tmp_path: Path, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(evaluations, "best_constant", lambda tasks, _: [True, False])
    trainer, _ = gated(tmp_path, tasks, save_strategy="no")
    trainer.train()

    text = report(tmp_path, tasks, OPTIONS)

    assert "| level | tier | best constant | step 0 | step 6 |" in text
    assert "| 2 | basic | 50 | 100 | 100 |" in text
    assert "| LRL | – | 1.5 | 3.0 | 3.0 |" in text
    assert (tmp_path / "levels.md").read_text() == text


def test_an_evaluation_leaves_random_states_as_they_were(tmp_path: Path, tasks: list[Task]):
    trainer = make_trainer(tmp_path, tasks)
    evaluation = JudgedEvaluation(tasks, Decoding(1, temperature=1.0), 4, 2)
    evaluation.attach(trainer)

    def drawn() -> tuple[float, ...]:
        return random.random(), np.random.random(), torch.rand(1).item()

    set_seed(1)
    expected = drawn()
    set_seed(1)
    evaluation.on_train_begin(trainer.args, trainer.state, trainer.control)

    assert drawn() == expected


def test_neither_a_pad_token_nor_an_option_of_trl_is_needed(tmp_path: Path, tasks: list[Task]):
    options = {"save_strategy": "no", "max_steps": 1, "dataset_kwargs": None}
    trainer = make_trainer(tmp_path, tasks, pad_token=None, **options)
    trainer.train()
    assert trainer.learnt


def test_a_gate_needs_max_steps(tmp_path: Path, tasks: list[Task]):
    with pytest.raises(ValueError, match="a curriculum has no epochs"):
        make_trainer(tmp_path, tasks, max_steps=-1)


def test_a_gate_with_another_scheduler_than_the_tasks_is_refused(tmp_path: Path, tasks: list[Task]):
    gate = CurriculumCallback(CurriculumScheduler(CurriculumConfig()))
    with pytest.raises(ValueError, match=r"have different schedulers, .* give both the same"):
        JudgedEvaluation(tasks, Decoding(1), 4, 2, gate).attach(make_trainer(tmp_path, tasks))


def test_evaluations_that_are_no_step_apart_are_refused(tasks: list[Task]):
    with pytest.raises(ValueError, match="every is 0"):
        JudgedEvaluation(tasks, Decoding(1), 4, 0)


@pytest.mark.parametrize("families", [[], ["sat", "slr"]])
def test_an_evaluation_of_other_than_one_family_is_refused(families: list[str]):
    with pytest.raises(ValueError, match=r"tasks are of the families .*: give tasks of one family"):
        JudgedEvaluation([generate(name, 1, 0) for name in families], Decoding(1), 4, 2)


def test_evaluation_data_are_refused(tmp_path: Path, tasks: list[Task]):
    trainer = make_trainer(tmp_path, tasks)
    with pytest.raises(ValueError, match="eval_dataset was given, but batches come as slots"):
        CurriculumSFTTrainer(
            model=trainer.model, tasks=None, encoder=None, args=trainer.args, eval_dataset=[]
        )
