"""The trainer and the callback in one process: what is logged, written, refused and passed on."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset
from peft import LoraConfig
from toy_task import ON_CPU, digest, make_task, toy_model, toy_reward, toy_scheduler, toy_tokenizer
from transformers import TrainerCallback, TrainerState, TrainingArguments
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, SFTConfig

from logic_curriculum.curriculum import (
    CurriculumCallback,
    CurriculumDataset,
    CurriculumGRPOTrainer,
    CurriculumRLOOTrainer,
    CurriculumScheduler,
    Group,
    OnlineCurriculum,
)
from logic_curriculum.curriculum.dataset import SLOT
from logic_curriculum.curriculum.scheduler import Move
from logic_curriculum.generators import generate
from logic_curriculum.rewards import REWARDS

OPTIONS = {
    "per_device_train_batch_size": 16,
    "num_generations": 8,
    "max_completion_length": 4,
    "max_steps": 6,
    "logging_steps": 1,
    "save_strategy": "no",
    "learning_rate": 1e-3,
    **ON_CPU,
}


def grpo_config(folder: Path, **options: Any) -> GRPOConfig:
    return GRPOConfig(str(folder), **{**OPTIONS, **options})


def make_trainer(
    folder: Path,
    rewards: Any = toy_reward,
    curriculum: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **arguments: Any,
) -> CurriculumGRPOTrainer:
    return CurriculumGRPOTrainer(
        model=toy_model(),
        reward_funcs=rewards,
        args=grpo_config(folder, **(options or {})),
        curriculum=toy_scheduler(**(curriculum or {})),
        **{"make_task": make_task, "processing_class": toy_tokenizer(), **arguments},
    )


def always(value: float | None, name: str = "constant") -> Callable[..., list[float | None]]:
    """Return a reward function that gives every completion the same value."""

    def constant(completions: list[Any], **_: Any) -> list[float | None]:
        return [value] * len(completions)

    constant.__name__ = name
    return constant


def logs(trainer: Any) -> list[dict[str, Any]]:
    return [entry for entry in trainer.state.log_history if "reward" in entry]


def test_the_level_moves_during_one_call_of_train(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, always(1.0))
    trainer.train()
    assert [entry["curriculum/level"] for entry in logs(trainer)] == [1, 2, 3, 4, 5, 6]
    assert trainer.curriculum.level("toy") == 7


def test_pass_rate_useful_groups_and_the_rewards_own_metrics_are_logged(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, options={"max_steps": 1})
    trainer.train()
    (first,) = logs(trainer)
    assert first["curriculum/useful_groups"] == 1 - first["frac_reward_zero_std"]
    assert 0 < first["reward_time"] < first["step_time"]
    assert first["curriculum/pass_rate"] == pytest.approx(first["rewards/toy_reward/mean"])
    assert (first["toy/syntax_rate"], first["toy/hacking_gap"]) == (0.5, 0.25)


def test_pass_at_k_is_logged(tmp_path: Path) -> None:
    def passes(completions: list[Any], **_: Any) -> list[float]:
        return [float(number % 8 == 0) for number in range(len(completions))]

    trainer = make_trainer(tmp_path, passes, {"window": 10**6}, {"max_steps": 1})
    trainer.train()
    (first,) = logs(trainer)
    size = trainer.num_generations
    lines = [json.loads(line) for line in (tmp_path / "curriculum.jsonl").open()]
    outcomes = [tuple(pair) for line in lines for pair in line["outcomes"]]
    solved = [passed > 0 for _, passed in outcomes]
    assert {attempts for attempts, _ in outcomes} == {size}
    assert first[f"curriculum/pass_at_{size}"] == sum(solved) / len(solved)


def test_a_pass_needs_a_reward_of_one(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, always(0.99), options={"max_steps": 2})
    trainer.train()
    assert [entry["curriculum/pass_rate"] for entry in logs(trainer)] == [0.0, 0.0]


def test_what_could_not_be_graded_is_no_attempt(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, [always(None), toy_reward], options={"max_steps": 2})
    trainer.train()
    assert all("curriculum/pass_rate" not in entry for entry in logs(trainer))
    assert trainer.curriculum.level("toy") == 1


def test_the_named_reward_decides_a_pass(tmp_path: Path) -> None:
    rewards = [always(0.0), always(1.0, "solved")]
    curriculum = {"pass_reward": "solved"}
    trainer = make_trainer(tmp_path, rewards, curriculum, {"max_steps": 1})
    trainer.train()
    assert trainer.curriculum.level("toy") == 2


def test_each_family_has_its_own_metrics(tmp_path: Path) -> None:
    def only_b(family: list[str], **_: Any) -> list[float]:
        return [float(name == "b") for name in family]

    curriculum = {"families": ["a", "b"]}
    options = {"max_steps": 2, "per_device_train_batch_size": 64}
    trainer = make_trainer(tmp_path, only_b, curriculum, options)
    trainer.train()
    entry = logs(trainer)[1]
    assert (entry["curriculum/a/level"], entry["curriculum/b/level"]) == (1, 2)
    assert (entry["curriculum/a/pass_rate"], entry["curriculum/b/pass_rate"]) == (0, 1)
    assert (entry["curriculum/level"], entry["curriculum/useful_groups"]) == (1.5, 0)
    assert 0 < entry["curriculum/pass_rate"] < 1


def test_replayed_levels_are_trained_but_not_counted_as_the_current_one(tmp_path: Path) -> None:
    curriculum = {"replay_share": 0.5, "start_level": 5, "window": 10**6}
    trainer = make_trainer(tmp_path, always(1.0), curriculum)
    trainer.train()
    records = [json.loads(line) for line in (tmp_path / "curriculum.jsonl").open()]
    assert {record["level"] for record in records if record["current"]} == {5}
    replayed = sum(record["attempts"] for record in records if not record["current"])
    counts = trainer.curriculum.counts("toy")
    assert replayed > 0
    assert counts[5].attempts == 6 * 16 - replayed
    assert sum(count.attempts for count in counts.values()) == 6 * 16


def test_evaluation_moves_no_level_and_takes_ordinary_rows(tmp_path: Path) -> None:
    rows = [make_task("toy", 1, seed) for seed in range(16)]
    trainer = make_trainer(tmp_path, always(1.0), eval_dataset=Dataset.from_list(rows))
    before = trainer.curriculum.state_dict()
    trainer.evaluate()
    metrics = trainer.state.log_history[-1]
    assert metrics["eval_rewards/constant/mean"] == 1.0
    assert trainer.curriculum.state_dict() == before
    assert not [name for name in metrics if "curriculum" in name]


def test_a_generation_may_serve_several_steps_and_iterations(tmp_path: Path) -> None:
    options = {
        "per_device_train_batch_size": 8,
        "steps_per_generation": 4,
        "num_iterations": 2,
        "gradient_accumulation_steps": 2,
        "max_steps": 8,
    }
    trainer = make_trainer(tmp_path, always(1.0), options=options)
    trainer.train()
    # 8 steps x 2 batches / (4 x 2) = 2 generations
    assert trainer.curriculum.level("toy") == 3
    assert [move.step for move in trainer.curriculum.history] == [0, 4]


def test_groups_share_their_prompt_and_slots_come_in_order(tmp_path: Path) -> None:
    seen: list[tuple[str, int]] = []

    def watch(prompts: list[str], **columns: Any) -> list[float]:
        seen.extend(zip(prompts, columns[SLOT], strict=True))
        return [1.0] * len(prompts)

    make_trainer(tmp_path, watch, options={"max_steps": 3}).train()
    assert [slot for _, slot in seen] == [slot for slot in range(6) for _ in range(8)]
    assert all(len(set(seen[i : i + 8])) == 1 for i in range(0, len(seen), 8))


def test_prompts_can_be_conversations(tmp_path: Path) -> None:
    seen: list[Any] = []

    def watch(prompts: list[Any], completions: list[Any], **_: Any) -> list[float]:
        seen.append((prompts[0], completions[0]))
        return [0.0] * len(prompts)

    tokenizer = toy_tokenizer()
    tokenizer.chat_template = (
        "{% for message in messages %}{{ message['content'] + ' ' }}{% endfor %}"
    )
    arguments = {"processing_class": tokenizer, "conversational": True}
    make_trainer(tmp_path, watch, options={"max_steps": 1}, **arguments).train()
    prompt, completion = seen[0]
    assert [message["role"] for message in prompt] == ["user"]
    assert [message["role"] for message in completion] == ["assistant"]


def test_the_run_folder_gets_a_summary_and_a_picture(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, curriculum={"pass_threshold": 0.2})
    trainer.train()
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["steps"] == 6
    assert summary["families"]["toy"]["level"] == trainer.curriculum.level("toy")
    assert len(summary["moves"]) == len(trainer.curriculum.history) > 0
    assert (tmp_path / "curriculum.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_the_summary_is_written_and_a_warning_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    trainer = make_trainer(tmp_path, options={"max_steps": 1})
    trainer.train()
    assert 'pip install "logic-curriculum[plots]"' in caplog.text
    assert (tmp_path / "summary.json").exists()
    assert not (tmp_path / "curriculum.png").exists()


@pytest.mark.parametrize("restore_callbacks", [False, True])
def test_a_finished_run_can_be_continued_as_if_it_had_been_longer(
    tmp_path: Path, restore_callbacks: bool
) -> None:
    options = {
        "save_strategy": "steps",
        "save_steps": 3,
        "lr_scheduler_type": "constant",
        "restore_callback_states_from_checkpoint": restore_callbacks,
    }
    make_trainer(tmp_path / "whole", options={**options, "max_steps": 9}).train()
    make_trainer(tmp_path / "parts", options={**options, "max_steps": 3}).train()
    longer = make_trainer(tmp_path / "parts", options={**options, "max_steps": 9})
    longer.train(resume_from_checkpoint=True)
    whole, parts = [
        [(tmp_path / run / name).read_text() for name in ("curriculum.jsonl", "summary.json")]
        for run in ("whole", "parts")
    ]
    assert parts == whole


def test_a_checkpoint_of_another_curriculum_is_refused(tmp_path: Path) -> None:
    options = {"save_strategy": "steps", "save_steps": 2, "max_steps": 2}
    make_trainer(tmp_path, options=options).train()
    other = make_trainer(tmp_path, curriculum={"task_seed": 8}, options={**options, "max_steps": 4})
    with pytest.raises(ValueError, match="task_seed"):
        other.train(resume_from_checkpoint=True)


def continued(folder: Path, change: Callable[[dict[str, Any]], Any]) -> CurriculumGRPOTrainer:
    """Train two steps, change the states of the checkpoint's callbacks, return a longer run."""
    options = {"save_strategy": "steps", "save_steps": 2}
    make_trainer(folder, options={**options, "max_steps": 2}).train()
    path = folder / "checkpoint-2" / "trainer_state.json"
    state = json.loads(path.read_text())
    change(state["stateful_callbacks"])
    path.write_text(json.dumps(state))
    return make_trainer(folder, options={**options, "max_steps": 4})


