"""The link to transformers: checkpoints, the run record, progress lines and the final report."""

import inspect
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import datasets
import transformers
from accelerate.utils import gather_object
from transformers import Trainer, TrainerCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from logic_curriculum.curriculum.dataset import SLOT
from logic_curriculum.curriculum.report import write_report
from logic_curriculum.curriculum.run_settings import StepLog
from logic_curriculum.curriculum.scheduler import (
    Completion,
    CurriculumScheduler,
    LevelCounts,
    groups_of,
)
from logic_curriculum.curriculum.strategies import Group

logger = logging.getLogger(__name__)

STATE_KEY = "curriculum"  # of the scheduler's state in trainer_state.json's stateful_callbacks
RewardFunction = Callable[..., Sequence[float | None]]


class CurriculumCallback(TrainerCallback):
    """Keeps a scheduler and a transformers run together.

    - The scheduler's state goes into every checkpoint (``trainer_state.json``) and comes back when
      training resumes from one.
    - The run folder gets ``summary.json`` and ``curriculum.png`` at the end, and batch by batch
      ``curriculum.jsonl``: ``step`` (optimizer steps done), ``family``, ``level``, ``groups``,
      ``useful_groups``, ``attempts``, ``passes`` and ``current`` (whether the level is the one to
      be passed, not a repeated one; always so for a strategy without such a level).

    ``CurriculumGRPOTrainer`` brings its own; make one for a trainer of your own, and let it watch
    a reward with :meth:`watch`. The state has a key of its own, because transformers restores
    stateful callbacks as new objects that no trainer knows.
    """

    def __init__(self, scheduler: CurriculumScheduler) -> None:
        self.scheduler = scheduler
        self._is_watching = False
        self._log: StepLog | None = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Restore the scheduler from the checkpoint that training resumes from, if any."""
        if self._is_watching and args.dataloader_num_workers:
            raise ValueError(
                f"dataloader_num_workers is {args.dataloader_num_workers}, but worker processes "
                "hold a copy of the scheduler and would never see a level move: set it to 0, or "
                "use CurriculumGRPOTrainer, which allows any number."
            )
        saved = state.stateful_callbacks.get(STATE_KEY)
        if saved is not None:
            self.scheduler.load_state_dict(saved)
        elif state.global_step > 0:
            logger.warning(
                f"The checkpoint of step {state.global_step} holds no curriculum, so the levels "
                f"start at {self.scheduler.levels}. Resume from a checkpoint that was written with "
                "a CurriculumCallback to continue them."
            )
        state.stateful_callbacks[STATE_KEY] = self.scheduler.state_dict()
        if state.is_world_process_zero:
            self._log = StepLog(Path(args.output_dir) / "curriculum.jsonl")
            self._log.rewind(state.global_step)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Put the scheduler's state where the next checkpoint finds it."""
        state.stateful_callbacks[STATE_KEY] = self.scheduler.state_dict()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Write ``summary.json`` and ``curriculum.png``, on the main process."""
        if self._log is not None:
            write_report(args.output_dir, self.scheduler, self._log.read(), state.log_history)

    def watch(self, reward: RewardFunction) -> RewardFunction:
        """Return a reward function whose passes the scheduler sees, for a trainer of your own.

        Rows without a slot, such as those of an evaluation set, are rewarded and not reported. An
        async function is a ValueError.
        """
        called = reward if inspect.isroutine(reward) else type(reward).__call__
        if inspect.iscoroutinefunction(called):
            raise ValueError(
                f"{reward!r} is async, but the curriculum gathers its rewards from all processes, "
                "which needs a fixed order: pass a plain function, or use CurriculumGRPOTrainer."
            )
        self._is_watching = True

        def watched(**kwargs: Any) -> Sequence[float | None]:
            rewards = reward(**kwargs)
            if SLOT in kwargs:
                own = zip(
                    *(kwargs[name] for name in (SLOT, "family", "level")), rewards, strict=True
                )
                groups = groups_of(Completion(*row) for row in gather_object(list(own)))
                metrics = self.observe(groups, kwargs["trainer_state"].global_step)
                for name, value in metrics.items():
                    kwargs["log_metric"](name, value)
            return rewards

        watched.__name__ = getattr(reward, "__name__", type(reward).__name__)
        return watched

    def observe(self, groups: Sequence[Group], step: int) -> dict[str, float]:
        """Tell the scheduler about a batch, record it, and return its metrics.

        Every process calls this with the same groups, those of all processes together, and the
        optimizer steps done so far. The metrics are named like TRL's own: ``curriculum/level``, the
        level to be passed when the batch was made, or the mean level for a strategy that has none;
        ``curriculum/pass_rate``, passes per attempt there (without such a level: in the batch),
        absent when nothing was attempted; ``curriculum/useful_groups``, the share of groups whose
        rewards are not all equal. With several families each has them as
        ``curriculum/<family>/...``, and the short names hold the mean level and all groups.
        """
        levels = self.scheduler.levels
        frontiers = {name: self.scheduler.strategy(name).frontier for name in levels}
        self.scheduler.observe(groups, step)
        if self._log is not None:
            counts: dict[tuple[str, int], LevelCounts] = {}
            for group in groups:
                counts.setdefault((group.family, group.level), LevelCounts()).add(group)
            self._log.append(
                {
                    **{"step": step, "family": family, "level": level, **asdict(count)},
                    "current": frontiers[family] in (None, level),
                }
                for (family, level), count in sorted(counts.items())
            )
        metrics = {}
        own = {f"curriculum/{family}": [family] for family in levels} if len(levels) > 1 else {}
        for prefix, families in {"curriculum": list(levels), **own}.items():
            made = [group for group in groups if group.family in families]
            tried = [g for g in made if frontiers[g.family] in (None, g.level)]
            metrics[f"{prefix}/level"] = sum(levels[family] for family in families) / len(families)
            if made:
                useful = sum(group.variance > 0 for group in made)
                metrics[f"{prefix}/useful_groups"] = useful / len(made)
            if tried:
                attempts = sum(group.attempts for group in tried)
                metrics[f"{prefix}/pass_rate"] = sum(group.passes for group in tried) / attempts
        return metrics


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
    """Prints the time since it was made, the step, and metrics: name in the line → key in the log.

    A log without the first one is of another kind, such as an evaluation, and prints nothing.
    """

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = columns
        self._start = time.monotonic()

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Print the line, on the main process only."""
        logs, first = kwargs.get("logs") or {}, next(iter(self._columns.values()))
        if not state.is_world_process_zero or first not in logs:
            return
        logged = {name: logs.get(key) for name, key in self._columns.items()}
        values = "  ".join(f"{k} {float(v):.2f}" for k, v in logged.items() if v is not None)
        elapsed = time.monotonic() - self._start
        print(f"{elapsed:5.0f} s  step {state.global_step:4d}  {values}", flush=True)
