"""One line of text per log step, in place of TRL's dictionaries."""

from __future__ import annotations

import time
from typing import Any

from transformers import TrainerCallback

COLUMNS = {
    "level": "curriculum/level",
    "pass rate": "curriculum/pass_rate",
    "syntax": "syntax_rate",
    "hacking gap": "hacking_gap",
    "reward": "reward",
    "entropy": "entropy",
}


class ProgressLine(TrainerCallback):
    """Prints elapsed seconds, the step and the metrics of :data:`COLUMNS` that were logged."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def on_log(
        self,
        args: Any,
        state: Any,
        control: Any,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Print the line on the main process; logs without a reward are not of a training step."""
        if not state.is_world_process_zero or logs is None or "reward" not in logs:
            return
        shown = {name: logs[key] for name, key in COLUMNS.items() if logs.get(key) is not None}
        values = "  ".join(f"{name} {value:.2f}" for name, value in shown.items())
        elapsed = time.monotonic() - self._start
        print(f"{elapsed:5.0f} s  step {state.global_step:4d}  {values}", flush=True)