@pytest.mark.parametrize("there", [{"toy": 0}, None])
def test_a_checkpoint_of_another_version_or_of_none_is_refused(
    tmp_path: Path, there: dict[str, int] | None
) -> None:
    trainer = continued(tmp_path, lambda states: states["curriculum"].update(task_versions=there))
    with pytest.raises(ValueError, match=r"task_version.* of toy, but this library has"):
        trainer.train(resume_from_checkpoint=True)


def test_a_checkpoint_without_a_curriculum_warns_and_trains(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trainer = continued(tmp_path, lambda states: states.pop("curriculum"))
    trainer.train(resume_from_checkpoint=True)
    assert "holds no curriculum" in caplog.text
    assert (tmp_path / "checkpoint-4").is_dir()


REFUSED = [
    ({"options": {"max_steps": -1}}, "has no epochs"),
    ({"curriculum": {"pass_reward": "nobody"}}, "toy_reward"),
    ({"task_options": {"toy": {"style": "compact"}}}, "inside make_task"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[row[1] for row in REFUSED])
def test_arguments_that_cannot_work_are_refused_with_a_remedy(
    tmp_path: Path, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_trainer(tmp_path, **arguments)


# Completions serve 8 batches of 2 to a step, so 4 steps.
@pytest.mark.parametrize(("save_steps", "warned"), [(3, True), (4, False), (8, False), (0.5, True)])
def test_checkpoints_between_generations_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, save_steps: float, warned: bool
) -> None:
    options = {
        "per_device_train_batch_size": 8,
        "steps_per_generation": 8,
        "gradient_accumulation_steps": 2,
        "max_steps": 12,
        "save_strategy": "steps",
        "save_steps": save_steps,
    }
    make_trainer(tmp_path, options=options)
    assert ("Make save_steps a multiple of 4" in caplog.text) == warned


def test_a_trainer_that_rewards_elsewhere_is_refused() -> None:
    async_grpo = pytest.importorskip("trl.experimental.async_grpo")

    class Mine(OnlineCurriculum, async_grpo.AsyncGRPOTrainer): ...

    with pytest.raises(TypeError, match="rewarded in a child process"):
        Mine(toy_model(), always(1.0), grpo_config(Path("unused")), curriculum=toy_scheduler())


@pytest.mark.parametrize("made", [CurriculumGRPOTrainer, CurriculumRLOOTrainer])
def test_a_trainer_without_a_curriculum_is_told_to_get_one(made: type) -> None:
    with pytest.raises(TypeError, match=f"curriculum of {made.__name__} is None: give a Curricul"):
        made(toy_model(), always(1.0), grpo_config(Path("unused")))


def test_rloo_moves_levels_too(tmp_path: Path) -> None:
    trainer = CurriculumRLOOTrainer(
        model=toy_model(),
        reward_funcs=always(1.0),
        args=RLOOConfig(str(tmp_path), **{**OPTIONS, "max_steps": 3, "beta": 0.0}),
        processing_class=toy_tokenizer(),
        curriculum=toy_scheduler(),
        make_task=make_task,
    )
    trainer.train()
    assert [entry["curriculum/level"] for entry in logs(trainer)] == [1, 2, 3]


def recomputed(folder: Path, scheduler: CurriculumScheduler) -> tuple[Move, ...]:
    """Return the moves of a fresh scheduler that sees what ``curriculum.jsonl`` holds."""
    lines = [json.loads(line) for line in (folder / "curriculum.jsonl").open()]
    for step in dict.fromkeys(line["step"] for line in lines):
        groups = [
            Group(number, line["family"], line["level"], *outcome, mean=0.0, variance=0.0)
            for line in lines
            if line["step"] == step
            for number, outcome in enumerate(line["outcomes"])
        ]
        scheduler.observe(groups, step)
    return scheduler.history


def hidden_passes(completions: list[str], trainer_state: Any, **_: Any) -> list[float]:
    """Pass most completions, by what they say; the others get a part of the reward."""
    numbers = [int(digest((text, trainer_state.global_step)), 16) for text in completions]
    return [1.0 if number % 8 else 0.5 for number in numbers]


class Steps(TrainerCallback):
    """A callback of the user's own."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.seen.append(state.global_step)


@pytest.mark.parametrize("kind", ["GRPO", "RLOO", "PEFT"])
def test_moves_can_be_recomputed_from_the_log(tmp_path: Path, kind: str) -> None:
    options = {
        **OPTIONS,
        "num_iterations": 2,
        "steps_per_generation": 4,
        "gradient_accumulation_steps": 2,
        "max_steps": 12,
        "eval_strategy": "steps",
        "eval_steps": 4,
        "per_device_eval_batch_size": 8,
        "beta": 0.0,
    }
    curriculum = {"replay_share": 0.25, "window": 8}
    trainers = {"RLOO": (CurriculumRLOOTrainer, RLOOConfig)}
    made, config = trainers.get(kind, (CurriculumGRPOTrainer, GRPOConfig))
    steps = Steps()
    trainer = made(
        model=toy_model(),
        reward_funcs=[hidden_passes, always(0.25)],
        args=config(str(tmp_path), **options, reward_weights=[1.0, 0.5]),
        processing_class=toy_tokenizer(),
        curriculum=toy_scheduler(**curriculum),
        make_task=make_task,
        eval_dataset=Dataset.from_list([make_task("toy", 1, seed) for seed in range(8)]),
        callbacks=[steps],
        peft_config=LoraConfig(target_modules="all-linear") if kind == "PEFT" else None,
    )
    trainer.train()
    assert steps.seen == list(range(1, 13))
    assert len(trainer.curriculum.history) > 1
    assert recomputed(tmp_path, toy_scheduler(**curriculum)) == trainer.curriculum.history
    counted = sum(count.attempts for count in trainer.curriculum.counts("toy").values())
    assert counted == 3 * 16 * 4  # generations of 4 batches each; evaluations don't count


def own_trainer(
    folder: Path, reward: Any, options: dict[str, Any] | None = None, watched: bool = True
) -> tuple[GRPOTrainer, CurriculumCallback]:
    scheduler = toy_scheduler()
    callback = CurriculumCallback(scheduler)
    trainer = GRPOTrainer(
        model=toy_model(),
        reward_funcs=callback.watch(reward) if watched else reward,
        args=grpo_config(folder, **(options or {})),
        processing_class=toy_tokenizer(),
        train_dataset=CurriculumDataset(scheduler, make_task).lazy(100),
        callbacks=[callback],
    )
    return trainer, callback


def test_an_ordinary_trainer_sees_a_move_one_batch_late(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    callback: CurriculumCallback | None = None

    def watch(level: list[int], **_: Any) -> list[float]:
        assert callback is not None
        assert len(set(level)) == 1
        seen.append((callback.scheduler.level("toy"), level[0]))
        return [1.0] * len(level)

    trainer, callback = own_trainer(tmp_path, watch)
    trainer.train()
    # A batch that was fetched before a move is counted at its own level, so moves come every
    # second batch: the scheduler's level, then the level that the batch was made at.
    assert seen == [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3)]
    assert logs(trainer)[0]["curriculum/level"] == 1
    assert (tmp_path / "summary.json").exists()


def test_an_ordinary_trainer_must_not_fetch_in_worker_processes(tmp_path: Path) -> None:
    trainer, _ = own_trainer(tmp_path, always(1.0), {"dataloader_num_workers": 2})
    with pytest.raises(ValueError, match="set it to 0"):
        trainer.train()


def test_a_watched_reward_can_be_pickled_with_all_that_it_tells() -> None:
    callback = CurriculumCallback(toy_scheduler())
    watched = pickle.loads(pickle.dumps(callback.watch(toy_reward)))
    state = SimpleNamespace(global_step=3)
    columns = {"trainer_state": state, "log_metric": print, SLOT: [5], "family": ["toy"]}
    assert watched.__name__ == "toy_reward"
    assert watched(completions=["a"], level=[1], **columns) == toy_reward(["a"], state, print)


def test_rewards_may_be_numbers_of_numpy_and_torch(tmp_path: Path) -> None:
    def numbers(completions: list[Any], **_: Any) -> Any:
        return np.ones(len(completions))

    def tensors(completions: list[Any], **_: Any) -> Any:
        return torch.ones(len(completions))

    options = {"save_strategy": "steps", "save_steps": 1, "max_steps": 2}
    trainer = make_trainer(tmp_path, [numbers, tensors], options=options)
    trainer.train()
    lines = [json.loads(line) for line in (tmp_path / "curriculum.jsonl").open()]
    assert [line["passes"] for line in lines] == [16, 16]


def test_a_reward_watched_twice_keeps_its_name() -> None:
    async def slow(**_: Any) -> list[float]:
        return []

    callbacks = [CurriculumCallback(toy_scheduler()) for _ in range(2)]
    for reward in (slow, toy_reward, partial(toy_reward)):
        watched = callbacks[1].watch(callbacks[0].watch(reward))
        assert watched.__name__ == getattr(reward, "__name__", "toy_reward")


def test_a_training_that_broke_off_is_not_counted(tmp_path: Path) -> None:
    def broken(completions: list[Any], **_: Any) -> list[float]:
        if trainer.state.global_step == 0 and len(tries) < 1:
            tries.append(1)
            raise KeyError("once")
        return [1.0] * len(completions)

    tries: list[int] = []
    trainer = make_trainer(tmp_path, [always(1.0), broken], options={"max_steps": 1})
    with pytest.raises(KeyError):
        trainer.train()
    trainer.train()
    assert trainer.curriculum.counts("toy")[1].attempts == 16


def test_a_second_training_is_refused_and_the_files_of_the_first_stay(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, options={"max_steps": 1})
    trainer.train()
    files = {path: path.read_bytes() for path in tmp_path.glob("*.json*")}
    with pytest.raises(ValueError, match="make a new trainer with another output_dir"):
        trainer.train()
    assert {path: path.read_bytes() for path in tmp_path.glob("*.json*")} == files != {}


def test_a_callback_and_tasks_of_two_schedulers_are_refused(tmp_path: Path) -> None:
    trainer, callback = own_trainer(tmp_path, always(1.0))
    callback.scheduler = toy_scheduler()
    with pytest.raises(ValueError, match=r"have different schedulers, .* give both the same"):
        trainer.train()


def test_a_curriculum_without_a_reward_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No reward function was given"):
        make_trainer(tmp_path, [toy_model()])


@pytest.mark.parametrize("watching", [True, False])
def test_async_rewards_move_levels_too(tmp_path: Path, watching: bool) -> None:
    async def slow(completions: list[Any], **_: Any) -> list[float]:
        return [1.0] * len(completions)

    if watching:
        trainer, callback = own_trainer(tmp_path, slow, {"max_steps": 2})
    else:
        trainer = make_trainer(tmp_path, slow, options={"max_steps": 2})
    trainer.train()
    scheduler = callback.scheduler if watching else trainer.curriculum
    assert scheduler.history


def test_a_reward_that_knows_no_state_of_the_trainer_is_refused() -> None:
    watched = CurriculumCallback(toy_scheduler()).watch(always(1.0))
    with pytest.raises(ValueError, match="as AsyncGRPOTrainer does: there tasks are made and"):
        watched(completions=["a"], **{SLOT: [0]}, family=["toy"], level=[1])


def test_tasks_of_a_curriculum_whose_callback_the_trainer_lacks_are_refused(tmp_path: Path) -> None:
    trainer, callback = own_trainer(tmp_path, always(1.0), {"max_steps": 2})
    trainer.remove_callback(callback)
    with pytest.raises(ValueError, match=r"give it callbacks=\[callback\]"):
        trainer.train()


def test_it_is_told_once_when_most_groups_teach_nothing(tmp_path, caplog):
    callback = CurriculumCallback(toy_scheduler(strategy="uniform"))
    state = TrainerState(is_world_process_zero=True)
    callback.on_train_begin(SimpleNamespace(output_dir=tmp_path), state, None)
    levels = [level for level in range(1, 10) for _ in range(8)]
    groups = [
        Group(n, "toy", level, 4, 2, 0.5, 0.25 * (level < 5)) for n, level in enumerate(levels)
    ]
    callback.observe(groups[:60], 0)
    assert not caplog.text
    callback.observe(groups[60:], 1)
    assert "40 of 72 groups so far teach nothing" in caplog.text
    assert "among them all of levels 5-9. Lower last_level" in caplog.text
    callback.observe(groups, 2)
    passed = CurriculumCallback(toy_scheduler())
    passed.on_train_begin(SimpleNamespace(output_dir=tmp_path), TrainerState(), None)
    passed.observe([Group(n, "toy", 1, 4, 4, 1.0, 0.0) for n in range(72)], 0)
    assert len(caplog.records) == 1


def test_of_several_rewards_of_a_judge_the_first_logs_answers():
    callback, logged = CurriculumCallback(toy_scheduler()), {}
    names = ("loginum_reward", "loginum_process_reward", "slr_reward", "slr_paper_reward")
    for name in names:
        payload = generate(name.split("_")[0], 1, 0).verification
        callback.watch(REWARDS[name])(
            [""], verification=[payload], log_extra=logged.__setitem__, prompts=[""]
        )
    wanted = ("loginum_reward", "slr_reward", "slr_paper_reward")
    assert {column.split("/")[0] for column in logged} == {*wanted}


def test_async_rewards_keep_their_names_in_the_log(tmp_path: Path) -> None:
    async def good(completions: list[Any], **_: Any) -> list[float]:
        return [1.0] * len(completions)

    async def bad(completions: list[Any], **_: Any) -> list[float]:
        return [0.0] * len(completions)

    trainer = make_trainer(tmp_path, (good, partial(bad)), options={"max_steps": 1})
    trainer.train()
    logged = logs(trainer)[0]
    assert (logged["rewards/good/mean"], logged["rewards/bad/mean"]) == (1.0, 0.0)


def test_a_checkpoint_whose_passes_another_reward_decided_is_refused(tmp_path: Path) -> None:
    rewards = [always(1.0, "easy"), toy_reward]
    options = {"save_strategy": "steps", "save_steps": 2, "max_steps": 2}
    make_trainer(tmp_path, rewards, {"pass_reward": "easy"}, options).train()
    longer = {**options, "max_steps": 4}
    other = make_trainer(tmp_path, rewards, {"pass_reward": "toy_reward"}, longer)
    with pytest.raises(ValueError, match=r"pass_reward.*easy"):
        other.train(resume_from_checkpoint=True)


@pytest.mark.parametrize(("name", "refused"), [("easy", False), ("hard", True)])
def test_the_reward_that_decided_first_decides_after_a_resume(
    tmp_path: Path, name: str, refused: bool
) -> None:
    options = {"save_strategy": "steps", "save_steps": 2, "max_steps": 2}
    make_trainer(tmp_path, [always(1.0, "easy"), toy_reward], options=options).train()
    longer = {**options, "max_steps": 4}
    other = make_trainer(tmp_path, [toy_reward, always(1.0, name)], options=longer)
    with pytest.raises(ValueError, match="'easy'") if refused else nullcontext():
        other.train(resume_from_checkpoint=True)
    assert all(count.passes == count.attempts for count in other.curriculum.counts("toy").values())


def test_other_options_of_the_tasks_are_refused_after_a_resume(tmp_path: Path) -> None:
    options = {"slr": {"style": "compact"}}
    trainer = continued(tmp_path, lambda its: its["curriculum"].update(task_options=options))
    with pytest.raises(ValueError, match=r"task_options .*compact.* this one \{\}"):
        trainer.train(resume_from_checkpoint=True)


def test_a_callback_of_the_user_sees_the_level_of_the_step(tmp_path: Path) -> None:
    class See(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            seen.append(trainer.curriculum.level("toy"))

    seen: list[float] = []
    trainer = make_trainer(tmp_path, always(1.0), options={"max_steps": 2}, callbacks=[See()])
    trainer.train()
    assert seen == [2, 3]


def test_a_resumed_run_goes_on_at_its_slot_also_where_data_are_not_skipped(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, options={"ignore_data_skip": True})
    assert trainer.args.ignore_data_skip is False


def test_a_reward_may_be_watched_again_for_another_trainer(tmp_path: Path) -> None:
    trainer, callback = own_trainer(tmp_path, always(1.0), {"max_steps": 2})
    callback.watch(always(1.0))  # of a trainer that was made and never trained
    trainer.train()
    assert callback.scheduler.history


def test_a_reward_that_nobody_watches_is_told(tmp_path: Path) -> None:
    options = {"max_steps": 1, "remove_unused_columns": False}
    trainer, _ = own_trainer(tmp_path, always(1.0), options, watched=False)
    with pytest.warns(UserWarning, match=r"no level can move: give .*callback\.watch"):
        trainer.train()


@pytest.mark.parametrize("kind", [None, TrainingArguments, SFTConfig, RLOOConfig])
def test_arguments_of_another_kind_are_refused(kind: Any) -> None:
    args = kind and kind("unused", use_cpu=True, bf16=False)
    with pytest.raises(TypeError, match=r"of type \w+: give a GRPOConfig\."):
        CurriculumGRPOTrainer(toy_model(), always(1.0), args, curriculum=toy_scheduler())


@pytest.mark.parametrize("made", ["a text", {"question": "?"}])
def test_a_task_without_a_prompt_is_refused(tmp_path: Path, made: Any) -> None:
    trainer = make_trainer(tmp_path, make_task=lambda *_: made)
    with pytest.raises(ValueError, match=r"make_task gave .* for level 1 of 'toy'"):
        trainer.train()
