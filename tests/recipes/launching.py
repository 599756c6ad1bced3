import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]

SMALL_GRPO = {
    "warm_up_tasks": 100,
    "warm_up_steps": 2,
    "max_steps": 3,
    "logging_steps": 1,
    "eval_levels": 1,
    "eval_tasks": 8,
    "per_device_train_batch_size": 8,
    "per_device_eval_batch_size": 8,
    "num_generations": 4,
    "max_completion_length": 4,
    "window": 16,
}
"""Options that shrink a GRPO demo to seconds; it then learns nothing."""

SMALL_TRANSFER = {
    "pretraining_tasks": [20, 20, 5],
    "pretraining_steps": 2,
    "train_examples": 16,
    "eval_tasks": 5,
    "max_new_tokens": 4,
    "per_device_train_batch_size": 8,
    "logging_steps": 1,
}
"""The same for the transfer experiment."""

SMALL_SFT = {
    "warm_up_tasks": 100,
    "warm_up_levels": [1],
    "warm_up_steps": 2,
    "train_examples": 16,
    "eval_tasks": 6,
    "max_new_tokens": 8,
    "per_device_train_batch_size": 8,
    "logging_steps": 1,
}
"""The same for the SFT experiment."""

SMALL = {"peft_transfer": SMALL_TRANSFER, "sft_loginum": SMALL_SFT}


def levels(folder: Path) -> list[dict[str, str]]:
    """Return the rows of the table of levels in a run folder."""
    lines = [line for line in (folder / "levels.md").read_text().splitlines() if line[:1] == "|"]
    header, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
    return [dict(zip(header, row, strict=True)) for row in rows]


class Launch:
    """Runs a recipe through ``accelerate launch`` as a user does."""

    def __call__(
        self,
        output_dir: Path,
        hardware: str = "cpu",
        flags: Sequence[str] = (),
        recipe: str = "grpo_slr",
        options_file: Path | None = None,
        **options: object,
    ) -> subprocess.CompletedProcess[str]:
        config = [] if options_file is None else ["--config", str(options_file)]
        words = command(recipe, {**options, "output_dir": output_dir}, hardware, flags, config)
        return run(words)


def command(
    recipe: str,
    options: Mapping[str, object],
    hardware: str = "cpu",
    flags: Sequence[str] = (),
    config: Sequence[str] = (),
) -> list[str]:
    """Return the words of the command line that launches a recipe."""
    merged = {**SMALL.get(recipe, SMALL_GRPO), **options}
    return accelerate(f"recipes/{recipe}.py", merged, hardware, flags, config)


def accelerate(
    script: str,
    options: Mapping[str, object],
    hardware: str = "cpu",
    flags: Sequence[str] = (),
    config: Sequence[str] = (),
) -> list[str]:
    """Return the words of the command line that launches a script, on any free port.

    What follows the flags of accelerate in ``flags`` runs the script in its turn.
    """
    return [
        *(sys.executable, "-m", "accelerate.commands.launch"),
        *("--config_file", f"accelerate_configs/{hardware}.yaml", "--main_process_port=0"),
        *(*flags, script, *config),
        *(part for name, value in options.items() for part in option(name, value)),
    ]


def run(
    words: Sequence[str], limit: float = 900, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a launch to its end, and leave none of its processes behind.

    Args:
        words: The command line.
        limit: Seconds that it may take.
        **environment: Variables on top of this process's.

    Raises:
        subprocess.TimeoutExpired: If it takes longer; what it wrote so far is printed.
    """
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a group of its own, which can be ended as a whole
    )
    try:
        output, errors = process.communicate(timeout=limit)
    except BaseException:  # pytest's own time limit among them
        os.killpg(process.pid, signal.SIGTERM)  # upon which a launcher ends its workers
        try:
            output, errors = process.communicate(timeout=60)
            print(output, errors[-4000:])
        except subprocess.TimeoutExpired:  # a run that hangs does not heed it
            os.killpg(process.pid, signal.SIGKILL)
        raise
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


def option(name: str, value: object) -> list[str]:
    """Return an option as words of a command line; a list has a word for each item."""
    if isinstance(value, list):
        return [f"--{name}", *map(str, value)]
    return [f"--{name}={value}"]
