"""Train the toy model with a curriculum; each process writes what it saw, batch by batch.

Started by the tests under ``accelerate launch``. A process writes ``done.RANK`` when it is through:
CPU processes can abort while the interpreter shuts down, so the return code says nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from pathlib import Path
from typing import Any

from toy_task import ON_CPU, digest, make_task, toy_model, toy_reward, toy_scheduler, toy_tokenizer
from trl import GRPOConfig, GRPOTrainer

from logic_curriculum.curriculum import (
    CurriculumCallback,
    CurriculumDataset,
    CurriculumGRPOTrainer,
    CurriculumScheduler,
)
from logic_curriculum.curriculum.checkpoints import Preemption
from logic_curriculum.curriculum.dataset import SLOT


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("--out", type=Path, required=True)
    add("--steps", type=int, default=12)
    add("--save", type=int, default=4)
    add("--workers", type=int, default=0)
    add("--die-at", type=int, default=None, help="step in which the process kills itself")
    add("--ask-at", type=int, default=None, help="step in which one process is asked to end")
    add("--watched", action="store_true", help="an ordinary GRPOTrainer that the scheduler watches")
    add("--resume", default=None)
    add("--strategy", default="threshold")
    return parser.parse_args()


def recorded(options: argparse.Namespace, rank: str, scheduler: CurriculumScheduler) -> Any:
    log = options.out / f"seen.{rank}.jsonl"

    def toy(prompts: list[str], completions: list[str], **columns: Any) -> list[float | None]:
        rewards = toy_reward(completions, **columns)
        step = columns["trainer_state"].global_step
        record = {
            "step": step,
            "world": int(os.environ.get("WORLD_SIZE", "1")),
            "level": scheduler.level("toy"),
            "levels": columns["level"],
            "slots": columns[SLOT],
            "prompts": [digest(prompt) for prompt in prompts],
            "completions": [digest(completion) for completion in completions],
            "rewards": rewards,
        }
        with log.open("a") as file:
            file.write(json.dumps(record) + "\n")
        if step == options.die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        if step == options.ask_at and rank == "0":
            os.kill(os.getpid(), signal.SIGTERM)
        return rewards

    return toy


def grpo_config(options: argparse.Namespace) -> GRPOConfig:
    world = int(os.environ.get("WORLD_SIZE", "1"))
    return GRPOConfig(
        str(options.out),
        per_device_train_batch_size=24 // world,  # with two processes, half of a group each
        num_generations=8,
        max_completion_length=4,
        max_steps=options.steps,
        save_steps=options.save,
        logging_steps=1,
        learning_rate=1e-3,
        dataloader_num_workers=options.workers,
        **ON_CPU,
    )


def curriculum_trainer(
    options: argparse.Namespace, scheduler: CurriculumScheduler, reward: Any
) -> GRPOTrainer:
    return CurriculumGRPOTrainer(
        model=toy_model(),
        reward_funcs=reward,
        args=grpo_config(options),
        processing_class=toy_tokenizer(),
        curriculum=scheduler,
        make_task=make_task,
    )


def own_trainer(
    options: argparse.Namespace, scheduler: CurriculumScheduler, reward: Any
) -> GRPOTrainer:
    callback = CurriculumCallback(scheduler)
    return GRPOTrainer(
        model=toy_model(),
        reward_funcs=callback.watch(reward),
        args=grpo_config(options),
        processing_class=toy_tokenizer(),
        train_dataset=CurriculumDataset(scheduler, make_task).lazy(100),
        callbacks=[callback],
    )


def main() -> None:
    options = parse()
    rank = os.environ.get("RANK", "0")
    options.out.mkdir(parents=True, exist_ok=True)
    own = {"pass_threshold": 0.2, "replay_share": 0.25, "window": 5}
    scheduler = toy_scheduler(strategy=options.strategy, **own)
    reward = recorded(options, rank, scheduler)
    trainer = (own_trainer if options.watched else curriculum_trainer)(options, scheduler, reward)
    trainer.add_callback(Preemption())
    trainer.train(resume_from_checkpoint=options.resume)
    outcome = {"world": trainer.accelerator.num_processes, "state": scheduler.state_dict()}
    (options.out / f"done.{rank}").write_text(json.dumps(outcome))
    trainer.accelerator.end_training()
    os._exit(0)


if __name__ == "__main__":
    main()
