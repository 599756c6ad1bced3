"""Held-out evaluation during training: callbacks for GRPO and for SFT."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from accelerate.utils import gather_object
from datasets import Dataset
from transformers import TrainerCallback
from trl.models import unwrap_model_for_generation
from trl.models.utils import disable_gradient_checkpointing

from logic_curriculum.curriculum.callback import CurriculumCallback
from logic_curriculum.curriculum.dataset import held_out_tasks
from logic_curriculum.curriculum.evaluation.charts import PASS_RATES, Chart, Point, Series, draw
from logic_curriculum.curriculum.evaluation.guessers import (
    best_constant,
    nearest_neighbour,
    training_examples,
)
from logic_curriculum.curriculum.evaluation.models import (
    Decoding,
    TransformersModel,
    batches,
    in_step,
)
from logic_curriculum.curriculum.evaluation.prompts import Question
from logic_curriculum.curriculum.evaluation.records import Record, grouped, judged
from logic_curriculum.curriculum.evaluation.tables import Table, joined, shown
from logic_curriculum.curriculum.run_settings import StepLog
from logic_curriculum.curriculum.scheduler import Completion as Graded
from logic_curriculum.curriculum.scheduler import groups_of, ladder_of
from logic_curriculum.curriculum.watching import Reward, WatchedReward
from logic_curriculum.generators import Task, registry
from logic_curriculum.rewards import Verdict, judge_batch
from logic_curriculum.rewards.completions import Completion, completion_text
from logic_curriculum.rewards.registry import judge_of

HELD_OUT = "held_out_number"  # column with the number of a task among those of its level and split
Place = tuple[str, str, int, int]
"""Family, split, level and number of the held-out task that a completion is for."""
SPLITS = ("validation", "test")
"""Rules or items that training may show, and others that it never does."""

LOOKS = {"before": (0, "line"), "after": (1, "line"), "best constant": (7, "dashed")}
"""Curve of a chart → its colour and style."""
FILE_NAME = "evaluation.jsonl"
"""Evaluations of a run of SFT: ``step``, ``split``, and by level how many were asked and solved."""


def _log_of(args: Any) -> StepLog:
    return StepLog(Path(args.output_dir) / PASS_RATES)


class LevelEvaluation(TrainerCallback):
    """Makes tables and curves of the trainer's own evaluations, one completion per task.

    :attr:`dataset` is the trainer's ``eval_dataset``, and :meth:`watch` has to wrap one of its
    rewards. Completions are sampled as in training. After each evaluation the pass rates go to
    ``pass_rates.jsonl`` in the run folder; a resumed run keeps what was measured before. There are
    ``tasks`` tasks of each level and split. ``task_options`` names the families, each with its
    options of ``generate``, e.g. ``{"slr": {"style": "compact"}}``.
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
        self.tasks: dict[tuple[str, str, int], list[Task]] = {}
        for family, split, level in product(task_options, SPLITS, self.levels):
            about = (family, [split], [level], tasks, seed, task_options[family])
            self.tasks[family, split, level] = held_out_tasks(*about)
        self.measured: int | None = None
        """Optimizer steps done at the latest evaluation."""
        self.answers: dict[Place, str] = {}
        """Place of each level's first task → the solution, the latest answer and its verdict."""
        self._seen: dict[Place, Completion] = {}

    @property
    def dataset(self) -> Dataset | None:
        """The tasks as rows, with their ``split`` and number in it; None without any."""
        rows = []
        for (_, split, _), tasks in self.tasks.items():
            for number, task in enumerate(tasks):
                row = task.to_row(self.conversational)
                rows.append({**row, "split": split, HELD_OUT: number})
        return Dataset.from_list(rows) if rows else None

    def watch(self, reward: Reward) -> Reward:
        """Return a reward function that pays the same, and shows the evaluation what it reads."""
        return WatchedReward(reward, self._see).for_trainer()

    def _see(
        self,
        completions: Sequence[Completion],
        columns: Mapping[str, Any],
        rewards: Sequence[Any],
        seconds: float,
    ) -> None:
        if HELD_OUT in columns:
            about = (columns[name] for name in ("family", "split", "level", HELD_OUT))
            places = zip(*about, strict=True)
            self._seen.update(zip(places, completions, strict=True))  # padding repeats rows

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Of a resumed run, keep what was measured up to its checkpoint."""
        self._seen = {}
        if state.is_world_process_zero:
            continues = 0 < state.global_step < state.max_steps  # else the end is measured again
            _log_of(args).rewind(state.global_step + continues)

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Judge what this process saw, and on the main process write down what all saw."""
        seen, self._seen = self._seen, {}
        found: dict[Place, tuple[bool, float]] = {}
        answers: dict[Place, str] = {}
        for family, places in grouped(seen, lambda place: place[0]).items():
            payloads = [self.tasks[place[:3]][place[3]].verification for place in places]
            verdicts = judge_batch(family, [seen[place] for place in places], payloads)
            for place, verdict in zip(places, verdicts, strict=True):
                if verdict.reward is not None:
                    found[place] = (verdict.solved, verdict.partial)
                if place[1] == "validation" and place[3] == 0:
                    answers[place] = self._shown(place, seen[place], verdict)
        merged = dict(gather_object(list(found.items())))
        self.answers = dict(sorted(gather_object(list(answers.items()))))
        self.measured = state.global_step
        if state.is_world_process_zero and merged:
            self._record(args, state.global_step, merged)

    def _shown(self, place: Place, completion: Completion, verdict: Verdict) -> str:
        """Return what the model answered, with the judge's finding."""
        text, solution = completion_text(completion), self.tasks[place[:3]][place[3]].solution
        lines = f"model: {text}", f"truth: {solution}", f"judge: {verdict.explanation}"
        return "\n  ".join([f"{place[0]}, level {place[2]}", *lines])

    def _record(self, args: Any, step: int, found: Mapping[Place, tuple[bool, float]]) -> None:
        served = args.steps_per_generation * args.num_iterations  # batches by one generation
        generations = math.ceil(step * args.gradient_accumulation_steps / served)
        rates = {}
        for about, places in grouped(sorted(found), lambda place: place[:3]).items():
            solved, partial = zip(*(found[place] for place in places), strict=True)
            rates[self._key(*about)] = fmean(solved)
            rates[f"{self._key(*about)}_partial"] = fmean(partial)
        completions = generations * args.generation_batch_size
        _log_of(args).append([{"step": step, "completions": completions, "rates": rates}])

    def report(self, folder: Path) -> str:
        """Return the table of a run's first evaluation and its latest, and write ``levels.md``.

        With matplotlib, ``pass_rates.png`` shows it. It has pass rates in [0, 1] beside that of the
        best single answer; those on the test split, whose rules or items are in no training task;
        and the mean partial score if it has a name.
        """
        lines = StepLog(folder / PASS_RATES).read() or [{"rates": {}}]
        sides = {"before": lines[0]["rates"], "after": lines[-1]["rates"]}
        rows, charts = [], []
        for family, options in self.task_options.items():
            points: dict[str, list[Point]] = {name: [] for name in LOOKS}
            for level in self.levels:
                tasks = self.tasks[family, "validation", level]
                constant = fmean(best_constant(tasks, options))
                old, new = (self._key(family, split, level) for split in SPLITS)
                kinds = {"": old, f"new {registry.family(family).item_name}, ": new}
                if partial := judge_of(family).partial_name:
                    kinds[f"{partial}, "] = f"{old}_partial"
                rows.append({"family": family, "level": level, "tasks": len(tasks)})
                rows[-1]["best constant"] = shown(constant, ".2f")
                for kind, key in kinds.items():
                    for when, rates in sides.items():
                        rows[-1][kind + when] = shown(rates.get(key), ".2f")
                drawn = {when: rates.get(old, math.nan) for when, rates in sides.items()}
                for name, value in {**drawn, "best constant": constant}.items():
                    points[name].append(Point(level, value))
            series = [Series(name, points[name], *look) for name, look in LOOKS.items()]
            charts.append(Chart(f"{family}: held-out tasks", "level", "share solved", series))
        draw(folder / "pass_rates.png", charts if self.levels else [], PASS_RATES)
        return _written(folder, [Table("Solved before and after", rows)])

    def _key(self, family: str, split: str, level: int) -> str:
        """Return a metric's name; a family is named where there are several."""
        return "_".join([*([family] if len(self.task_options) > 1 else []), split, str(level)])


