"""A run that is asked to end saves a checkpoint first, and continues exactly when it is resumed."""

import logging
import math
import os
import signal
import threading
from inspect import currentframe
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import gather
from transformers import TrainingArguments

from logic_curriculum.common.files import atomic_write
from logic_curriculum.curriculum.checkpoints import CheckpointManifest

logger = logging.getLogger(__name__)

PREEMPTED = "PREEMPTED"  # in a run folder: the run was asked to end, and continues when resumed
EXIT_STATUS = 75  # EX_TEMPFAIL of sysexits.h: to be tried again
SIGNALS = (signal.SIGTERM, signal.SIGINT)


def generation_steps(args: TrainingArguments) -> int:
    """Return for how many optimizer steps at a time completions are generated; 1 without any."""
    batches = getattr(args, "steps_per_generation", 1) * getattr(args, "num_iterations", 1)
    return int(batches // math.gcd(batches, args.gradient_accumulation_steps))


def _is_in_train(frame: FrameType | None) -> bool:
    return any(each.f_code.co_qualname == "Trainer.train" for each, _ in walk_stack(frame))


class Preemption(CheckpointManifest):
    """Ends a run that gets SIGTERM or SIGINT so that it continues exactly where it was.

    At the end of the step, or of the last one that learns from the completions at hand, the trainer
    saves a checkpoint. Then the run folder gets the file ``PREEMPTED``, and every process ends with
    status 75: nothing is evaluated or saved as if the training had finished. After the last step
    the training finishes. A second Ctrl-C ends the run at once. Resuming removes the file. A
    training outside the main thread hears no signals. Each checkpoint gets its manifest.
    """

    def __init__(self) -> None:
        self._asked = self._is_leaving = self._was_in_train = False
        self._handlers: dict[signal.Signals, Any] = {}
        self._process = os.getpid()

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Listen to the signals."""
        if state.is_world_process_zero:
            (Path(args.output_dir) / PREEMPTED).unlink(missing_ok=True)
        self._asked = self._is_leaving = False
        if threading.current_thread() is not threading.main_thread():
            logger.warning(
                "The training runs in a thread, and Python hears signals in the main one alone, so "
                "SIGTERM or Ctrl-C saves no checkpoint: call train() in the main thread."
            )
            return
        self._restore()  # what a training that an error ended left
        self._was_in_train = _is_in_train(currentframe())
        heard = [each for each in SIGNALS if signal.getsignal(each) not in (signal.SIG_IGN, None)]
        self._handlers = {each: signal.signal(each, self._ask) for each in heard}

    def _ask(self, number: int, frame: FrameType | None) -> None:
        is_over = self._was_in_train and not _is_in_train(frame)  # an error ended the training
        if is_over or os.getpid() != self._process:  # or this is a forked child
            signal.signal(number, self._handlers.pop(signal.Signals(number), signal.SIG_DFL))
            signal.raise_signal(number)
            return
        self._asked = True
        if signal.SIGINT in self._handlers:
            signal.signal(signal.SIGINT, self._handlers[signal.SIGINT])
        if PartialState().is_main_process:
            name = signal.Signals(number).name
            print(f"{name}: the run ends after a checkpoint; Ctrl-C ends it now.", flush=True)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Ask for a checkpoint in all processes if one of them was asked to end."""
        if state.global_step % generation_steps(args) or state.global_step == state.max_steps:
            return
        asked = torch.tensor([int(self._asked)], device=PartialState().device)
        if gather(asked).any():
            self._is_leaving = control.should_save = True

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Write the manifest; end the process if the checkpoint is the one asked for."""
        super().on_save(args, state, control, **kwargs)
        if not self._is_leaving:
            return
        self._restore()
        if state.is_world_process_zero:
            with atomic_write(Path(args.output_dir) / PREEMPTED) as partial:
                partial.write_text(f"step {state.global_step}\n", encoding="utf-8")
            print(
                f"Preempted at step {state.global_step}, whose checkpoint is in {args.output_dir}: "
                "train(resume_from_checkpoint=True) continues there; in a recipe, "
                "--resume_from_checkpoint true.",
                flush=True,
            )
        PartialState().wait_for_everyone()
        raise SystemExit(EXIT_STATUS)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Give the signals back."""
        self._restore()

    def _restore(self) -> None:
        if threading.current_thread() is threading.main_thread():
            while self._handlers:
                signal.signal(*self._handlers.popitem())
