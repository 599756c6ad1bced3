"""LoRA SFT on inductive logic tasks, level after level, with the symbolic judge in the loop.

The training of SLR (appendix G.1). Three departures from a textbook SFT script:

1. Nothing is shuffled. Tasks come level by level, across processes too, and the loss is taken over
   the ground-truth rule alone, which is never cut.
2. Every ``judge_steps`` steps the symbolic judge counts the held-out tasks solved at each level.
3. With ``--gate true`` these pass rates decide when the next level begins, by the scheduler that
   serves GRPO; tasks are then made on the fly, as many as a level takes.

Without a model name, a small network is made on the spot, so that the script runs anywhere:

    accelerate launch recipes/sft_slr.py

The same tasks in random order, for comparison, and a curriculum gated by the judge:

    accelerate launch recipes/sft_slr.py --train_sampling_strategy random --output_dir runs/random
    accelerate launch recipes/sft_slr.py --gate true --max_steps 1500 --judge_steps 50 \\
        --output_dir runs/gated

The paper's training on eight GPUs:

    accelerate launch --config_file accelerate_configs/zero3.yaml \\
        recipes/sft_slr.py --config recipes/configs/sft_slr/llama3.1-8b-paper.yaml

An interrupted run continues with ``--resume_from_checkpoint true``. Every option of SFTConfig,
ModelConfig and CurriculumConfig can be set in the YAML or on the command line, which wins.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require

require("trl", extra="train")

from accelerate import PartialState
from datasets import Dataset, concatenate_datasets
from trl import ModelConfig, SFTConfig, get_peft_config, get_quantization_config

from logic_curriculum.curriculum import CurriculumConfig, CurriculumDataset, CurriculumScheduler
from logic_curriculum.curriculum.callback import CurriculumCallback, print_lines
from logic_curriculum.curriculum.checkpoints import Preemption
from logic_curriculum.curriculum.dataset import Encoder, built_tasks, held_out_tasks
from logic_curriculum.curriculum.evaluation.held_out import JudgedEvaluation, report
from logic_curriculum.curriculum.evaluation.models import Decoding
from logic_curriculum.curriculum.models.adapters import load_tokenizer
from logic_curriculum.curriculum.models.tiny_model import WarmUpArguments
from logic_curriculum.curriculum.trainers import (
    CurriculumSFTTrainer,
    ExactSFTTrainer,
    check_max_steps,
)
from logic_curriculum.curriculum.training_run import (
    begin_training,
    check_levels,
    loading_options,
    parse,
    run_recipe,
    training,
    warn_of_cut_prompts,
)
from logic_curriculum.generators.family import Options, option
from logic_curriculum.generators.task import as_chat

DEMO = Path(__file__).parent / "configs" / "sft_slr" / "demo.yaml"
FAMILY = "slr"


@dataclass
class SLRArguments:
    """What is learnt and when it is judged."""

    language: str = option(
        "trains", "Shipped language (trains, houses, wide_trains) or a YAML file."
    )
    style: str = option("prolog", "Prompt style: prolog, natural or compact.")
    conversational: bool = option(True, "Whether prompts are chat messages; needs a chat template.")
    train_sizes: list[int] = option(
        [1000], "Distinct training tasks of each level of the curriculum; one number for all."
    )
    gate: bool = option(
        False,
        "Begin the next level when the judge finds pass_threshold met, instead of after "
        "train_sizes; needs max_steps.",
    )
    judge_steps: int = option(50, "Optimizer steps from one judged evaluation to the next.")
    judge_levels: int = option(20, "Levels 1 to this one are evaluated.")
    judge_tasks: int = option(10, "Held-out tasks of each split and level in an evaluation.")
    judge_splits: list[str] = option(
        ["validation"],
        "validation (rules may occur in training), test (they never do), or both; the first gates.",
    )
    max_new_tokens: int = option(512, "Longest answer in an evaluation, in tokens.")
    notice: str = option("", "Printed at the start: what to expect.")

    def __post_init__(self) -> None:
        for name in ("judge_steps", "judge_levels", "judge_tasks"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name} is {getattr(self, name)}, so nothing is judged: set it to 1 or more."
                )
        for split in self.judge_splits:
            Options(split=split)  # a ValueError if there is none

    @property
    def task_options(self) -> dict[str, str]:
        """Options of ``logic_curriculum.generators.generate``."""
        return {"language": self.language, "style": self.style}


def read_options() -> tuple[Any, ...]:
    """Return the options, one object for each group of them."""
    return parse((SLRArguments, WarmUpArguments, CurriculumConfig, SFTConfig, ModelConfig), DEMO)


def main() -> None:
    """Train a model by SFT, level after level, and print what it solves meanwhile."""
    # Configuration
    script, warm_up, curriculum, args, model_args = read_options()
    if args.packing:
        raise SystemExit(
            "packing is True, which would put tasks together by their lengths and so undo the "
            "order of the levels: leave it at False."
        )
    if (name := curriculum.pass_reward) is not None:
        raise SystemExit(f"pass_reward is {name!r}, but SFT has no reward functions: leave it out.")
    folder, options = Path(args.output_dir), script.task_options
    check_levels({FAMILY: options}, judge_levels=[script.judge_levels])
    scheduler = CurriculumScheduler(curriculum)
    if script.gate:  # these checks come before the warm-up, which takes minutes
        check_max_steps(args, SFTConfig)
        check_gate(script, scheduler)
    else:
        sizes_by_level(script, scheduler)
    begin_training(args, model_args, [FAMILY], script.notice, task_options={FAMILY: options})

    # Model
    if model_args.model_name_or_path is None:
        made = warm_up.make_model(folder / "warm-up", args.seed, {FAMILY: options})
        model_args.model_name_or_path = made
    tokenizer = load_tokenizer(model_args)
    encoder = Encoder(tokenizer, args.max_length, args.completion_only_loss is not False)

    # Tasks and trainer
    args.model_init_kwargs = loading_options(model_args, args.model_init_kwargs)
    args.dataset_kwargs = {"skip_prepare_dataset": True}  # the encoder leaves TRL nothing to do
    common = {
        "model": model_args.model_name_or_path,
        # A separate config: transformers resets accelerate's state when one is made, and without
        # that DeepSpeed refuses a trainer after the warm-up's.
        "args": replace(args),
        "processing_class": tokenizer,
        "quantization_config": get_quantization_config(model_args),
        "peft_config": get_peft_config(model_args),
    }
    if script.gate:
        slots = CurriculumDataset(
            scheduler, task_options={FAMILY: options}, conversational=script.conversational
        )
        trainer = CurriculumSFTTrainer(tasks=slots, encoder=encoder, **common)
    else:
        rows = ordered_tasks(script, scheduler, encoder, args)
        trainer = ExactSFTTrainer(train_dataset=rows, **common)
    print_lines(trainer, {"loss": "loss", "token accuracy": "mean_token_accuracy"})

    # The judge in the loop
    levels = range(1, script.judge_levels + 1)
    splits, count, batch = script.judge_splits, script.judge_tasks, args.per_device_eval_batch_size
    tasks = held_out_tasks(FAMILY, splits, levels, count, args.seed, options)
    decoding = Decoding(script.max_new_tokens, script.conversational)
    gate = CurriculumCallback(scheduler) if script.gate else None
    JudgedEvaluation(tasks, decoding, batch, script.judge_steps, gate).attach(trainer)
    if gate is not None:
        trainer.add_callback(gate)  # after the evaluation, so that checkpoints hold what it found
    trainer.add_callback(Preemption())

    # Training
    with training():
        trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    trainer.save_model(args.output_dir)
    trainer.save_state()

    # Report
    if trainer.is_world_process_zero():
        print(f"\n{report(folder, tasks, options)}\nThe run is in {folder}", flush=True)
    trainer.end()


def sizes_by_level(script: SLRArguments, scheduler: CurriculumScheduler) -> dict[int, int]:
    """Return the number of training tasks of each level of the curriculum."""
    levels = scheduler.strategy(FAMILY).levels
    sizes = script.train_sizes * (len(levels) if len(script.train_sizes) == 1 else 1)
    if len(sizes) != len(levels):
        raise ValueError(
            f"train_sizes has {len(sizes)} numbers for {len(levels)} levels, so it is unclear "
            "which level each is for: give one number for each level, or one for all."
        )
    return dict(zip(levels, sizes, strict=True))


def check_gate(script: SLRArguments, scheduler: CurriculumScheduler) -> None:
    """Refuse an evaluation that could not pass a level."""
    curriculum = scheduler.config
    last = scheduler.strategy(FAMILY).levels[-1]
    if script.judge_levels < last:
        raise SystemExit(
            f"judge_levels is {script.judge_levels}, but the curriculum goes up to level {last}, "
            f"and a level that is not judged is never passed: set judge_levels to {last} or more."
        )
    if curriculum.strategy == "threshold" and curriculum.window > script.judge_tasks:
        raise SystemExit(
            f"window is {curriculum.window} and judge_tasks {script.judge_tasks}, but a level is "
            "passed by different tasks, and an evaluation asks the same ones again: raise "
            "judge_tasks, or lower window."
        )


def ordered_tasks(
    script: SLRArguments, scheduler: CurriculumScheduler, encoder: Encoder, args: SFTConfig
) -> Dataset:
    """Return distinct tasks as tokens, the levels one after the other."""
    data, options = Path(args.output_dir) / "data", script.task_options
    encoded = {}
    for level, size in sizes_by_level(script, scheduler).items():
        with PartialState().main_process_first():
            rows = built_tasks(
                data / f"level_{level:02d}", FAMILY, [level], size, args.seed, options
            )
            encoded[level] = rows.map(
                lambda row: encoder.encode(as_chat(row) if script.conversational else row),
                remove_columns=rows.column_names,
            )
    warn_of_cut_prompts(encoded, encoder.max_length)
    return concatenate_datasets(encoded.values())


if __name__ == "__main__":
    run_recipe(main)