class JudgedEvaluation(TrainerCallback):
    """Evaluates every so many steps: generates answers to held-out tasks, judges and logs them.

    The processes share the tasks, which are of one family. Pass rates by level, LRL and syntax rate
    of each split go to the trainer's log, and to ``evaluation.jsonl`` in the run folder. With a
    gate, the scheduler of a curriculum sees the pass rates of the first split up to its level, and
    moves to the next level when they suffice. Random states stay as they would be without it.

    There are ``every`` optimizer steps, at least 1, between evaluations; the states before the
    first step and after the last one are evaluated in any case. A process answers ``batch_size``
    tasks at a time.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        decoding: Decoding,
        batch_size: int,
        every: int,
        gate: CurriculumCallback | None = None,
    ) -> None:
        if every < 1:
            raise ValueError(f"every is {every}, but it counts whole steps: set it to 1 or more.")
        families = {task.family for task in tasks}
        if len(families) != 1:
            raise ValueError(
                f"The {len(tasks)} tasks are of the families {sorted(families)}, but they are "
                "judged together: give tasks of one family."
            )
        (self._family,) = families
        self._questions = [Question(task, task.prompt) for task in tasks]
        self._gating_split = _split(tasks[0])
        self._decoding, self._batch_size = decoding, batch_size
        self._every, self._gate = every, gate
        self._trainer: Any = None

    def attach(self, trainer: Any) -> None:
        """Register with the trainer whose model is evaluated; before the gate's own callback."""
        if self._gate is not None:
            self._gate.check_tasks(getattr(trainer, "tasks", None))
        self._trainer = trainer
        trainer.add_callback(self)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Evaluate the start; of a resumed run, keep what was measured up to its checkpoint."""
        if self._gate is not None:  # which may refuse to train; its own turn finds it restored
            self._gate.on_train_begin(args, state, control, **kwargs)
        self._file = StepLog(Path(args.output_dir) / FILE_NAME)
        if state.is_world_process_zero:
            self._file.rewind(state.global_step + 1 if state.global_step else 0)
        if state.global_step == 0:
            self._evaluate(state)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Evaluate when it is time, before anything is saved."""
        if state.global_step % self._every == 0 or state.global_step >= state.max_steps:
            logs_too = control.should_log  # a log of ours would count as the step's own
            self._tell_gate(self._evaluate(state), state.global_step)
            control.should_log = logs_too

    def _evaluate(self, state: Any) -> list[Record]:
        """Return the graded answers, which are logged and recorded."""
        answers = self._answers()
        metrics: dict[str, float] = {}
        for split, own in sorted(grouped(answers, _split).items(), reverse=True):
            levels = grouped(sorted(own, key=_level), _level)
            counts = {n: (len(each), sum(o.solved for o in each)) for n, each in levels.items()}
            rates = _rates(counts)
            metrics[f"eval_{split}_lrl"] = sum(rates.values())
            metrics[f"eval_{split}_syntax_rate"] = fmean(item.syntax for item in own)
            metrics |= {f"eval_{split}_pass_rate_{level}": rate for level, rate in rates.items()}
            if state.is_world_process_zero:
                self._file.append([{"step": state.global_step, "split": split, "levels": counts}])
                passed = "  ".join(f"{level}: {rate:.2f}" for level, rate in rates.items())
                lrl = f"{split} LRL {sum(rates.values()):.2f}"
                print(f"step {state.global_step:4d}  {lrl}  {passed}", flush=True)
        self._log(metrics)
        return answers

    def _log(self, metrics: dict[str, float]) -> None:
        self._trainer.model.eval()  # in training mode TRL would add the training's metrics
        self._trainer.log(metrics)
        self._trainer.model.train()

    def _tell_gate(self, answers: Sequence[Record], step: int) -> None:
        if self._gate is None:
            return
        strategy = self._gate.scheduler.strategy(self._family)
        levels = range(strategy.levels[0], (strategy.frontier or strategy.levels[-1]) + 1)
        groups = groups_of(
            Graded(number, self._family, item.level, float(item.solved))
            for number, item in enumerate(answers)
            if _split(item) == self._gating_split and item.level in levels
        )
        # The record counts steps from 0, so that the step just done is one less.
        self._log(self._gate.observe(groups, step - 1))

    def _answers(self) -> list[Record]:
        """Return the graded answers of all processes, in every process."""
        own: list[Record] = []
        with torch.random.fork_rng(), self._model() as model:
            for batch, texts in in_step(model, batches(self._questions, self._batch_size), int):
                own += judged(batch, texts, "")
        return [answer for answer in gather_object(own) if answer.graded]

    @contextmanager
    def _model(self) -> Iterator[TransformersModel]:
        trainer = self._trainer
        checkpointing = trainer.args.gradient_checkpointing_kwargs
        with (
            disable_gradient_checkpointing(trainer.model, checkpointing),
            unwrap_model_for_generation(trainer.model_wrapped, trainer.accelerator) as whole,
        ):
            yield TransformersModel(whole, trainer.processing_class, self._decoding)
        trainer.model.train()


