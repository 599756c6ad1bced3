"""Seconds of a GRPO step on a CPU, where prompts are read once and where they are not.

    python benchmarks/shared_prompts.py [--variants plain shared continuous]

SmolLM2 learns with LoRA from compact SLR tasks, 8 completions of at most 48 tokens each. *Plain* is
CurriculumGRPOTrainer, *shared* has SharedPrompts mixed in, and *continuous* is plain, but generates
with the continuous batching of transformers. They take turns, from the same weights, tasks and
seed, after one step that is left out. Median of the rounds, least and greatest in brackets.
"""

import argparse
import tempfile
from statistics import median
from typing import Any

from peft import LoraConfig
from trl import GRPOConfig

from logic_curriculum.curriculum import CurriculumConfig, CurriculumGRPOTrainer
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.models import pretrained
from logic_curriculum.curriculum.models.shared_prompts import SharedPrompts
from logic_curriculum.curriculum.models.tiny_model import QUIET
from logic_curriculum.curriculum.training_run import has_bfloat16


class SharedGRPOTrainer(SharedPrompts, CurriculumGRPOTrainer):
    """CurriculumGRPOTrainer whose model reads each prompt once."""


CONTINUOUS = {
    "use_transformers_continuous_batching": True,
    "transformers_continuous_batching_config": {"page_size": 32, "max_batch_tokens": 256},
}  # small numbers, or all rows of a group are read before one of them can be shared
VARIANTS: dict[str, tuple[type, dict[str, Any]]] = {
    "plain": (CurriculumGRPOTrainer, {}),
    "shared": (SharedGRPOTrainer, {}),
    "continuous": (CurriculumGRPOTrainer, CONTINUOUS),
}


def seconds(model: str, variant: str, level: int, tasks: int) -> float:
    """Return how long one step takes."""
    kind, options = VARIANTS[variant]
    dtype = "bfloat16" if has_bfloat16() else "float32"
    trainer = kind(
        model,
        lambda completions, **_: [number % 2 for number in range(len(completions))],
        GRPOConfig(
            output_dir=tempfile.mkdtemp(),
            per_device_train_batch_size=8 * tasks,
            num_generations=8,
            max_completion_length=48,
            max_steps=1,
            activation_checkpointing=False,
            model_init_kwargs={"dtype": dtype, "attn_implementation": "eager"},
            use_cpu=True,
            bf16=dtype == "bfloat16",
            **{**QUIET, "logging_steps": 1, **options},
        ),
        curriculum=CurriculumConfig(["slr"], first_level=level, last_level=level),
        task_options={"slr": {"style": "compact", "language": "wide_trains"}},
        conversational=True,
        peft_config=LoraConfig(r=32, lora_alpha=64, target_modules="all-linear"),
    )
    trainer.train()
    return next(entry["step_time"] for entry in trainer.state.log_history if "step_time" in entry)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=6, help="tasks a step")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--levels", type=int, nargs="+", default=[4, 8])
    parser.add_argument("--variants", nargs="+", default=["plain", "shared"], choices=VARIANTS)
    args = parser.parse_args()
    model, rows = str(pretrained.resolve(pretrained.NAME)), []
    for level in args.levels:
        seconds(model, args.variants[-1], level, args.tasks)
        found: dict[str, list[float]] = {variant: [] for variant in args.variants}
        for variant in args.variants * args.rounds:
            found[variant].append(seconds(model, variant, level, args.tasks))
        spread = [f"{median(s):.1f} ({min(s):.1f} to {max(s):.1f})" for s in found.values()]
        rows.append([str(level), *spread])
        print(*rows[-1], flush=True)
    print("\n" + markdown_table(["level", *args.variants], rows))


if __name__ == "__main__":
    main()
