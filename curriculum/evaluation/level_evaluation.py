"""Pass rates level by level, before and after training, beside the best constant answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import TrainerCallback

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards import judge_batch

CANDIDATES = 300  # training tasks whose solutions compete for the best constant answer
OPTIONS = 6  # of a validity task


@dataclass(frozen=True)
class LevelResult:
    """Pass rates in [0, 1] at one level, on tasks that no training step sees."""

    family: str
    level: int
    tasks: int
    constant: float
    """The best single answer given to every task: what knowing one fixed answer is worth."""
    before: float
    after: float
    new_rules_before: float
    """As ``before``, on the test split: rules, formulas or arguments of no training task."""
    new_rules_after: float
    partial_before: float
    """Mean partial score on the tasks of ``before``; what it means is the family's affair."""
    partial_after: float


PARTIAL_NAMES = {"loginum": "process"}
"""Family → what its partial score is called, where the table shows it."""


class LevelEvaluation(TrainerCallback):
    """Evaluates at the start and the end of training, by the trainer's own generation.

    Sampling is the training's (temperature and the like), one completion a task, so that the
    numbers are pass@1. A resumed run keeps the numbers of its first start.

    Args:
        levels: Levels to evaluate.
        tasks: Tasks per level and split; a multiple of the evaluation batch weighs all alike.
        seed: Seed of the evaluation tasks.
        task_options: The families, each with its options of ``generate``, e.g.
            ``{"slr": {"style": "compact"}}``.
        conversational: Whether the model expects chat messages.
    """

    def __init__(
        self,
        levels: Sequence[int],
        tasks: int,
        seed: int,
        task_options: Mapping[str, Mapping[str, Any]],
        conversational: bool = False,
    ) -> None:
        self.levels = tuple(levels)
        self.task_options = task_options
        self.conversational = conversational
        self.tasks = {
            (family, split, level): [
                generate(
                    family,
                    level=level,
                    seed=derive_seed("evaluation", split, level, seed, index),
                    split=split,
                    **options,
                )
                for index in range(tasks)
            ]
            for family, options in task_options.items()
            for split in ("validation", "test")
            for level in self.levels
        }
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
        self.results = [
            self._result(family, level, after)
            for family in self.task_options
            for level in self.levels
        ]
        path = Path(args.output_dir) / "levels.json"
        path.write_text(json.dumps([asdict(r) for r in self.results], indent=2) + "\n")

    def samples(self) -> list[Task]:
        """Return one held-out task per family and level."""
        return [tasks[0] for (_, split, _), tasks in self.tasks.items() if split == "validation"]

    def _result(self, family: str, level: int, after: Mapping[str, float]) -> LevelResult:
        tasks = self.tasks[family, "validation", level]
        seen, new = (self._key(family, split, level) for split in ("validation", "test"))
        return LevelResult(
            family=family,
            level=level,
            tasks=len(tasks),
            constant=best_constant(tasks, self.task_options[family]),
            before=self._before[seen],
            after=after[seen],
            new_rules_before=self._before[new],
            new_rules_after=after[new],
            partial_before=self._before[f"{seen}_partial"],
            partial_after=after[f"{seen}_partial"],
        )

    def _key(self, family: str, split: str, level: int) -> str:
        """Return a metric's name; a family is named where there are several."""
        return "_".join([*([family] if len(self.task_options) > 1 else []), split, str(level)])

    def _measure(self) -> dict[str, float]:
        measured = {}
        for where in self.tasks:
            key = self._key(*where)
            measured[key], measured[f"{key}_partial"] = self._rates(*where)
        return measured

    def _rates(self, family: str, split: str, level: int) -> tuple[float, float]:
        """Return pass rate and mean partial score."""
        rows = [self._row(task) for task in self.tasks[family, split, level]]
        prefix = f"eval_{self._key(family, split, level)}"
        metrics = self.trainer.evaluate(Dataset.from_list(rows), metric_key_prefix=prefix)
        return metrics[f"eval_{family}/pass_rate"], metrics[f"eval_{family}/partial"]

    def _row(self, task: Task) -> dict[str, Any]:
        row = task.to_row()
        if self.conversational:
            row["prompt"] = [{"role": "user", "content": task.prompt}]
        return row


def best_constant(tasks: Sequence[Task], task_options: Mapping[str, Any]) -> float:
    """Return the pass rate of the best single answer given to every task.

    The best is picked on the evaluation tasks themselves, which favours the baseline.
    """
    family = tasks[0].family
    answers = constant_answers(family, tasks[0].level, task_options)
    verdicts = judge_batch(
        family,
        [answer for task in tasks for answer in answers],
        [task.verification for task in tasks for _ in answers],
    )
    solved = [0] * len(answers)
    for index, verdict in enumerate(verdicts):
        solved[index % len(answers)] += verdict.solved
    return max(solved) / len(tasks)


def constant_answers(family: str, level: int, task_options: Mapping[str, Any]) -> list[str]:
    """Return answers that compete for the best constant: solutions of training tasks.

    For countermodels, each with the symbols that it lacks taken from the others, so that it fits
    any argument; for validity, each option.
    """
    if family == "validity":
        return [str(number) for number in range(1, OPTIONS + 1)]
    options = dict(task_options)
    if family == "countermodel":
        options["style"] = "compact"  # the judge reads all; here, one word is one symbol's value
    solutions = [
        generate(family, level, derive_seed("constant", level, index), **options).solution
        for index in range(CANDIDATES)
    ]
    if family == "countermodel":
        solutions = [_fill_in(solutions[i:] + solutions[:i]) for i in range(CANDIDATES)]
    return list(dict.fromkeys(solutions))


def _fill_in(structures: Sequence[str]) -> str:
    """Return the first structure, with what it does not interpret taken from the next ones."""
    values: dict[str, str] = {}
    for structure in structures:
        for word in structure.split():
            values.setdefault(word.split("=")[0], word)
    return " ".join(values.values())


def table(results: Sequence[LevelResult]) -> str:
    """Return the results as an aligned text table, one line a family and level."""
    families = list(dict.fromkeys(result.family for result in results))
    width = max(map(len, families)) + 2 if len(families) > 1 else 0
    held_out = "rules" if families == ["slr"] else "items"
    after = f"{held_out} never trained on: before  after"
    partial = " / ".join(PARTIAL_NAMES[name] for name in families if name in PARTIAL_NAMES)
    lines = [" " * width + f"level  tasks  best constant  before  after  | {after}"]
    lines[0] += f"  | {partial}: before  after" if partial else ""
    for r in results:
        lines.append(
            f"{r.family if width else '':{width}}"
            f"{r.level:5d}  {r.tasks:5d}  {r.constant:13.2f}  {r.before:6.2f}  {r.after:5.2f}"
            f"  | {r.new_rules_before:30.2f}  {r.new_rules_after:5.2f}"
        )
        if r.family in PARTIAL_NAMES:
            lines[-1] += f"  | {r.partial_before:{len(partial) + 8}.2f}  {r.partial_after:5.2f}"
    return "\n".join(lines)
