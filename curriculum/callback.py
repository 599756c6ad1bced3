"""The link to transformers: checkpoints, the run record, progress lines and the final report."""

import inspect
import json
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
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.run_settings import StepLog
from logic_curriculum.curriculum.scheduler import AttemptCounts, CurriculumScheduler, count_attempts
from logic_curriculum.rewards.registry import versions_of_all

logger = logging.getLogger(__name__)

STATE_KEY = "curriculum"  # of the scheduler's state in trainer_state.json's stateful_callbacks
RewardFunction = Callable[..., Sequence[float | None]]
Records = Sequence[Mapping[str, Any]]  # Lines of curriculum.jsonl, or of the log
WATCHED = ("syntax_rate", "hacking_gap")
"""Endings of the reward functions' metrics that the report shows beside the pass rate."""


class CurriculumCallback(TrainerCallback):
    """Keeps a scheduler and a transformers run together.

    - The scheduler's state goes into every checkpoint (``trainer_state.json``) and comes back when
      training resumes from one.
    - The run folder gets ``summary.json`` and ``curriculum.png`` at the end, and batch by batch
      ``curriculum.jsonl``: ``step`` (optimizer steps done), ``family``, ``level``, ``attempts``,
      ``passes`` and ``current`` (whether the level was the track's current one, or a replayed one).

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
                own = list(zip(kwargs["family"], kwargs["level"], rewards, strict=True))
                counts = count_attempts(gather_object(own))
                metrics = self.observe(counts, kwargs["trainer_state"].global_step)
                for name, value in metrics.items():
                    kwargs["log_metric"](name, value)
            return rewards

        watched.__name__ = getattr(reward, "__name__", type(reward).__name__)
        return watched

    def observe(self, counts: Sequence[AttemptCounts], step: int) -> dict[str, float]:
        """Tell the scheduler about a batch, record it, and return its metrics.

        Every process calls this with the same counts, those of all processes together, and the
        optimizer steps done so far. The metrics are named like TRL's own: ``curriculum/level``, the
        level that the batch was made at; ``curriculum/pass_rate``, passes per attempt at that
        level, absent when nothing was attempted there; ``curriculum/attempts``, the attempts at
        that level so far. With several families each has them as ``curriculum/<family>/...``, and
        the short names hold the mean level, the pooled pass rate and all attempts.
        """
        levels = self.scheduler.levels
        current = {entry.family: entry for entry in counts if levels[entry.family] == entry.level}
        attempts = {family: self.scheduler.track(family).attempts for family in levels}
        for family, entry in current.items():
            attempts[family] += entry.attempts
        for entry in counts:
            self.scheduler.observe(*entry, step=step)
        if self._log is not None:
            about = [(entry, entry in current.values()) for entry in counts]
            self._log.append({"step": step, **e._asdict(), "current": now} for e, now in about)
        metrics = {}
        own = {f"curriculum/{family}": [family] for family in levels} if len(levels) > 1 else {}
        for prefix, families in {"curriculum": list(levels), **own}.items():
            tried = [current[family] for family in families if family in current]
            metrics[f"{prefix}/level"] = sum(levels[family] for family in families) / len(families)
            metrics[f"{prefix}/attempts"] = float(sum(attempts[family] for family in families))
            if tries := sum(entry.attempts for entry in tried):
                metrics[f"{prefix}/pass_rate"] = sum(entry.passes for entry in tried) / tries
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


def summarize(
    scheduler: CurriculumScheduler, records: Records, log_history: Records
) -> dict[str, Any]:
    """Return the summary of a run from its scheduler, ``curriculum.jsonl`` and the trainer's log.

    It has ``config``; ``task_versions`` and ``reward_versions`` by family; ``steps`` (optimizer
    steps that the log reached); ``finished``; ``families``, each with its levels, tiers, attempts
    and passes; ``moves``; ``metrics``, the first and last logged syntax rate and hacking gap.
    """
    logged = max((entry.get("step", 0) for entry in log_history), default=0)
    attempted = max((record["step"] + 1 for record in records), default=0)
    return {
        "config": asdict(scheduler.config),
        **versions_of_all(scheduler.families),
        "steps": max(logged, attempted),
        "finished": scheduler.finished,
        "families": {family: _summarize_track(scheduler, family) for family in scheduler.families},
        "moves": [asdict(move) for move in scheduler.history],
        "metrics": {
            name: {"first": values[0][1], "last": values[-1][1]}
            for name, values in watched_metrics(log_history).items()
        },
    }


def _summarize_track(scheduler: CurriculumScheduler, family: str) -> dict[str, Any]:
    track = scheduler.track(family)
    return {
        "level": track.level,
        "tier": scheduler.tier(family),
        "finished": track.finished,
        "pass_rate": track.pass_rate,
        "levels": [
            {"level": level, "attempts": attempts, "passes": passes}
            for level, (attempts, passes) in enumerate(track.totals, start=track.first)
            if attempts
        ],
    }


def watched_metrics(log_history: Records) -> dict[str, list[tuple[int, float]]]:
    """Return (step, value) of each logged training metric that the report shows."""
    series: dict[str, list[tuple[int, float]]] = {}
    for entry in log_history:
        for name, value in entry.items():
            wanted = name.endswith(WATCHED) and not name.startswith("eval_")
            if wanted and value is not None:
                series.setdefault(name, []).append((entry["step"], value))
    return series


def write_report(
    folder: str | Path, scheduler: CurriculumScheduler, records: Records, log_history: Records
) -> None:
    """Write ``summary.json`` and ``curriculum.png``; without matplotlib the summary only."""
    folder = Path(folder)
    summary = summarize(scheduler, records, log_history)
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    charts = curriculum_charts(records, watched_metrics(log_history), scheduler.config.window)
    if not charts:
        return
    try:
        save(folder / "curriculum.png", charts, columns=1)
    except ImportError as error:
        logger.warning("curriculum.png was not drawn; summary.json holds the numbers. %s", error)


def curriculum_charts(
    records: Records, metrics: Mapping[str, Sequence[tuple[int, float]]], window: int
) -> list[Chart]:
    """Return pass rate and level over steps, one chart per family.

    Of ``records``, the lines of ``curriculum.jsonl``, those at the current level are drawn. The
    ``metrics`` are further series, as (step, value); one named ``<family>/...`` belongs to that
    chart. The smoothed pass rate is taken over ``window`` attempts, as the scheduler does.
    """
    current = [record for record in records if record["current"]]
    charts = []
    for family, own in grouped(current, lambda record: record["family"]).items():
        rates = [Point(record["step"], record["passes"] / record["attempts"]) for record in own]
        windowed = zip(rates, windowed_pass_rates(own, window), strict=True)
        smooth = [point._replace(value=rate) for point, rate in windowed]
        levels = [Point(record["step"], record["level"]) for record in own]
        name = f"pass rate over {window} attempts"
        series = [Series("", rates, 0, "thin"), Series(name, smooth, 0, "thick")]
        for name, values in metrics.items():
            if "/" not in name or name.startswith(f"{family}/"):
                points = [Point(*pair) for pair in values]
                series.append(Series(name, points, len(series), "dashed"))
        lowest = min(0.0, *(point.value for each in series for point in each.points))
        limits, right = (lowest - 0.02, 1.02), Series("level", levels, 1, "steps")
        label = f"{family}: pass rate"
        charts.append(Chart("", "optimizer step", label, series, limits, right=right))
    return charts


def windowed_pass_rates(records: Records, window: int) -> list[float]:
    """Return after each record the pass rate over the latest ``window`` attempts at its level.

    The records are batches of one family at its current level, oldest first.
    """
    rates = []
    for end, record in enumerate(records):
        attempts = passes = 0
        for earlier in reversed(records[: end + 1]):
            if attempts >= window or earlier["level"] != record["level"]:
                break
            attempts += earlier["attempts"]
            passes += earlier["passes"]
        rates.append(passes / attempts)
    return rates
