"""A training of seconds that saves checkpoints, and what it comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from toy_task import ON_CPU, make_task, toy_model, toy_reward, toy_scheduler, toy_tokenizer
from transformers import TrainerCallback
from trl import GRPOConfig

from logic_curriculum.curriculum import CurriculumGRPOTrainer
from logic_curriculum.curriculum.checkpoints import Preemption

STEPS = 8


def make_trainer(folder: Path, *callbacks: TrainerCallback) -> CurriculumGRPOTrainer:
    """Return a trainer that generates for two steps at a time and saves every six."""
    return CurriculumGRPOTrainer(
        model=toy_model(),
        reward_funcs=toy_reward,
        args=GRPOConfig(
            str(folder),
            per_device_train_batch_size=16,
            steps_per_generation=2,
            num_generations=8,
            max_completion_length=4,
            max_steps=STEPS,
            save_steps=6,
            logging_steps=1,
            learning_rate=1e-3,
            **ON_CPU,
        ),
        curriculum=toy_scheduler(),
        make_task=make_task,
        processing_class=toy_tokenizer(),
        callbacks=[*callbacks, Preemption()],
    )


def outcome(trainer: CurriculumGRPOTrainer) -> tuple[Any, ...]:
    """Return levels and weights of a trained model."""
    weights = torch.cat([each.flatten() for each in trainer.model.parameters()])
    return trainer.curriculum.state_dict(), weights.tolist()


def whole_run(folder: Path) -> tuple[Path, tuple[Any, ...]]:
    """Return the folder of a run that nothing disturbed, and what it came to."""
    trainer = make_trainer(folder)
    trainer.train()
    return folder, outcome(trainer)
