"""One line of text per log step, in place of dictionaries and progress bars."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import transformers
from transformers import Trainer, TrainerCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback


def disable_progress_bars() -> None:
    """Turn off the bars of datasets and transformers, which ``disable_tqdm`` leaves on."""
    datasets.disable_progress_bars()
    transformers.utils.logging.disable_progress_bar()


def curriculum_columns(families: Sequence[str]) -> dict[str, str]:
    """Return the columns of a curriculum's progress line; what is not logged is left out."""
    if len(families) > 1:
        own = {f"{family} level": f"curriculum/{family}/level" for family in families}
        rates = {family: f"curriculum/{family}/pass_rate" for family in families}
        return {"pass rate": "curriculum/pass_rate", **rates, **own, "entropy": "entropy"}
    (family,) = families
    return {
        "pass rate": "curriculum/pass_rate",
        "level": "curriculum/level",
        "syntax": f"{family}/syntax_rate",
        "hacking gap": f"{family}_paper/hacking_gap",
        "entropy": "entropy",
    }


def print_lines(trainer: Trainer, columns: Mapping[str, str]) -> None:
    """Let a trainer print lines instead of what it prints by default."""
    trainer.remove_callback(PrinterCallback)
    trainer.remove_callback(ProgressCallback)
    trainer.add_callback(ProgressLine(columns))


class ProgressLine(TrainerCallback):
    """Prints the time since it was made, the step, and chosen metrics.

    ``columns`` maps what a metric is called in the line to its key in the log. A log without the
    first one is of another kind, such as an evaluation, and prints nothing.
    """

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = columns
        self._start = time.monotonic()

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Print the line, on the main process only."""
        logs, first = kwargs.get("logs") or {}, next(iter(self._columns.values()))
        if not state.is_world_process_zero or first not in logs:
            return
        shown = {name: logs.get(key) for name, key in self._columns.items()}
        values = "  ".join(f"{k} {float(v):.2f}" for k, v in shown.items() if v is not None)
        elapsed = time.monotonic() - self._start
        print(f"{elapsed:5.0f} s  step {state.global_step:4d}  {values}", flush=True)
