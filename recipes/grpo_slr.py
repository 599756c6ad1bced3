"""GRPO on inductive logic tasks, with a curriculum that raises the level by itself.

Three departures from a textbook GRPO script:

1. No dataset is loaded. Tasks are made when they are needed, at the level that the model has
   reached; every process makes the same ones.
2. The reward is a symbolic judge: 1 when the rule is right on every example shown and on fresh
   ones, else 0. No partial credit, which would pay half to a rule that never fires.
3. Pass rates are measured level by level before and after, on tasks kept out of training, beside
   the best constant answer.

Without a model name, a small network is made on the spot and warmed up by SFT, so that the script
runs anywhere:

    accelerate launch recipes/grpo_slr.py

One GPU, then eight (TRL's vLLM server runs beside the trainer, see the YAML):

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \\
        recipes/grpo_slr.py --config recipes/configs/grpo_slr/qwen2.5-1.5b.yaml
    accelerate launch --config_file accelerate_configs/zero3.yaml \\
        recipes/grpo_slr.py --config recipes/configs/grpo_slr/llama3.1-8b.yaml

Every option of GRPOConfig, ModelConfig and CurriculumConfig can be set in the YAML or on the
command line, which wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.requirements import require

require("trl", extra="train")

from grpo_curriculum import RunArguments, run
from trl import GRPOConfig, ModelConfig

from logic_curriculum.curriculum import CurriculumConfig
from logic_curriculum.curriculum.command_line import parse
from logic_curriculum.curriculum.models.slr_shortcuts import with_shortcuts
from logic_curriculum.generators import Task

DEMO = Path(__file__).parent / "configs" / "grpo_slr" / "demo.yaml"


@dataclass
class SLRArguments(RunArguments):
    """What is particular to this recipe."""

    language: str = field(
        default="trains", metadata={"help": "Shipped language (trains, houses) or a YAML file."}
    )
    style: str = field(
        default="prolog", metadata={"help": "Prompt style: prolog, natural or compact."}
    )
    rewards: list[str] = field(
        default_factory=lambda: ["slr_reward"],
        metadata={
            "help": "Names in logic_curriculum.rewards.REWARDS; weigh them with reward_weights."
        },
    )
    warm_up_shortcuts: float = field(
        default=0.0,
        metadata={
            "help": "Share of the tiny model's warm-up tasks that teach to name the positive "
            "examples in place of a rule, for experiments with rewards that pay it."
        },
    )

    def task_options(self, family: str) -> dict[str, str]:
        """Return the options of ``logic_curriculum.generators.generate``."""
        return {"language": self.language, "style": self.style}

    def warm_up_examples(self, seed: int, options: Mapping[str, Mapping[str, Any]]) -> list[Task]:
        """Return the tasks of the warm-up, some of them with a shortcut for their solution."""
        tasks = super().warm_up_examples(seed, options)
        return with_shortcuts(tasks, self.warm_up_shortcuts, seed)


def main() -> None:
    """Parse and run; ``grpo_curriculum.run`` is the part to read."""
    run(*parse((SLRArguments, CurriculumConfig, GRPOConfig, ModelConfig), DEMO))


if __name__ == "__main__":
    main()
