"""GRPO on consistency: say whether statements can all be true together, and prove it.

The same run as ``grpo_slr.py``: tasks are made when they are needed, at the level that the model
has reached. A yes or no is right half of the time by chance, so what is paid here is a certificate:
an assignment that makes all statements true, or statements of which none can be left out without
their contradiction being gone. The engine checks either; a guessed verdict earns nothing.

Without a model name, a small network is made on the spot and warmed up by SFT on formulas, so that
the script runs anywhere:

    accelerate launch recipes/grpo_sat.py

One GPU, on sentences:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \\
        recipes/grpo_sat.py --config recipes/configs/grpo_sat/qwen3-1.7b.yaml

Every option of GRPOConfig, ModelConfig and CurriculumConfig can be set in the YAML or on the
command line, which wins.

Source: LTGen, sections 2 and 4, for the tasks; certificates are our own.
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
from logic_curriculum.curriculum.models.sat_targets import TARGETS, with_target
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    train_tiny_model,
    warm_up_tasks,
)

DEMO = Path(__file__).parent / "configs" / "grpo_sat" / "demo.yaml"


@dataclass
class SatArguments(RunArguments):
    """What is particular to this recipe."""

    language: str = field(
        default="english", metadata={"help": "english for sentences, symbolic for formulas."}
    )
    style: str = field(
        default="certificate",
        metadata={
            "help": "Prompt style: certificate, or certificate_compact without instructions; full "
            "and compact ask for the verdict alone, which a guess earns half of the time."
        },
    )
    theme: str | None = field(
        default=None, metadata={"help": "Theme of the sentences, or a YAML file; any by default."}
    )
    warm_up_target: str = field(
        default="worked",
        metadata={"help": f"What the tiny model learns to write first: {' or '.join(TARGETS)}."},
    )
    rewards: list[str] = field(
        default_factory=lambda: ["sat_reward"],
        metadata={
            "help": "Names in logic_curriculum.rewards.REWARDS; weigh them with reward_weights."
        },
    )
    eval_levels: int = field(
        default=10, metadata={"help": "Levels 1 to this one are evaluated before and after."}
    )

    def __post_init__(self) -> None:
        """Check the names before anything is trained."""
        super().__post_init__()
        if self.warm_up_target not in TARGETS:
            raise ValueError(
                f"warm_up_target={self.warm_up_target!r} does not exist: choose one of "
                f"{', '.join(TARGETS)}"
            )

    def task_options(self, family: str) -> dict[str, str | None]:
        """Return the options of ``logic_curriculum.generators.generate``."""
        return {"language": self.language, "style": self.style, "theme": self.theme}

    def warm_up(self, folder: str, seed: int, options: Mapping[str, Mapping[str, Any]]) -> None:
        """Make a narrow network of 0.2 million parameters and warm it up on the target."""
        tasks = warm_up_tasks(self.warm_up_levels, seed, options, self.warm_up_tasks)
        config = TinyModelConfig(
            hidden_size=64,
            heads=2,
            intermediate_size=128,
            convolutions=self.warm_up_convolutions,
            initializer_range=0.1,
            steps=self.warm_up_steps,
            batch_size=self.warm_up_batch_size,
        )
        train_tiny_model(
            folder, seed, [with_target(task, self.warm_up_target) for task in tasks], config
        )


def main() -> None:
    """Parse and run; ``grpo_curriculum.run`` is the part to read."""
    run(*parse((SatArguments, CurriculumConfig, GRPOConfig, ModelConfig), DEMO))


if __name__ == "__main__":
    main()
