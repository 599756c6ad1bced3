"""A run that is asked to end, or was killed: what it leaves, and what it continues from."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from saving_run import STEPS, make_trainer, outcome, whole_run
from toy_task import ON_CPU, toy_model, toy_tokenizer
from transformers import TrainerCallback
from trl import SFTConfig

from logic_curriculum.curriculum.checkpoints import EXIT_STATUS, PREEMPTED, newest_checkpoint
from logic_curriculum.curriculum.run_settings import StepLog
from logic_curriculum.curriculum.trainers import ExactSFTTrainer


class Sends(TrainerCallback):
    """Sends this process a signal in the middle of a step."""

    def __init__(self, number: signal.Signals, step: int) -> None:
        self.number, self.step = number, step

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step == self.step:
            os.kill(os.getpid(), self.number)


@pytest.fixture(autouse=True)
def heard():
    """Let Ctrl-C be heard, also where the tests were started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Any, ...]]:
    return whole_run(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize(
    ("number", "step", "saved"),
    [
        (signal.SIGTERM, 2, 4),  # completions of steps 3 and 4: the end of step 4 is the next one
        (signal.SIGINT, 3, 4),
    ],
)
def test_a_signal_saves_after_the_completions_at_hand_and_the_run_goes_on_exactly(
    tmp_path, whole, capsys, number, step, saved
):
    with pytest.raises(SystemExit) as ended:
        make_trainer(tmp_path, Sends(number, step)).train()
    assert ended.value.code == EXIT_STATUS
    assert (tmp_path / PREEMPTED).read_text() == f"step {saved}\n"
    said = capsys.readouterr().out
    assert f"Preempted at step {saved}" in said
    assert "train(resume_from_checkpoint=True) continues there" in said  # what any script can call
    assert not (tmp_path / "summary.json").exists()  # written at the end of a training

    again = make_trainer(tmp_path)
    again.train(resume_from_checkpoint=newest_checkpoint(tmp_path))
    assert outcome(again) == whole[1]
    assert not (tmp_path / PREEMPTED).exists()


def test_a_second_interrupt_ends_the_run_at_once(tmp_path):
    twice = (Sends(signal.SIGINT, 2), Sends(signal.SIGINT, 3))
    with pytest.raises(KeyboardInterrupt):
        make_trainer(tmp_path, *twice).train()


def test_signals_are_given_back(tmp_path):
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with pytest.raises(SystemExit):
        make_trainer(tmp_path, Sends(signal.SIGTERM, 0)).train()
    assert before == [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]


class Fails(TrainerCallback):
    """Ends a training by an error."""

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        raise ValueError("no step")


def test_a_signal_after_a_training_that_failed_is_heard_by_whoever_heard_it_before(tmp_path):
    trainer = make_trainer(tmp_path, failing := Fails())
    with pytest.raises(ValueError, match="no step"):
        trainer.train()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)

    trainer.remove_callback(failing)
    trainer.train()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_training_in_a_thread_says_that_it_hears_no_signals_and_replaces_nothing(
    tmp_path, whole, caplog
):
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    seen: list[Any] = []

    class Looks(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            seen.append([signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)])

    trainer = make_trainer(tmp_path, Looks())
    thread = threading.Thread(target=trainer.train)
    thread.start()
    thread.join()
    assert seen == [before] * STEPS
    assert trainer.state.global_step == STEPS
    assert [record.message for record in caplog.records if "signals" in record.message] == [
        "The training runs in a thread, and Python hears signals in the main one alone, so SIGTERM "
        "or Ctrl-C saves no checkpoint: call train() in the main thread."
    ]


class EndsAChild(TrainerCallback):
    """Forks a process before the first step, and asks it to end."""

    status = 0

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step == 0:
            context = multiprocessing.get_context("fork")
            is_ready = context.Event()  # what comes earlier is lost by Python as it forks
            child = context.Process(target=lambda: (is_ready.set(), time.sleep(60)), daemon=True)
            child.start()
            is_ready.wait()
            child.terminate()
            child.join()
            self.status = child.exitcode


def test_a_forked_child_of_a_run_ends_when_it_is_asked_to(tmp_path):
    child = EndsAChild()
    make_trainer(tmp_path, child).train()
    assert child.status == -signal.SIGTERM


def test_a_run_killed_after_its_last_checkpoint_takes_no_further_step(tmp_path, whole):
    shutil.copytree(whole[0], tmp_path, dirs_exist_ok=True)
    for name in ("summary.json", "curriculum.png"):
        (tmp_path / name).unlink(missing_ok=True)
    again = make_trainer(tmp_path)
    again.train(resume_from_checkpoint=newest_checkpoint(tmp_path))
    assert again.state.global_step == STEPS
    assert outcome(again) == whole[1]
    for name in ("summary.json", "curriculum.jsonl"):
        assert (tmp_path / name).read_bytes() == (whole[0] / name).read_bytes()


def learn(folder: Path, checkpoint: str | None = None) -> tuple[list[float], list[Any]]:
    """Train on texts for four steps of an epoch of five; return losses and weights."""
    trainer = ExactSFTTrainer(
        model=toy_model(),
        args=SFTConfig(
            str(folder),
            per_device_train_batch_size=2,
            max_steps=4,
            save_steps=2,
            logging_steps=1,
            **ON_CPU,
        ),
        train_dataset=Dataset.from_list([{"text": "a b c d e f"[:size]} for size in range(1, 11)]),
        processing_class=toy_tokenizer(),
    )
    trainer.train(resume_from_checkpoint=checkpoint)
    lines = [line for line in trainer.state.log_history if "loss" in line]
    weights = torch.cat([each.flatten() for each in trainer.model.parameters()])
    return [line["loss"] for line in lines], weights.tolist()


@pytest.mark.parametrize("step", [2, 4])
def test_a_resumed_sft_takes_the_steps_that_were_left(tmp_path, step):
    undisturbed = learn(tmp_path)
    assert learn(tmp_path, str(tmp_path / f"checkpoint-{step}")) == undisturbed


def test_a_log_is_never_shorter_on_the_disk_than_what_is_kept(tmp_path, monkeypatch):
    log = StepLog(tmp_path / "log.jsonl")
    log.append([{"step": step} for step in range(3)])

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        log.rewind(2)
    assert [line["step"] for line in log.read()] == [0, 1, 2]


def test_what_another_run_logged_is_kept_when_one_begins(tmp_path):
    log = StepLog(tmp_path / "log.jsonl")
    for _ in range(2):
        log.append([{"step": 0}])
        log.rewind(0)
    assert (log.read(), StepLog(tmp_path / "log.jsonl.old").read()) == ([], [{"step": 0}] * 2)
