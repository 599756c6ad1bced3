"""LoRA SFT on inductive logic tasks, level after level, with the symbolic judge in the loop.

The training of SLR (appendix G.1). Four departures from a textbook SFT script:

1. Nothing is shuffled. Tasks come level by level, across processes too, and the loss is taken over
   the ground-truth rule alone, which is never cut.
2. Every ``judge_steps`` steps the model answers held-out tasks, and the symbolic judge says how
   many it solves at each level. The loss says little of that.
3. With ``--gate true`` these pass rates decide when the next level begins, by the scheduler that
   serves GRPO; tasks are then made on the fly, as many as a level takes.
4. Tasks and their rules come from this package's generators.

Without a model name, a small network is made on the spot, so that the script runs anywhere:

    accelerate launch recipes/sft_slr.py

The same tasks in random order, for comparison, and a curriculum gated by the judge:

    accelerate launch recipes/sft_slr.py --train_sampling_strategy random --output_dir runs/random
    accelerate launch recipes/sft_slr.py --gate true --max_steps 1500 --judge_steps 50 \\
        --output_dir runs/gated

The paper's training on eight GPUs:

    accelerate launch --config_file accelerate_configs/zero3.yaml \\
        recipes/sft_slr.py --config recipes/configs/sft_slr/llama3.1-8b-paper.yaml

An interrupted run goes on with ``--resume_from_checkpoint true``. Every option of SFTConfig,
ModelConfig and CurriculumConfig can be set in the YAML or on the command line, which wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.requirements import require

require("trl", extra="train")

from transformers import AutoTokenizer
from trl import ModelConfig, SFTConfig, SFTTrainer, get_peft_config, get_quantization_config

from logic_curriculum.curriculum import (
    CurriculumCallback,
    CurriculumConfig,
    CurriculumDataset,
    CurriculumScheduler,
)
from logic_curriculum.curriculum.command_line import claim_folder, parse, with_model_options
from logic_curriculum.curriculum.evaluation.held_out import JudgedEvaluation
from logic_curriculum.curriculum.evaluation.levels import report
from logic_curriculum.curriculum.evaluation.models import Decoding
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    train_tiny_model,
    warm_up_tasks,
)
from logic_curriculum.curriculum.progress import disable_progress_bars, print_lines
from logic_curriculum.curriculum.sft_curriculum import CurriculumSFTTrainer
from logic_curriculum.curriculum.sft_examples import Encoder
from logic_curriculum.curriculum.sft_tasks import held_out, training_row, training_set

DEMO = Path(__file__).parent / "configs" / "sft_slr" / "demo.yaml"
FAMILY = "slr"
TINY = TinyModelConfig(  # narrow, so that many small steps are cheap
    hidden_size=64,
    intermediate_size=192,
    convolutions=True,
    initializer_range=0.1,
    batch_size=8,
)


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
    train_sizes: list[int] = field(
        default_factory=lambda: [1000],
        metadata={
            "help": "Distinct training tasks of each level from first_level to last_level; one "
            "number stands for all."
        },
    )
    gate: bool = field(
        default=False,
        metadata={
            "help": "Begin the next level when the judge finds pass_threshold met, instead of "
            "after train_sizes; needs max_steps."
        },
    )
    judge_steps: int = field(
        default=50, metadata={"help": "Optimizer steps from one judged evaluation to the next."}
    )
    judge_levels: int = field(default=20, metadata={"help": "Levels 1 to this one are evaluated."})
    judge_tasks: int = field(
        default=10, metadata={"help": "Held-out tasks of each split and level in an evaluation."}
    )
    judge_splits: list[str] = field(
        default_factory=lambda: ["validation"],
        metadata={
            "help": "validation (rules may occur in training), test (they never do), or both; the "
            "first one gates."
        },
    )
    max_new_tokens: int = field(
        default=512, metadata={"help": "Longest answer in an evaluation, in tokens."}
    )
    warm_up_levels: list[int] = field(
        default_factory=lambda: [1, 2, 3],
        metadata={"help": "Levels that the tiny model learns beforehand, in turn."},
    )
    warm_up_steps: int = field(
        default=1000, metadata={"help": "Steps of the tiny model's warm-up, 8 tasks each."}
    )
    warm_up_tasks: int = field(
        default=4000, metadata={"help": "Distinct tasks in it, repeated to fill the steps."}
    )
    notice: str = field(default="", metadata={"help": "Printed at the start: what to expect."})

    def __post_init__(self) -> None:
        """Check that there is something to judge."""
        for name in ("judge_steps", "judge_levels", "judge_tasks"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name} is {getattr(self, name)}, which leaves the judge nothing to do: set "
                    "it to 1 or more."
                )

    @property
    def task_options(self) -> dict[str, str]:
        """Options of ``logic_curriculum.generators.generate``."""
        return {"language": self.language, "style": self.style}


def main() -> None:
    """Parse, build, train, report."""
    script, curriculum, args, model_args = parse(
        (SLRArguments, CurriculumConfig, SFTConfig, ModelConfig), DEMO
    )
    folder = Path(args.output_dir)
    if args.process_index == 0:
        claim_folder(args, (FAMILY,))
        refuse_packing(args)
        print(f"{script.notice}Processes: {args.world_size}", flush=True)
    if args.disable_tqdm:
        disable_progress_bars()
    if model_args.model_name_or_path is None:
        model_args.model_name_or_path = make_base(script, args)

    args.dataset_kwargs = {"skip_prepare_dataset": True}  # the encoder leaves TRL nothing to do
    tokenizer = load_tokenizer(model_args)
    encoder = Encoder(tokenizer, args.max_length, args.completion_only_loss is not False)
    common = {
        "model": model_args.model_name_or_path,
        # A config of its own: transformers resets accelerate's state when one is made, and without
        # that DeepSpeed refuses a trainer after the warm-up's.
        "args": with_model_options(replace(args), model_args),
        "processing_class": tokenizer,
        "quantization_config": get_quantization_config(model_args),
        "peft_config": get_peft_config(model_args),
    }
    trainer, gate = (gated if script.gate else ordered)(script, curriculum, encoder, common)
    print_lines(trainer, {"loss": "loss", "token accuracy": "mean_token_accuracy"})
    tasks = held_out(
        script.judge_splits, script.judge_levels, script.judge_tasks, args.seed, script.task_options
    )
    JudgedEvaluation(
        tasks,
        Decoding(script.max_new_tokens, script.conversational),
        args.per_device_eval_batch_size,
        script.judge_steps,
        gate,
    ).attach(trainer)
    if gate is not None:
        trainer.add_callback(gate)  # after the evaluation, so that checkpoints hold what it found

    trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    trainer.save_model(args.output_dir)
    if trainer.is_world_process_zero():
        print(
            f"\n{report(folder, tasks, script.task_options)}\n\nThe run is in {folder}", flush=True
        )
    trainer.end()


def refuse_packing(args: SFTConfig) -> None:
    """Raise when tasks would be regrouped."""
    if args.packing:
        raise SystemExit(
            "packing is True, which would put tasks together by their lengths and so undo the "
            "order of the levels: leave it at False."
        )


def make_base(script: SLRArguments, args: SFTConfig) -> str:
    """Return the folder of a tiny model, warmed up now unless the run is resumed."""
    folder = Path(args.output_dir) / "warm-up"
    if not (args.resume_from_checkpoint and (folder / "model.safetensors").is_file()):
        tasks = warm_up_tasks(
            script.warm_up_levels, args.seed, {FAMILY: script.task_options}, script.warm_up_tasks
        )
        config = replace(TINY, steps=script.warm_up_steps)
        train_tiny_model(str(folder), args.seed, tasks, config)
    return str(folder)


def ordered(
    script: SLRArguments, curriculum: CurriculumConfig, encoder: Encoder, common: dict[str, Any]
) -> tuple[SFTTrainer, None]:
    """Return a trainer on distinct tasks, the levels one after the other."""
    track = CurriculumScheduler(curriculum).track(FAMILY)
    args = common["args"]
    dataset = training_set(
        Path(args.output_dir) / "data",
        range(track.first, track.last + 1),
        script.train_sizes,
        encoder,
        args.seed,
        script.task_options,
        script.conversational,
    )
    return SFTTrainer(train_dataset=dataset, **common), None


def gated(
    script: SLRArguments, curriculum: CurriculumConfig, encoder: Encoder, common: dict[str, Any]
) -> tuple[SFTTrainer, CurriculumCallback]:
    """Return a trainer on tasks of the level that the judge's pass rates have reached."""
    scheduler = CurriculumScheduler(curriculum)
    last = scheduler.track(FAMILY).last
    if script.judge_levels < last:
        raise SystemExit(
            f"judge_levels is {script.judge_levels}, but the curriculum goes up to level {last}, "
            f"and a level that is not judged is never passed: set judge_levels to {last} or more."
        )
    make_task = partial(training_row, script.task_options, script.conversational)
    tasks = CurriculumDataset(scheduler, make_task)
    trainer = CurriculumSFTTrainer(tasks=tasks, encoder=encoder, **common)
    return trainer, CurriculumCallback(scheduler)


def load_tokenizer(model_args: ModelConfig) -> Any:
    """Return the model's tokenizer, which pads prompts on the left for generation."""
    tokenizer = AutoTokenizer.from_pretrained(
        model_args.model_name_or_path, revision=model_args.model_revision, padding_side="left"
    )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


if __name__ == "__main__":
    main()
