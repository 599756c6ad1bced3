"""The run that the GRPO recipes have in common: build, train, report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from trl import GRPOConfig, ModelConfig, get_peft_config, get_quantization_config

from logic_curriculum.curriculum import CurriculumConfig, CurriculumGRPOTrainer
from logic_curriculum.curriculum.command_line import claim_folder, with_model_options
from logic_curriculum.curriculum.evaluation.held_out import LevelEvaluation, show_answers, table
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    train_tiny_model,
    warm_up_tasks,
)
from logic_curriculum.curriculum.progress import (
    curriculum_columns,
    disable_progress_bars,
    print_lines,
)
from logic_curriculum.generators import Task, generate
from logic_curriculum.rewards import REWARDS


@dataclass
class RunArguments:
    """What the recipes share; without ``model_name_or_path`` a tiny model is made."""

    conversational: bool = field(
        default=True, metadata={"help": "Whether prompts are chat messages; needs a chat template."}
    )
    rewards: list[str] = field(
        default_factory=lambda: ["logic_reward"],
        metadata={
            "help": "Names in logic_curriculum.rewards.REWARDS; weigh them with reward_weights."
        },
    )
    eval_levels: int = field(
        default=20, metadata={"help": "Levels 1 to this one are evaluated before and after."}
    )
    eval_tasks: int = field(
        default=64, metadata={"help": "Tasks per level and split in these evaluations; 0 for none."}
    )
    show_answers: bool = field(
        default=False,
        metadata={
            "help": "Print one held-out answer per level at the end; plain prompts, no sharding."
        },
    )
    warm_up_levels: list[int] = field(
        default_factory=lambda: [2, 3, 3, 4],
        metadata={
            "help": "Levels of the tiny model's SFT warm-up, in turn; one that stands twice gets "
            "twice the share."
        },
    )
    warm_up_steps: int = field(
        default=TinyModelConfig.steps, metadata={"help": "Steps of the tiny model's SFT warm-up."}
    )
    warm_up_tasks: int = field(
        default=4_000, metadata={"help": "Distinct tasks in it, repeated to fill the steps."}
    )
    warm_up_batch_size: int = field(
        default=TinyModelConfig.batch_size, metadata={"help": "Tasks per step of the warm-up."}
    )
    warm_up_convolutions: bool = field(
        default=TinyModelConfig.convolutions,
        metadata={"help": "Make every other layer of the tiny model a short convolution (LFM2)."},
    )
    notice: str = field(default="", metadata={"help": "Printed at the start: what to expect."})

    def __post_init__(self) -> None:
        """Check the names of the rewards before anything is trained."""
        unknown = [name for name in self.rewards if name not in REWARDS]
        if unknown:
            raise ValueError(
                f"rewards names {unknown[0]!r}, which does not exist: choose from "
                f"{', '.join(sorted(REWARDS))}."
            )

    def task_options(self, family: str) -> dict[str, Any]:
        """Return the options of ``logic_curriculum.generators.generate`` for tasks of a family."""
        raise NotImplementedError

    def warm_up(self, folder: str, seed: int, options: Mapping[str, Mapping[str, Any]]) -> None:
        """Make a tiny model, warm it up by SFT and leave it in a folder.

        Args:
            folder: Where model and tokenizer are saved.
            seed: Seed of weights and tasks.
            options: The families, each with its task options.
        """
        config = TinyModelConfig(
            steps=self.warm_up_steps,
            batch_size=self.warm_up_batch_size,
            convolutions=self.warm_up_convolutions,
        )
        train_tiny_model(folder, seed, self.warm_up_examples(seed, options), config)

    def warm_up_examples(self, seed: int, options: Mapping[str, Mapping[str, Any]]) -> list[Task]:
        """Return the tasks of the warm-up, with the solutions that it teaches."""
        return warm_up_tasks(self.warm_up_levels, seed, options, self.warm_up_tasks)


def run(
    script: RunArguments, curriculum: CurriculumConfig, args: GRPOConfig, model_args: ModelConfig
) -> None:
    """Train a model by GRPO under a curriculum, and print its pass rates before and after."""
    check_weights(script.rewards, args.reward_weights)
    if args.process_index == 0:
        claim_folder(args, curriculum.families)
        print(f"{script.notice}Processes: {args.world_size}", flush=True)
    if args.disable_tqdm:
        disable_progress_bars()
    options = {family: script.task_options(family) for family in curriculum.families}
    if model_args.model_name_or_path is None:
        model_args.model_name_or_path = make_model(script, args, options)

    trainer = CurriculumGRPOTrainer(
        model=model_args.model_name_or_path,
        reward_funcs=[REWARDS[name] for name in script.rewards],
        args=with_model_options(args, model_args),
        quantization_config=get_quantization_config(model_args),
        peft_config=get_peft_config(model_args),
        curriculum=curriculum,
        make_task=partial(make_row, options),
        conversational=script.conversational,
    )
    print_lines(trainer, curriculum_columns(curriculum.families))
    evaluation = LevelEvaluation(
        levels=range(1, script.eval_levels + 1) if script.eval_tasks else (),
        tasks=script.eval_tasks,
        seed=args.seed,
        task_options=options,
        conversational=script.conversational,
    )
    evaluation.attach(trainer)

    trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    trainer.save_model(args.output_dir)
    trainer.save_state()
    if trainer.accelerator.is_main_process:
        if script.show_answers:
            model = trainer.accelerator.unwrap_model(trainer.model)
            tokenizer, tasks = trainer.processing_class, evaluation.samples()
            print("\n" + show_answers(model, tokenizer, tasks, args.max_completion_length))
        print(f"\n{table(evaluation.results)}\n\nThe run is in {args.output_dir}", flush=True)
    trainer.end()


def check_weights(rewards: Sequence[str], weights: Sequence[float] | None) -> None:
    """Check that each reward has its weight, before a warm-up is spent on a run that can't start.

    Raises:
        ValueError: If the numbers differ.
    """
    if weights is not None and len(weights) != len(rewards):
        raise ValueError(
            f"reward_weights has {len(weights)} numbers for {len(rewards)} rewards "
            f"({', '.join(rewards)}): give one for each, or leave it out to weigh all alike."
        )


def make_row(
    options: Mapping[str, Mapping[str, Any]], family: str, level: int, seed: int
) -> dict[str, Any]:
    """Return the dataset row of a training task; ``options`` holds each family's own."""
    return generate(family, level, seed, split="train", **options[family]).to_row()


def make_model(
    script: RunArguments, args: GRPOConfig, options: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return the folder of a tiny model, warmed up now unless the run is resumed."""
    if args.deepspeed_plugin is not None:
        raise SystemExit(
            "No model_name_or_path was given, and DeepSpeed drives one trainer per process, so it "
            "cannot both warm a tiny model up and train it: name a model, for instance the "
            "warm-up folder of a run without DeepSpeed."
        )
    folder = Path(args.output_dir) / "warm-up"
    if not (args.resume_from_checkpoint and folder.is_dir()):
        script.warm_up(str(folder), args.seed, options)
    return str(folder)
