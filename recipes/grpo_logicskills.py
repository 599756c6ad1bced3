"""GRPO on LogicSkills: symbolization, countermodels and validity, one of them or all at once.

The same run as ``grpo_slr.py``: tasks are made when they are needed, at the level that the model
has reached, and judges that compute decide the reward: equivalence of formulas, truth in the
structure that was given, equality of the chosen options. Each family climbs a ladder of its own.

Without a model name, a small Llama is made on the spot and warmed up by SFT, so that each skill
runs anywhere, in a few minutes:

    accelerate launch recipes/grpo_logicskills.py          # symbolization
    accelerate launch recipes/grpo_logicskills.py \\
        --config recipes/configs/grpo_logicskills/countermodel.yaml
    accelerate launch recipes/grpo_logicskills.py \\
        --config recipes/configs/grpo_logicskills/validity.yaml

One GPU, all three skills at once:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \\
        recipes/grpo_logicskills.py --config recipes/configs/grpo_logicskills/llama3.2-3b.yaml

Every option of GRPOConfig, ModelConfig and CurriculumConfig can be set in the YAML or on the
command line, which wins.

Source: LogicSkills (arXiv:2602.06533), section 3, for the tasks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from logic_curriculum.curriculum.requirements import require

require("trl", extra="train")

from grpo_curriculum import RunArguments, run
from trl import GRPOConfig, ModelConfig

from logic_curriculum.curriculum import CurriculumConfig
from logic_curriculum.curriculum.command_line import parse
from logic_curriculum.curriculum.skill_tasks import task_options

DEMO = Path(__file__).parent / "configs" / "grpo_logicskills" / "symbolization.yaml"


@dataclass
class LogicSkillsArguments(RunArguments):
    """What is particular to this recipe; ``families`` says which skills are trained."""

    language: str = field(
        default="english",
        metadata={"help": "Lexicon of the sentences: english, carroll, mixed or a YAML file."},
    )
    style: str = field(
        default="full",
        metadata={
            "help": "Prompt style: full, compact without instructions, or paper in the words of "
            "LogicSkills' authors."
        },
    )
    eval_levels: int = field(
        default=10, metadata={"help": "Levels 1 to this one are evaluated before and after."}
    )

    def task_options(self, family: str) -> dict[str, str]:
        """Return the options of ``logic_curriculum.generators.generate``."""
        return task_options(family, self.language, self.style)


def main() -> None:
    """Parse and run; ``grpo_curriculum.run`` is the part to read."""
    run(*parse((LogicSkillsArguments, CurriculumConfig, GRPOConfig, ModelConfig), DEMO))


if __name__ == "__main__":
    main()
