"""The link to transformers: checkpoints, the run record, progress lines and the final report."""

import json
import logging
import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from operator import mul
from pathlib import Path
from statistics import fmean
from typing import Any

import datasets
import pandas as pd
import transformers
from accelerate.utils import gather_object
from transformers import Trainer, TrainerCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from logic_curriculum.curriculum.dataset import SLOT, CurriculumDataset
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, draw
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.run_settings import StepLog
from logic_curriculum.curriculum.scheduler import (
    Completion,
    CurriculumScheduler,
    LevelCounts,
    checked_curriculum,
    groups_of,
    require_equal,
)
from logic_curriculum.curriculum.strategies import Group
from logic_curriculum.curriculum.watching import Reward, WatchedReward
from logic_curriculum.generators.family import ranges
from logic_curriculum.rewards.registry import versions_of_all

logger = logging.getLogger(__name__)

SUMMED = ["groups", "level", "attempts", "passes"]  # over the lines of a batch
STATE_KEY = "curriculum"  # of the scheduler's state in trainer_state.json's stateful_callbacks
ELSEWHERE = (
    "there tasks are made and rewarded in a child process, so that levels that move there reach "
    "neither the checkpoints nor the log of the trainer. Use GRPOTrainer or RLOOTrainer."
)
MANY_GROUPS = 64  # after which waste is told
Records = Sequence[Mapping[str, Any]]  # Lines of curriculum.jsonl, or of the log


