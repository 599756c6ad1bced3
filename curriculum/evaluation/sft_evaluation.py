"""The judge in the loop of SFT: held-out tasks are answered every so many steps and judged."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from accelerate import PartialState
from accelerate.utils import gather_object
from transformers import TrainerCallback
from trl.models import unwrap_model_for_generation

from logic_curriculum.curriculum.callback import CurriculumCallback
from logic_curriculum.curriculum.evaluation.answering import Batch, Question, batches
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.curriculum.ladder import ladder_of
from logic_curriculum.curriculum.metrics import Profile, profile
from logic_curriculum.curriculum.scheduler import AttemptCounts
from logic_curriculum.generators import Task
from logic_curriculum.rewards import Verdict, judge_batch

FILE_NAME = "evaluation.jsonl"


class Outcome(NamedTuple):
    """A judged answer."""

    split: str
    level: int
    graded: bool
    solved: bool
    syntax: bool


class JudgedEvaluation(TrainerCallback):
    """Lets the model answer held-out tasks, judges the answers, and logs what came out.

    The processes share the tasks. Pass rates by level, LRL and syntax rate of each split go to the
    trainer's log, and to ``evaluation.jsonl`` in the run folder. With a gate, the scheduler of a
    curriculum sees the pass rates of the first split up to its level, and moves to the next one
    when they suffice. Random states are what they would be without.

    Args:
        tasks: Held-out tasks of one family, of one split or several.
        decoding: How answers are made.
        batch_size: Tasks that a process answers at a time.
        every: Optimizer steps from one evaluation to the next, at least 1; the state before the
            first step and after the last one is evaluated in any case.
        gate: The callback of the scheduler that sees the pass rates, if any.

    Raises:
        ValueError: If ``every`` is below 1.
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
            raise ValueError(
                f"every is {every}, but evaluations are whole optimizer steps apart: set it to 1 "
                "or more."
            )
        self._questions = [Question(task, task.prompt) for task in tasks]
        self._splits = tuple(dict.fromkeys(task.metadata["split"] for task in tasks))
        (self._family,) = dict.fromkeys(task.family for task in tasks)
        self._decoding = decoding
        self._batch_size = batch_size
        self._every = every
        self._gate = gate
        self._trainer: Any = None

    def attach(self, trainer: Any) -> None:
        """Register with the trainer whose model is evaluated; before the gate's own callback."""
        self._trainer = trainer
        trainer.add_callback(self)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Evaluate the start; of a resumed run, keep what was measured up to its checkpoint."""
        path = Path(args.output_dir) / FILE_NAME
        if state.is_world_process_zero:
            known = read(path) if state.global_step else []
            kept = [line for line in known if line["step"] <= state.global_step]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(line) + "\n" for line in kept))
        if state.global_step == 0:
            self._evaluate(state)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Evaluate when it is time, before anything is saved."""
        if state.global_step % self._every == 0 or state.global_step >= state.max_steps:
            logs_too = control.should_log  # a log of ours would count as the step's own
            outcomes = self._evaluate(state)
            self._tell_gate(outcomes, state.global_step)
            control.should_log = logs_too

    def _evaluate(self, state: Any) -> list[Outcome]:
        outcomes = self._outcomes()
        profiles = profiles_of(outcomes, self._family)
        self._log(metrics_of(outcomes, profiles))
        if state.is_world_process_zero:
            self._record(state.global_step, profiles)
        return outcomes

    def _log(self, metrics: dict[str, float]) -> None:
        self._trainer.model.eval()  # in training mode TRL would add the training's metrics
        self._trainer.log(metrics)
        self._trainer.model.train()

    def _record(self, step: int, profiles: Mapping[str, Profile]) -> None:
        path = Path(self._trainer.args.output_dir) / FILE_NAME
        with path.open("a") as file:
            for split, found in profiles.items():
                levels = {score.level: [score.tasks, score.solved] for score in found.levels}
                file.write(json.dumps({"step": step, "split": split, "levels": levels}) + "\n")
        found = profiles.get(self._splits[0], Profile(()))
        rates = "  ".join(f"{score.level}: {score.accuracy:.2f}" for score in found.levels)
        print(f"step {step:4d}  LRL {found.logical_reasoning_level:.2f}  {rates}", flush=True)

    def _tell_gate(self, outcomes: Sequence[Outcome], step: int) -> None:
        if self._gate is None:
            return
        track = self._gate.scheduler.track(self._family)
        own = [item for item in outcomes if item.graded and item.split == self._splits[0]]
        counts = [
            AttemptCounts(self._family, level, len(solved), sum(solved))
            for level in range(track.first, track.level + 1)  # one level at a time
            if (solved := [item.solved for item in own if item.level == level])
        ]
        # The record counts steps from 0, so that the step just done is one less.
        self._log(self._gate.observe(counts, step - 1))

    def _outcomes(self) -> list[Outcome]:
        """Return the judged answers of all processes, in every process."""
        state = PartialState()
        work = shares(batches(self._questions, self._batch_size), state.num_processes)
        own: list[Outcome] = []
        with undisturbed_randomness(), self._model() as model:
            for batch, counts in work[state.process_index]:
                replies = model.answer(batch.questions, seed=batch.number)
                if counts:
                    own += self._judged(batch, [reply.text for reply in replies])
        return [Outcome(*item) for item in gather_object([tuple(item) for item in own])]

    @contextmanager
    def _model(self) -> Iterator[TransformersModel]:
        trainer = self._trainer
        checkpointing = trainer.args.gradient_checkpointing_kwargs
        with unwrap_model_for_generation(
            trainer.model_wrapped, trainer.accelerator, gradient_checkpointing_kwargs=checkpointing
        ) as whole:
            yield TransformersModel(whole, trainer.processing_class, self._decoding)
        trainer.model.train()

    def _judged(self, batch: Batch, texts: Sequence[str]) -> list[Outcome]:
        verifications = [question.task.verification for question in batch.questions]
        verdicts = judge_batch(self._family, texts, verifications)
        return [
            self._outcome(question, verdict)
            for question, verdict in zip(batch.questions, verdicts, strict=True)
        ]

    def _outcome(self, question: Question, verdict: Verdict) -> Outcome:
        graded = verdict.reward is not None
        task = question.task
        return Outcome(task.metadata["split"], task.level, graded, verdict.solved, verdict.syntax)


