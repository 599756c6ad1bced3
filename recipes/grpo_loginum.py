"""GRPO on LogiNumSynth: reward for the process, or for the answer alone?

The same run as ``grpo_slr.py``: tasks are made when they are needed, at the level that the model
has reached, which is the number of steps that they take. Two configurations differ in nothing but
what is paid, so that they can be compared; a level is passed by right answers in both:

    accelerate launch recipes/grpo_loginum.py          # process: the share of verified steps
    accelerate launch recipes/grpo_loginum.py \\
        --config recipes/configs/grpo_loginum/answer.yaml

Without a model name, a small network is made on the spot and warmed up by SFT, so that both run
anywhere. One GPU:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \\
        recipes/grpo_loginum.py --config recipes/configs/grpo_loginum/qwen3-1.7b.yaml

``--reward_weights 0 1`` pays the process there, ``1 0`` the answer, ``1 1`` both.

Every option of GRPOConfig, ModelConfig and CurriculumConfig can be set in the YAML or on the
command line, which wins.

Source: LogiNumSynth, section 2 and appendix F.2, for the tasks and their process accuracy.
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
from logic_curriculum.curriculum.models.loginum_base import pretrain
from logic_curriculum.curriculum.models.loginum_targets import TARGETS

DEMO = Path(__file__).parent / "configs" / "grpo_loginum" / "process.yaml"


@dataclass
class LoginumArguments(RunArguments):
    """What is particular to this recipe."""

    preset: str | None = field(
        default=None,
        metadata={
            "help": "A dataset of the paper instead of the ladder; first_level and last_level have "
            "to be depths that it has."
        },
    )
    language: str = field(
        default="english",
        metadata={"help": "Language of facts and rules: english, formal or clauses."},
    )
    style: str = field(
        default="full", metadata={"help": "Prompt style: full, or compact without instructions."}
    )
    vocabulary: int | None = field(
        default=None, metadata={"help": "Draw from the first so many words of each pool; all."}
    )
    warm_up_target: str = field(
        default="searched",
        metadata={"help": f"What the tiny model learns to write first: {' or '.join(TARGETS)}."},
    )
    exercise_steps: int = field(
        default=3000, metadata={"help": "Steps of the tiny model's exercises in small worlds."}
    )
    eval_levels: int = field(
        default=10, metadata={"help": "Levels 1 to this one are evaluated before and after."}
    )

    def task_options(self, family: str) -> dict[str, Any]:
        """Return the options of ``logic_curriculum.generators.generate``."""
        return {
            "preset": self.preset,
            "language": self.language,
            "style": self.style,
            "vocabulary": self.vocabulary,
        }

    def warm_up(self, folder: str, seed: int, options: Mapping[str, Mapping[str, Any]]) -> None:
        """Make the small network of :mod:`loginum_base`."""
        pretrain(
            folder,
            seed,
            self.exercise_steps,
            self.warm_up_steps,
            self.warm_up_levels,
            self.warm_up_target,
            options["loginum"],
        )


def main() -> None:
    """Parse and run; ``grpo_curriculum.run`` is the part to read."""
    run(*parse((LoginumArguments, CurriculumConfig, GRPOConfig, ModelConfig), DEMO))


if __name__ == "__main__":
    main()
