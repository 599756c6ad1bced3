"""The link to transformers: checkpoints, the run folder's record, and the report at the end."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from logic_curriculum.curriculum.history import History
from logic_curriculum.curriculum.observed import ObservedReward, RewardFunction
from logic_curriculum.curriculum.report import write_report
from logic_curriculum.curriculum.scheduler import CurriculumScheduler
from logic_curriculum.curriculum.tally import Tally

logger = logging.getLogger(__name__)

STATE_KEY = "curriculum"
"""Where the scheduler's state lies in ``trainer_state.json``, under ``stateful_callbacks``."""


class CurriculumCallback(TrainerCallback):
    """Keeps a scheduler and a transformers run together.

    - The scheduler's state goes into every checkpoint (``trainer_state.json``) and comes back when
      training resumes from one.
    - The run folder gets ``curriculum.jsonl`` batch by batch, and ``summary.json`` and
      ``curriculum.png`` at the end.

    ``CurriculumGRPOTrainer`` brings its own; make one for a trainer of your own, and let it watch
    a reward with :meth:`observed`. The state has a key of its own, apart from transformers'
    stateful callbacks, which are restored as new objects that no trainer knows.

    Args:
        scheduler: The scheduler to keep.
    """

    def __init__(self, scheduler: CurriculumScheduler) -> None:
        self.scheduler = scheduler
        self.lagging = False
        self._history: History | None = None

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Restore the scheduler from the checkpoint that training resumes from, if any."""
        if self.lagging and args.dataloader_num_workers:
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
                "The checkpoint of step %d holds no curriculum, so the levels start at %s. Resume "
                "from a checkpoint that was written with a CurriculumCallback to continue them.",
                state.global_step,
                self.scheduler.levels,
            )
        self._store(state)
        if state.is_world_process_zero:
            self._history = History(args.output_dir)
            self._history.rewind(state.global_step)

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Put the scheduler's state where the next checkpoint finds it."""
        self._store(state)

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Write ``summary.json`` and ``curriculum.png``, on the main process."""
        if self._history is not None:
            records = self._history.records()
            write_report(args.output_dir, self.scheduler, records, state.log_history)

    def _store(self, state: TrainerState) -> None:
        state.stateful_callbacks[STATE_KEY] = self.scheduler.state_dict()

    def observed(self, reward: RewardFunction) -> ObservedReward:
        """Return a reward function whose passes the scheduler sees, for a trainer of your own.

        Args:
            reward: The reward function that decides a pass, with TRL's signature; not async.

        Raises:
            ValueError: If the reward function is async.
        """
        self.lagging = True
        return ObservedReward(reward, self.observe)

    def observe(self, tallies: Sequence[Tally], step: int) -> dict[str, float]:
        """Tell the scheduler about a batch, and record it.

        Every process calls this with the same tallies, those of all processes together.

        Args:
            tallies: Attempts and passes of the batch.
            step: Optimizer steps done so far.

        Returns:
            Metrics of the batch, named like TRL's own: ``curriculum/level``, the level that the
            batch was made at; ``curriculum/pass_rate``, passes per attempt at that level, absent
            when nothing was attempted there; ``curriculum/attempts``, the attempts at that level
            so far. With several families each has them as ``curriculum/<family>/...``, and the
            short names hold the mean level, the pooled pass rate and all attempts.
        """
        levels = self.scheduler.levels
        current = {entry.family: entry for entry in tallies if levels[entry.family] == entry.level}
        seen = {family: self.scheduler.track(family).attempts for family in levels}
        for family, entry in current.items():
            seen[family] += entry.attempts
        for entry in tallies:
            self.scheduler.observe(*entry, step=step)
        if self._history is not None:
            self._history.append(step, tallies, levels)
        metrics = _metrics("curriculum", levels.values(), seen.values(), current.values())
        if len(levels) > 1:
            for family in levels:
                own = [current[family]] if family in current else []
                prefix = f"curriculum/{family}"
                metrics.update(_metrics(prefix, [levels[family]], [seen[family]], own))
        return metrics


def _metrics(
    prefix: str, levels: Iterable[int], seen: Iterable[int], current: Iterable[Tally]
) -> dict[str, float]:
    levels, current = list(levels), list(current)
    metrics = {
        f"{prefix}/level": sum(levels) / len(levels),
        f"{prefix}/attempts": float(sum(seen)),
    }
    attempts = sum(entry.attempts for entry in current)
    if attempts:
        metrics[f"{prefix}/pass_rate"] = sum(entry.passes for entry in current) / attempts
    return metrics
