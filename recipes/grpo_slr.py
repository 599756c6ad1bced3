"""GRPO on inductive logic tasks, with a curriculum that raises the level by itself.

Three departures from a textbook GRPO script:

1. No dataset is loaded. Tasks are made when they are needed, at the level that the model has
   reached; every process makes the same ones.
2. The reward is a symbolic judge: 1 when the rule classifies every example of a renamed copy of
   the task, else 0. No partial credit, which would pay half to a rule that never fires.
3. Pass rates are measured level by level before and after, on tasks kept out of training, beside
   the best constant answer.

Without a model name, a small Llama is made on the spot and warmed up by SFT, so that the script
runs anywhere:

    accelerate launch recipes/grpo_slr.py

One GPU, then eight (TRL's vLLM server runs beside the trainer, see the YAML):

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \
        recipes/grpo_slr.py --config recipes/configs/grpo_slr/qwen2.5-1.5b.yaml
    accelerate launch --config_file accelerate_configs/zero3.yaml \
        recipes/grpo_slr.py --config recipes/configs/grpo_slr/llama3.1-8b.yaml

Every option of GRPOConfig, ModelConfig and CurriculumConfig can be set in the YAML or on the
command line, which wins.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from curriculum.requirements import require

require("trl", extra="train")

from level_evaluation import LevelEvaluation, table
from progress import CURRICULUM_COLUMNS, disable_progress_bars, print_lines
from sample_answers import show_answers
from tiny_model import TinyModelConfig, train_tiny_model
from trl import (
    GRPOConfig,
    ModelConfig,
    TrlParser,
    get_peft_config,
    get_quantization_config,
)

from curriculum import CurriculumConfig, CurriculumGRPOTrainer
from rewards import REWARDS

DEMO = Path(__file__).parent / "configs" / "grpo_slr" / "demo.yaml"


@dataclass
class SLRArguments:
    """What is particular to this recipe; without ``model_name_or_path`` a tiny model is made."""

    language: str = field(
        default="trains", metadata={"help": "Shipped language (trains, houses) or a YAML file."}
    )
    style: str = field(
        default="prolog", metadata={"help": "Prompt style: prolog, natural or compact."}
    )
    conversational: bool = field(
        default=True, metadata={"help": "Whether prompts are chat messages; needs a chat template."}
    )
    rewards: list[str] = field(
        default_factory=lambda: ["slr_reward"],
        metadata={"help": "Names in rewards.REWARDS; weigh them with reward_weights."},
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
        default_factory=lambda: list(TinyModelConfig.levels),
        metadata={"help": "Levels of the tiny model's SFT warm-up."},
    )
    warm_up_steps: int = field(
        default=TinyModelConfig.steps, metadata={"help": "Steps of the tiny model's SFT warm-up."}
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

    @property
    def task_options(self) -> dict[str, str]:
        """Options of ``generators.generate``."""
        return {"language": self.language, "style": self.style}


def main() -> None:
    """Parse, build, train, report."""
    script, curriculum, args, model_args = parse()
    if args.process_index == 0:
        refuse_to_overwrite(args)
        print(f"{script.notice}Processes: {args.world_size}", flush=True)
    if args.disable_tqdm:
        disable_progress_bars()
    if model_args.model_name_or_path is None:
        model_args.model_name_or_path = make_model(script, args)

    trainer = CurriculumGRPOTrainer(
        model=model_args.model_name_or_path,
        reward_funcs=[REWARDS[name] for name in script.rewards],
        args=with_model_options(args, model_args),
        quantization_config=get_quantization_config(model_args),
        peft_config=get_peft_config(model_args),
        curriculum=curriculum,
        task_options=script.task_options,
        conversational=script.conversational,
    )
    print_lines(trainer, CURRICULUM_COLUMNS)
    evaluation = LevelEvaluation(
        levels=range(1, script.eval_levels + 1) if script.eval_tasks else (),
        tasks=script.eval_tasks,
        seed=args.seed,
        task_options=script.task_options,
        conversational=script.conversational,
    )
    evaluation.attach(trainer)

    trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    trainer.save_model(args.output_dir)
    if trainer.accelerator.is_main_process:
        if script.show_answers:
            model = trainer.accelerator.unwrap_model(trainer.model)
            tasks = (evaluation.tasks["validation", level][0] for level in evaluation.levels)
            tokenizer = trainer.processing_class
            print("\n" + show_answers(model, tokenizer, tasks, args.max_completion_length))
        print(f"\n{table(evaluation.results)}\n\nThe run is in {args.output_dir}", flush=True)
    trainer.end()


def parse() -> tuple[SLRArguments, CurriculumConfig, GRPOConfig, ModelConfig]:
    """Read the command line and the YAML that ``--config`` names, or else the demo's."""
    argv = [part for arg in sys.argv[1:] for part in split_config_flag(arg)]
    if "--config" not in argv:
        argv = ["--config", str(DEMO), *argv]
    parser = TrlParser((SLRArguments, CurriculumConfig, GRPOConfig, ModelConfig))
    script, curriculum, args, model_args = parser.parse_args_and_config(args=argv)
    if args.resume_from_checkpoint in ("true", "True"):
        args.resume_from_checkpoint = True  # transformers' way to say "the latest one"
    return script, curriculum, args, model_args


def split_config_flag(arg: str) -> list[str]:
    """Return ``--config=FILE`` as the two words that TrlParser knows."""
    return arg.split("=", 1) if arg.startswith("--config=") else [arg]


def refuse_to_overwrite(args: GRPOConfig) -> None:
    """Raise when the run folder holds another run."""
    folder = Path(args.output_dir)
    if args.resume_from_checkpoint is None and folder.is_dir() and any(folder.iterdir()):
        raise SystemExit(
            f"{folder} is not empty, and a new run would overwrite what is there: choose another "
            "--output_dir, or continue it with --resume_from_checkpoint true."
        )


def make_model(script: SLRArguments, args: GRPOConfig) -> str:
    """Return the folder of a tiny model, warmed up now unless the run is resumed."""
    if args.deepspeed_plugin is not None:
        raise SystemExit(
            "No model_name_or_path was given, and DeepSpeed drives one trainer per process, so it "
            "cannot both warm a tiny model up and train it: name a model, for instance the "
            "warm-up folder of a run without DeepSpeed."
        )
    folder = Path(args.output_dir) / "warm-up"
    if not (args.resume_from_checkpoint and folder.is_dir()):
        config = TinyModelConfig(levels=tuple(script.warm_up_levels), steps=script.warm_up_steps)
        train_tiny_model(str(folder), args.seed, config, **script.task_options)
    return str(folder)


def with_model_options(args: GRPOConfig, model_args: ModelConfig) -> GRPOConfig:
    """Return the GRPO options with ModelConfig's loading options merged in."""
    args.model_init_kwargs = {
        "revision": model_args.model_revision,
        "attn_implementation": model_args.attn_implementation,
        "dtype": model_args.dtype,
        **(args.model_init_kwargs or {}),
    }
    return args


if __name__ == "__main__":
    main()