def shares(work: Sequence[Batch], processes: int) -> list[list[tuple[Batch, bool]]]:
    """Return the batches of each process, and whether their answers count.

    All get as many, since processes that hold parts of one model can only generate together: one
    that has nothing left to do answers its last batch again, and that does not count.
    """
    rounds = -(-len(work) // processes)
    return [
        [
            (work[min(number, len(work) - 1)], number < len(work))
            for number in range(rank, rounds * processes, processes)
        ]
        for rank in range(processes)
    ]


@contextmanager
def undisturbed_randomness() -> Iterator[None]:
    """Put Python's, NumPy's and torch's random states back at the end."""
    python, numpy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        yield
    random.setstate(python)
    np.random.set_state(numpy)


def profiles_of(outcomes: Sequence[Outcome], family: str) -> dict[str, Profile]:
    """Return the profile of each split; what could not be graded is left out."""
    graded = [item for item in outcomes if item.graded]
    return {
        split: profile(
            [(item.level, item.solved) for item in graded if item.split == split],
            ladder_of(family),
        )
        for split in sorted({item.split for item in graded}, reverse=True)
    }


def metrics_of(outcomes: Sequence[Outcome], profiles: Mapping[str, Profile]) -> dict[str, float]:
    """Return what the trainer logs: pass rates in [0, 1] by split and level, LRL, syntax rate."""
    metrics = {}
    for split, found in profiles.items():
        syntax = [item.syntax for item in outcomes if item.graded and item.split == split]
        metrics[f"eval_{split}_lrl"] = found.logical_reasoning_level
        metrics[f"eval_{split}_syntax_rate"] = sum(syntax) / len(syntax)
        for score in found.levels:
            metrics[f"eval_{split}_pass_rate_{score.level}"] = score.accuracy
    return metrics


def read(path: Path) -> list[dict[str, Any]]:
    """Return the lines of ``evaluation.jsonl``; one cut short by a kill is left out."""
    if not path.is_file():
        return []
    lines = path.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]