def _level(item: Task | Record) -> int:
    return item.level


def _split(item: Task | Record) -> str:
    return str(item.metadata["split"])


def _rates(counts: Mapping[Any, Sequence[int]]) -> dict[int, float]:
    """Return pass rates by level, from numbers of tasks and of those solved."""
    return {int(level): solved / tasks for level, (tasks, solved) in counts.items()}


def report(folder: Path, tasks: Sequence[Task], options: Mapping[str, Any]) -> str:
    """Return the tables of the evaluations in a run folder, and write them to ``levels.md``.

    They show pass@1 in % by level at the start and at the end, and LRL, the sum of the pass rates
    (SLR, section 5).
    """
    examples, tables, log = training_examples(folder), [], StepLog(folder / FILE_NAME).read()
    for split, lines in grouped(log, lambda line: line["split"]).items():
        levels = grouped((task for task in tasks if _split(task) == split), _level)
        columns = {
            "best constant": {n: fmean(best_constant(own, options)) for n, own in levels.items()}
        }
        if examples:
            columns["nearest neighbour"] = {
                n: fmean(nearest_neighbour(own, examples)) for n, own in levels.items()
            }
        for line in (lines[0], lines[-1]):
            columns[f"step {line['step']}"] = _rates(line["levels"])
        ladder = ladder_of(tasks[0].family)
        rows: list[dict[str, Any]] = [
            {"level": level, "tier": ladder.tier(level)}
            | {name: shown(100 * own.get(level, math.nan), ".0f") for name, own in columns.items()}
            for level in levels
        ]
        rows.append({"level": "LRL", **{name: sum(own.values()) for name, own in columns.items()}})
        tables.append(Table(f"Tasks of the {split} split: solved in %", rows))
    return _written(folder, tables)


def _written(folder: Path, tables: Sequence[Table]) -> str:
    """Write tables to ``levels.md``, and return them."""
    text = joined(tables)
    (folder / "levels.md").write_text(text, encoding="utf-8")
    return text
