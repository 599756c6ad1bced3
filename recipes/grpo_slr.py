"""GRPO with a curriculum that raises the level by itself, on tasks of any family.

Three departures from a textbook GRPO script:

1. No dataset is loaded. Tasks are made when they are needed, at the level that the model has
   reached; every process makes the same ones. With several families each climbs its own ladder.
2. The reward is a symbolic judge: 1 when an answer is right (a rule on every example shown and on
   fresh ones), else 0. Partial credit is paid only where ``rewards`` name it.
3. Pass rates are measured level by level before and after, on tasks kept out of training, beside
   the best constant answer.

Without a model name, a small network is made on the spot and warmed up by SFT, so that the script
runs anywhere; the YAML says which family:

    accelerate launch recipes/grpo_slr.py                        # inductive logic (SLR)
    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_logicskills/validity.yaml
    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_loginum/process.yaml
    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_sat/demo.yaml

One GPU, then eight (TRL's vLLM server runs beside the trainer, see the YAML):

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \\
        recipes/grpo_slr.py --config recipes/configs/grpo_slr/qwen2.5-1.5b.yaml
    accelerate launch --config_file accelerate_configs/multi_gpu.yaml \\
        recipes/grpo_slr.py --config recipes/configs/grpo_slr/llama3.1-8b.yaml

Every option of GRPOConfig, ModelConfig and CurriculumConfig can be set in the YAML or on the
command line, which wins. Your own family is named like the others: ``families: [mine]``.
"""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require

require("trl", extra="train")

from transformers.trainer_utils import IntervalStrategy
from trl import GRPOConfig, ModelConfig, get_peft_config, get_quantization_config

from logic_curriculum.curriculum import CurriculumConfig, CurriculumGRPOTrainer, CurriculumScheduler
from logic_curriculum.curriculum.callback import curriculum_columns, print_lines
from logic_curriculum.curriculum.checkpoints import Preemption
from logic_curriculum.curriculum.dataset import check_families, check_rewards
from logic_curriculum.curriculum.evaluation.held_out import LevelEvaluation
from logic_curriculum.curriculum.models.tiny_model import WarmUpArguments
from logic_curriculum.curriculum.trainers import check_max_steps
from logic_curriculum.curriculum.training_run import (
    begin_training,
    check_levels,
    loading_options,
    mapping_option,
    parse,
    run_recipe,
    training,
    warn_of_long_prompts,
)
from logic_curriculum.generators.family import option
from logic_curriculum.rewards import reward_function
from logic_curriculum.rewards.engines.prolog.judging import swipl_path

DEMO = Path(__file__).parent / "configs" / "grpo_slr" / "demo.yaml"


@dataclass
class GRPOArguments:
    """What is asked, paid and shown; ``families`` and levels are the curriculum's options."""

    task_options: str = option(
        "{}", 'Options of generators by family, a mapping or JSON: {"slr": {"style": "natural"}}.'
    )
    conversational: bool = option(True, "Whether prompts are chat messages; needs a chat template.")
    rewards: list[str] = option(
        ["logic_reward"],
        "Reward functions by name, FAMILY_reward among them; weigh them with reward_weights.",
    )
    eval_levels: int = option(10, "Levels 1 to this one are evaluated before and after.")
    eval_tasks: int = option(64, "Tasks per level and split in these evaluations; 0 for none.")
    notice: str = option("", "Printed at the start: what to expect.")

    def __post_init__(self) -> None:
        for name in self.rewards:
            reward_function(name)
        if "slr_paper_reward" in self.rewards:
            swipl_path()  # is there, before minutes are spent on a warm-up


def read_options() -> tuple[Any, ...]:
    """Return the options, one object for each group of them."""
    return parse((GRPOArguments, WarmUpArguments, CurriculumConfig, GRPOConfig, ModelConfig), DEMO)


