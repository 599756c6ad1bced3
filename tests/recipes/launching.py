import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]

SMALL = {
    "warm_up_steps": 2,
    "max_steps": 3,
    "logging_steps": 1,
    "eval_levels": 1,
    "eval_tasks": 8,
    "per_device_train_batch_size": 8,
    "per_device_eval_batch_size": 8,
    "num_generations": 4,
    "max_completion_length": 4,
    "window": 8,
}
"""Options that shrink the demo to seconds; it then learns nothing."""


class Launch:
    """Runs the GRPO recipe through ``accelerate launch`` as a user does."""

    def __call__(
        self,
        output_dir: Path,
        hardware: str = "cpu",
        flags: Sequence[str] = (),
        options_file: Path | None = None,
        **options: object,
    ) -> subprocess.CompletedProcess[str]:
        merged = {**SMALL, **options, "output_dir": output_dir}
        config = [] if options_file is None else ["--config", str(options_file)]
        return subprocess.run(
            [
                *(sys.executable, "-m", "accelerate.commands.launch"),
                *("--config_file", f"accelerate_configs/{hardware}.yaml", *flags),
                *("recipes/grpo_slr.py", *config),
                *(f"--{name}={value}" for name, value in merged.items()),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=900,
        )
