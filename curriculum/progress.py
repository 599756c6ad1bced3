"""One line of text per log step, in place of dictionaries and progress bars."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import transformers
from accelerate import PartialState
from transformers import Trainer, TrainerCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from logic_curriculum.curriculum.records import Record

SECONDS_BETWEEN_LINES = 5


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

    Args:
        columns: What a metric is called in the line -> its key in the log. A log without the
            first one is of another kind, such as an evaluation, and prints nothing.
    """

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = columns
        self._start = time.monotonic()

    def on_log(
        self,
        args: Any,
        state: Any,
        control: Any,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Print the line, on the main process only."""
        first = next(iter(self._columns.values()))
        if not state.is_world_process_zero or logs is None or first not in logs:
            return
        shown = {name: logs.get(key) for name, key in self._columns.items()}
        values = "  ".join(f"{k} {float(v):.2f}" for k, v in shown.items() if v is not None)
        elapsed = time.monotonic() - self._start
        print(f"{elapsed:5.0f} s  step {state.global_step:4d}  {values}", flush=True)


class AnswerProgress:
    """Prints how many answers have come, what share is right, and when the rest will be there.

    Only the main process prints; it tells of its own share, which is like the others.

    Args:
        name: Whose answers they are.
        total: Answers of this process's share.
        before: Those of them that an earlier run left.
    """

    def __init__(self, name: str, total: int, before: int) -> None:
        self._name = name
        self._total = total
        self._before = before
        self._new = self._solved = 0
        self._start = time.monotonic()
        self._printed = -float(SECONDS_BETWEEN_LINES)
        if before:
            self._print(f"{self._name}: {before} of {total} answers are there already")

    def add(self, records: Sequence[Record]) -> None:
        """Count answers that have come."""
        self._new += len(records)
        self._solved += sum(record.verdict.solved for record in records)
        elapsed = time.monotonic() - self._start
        done = self._before + self._new
        if elapsed - self._printed < SECONDS_BETWEEN_LINES and done < self._total:
            return
        self._printed = elapsed
        left = elapsed / self._new * (self._total - done)
        self._print(
            f"{elapsed:5.0f} s  {self._name}: {done} of {self._total} answers, "
            f"{self._solved / self._new:.0%} of the new ones solved, about {left:.0f} s left"
        )

    def _print(self, line: str) -> None:
        if PartialState().is_main_process:
            print(line, flush=True)