def main() -> None:
    """Train a model by GRPO under a curriculum, and print its pass rates before and after."""
    # Configuration
    script, warm_up, curriculum, args, model_args = read_options()
    given = mapping_option("task_options", script.task_options)
    check_families(given, curriculum.families)
    task_options = {family: given.get(family, {}) for family in curriculum.families}
    levels = range(1, script.eval_levels + 1) if script.eval_tasks else ()
    is_tiny = model_args.model_name_or_path is None
    check_levels(
        task_options,
        eval_levels=levels,
        warm_up_levels=warm_up.warm_up_levels if is_tiny else (),
        first_level=[curriculum.first_level],
        start_level=[curriculum.start_level],
        last_level=[curriculum.last_level],
    )
    if args.num_generations_eval not in (None, 1):
        raise SystemExit(
            f"num_generations_eval is {args.num_generations_eval}, but of several completions of a "
            "task the evaluation would count one: leave it out, and raise eval_tasks instead."
        )
    args.num_generations_eval = 1
    scheduler = CurriculumScheduler(curriculum)  # before the warm-up, which takes minutes
    check_rewards(map(reward_function, script.rewards), curriculum.families)
    check_max_steps(args, GRPOConfig)
    if curriculum.pass_reward not in (None, *script.rewards):
        raise ValueError(
            f"pass_reward is {curriculum.pass_reward!r}, but the rewards are "
            f"{', '.join(script.rewards)}: name one of them, or leave it out for the first."
        )
    if args.reward_weights and len(args.reward_weights) != len(script.rewards):
        raise ValueError(
            f"reward_weights has {len(args.reward_weights)} numbers for the rewards "
            f"{', '.join(script.rewards)}: give one for each, or leave it out."
        )
    facts = {"reward_weights": args.reward_weights, "task_options": task_options}
    facts["rewards"] = script.rewards
    begin_training(args, model_args, curriculum.families, script.notice, **facts)

    # Model
    if is_tiny:
        if args.deepspeed_plugin is not None:
            raise SystemExit(
                "No model_name_or_path was given, and DeepSpeed drives one trainer per process, so "
                "it cannot both warm a tiny model up and train it: name a model, for instance the "
                "warm-up folder of a run without DeepSpeed."
            )
        folder = Path(args.output_dir) / "warm-up"
        model_args.model_name_or_path = warm_up.make_model(folder, args.seed, task_options)

    # Tasks, rewards and trainer. For every batch the trainer makes tasks at the current level of
    # each family (`CurriculumDataset`); their rewards move the levels (`CurriculumScheduler`) and
    # go to TRL, which takes the optimizer step.
    args.model_init_kwargs = loading_options(model_args, args.model_init_kwargs)
    evaluation = LevelEvaluation(
        levels, script.eval_tasks, args.seed, task_options, script.conversational
    )
    args.eval_on_start = bool(levels) and not args.resume_from_checkpoint
    args.eval_strategy = args.eval_strategy if levels else IntervalStrategy.NO
    first, *others = map(reward_function, script.rewards)
    trainer = CurriculumGRPOTrainer(
        model=model_args.model_name_or_path,
        reward_funcs=[evaluation.watch(first), *others],
        args=args,
        eval_dataset=evaluation.dataset,
        quantization_config=get_quantization_config(model_args),
        peft_config=get_peft_config(model_args),
        curriculum=scheduler,
        task_options=task_options,
        conversational=script.conversational,
    )
    print_lines(trainer, curriculum_columns(curriculum.families))
    trained = chain.from_iterable(scheduler.strategy(name).levels for name in task_options)
    warn_of_long_prompts(trainer, task_options, [*trained, *levels], script.conversational)
    trainer.add_callback(evaluation)
    trainer.add_callback(Preemption())

    # Training
    with training():
        trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    if levels and evaluation.measured != trainer.state.global_step:
        trainer.evaluate()
    trainer.save_model(args.output_dir)
    trainer.save_state()

    # Report
    if trainer.accelerator.is_main_process:
        table = evaluation.report(Path(args.output_dir))
        print(*evaluation.answers.values(), sep="\n\n")
        print(f"\n{table}\nThe run is in {args.output_dir}", flush=True)
    trainer.end()


if __name__ == "__main__":
    run_recipe(main)
