"""Pass rates level by level, before and after training, beside the best constant answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import TrainerCallback

from generators import Task, generate
from generators.seeding import derive_seed
from rewards import judge_batch

CANDIDATES = 300  # training tasks whose rules compete for the best constant answer


@dataclass(frozen=True)
class LevelResult:
    """Pass rates in [0, 1] at one level, on tasks that no training step sees."""

    level: int
    tasks: int
    constant: float
    """The best single rule given to every task: what knowing one fixed answer is worth."""
    before: float
    after: float
    new_rules_before: float
    """As ``before``, on the test split: rules that occur in no training task."""
    new_rules_after: float


class LevelEvaluation(TrainerCallback):
    """Evaluates at the start and the end of training, by the trainer's own generation.

    Sampling is the training's (temperature and the like), one completion a task, so that the
    numbers are pass@1. A resumed run keeps the numbers of its first start.

    Args:
        levels: Levels to evaluate.
        tasks: Tasks per level and split; a multiple of the evaluation batch weighs all alike.
        seed: Seed of the evaluation tasks.
        task_options: Options of ``generators.generate``, e.g. ``{"style": "compact"}``.
        conversational: Whether the model expects chat messages.
    """

    def __init__(
        self,
        levels: Sequence[int],
        tasks: int,
        seed: int,
        task_options: Mapping[str, Any],
        conversational: bool = False,
    ) -> None:
        self.levels = tuple(levels)
        self.conversational = conversational
        self.tasks = {
            (split, level): [
                generate(
                    "slr",
                    level=level,
                    seed=derive_seed("evaluation", split, level, seed, index),
                    split=split,
                    **task_options,
                )
                for index in range(tasks)
            ]
            for split in ("validation", "test")
            for level in self.levels
        }
        self.task_options = dict(task_options)
        self.trainer: Any = None
        self.results: list[LevelResult] = []
        self._before: dict[str, float] = {}

    def attach(self, trainer: Any) -> None:
        """Register with the trainer whose model is evaluated."""
        self.trainer = trainer
        trainer.add_callback(self)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Measure the starting point, or read it back when the run is resumed."""
        path = Path(args.output_dir) / "pass_rates_before.json"
        if state.global_step and path.is_file():
            self._before = json.loads(path.read_text())
            return
        self._before = self._measure()
        if state.is_world_process_zero:
            path.write_text(json.dumps(self._before, indent=2) + "\n")

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Measure again; on the main process fill ``results`` and write ``levels.json``."""
        after = self._measure()
        if not state.is_world_process_zero:
            return
        self.results = [self._result(level, after) for level in self.levels]
        path = Path(args.output_dir) / "levels.json"
        path.write_text(json.dumps([asdict(r) for r in self.results], indent=2) + "\n")

    def _result(self, level: int, after: Mapping[str, float]) -> LevelResult:
        tasks = self.tasks["validation", level]
        seen, new = _key("validation", level), _key("test", level)
        return LevelResult(
            level=level,
            tasks=len(tasks),
            constant=best_constant(tasks, self.task_options),
            before=self._before[seen],
            after=after[seen],
            new_rules_before=self._before[new],
            new_rules_after=after[new],
        )

    def _measure(self) -> dict[str, float]:
        return {_key(*where): self._pass_rate(where) for where in self.tasks}

    def _pass_rate(self, where: tuple[str, int]) -> float:
        rows = [self._row(task) for task in self.tasks[where]]
        metrics = self.trainer.evaluate(
            Dataset.from_list(rows), metric_key_prefix=f"eval_{_key(*where)}"
        )
        return metrics["eval_slr/pass_rate"]

    def _row(self, task: Task) -> dict[str, Any]:
        row = task.to_row()
        if self.conversational:
            row["prompt"] = [{"role": "user", "content": task.prompt}]
        return row


def _key(split: str, level: int) -> str:
    return f"{split}_{level}"


def best_constant(tasks: Sequence[Task], task_options: Mapping[str, Any]) -> float:
    """Return the pass rate of the best single rule given to every task.

    The candidates are the distinct ground-truth rules of training tasks at the same level; the
    best is picked on the evaluation tasks themselves, which favours the baseline.
    """
    level = tasks[0].level
    pool = [
        generate("slr", level=level, seed=derive_seed("constant", level, index), **task_options)
        for index in range(CANDIDATES)
    ]
    rules = list(dict.fromkeys(task.solution for task in pool))
    verdicts = judge_batch(
        "slr",
        [rule for task in tasks for rule in rules],
        [task.verification for task in tasks for _ in rules],
    )
    solved = [0] * len(rules)
    for index, verdict in enumerate(verdicts):
        solved[index % len(rules)] += verdict.solved
    return max(solved) / len(tasks)


def table(results: Sequence[LevelResult]) -> str:
    """Return the results as an aligned text table, one line a level."""
    lines = [
        "level  tasks  best constant  before  after  | rules never trained on: before  after",
    ]
    for r in results:
        lines.append(
            f"{r.level:5d}  {r.tasks:5d}  {r.constant:13.2f}  {r.before:6.2f}  {r.after:5.2f}"
            f"  | {r.new_rules_before:30.2f}  {r.new_rules_after:5.2f}"
        )
    return "\n".join(lines)
