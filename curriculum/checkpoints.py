"""The checkpoint that a run saves when it is asked to end, and the one that it continues from.

transformers writes a checkpoint file by file, ``trainer_state.json`` last.
"""

import hashlib
import json
import logging
import math
import os
import re
import shutil
import signal
import threading
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from inspect import currentframe
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import broadcast_object_list, gather
from transformers import TrainerCallback, TrainingArguments
from transformers.trainer import TRAINER_STATE_NAME

from logic_curriculum.common.files import write_text

logger = logging.getLogger(__name__)

MANIFEST = "manifest.json"  # in a checkpoint: size and SHA-256 of each of its files, by name
PREEMPTED = "PREEMPTED"  # in a run folder: the run was asked to end, and continues when resumed
EXIT_STATUS = 75  # EX_TEMPFAIL of sysexits.h: to be tried again
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Preemption(TrainerCallback):
    """Ends a run that gets SIGTERM or SIGINT so that it continues exactly where it was.

    At the end of the step, or of the last one that learns from the completions at hand, the trainer
    saves a checkpoint. Then the run folder gets the file ``PREEMPTED``, and every process ends with
    status 75: nothing is evaluated or saved as if the training had finished. After the last step
    the training finishes. A second Ctrl-C ends the run at once. Resuming removes the file. A
    training outside the main thread hears no signals.

    Each checkpoint gets a manifest of its files, which :func:`newest_checkpoint` compares with
    them. All of them are read for that, each at about 1 GB/s.
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
        self._give_back()  # what a training that an error ended left
        self._was_in_train = _is_in_train(currentframe())
        heard = [each for each in SIGNALS if signal.getsignal(each) not in (signal.SIG_IGN, None)]
        self._handlers = {each: signal.signal(each, self._ask) for each in heard}

    def _ask(self, number: int, frame: FrameType | None) -> None:
        is_over = self._was_in_train and not _is_in_train(frame)  # an error ended the training
        if is_over or os.getpid() != self._process:  # or this is a forked child
            self._give_back()
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
        PartialState().wait_for_everyone()  # until all have written their files
        checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if args.should_save and checkpoint.is_dir():
            write_manifest(checkpoint)
        if not self._is_leaving:
            return
        self._give_back()
        if state.is_world_process_zero:
            write_text(Path(args.output_dir) / PREEMPTED, f"step {state.global_step}\n")
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
        self._give_back()

    def _give_back(self) -> None:
        while self._handlers and threading.current_thread() is threading.main_thread():
            signal.signal(*self._handlers.popitem())


def _is_in_train(frame: FrameType | None) -> bool:
    return any(each.f_code.co_qualname == "Trainer.train" for each, _ in walk_stack(frame))


def generation_steps(args: TrainingArguments) -> int:
    """Return for how many optimizer steps at a time completions are generated; 1 without any."""
    batches = getattr(args, "steps_per_generation", 1) * getattr(args, "num_iterations", 1)
    return int(batches // math.gcd(batches, args.gradient_accumulation_steps))


def write_manifest(checkpoint: Path) -> None:
    """Write size and checksum of each file of a checkpoint into it."""
    files = [path for path in sorted(checkpoint.rglob("*")) if path.is_file()]
    names = [path.relative_to(checkpoint).as_posix() for path in files]
    found = _fingerprints(checkpoint, [name for name in names if not name.startswith(MANIFEST)])
    write_text(checkpoint / MANIFEST, json.dumps(found) + "\n")


def _fingerprints(checkpoint: Path, names: Collection[str]) -> dict[str, list[Any] | None]:
    """Return size and SHA-256 of each file, None for a missing one."""

    def fingerprint(name: str) -> list[Any] | None:
        path = checkpoint / name
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return [path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()]

    with ThreadPoolExecutor() as pool:
        return dict(zip(names, pool.map(fingerprint, names), strict=True))


def newest_checkpoint(folder: str | Path) -> str | None:
    """Return the newest checkpoint that is whole, or None; to be called by all processes.

    One whose files are not those of its manifest is renamed to ``damaged-checkpoint-STEP``, which
    no trainer looks for; so is one that a kill or a full disk cut short before it had a manifest.
    The main process decides. A folder that can't be read or written is a SystemExit in all.
    """
    newest = problem = None
    if PartialState().is_main_process:
        try:
            newest = _newest_whole(Path(folder))
        except OSError as error:
            problem = (
                f"The run in {folder} can't continue ({error}), since a resumed run reads, writes "
                "and renames what is there: fix that, or name a copy of the folder as --output_dir."
            )
    newest, problem = broadcast_object_list([newest, problem])
    if problem:
        raise SystemExit(problem)
    return newest


def _newest_whole(folder: Path) -> str | None:
    named = {path: re.fullmatch(r"checkpoint-(\d+)", path.name) for path in folder.glob("*-*")}
    steps = {int(name[1]): path for path, name in named.items() if name and path.is_dir()}
    for step in sorted(steps, reverse=True):
        path = steps[step]
        problem = damage(path, step)
        if problem is None:
            return str(path)
        aside = path.with_name(f"damaged-{path.name}")
        logger.warning(f"{path} is not whole ({problem}): it becomes {aside.name}.")
        shutil.rmtree(aside, ignore_errors=True)
        path.rename(aside)
    return None


def damage(checkpoint: Path, step: int) -> str | None:
    """Return why a checkpoint is damaged, or None.

    Without a manifest it was killed just before, or is of a trainer that writes none: then its
    state, which is written last, has to be there, and the random states of all processes.
    """
    state = checkpoint / TRAINER_STATE_NAME
    try:
        if json.loads(state.read_text(encoding="utf-8"))["global_step"] != step:
            return f"{state.name} is of another step"
    except FileNotFoundError:
        return f"it has no {state.name}"
    except (ValueError, KeyError, TypeError):
        return f"{state.name} is cut short"
    try:
        listed = json.loads((checkpoint / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        ranks = len([*checkpoint.glob("rng_state_*.pth")])
        is_short = 0 < ranks < max(2, PartialState().num_processes)
        return "it lacks the random state of a process" if is_short else None
    except ValueError:
        return f"{MANIFEST} is damaged"
    found = _fingerprints(checkpoint, listed)
    changed = (name for name in listed if found[name] != listed[name])
    return next((f"{name} is not what was saved" for name in changed), None)
