"""GRPOTrainer with a curriculum: the level can move between any two generation batches.

The training set holds *slots*, plain integers. A slot becomes a task only when its completions are
about to be generated, as a pure function of (task seed, slot, current levels), and the levels move
on the rewards gathered from all processes. What a data loader fetched ahead therefore never
depends on a level, all processes move together, and every completion of a group shares its prompt.
"""

from __future__ import annotations

import inspect
import logging
import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import torch
import trl
from datasets import Dataset
from transformers.trainer_utils import SaveStrategy
from trl import GRPOConfig, GRPOTrainer

from logic_curriculum.curriculum.callback import CurriculumCallback
from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.dataset import SLOT, CurriculumDataset, MakeTask, Row
from logic_curriculum.curriculum.scheduler import CurriculumScheduler
from logic_curriculum.curriculum.tally import tally
from logic_curriculum.rewards.completions import opens_thought

logger = logging.getLogger(__name__)

OVERRIDDEN = {
    "_generate_and_score_completions": ["self", "inputs"],
    "_calculate_rewards": ["self", "inputs", "prompts", "completions", "completion_ids_list"],
    "_log_metric": ["self", "name", "value"],
}
"""The private methods of GRPOTrainer that this module relies on, with their parameters."""


class CurriculumGRPOTrainer(GRPOTrainer):
    """GRPOTrainer whose tasks are made on the fly, at the level the scheduler says.

    Everything but the four keyword arguments below is GRPOTrainer's own and passed through. An
    ``eval_dataset`` is an ordinary dataset with prompts; evaluation moves no level.

    Args:
        model: As in GRPOTrainer.
        reward_funcs: As in GRPOTrainer. ``curriculum.pass_reward`` names the one that decides a
            pass: a value of 1.0 or more. ``None`` counts as no attempt.
        args: As in GRPOTrainer; ``max_steps`` must be set, since a curriculum has no epochs.
        curriculum: The rules, or a scheduler that has been made already.
        make_task: Makes the row of a task from (family, level, seed); by default the generators.
        task_options: Options of ``generate``, e.g. ``{"style": "compact"}``.
        conversational: Whether prompts become chats with one user message.
        train_dataset: Left out as a rule; else slots from ``CurriculumDataset.slots``.
        **kwargs: Further arguments of GRPOTrainer, e.g. ``processing_class``, ``peft_config``.

    Attributes:
        curriculum: The :class:`CurriculumScheduler` of the run.

    Raises:
        ValueError: If the arguments cannot work together; the message says what to change.
        RuntimeError: If the installed TRL is not one that this class was written for.
    """

    def __init__(
        self,
        model: Any,
        reward_funcs: Any,
        args: GRPOConfig,
        *,
        curriculum: CurriculumConfig | CurriculumScheduler,
        make_task: MakeTask | None = None,
        task_options: Mapping[str, Any] | None = None,
        conversational: bool = False,
        train_dataset: Dataset | None = None,
        **kwargs: Any,
    ) -> None:
        check_trl(GRPOTrainer)
        check_arguments(args)
        if isinstance(curriculum, CurriculumConfig):
            curriculum = CurriculumScheduler(curriculum)
        self.curriculum = curriculum
        self._tasks = CurriculumDataset(curriculum, make_task, task_options, conversational)
        slots = self._tasks.slots(slots_needed(args)) if train_dataset is None else train_dataset
        check_slots(slots, args)
        super().__init__(model, reward_funcs, args, train_dataset=slots, **kwargs)
        # Slots are random draws already. In order, a slot keeps its place whatever max_steps is.
        self.shuffle_dataset = False
        self._pass_column = pass_column(curriculum.config.pass_reward, self.reward_func_names)
        self._callback = CurriculumCallback(curriculum)
        self.add_callback(self._callback)

    def _generate_and_score_completions(self, inputs: list[Row]) -> dict[str, Any]:
        if SLOT in inputs[0]:
            inputs = self._tasks.rows([row[SLOT] for row in inputs])
        return super()._generate_and_score_completions(inputs)

    def _calculate_rewards(
        self, inputs: list[Row], prompts: Any, completions: Any, completion_ids_list: Any
    ) -> torch.Tensor:
        if self._thinks and not isinstance(completions[0], str):
            completions = [_with_opened_thought(messages) for messages in completions]
        rewards = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
        if self.model.training and SLOT in inputs[0]:
            self._observe(inputs, rewards[:, self._pass_column].tolist())
        return rewards

    @cached_property
    def _thinks(self) -> bool:
        """Whether the chat template opens a thought, which completions then lack the mark of."""
        if not getattr(self.processing_class, "chat_template", None):
            return False
        chat = [{"role": "user", "content": "?"}]
        options = {"tokenize": False, "add_generation_prompt": True, **self.chat_template_kwargs}
        return opens_thought(self.processing_class.apply_chat_template(chat, **options))

    def _observe(self, inputs: list[Row], rewards: list[float]) -> None:
        """Move the levels on the rewards of all processes; the rows are this process's own."""
        families = self.curriculum.families
        own = [(families.index(row["family"]), row["level"]) for row in inputs]
        gathered = self.accelerator.gather(torch.tensor(own, device=self.accelerator.device))
        graded = [
            (families[number], level, reward)
            for (number, level), reward in zip(gathered.tolist(), rewards, strict=True)
        ]
        metrics = self._callback.observe(tally(graded), self.state.global_step)
        for name, value in metrics.items():
            self._log_metric(name, value)