class CurriculumCallback(TrainerCallback):
    """Keeps a scheduler and a transformers run together.

    - The scheduler sees what the rewards that :meth:`watch` returns pay, after each batch and from
      all processes; then the levels move.
    - Its state goes into every checkpoint (``trainer_state.json``) and comes back when training
      resumes from one.
    - The run folder gets ``summary.json`` and ``curriculum.png`` at the end, and batch by batch
      ``curriculum.jsonl``: ``step`` (optimizer steps done), ``family``, ``level``, ``groups``,
      ``useful_groups``, ``attempts``, ``passes`` and ``current`` (whether the level is the one to
      be passed, not a repeated one; always so for a strategy without such a level) and
      ``outcomes``, attempts and passes of each group.

    ``CurriculumGRPOTrainer`` brings its own; make one for another trainer. The state has
    its own key, because transformers restores stateful callbacks as new objects that no trainer
    knows.
    """

    def __init__(self, scheduler: CurriculumScheduler) -> None:
        self.scheduler = checked_curriculum(self, scheduler, CurriculumScheduler)
        self._watched: list[WatchedReward] = []
        self._paid: list[list[Completion]] = []  # by watched reward
        self._step = 0  # optimizer steps done when it was paid
        self._has_seen = False  # a group of the curriculum
        self._seconds = 0.0  # that these rewards took
        self._decides: str | None = None  # the reward function that has decided passes
        self._options: Mapping[str, Any] = {}  # of the tasks
        self._metrics: dict[str, list[float]] = {}
        self._log: StepLog | None = None
        self._unjudged: Sequence[str] = scheduler.families  # whose waste may still be told

    def check_tasks(self, tasks: object) -> None:
        """Note a CurriculumDataset's options; with another scheduler it is a ValueError."""
        if not isinstance(tasks, CurriculumDataset):
            return
        if tasks.scheduler is not self.scheduler:
            raise ValueError(
                "The CurriculumCallback and the CurriculumDataset have different schedulers, so "
                "the tasks would stay at their level: give both the same one."
            )
        self._options = tasks.task_options

    def watch(self, reward: Reward, weight: float = 1.0) -> Reward:
        """Return a reward function that pays the same, and whose passes the scheduler sees.

        ``weight`` is what the trainer multiplies its rewards by. Of several functions
        ``pass_reward`` of the configuration names the one that decides, by default the first. Rows
        without a slot, such as those of an evaluation, are rewarded and not reported.
        """
        own = WatchedReward(reward, partial(self._see, len(self._watched)), weight)
        own.logs = own.judge not in [each.judge for each in self._watched]
        self._watched.append(own)
        self._paid.append([])
        return own.for_trainer()

    def decode_with(self, decode: Callable[[Sequence[int]], str]) -> None:
        """Make text of tokens with this, where the chat template opens a thought."""
        for each in self._watched:
            each.decode = decode

    def pass_place(self, watched: Sequence[WatchedReward] | None = None) -> int:
        """Return the place of the reward that decides a pass among those, or all, watched.

        A ValueError says that ``pass_reward`` names none of them, or that there is none: a reward
        model and an environment's own reward can't be watched.
        """
        if not self._watched:
            raise ValueError(
                "No reward function was given, so nothing says what is passed: reward models and "
                "an environment's get_reward can't. Give one, such as logic_reward."
            )
        names = [each.__name__ for each in watched or self._watched]
        wanted = self.scheduler.config.pass_reward or self._decides
        if wanted is not None and wanted not in names:
            raise ValueError(
                f"{wanted!r} decides passes, by pass_reward or in the run that continues, but the "
                f"reward functions that can are {names}: give it, or start a new run without it."
            )
        return 0 if wanted is None else names.index(wanted)

    def _see(
        self,
        place: int,
        completions: Sequence[Any],
        columns: Mapping[str, Any],
        rewards: Sequence[float | None],
        seconds: float,
    ) -> None:
        if SLOT not in columns:
            return
        if "trainer_state" not in columns:
            raise ValueError(
                "The trainer rewards tasks of a curriculum without its trainer_state, as "
                f"AsyncGRPOTrainer does: {ELSEWHERE}"
            )
        step = columns["trainer_state"].global_step
        if self._paid[place] and step > self._step:
            raise ValueError(
                "A trainer that rewards tasks of a curriculum lacks the CurriculumCallback, so no "
                "level could move: give it callbacks=[callback]."
            )
        self._step = step
        paid = [None if r is None or math.isnan(r) else float(r) for r in rewards]
        self._paid[place] += map(Completion, *(columns[n] for n in (SLOT, "family", "level")), paid)
        self._seconds += seconds

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Restore the scheduler from the checkpoint that training resumes from, if any.

        A second training from the start, or tasks of another scheduler, are a ValueError.
        """
        loaded = getattr(kwargs.get("train_dataloader"), "dataset", None)
        given = loaded.format["format_kwargs"] if isinstance(loaded, datasets.Dataset) else {}
        self.check_tasks(getattr(given.get("transform"), "__self__", None))  # lazy ones
        self._paid, self._seconds = [[] for _ in self._paid], 0.0  # of a training that broke off
        self._metrics.clear()
        saved = state.stateful_callbacks.get(STATE_KEY)
        self._decides = None
        if saved is not None:
            self.scheduler.load_state_dict(saved)
            self._continue(saved)
        elif self._has_seen:
            raise ValueError(
                "The curriculum was trained before, and a second run would mix with it in the log: "
                "make a new trainer with another output_dir, or resume from a checkpoint."
            )
        elif state.global_step > 0:
            logger.warning(
                f"The checkpoint of step {state.global_step} holds no curriculum, so the levels "
                f"start at {self.scheduler.levels}. Resume from a checkpoint that was written with "
                "a CurriculumCallback to continue them."
            )
        state.stateful_callbacks[STATE_KEY] = self._state()
        if state.is_world_process_zero:
            self._log = StepLog(Path(args.output_dir) / "curriculum.jsonl")
            self._log.rewind(state.global_step)

    def on_substep_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Let the scheduler see what was paid in this batch."""
        self._observe_paid()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Do the same, and put the scheduler's state where the next checkpoint finds it."""
        self._observe_paid()
        state.stateful_callbacks[STATE_KEY] = self._state()

    def _state(self) -> dict[str, Any]:
        own = self.scheduler.state_dict()
        return {**own, "decides": self._decides, "task_options": self._options}

    def _continue(self, saved: Mapping[str, Any]) -> None:
        """Let the same reward decide on the same kind of tasks as in the run that was saved."""
        require_equal("task_options", saved.get("task_options", self._options), self._options)
        self._decides = saved.get("decides")
        if self._watched:
            self.pass_place()

    def _observe_paid(self) -> None:
        """Move the levels by the rewards of all processes, which were all paid in this batch."""
        called = [at for at, paid in enumerate(self._paid) if paid]  # the trainer may have fewer
        if not called:
            return
        watched = [self._watched[at] for at in called]
        decisive, weights = self.pass_place(watched), [each.weight for each in watched]
        self._decides = watched[decisive].__name__
        own = []
        for row in zip(*(self._paid[at] for at in called), strict=True):
            scores = [paid.score or 0.0 for paid in row]  # what could not be graded adds nothing
            own.append(row[decisive]._replace(reward=sum(map(mul, weights, scores))))
        self._paid = [[] for _ in self._paid]
        metrics = self.observe(groups_of(gather_object(own)), self._step)
        metrics["reward_time"], self._seconds = self._seconds, 0.0
        for name, value in metrics.items():
            self._metrics.setdefault(name, []).append(value)

    def take_metrics(self) -> dict[str, float]:
        """Return the mean of each metric since the last call; see :meth:`observe`."""
        means = {name: fmean(values) for name, values in self._metrics.items()}
        self._metrics.clear()
        return means

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        """Add the metrics to a log of the training; ``CurriculumGRPOTrainer`` adds them itself."""
        if logs is not None and "loss" in logs:
            if "reward" in logs and not self._has_seen and state.is_world_process_zero:
                warnings.warn(
                    "Completions were rewarded, and the curriculum saw nothing of it, so no level "
                    "can move: give the trainer callback.watch(reward) and a CurriculumDataset.",
                    stacklevel=1,
                )
            found = self.take_metrics()
            logs.update(found)
            state.log_history[-1].update(found)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Write ``summary.json`` and, with matplotlib, ``curriculum.png``, on the main process."""
        if self._log is None:
            return
        folder, records, log = Path(args.output_dir), self._log.read(), state.log_history
        summary = summarize(self.scheduler, records, log)
        (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
        charts = curriculum_charts(records, self.scheduler.config.window)
        draw(folder / "curriculum.png", charts, "summary.json")

    def observe(self, groups: Sequence[Group], step: int) -> dict[str, float]:
        """Report a batch to the scheduler, record it, and return its metrics.

        Every process calls this with the same groups, those of all processes together, and the
        optimizer steps done so far. The metrics are named like TRL's own: ``curriculum/level``, the
        level to be passed when the batch was made, or the mean level for a strategy that has none;
        ``curriculum/pass_rate``, passes per attempt there (after the last level was passed, or
        without such a level, in the batch), absent when nothing was attempted;
        ``curriculum/pass_at_k`` with the size of the largest group for k, the unbiased estimate
        of the chance that one of k completions passes, over the groups of that size there;
        ``curriculum/useful_groups``, the share of groups whose rewards are not all equal. With
        several families each has them as ``curriculum/<family>/...``, and the short names hold the
        mean level and all groups.
        """
        self._has_seen = True
        levels = self.scheduler.levels
        strategies = {name: self.scheduler.strategy(name) for name in levels}
        frontiers = {name: None if s.finished else s.frontier for name, s in strategies.items()}
        self.scheduler.observe(groups, step)
        if self._log is not None:
            self._warn_of_waste()
            lines = []
            by_level = grouped(groups, lambda group: (group.family, group.level))
            for (family, level), alike in sorted(by_level.items()):
                count = LevelCounts()
                for group in alike:
                    count.add(group)
                line = {"step": step, "family": family, "level": level, **asdict(count)}
                line["current"] = frontiers[family] in (None, level)
                lines.append({**line, "outcomes": [(g.attempts, g.passes) for g in alike]})
            self._log.append(lines)
        metrics = {}
        own = {f"curriculum/{family}": [family] for family in levels} if len(levels) > 1 else {}
        for prefix, families in {"curriculum": list(levels), **own}.items():
            made = [group for group in groups if group.family in families]
            tried = [g for g in made if frontiers[g.family] in (None, g.level)]
            metrics[f"{prefix}/level"] = sum(levels[family] for family in families) / len(families)
            if any(group.attempts > 1 for group in made):
                metrics[f"{prefix}/useful_groups"] = fmean(group.variance > 0 for group in made)
            if tried:
                attempts = sum(group.attempts for group in tried)
                metrics[f"{prefix}/pass_rate"] = sum(group.passes for group in tried) / attempts
                if (k := max(group.attempts for group in tried)) > 1:
                    able = [group.passes for group in tried if group.attempts == k]
                    metrics[f"{prefix}/pass_at_{k}"] = fmean(passes > 0 for passes in able)
        return metrics

    def _warn_of_waste(self) -> None:
        """Tell once of each family when most of its groups so far taught nothing."""
        moved = {move.family for move in self.scheduler.history}  # past what was too easy
        for family in self._unjudged:
            tried = {n: count for n, count in self.scheduler.counts(family).items() if count.groups}
            groups = sum(count.groups for count in tried.values())
            useful = sum(count.useful_groups for count in tried.values())
            if groups < MANY_GROUPS or all(c.attempts == c.groups for c in tried.values()):
                continue  # too few, or one answer each, as in SFT
            self._unjudged = [name for name in self._unjudged if name != family]
            if 2 * useful < groups and family not in moved:
                idle = [level for level, count in tried.items() if not count.useful_groups]
                where = f", among them all of levels {ranges(idle)}" if idle else ""
                logger.warning(
                    f"{family}: {groups - useful} of {groups} groups so far teach nothing, since "
                    f"their answers earn the same{where}. Lower last_level, raise first_level, or "
                    "choose another strategy (docs/curriculum.md)."
                )


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


def summarize(
    scheduler: CurriculumScheduler, records: Records, log_history: Records
) -> dict[str, Any]:
    """Return the summary of a run from its scheduler, ``curriculum.jsonl`` and the trainer's log.

    It is JSON-able: ``config``; ``task_versions`` and ``reward_versions`` by family; ``steps``
    (optimizer steps that the log reached); ``finished``; ``families``, each with its level, tier,
    and the groups, useful groups, attempts and passes of each level; ``moves``.
    """
    logged = max((entry.get("step", 0) for entry in log_history), default=0)
    attempted = max((record["step"] + 1 for record in records), default=0)
    return {
        "config": asdict(scheduler.config),
        **versions_of_all(scheduler.families),
        "steps": max(logged, attempted),
        "finished": scheduler.finished,
        "families": {family: _family_summary(scheduler, family) for family in scheduler.families},
        "moves": [asdict(move) for move in scheduler.history],
    }


def _family_summary(scheduler: CurriculumScheduler, family: str) -> dict[str, Any]:
    level = scheduler.level(family)
    return {
        "level": level,
        "tier": scheduler.ladders[family].tier(round(level)),
        "finished": scheduler.strategy(family).finished,
        "levels": [
            {"level": level, **asdict(count)}
            for level, count in scheduler.counts(family).items()
            if count.attempts
        ],
    }


def curriculum_charts(records: Records, window: int) -> list[Chart]:
    """Return pass rate and level over steps, one chart per family.

    Of ``records``, the lines of ``curriculum.jsonl``, those at the level to be passed are drawn,
    where a strategy has one. The thick line is over the batches that on average make ``window``
    tasks.
    """
    frame = pd.DataFrame([record for record in records if record["current"]])
    charts = []
    for family, own in frame.groupby("family", sort=False) if len(frame) else ():
        sums = own.assign(level=own.level * own.groups).groupby("step")[SUMMED].sum()
        batches = math.ceil(window / sums.groups.mean())
        parts = (sums, sums.rolling(batches, min_periods=1).sum())
        rates, smooth = ([*map(Point, p.index, p.passes / p.attempts)] for p in parts)
        name = f"pass rate over {window} tasks"
        series = [Series("", rates, 0, "thin"), Series(name, smooth, 0, "thick")]
        levels = Series("level", [*map(Point, sums.index, sums.level / sums.groups)], 1, "steps")
        charts.append(Chart("", "optimizer step", f"{family}: pass rate", series, right=levels))
    return charts