def _with_opened_thought(messages: list[Row]) -> list[Row]:
    first, *rest = messages
    return [{**first, "content": f"<think>{first['content']}"}, *rest]


def check_trl(trainer: type) -> None:
    """Check that the private methods of GRPOTrainer are those this module was written for.

    Raises:
        RuntimeError: If one is missing or takes other parameters.
    """
    for name, expected in OVERRIDDEN.items():
        method = getattr(trainer, name, None)
        found = None if method is None else list(inspect.signature(method).parameters)
        if found != expected:
            raise RuntimeError(
                f"GRPOTrainer.{name} of trl {trl.__version__} has parameters {found}, but the "
                f"curriculum builds on {expected}. Install a version it was tested with: "
                'pip install "trl>=1.16,<1.17"'
            )


def check_arguments(args: GRPOConfig) -> None:
    """Check the trainer's arguments that a curriculum depends on.

    Warns when checkpoints would fall between two generations.

    Raises:
        ValueError: If they cannot work.
    """
    if args.max_steps <= 0:
        raise ValueError(
            f"max_steps is {args.max_steps}, but a curriculum has no epochs, since its tasks are "
            "made on the fly: set max_steps to the number of optimizer steps to train."
        )
    if args.remove_unused_columns:
        raise ValueError(
            "remove_unused_columns is True, which would drop the slots and the columns that the "
            "rewards read: leave it at False, GRPOConfig's default."
        )
    if args.save_strategy == SaveStrategy.STEPS and args.process_index == 0:
        _check_save_steps(args, steps_per_save(args))


def _check_save_steps(args: GRPOConfig, period: int) -> None:
    if _save_steps(args) % period:
        logger.warning(
            "save_steps is %s, but completions are generated for %d optimizer steps at a time. A "
            "checkpoint in between can be resumed from, though not exactly: the batch is generated "
            "and counted a second time. Make save_steps a multiple of %d.",
            args.save_steps,
            period,
            period,
        )


def _save_steps(args: GRPOConfig) -> int:
    """Return save_steps as transformers reads it: below 1 it is a share of max_steps."""
    if args.save_steps < 1:
        return math.ceil(args.max_steps * args.save_steps)
    return int(args.save_steps)


def _batches_per_generation(args: GRPOConfig) -> int:
    return args.steps_per_generation * args.num_iterations


def steps_per_save(args: GRPOConfig) -> int:
    """Return the smallest number of optimizer steps that ends where a generation ends."""
    batches = _batches_per_generation(args)
    return batches // math.gcd(batches, args.gradient_accumulation_steps)


def slots_needed(args: GRPOConfig) -> int:
    """Return how many slots ``max_steps`` uses, with one generation batch to spare."""
    batches = args.max_steps * args.gradient_accumulation_steps
    generations = math.ceil(batches / _batches_per_generation(args)) + 1
    return generations * (args.generation_batch_size // args.num_generations)


def check_slots(slots: Dataset, args: GRPOConfig) -> None:
    """Check that a dataset holds slots, and enough of them.

    Raises:
        ValueError: If it has other columns, or would begin a second epoch.
    """
    if slots.column_names != [SLOT]:
        raise ValueError(
            f"train_dataset has columns {slots.column_names}, but the curriculum makes its tasks "
            "itself: leave train_dataset out (tasks of your own come through make_task), or pass "
            "CurriculumDataset(...).slots(size)."
        )
    if len(slots) < slots_needed(args):
        raise ValueError(
            f"train_dataset has {len(slots)} slots, but {args.max_steps} steps use "
            f"{slots_needed(args)}, and a second epoch would repeat the first one's tasks: leave "
            "train_dataset out, or make that many slots."
        )


def pass_column(name: str | None, reward_names: list[str]) -> int:
    """Return the position of the reward function that decides a pass.

    Raises:
        ValueError: If there is no reward function of that name.
    """
    if name is None:
        return 0
    if name not in reward_names:
        raise ValueError(
            f"pass_reward is {name!r}, but the reward functions are {reward_names}: name one of "
            "them, or leave it out for the first."
        )
    return reward_names.index(name)
