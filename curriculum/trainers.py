"""TRL's GRPO, RLOO and SFT trainers with a curriculum: levels can move between any two batches.

The training set holds *slots* (:class:`.CurriculumDataset`). A slot becomes a task only when its
completions are about to be generated, or the step that learns from it begins. GRPO and RLOO move
the levels on the rewards gathered from all processes, so these move together.
"""

import inspect
import logging
import math
import time
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
import trl
from transformers.trainer_utils import SaveStrategy
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer, SFTConfig, SFTTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from logic_curriculum.curriculum import dataset
from logic_curriculum.curriculum.callback import CurriculumCallback
from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.dataset import SLOT, CurriculumDataset, Encoder, Row
from logic_curriculum.curriculum.models import shared_prompts
from logic_curriculum.curriculum.preemption import generation_steps
from logic_curriculum.curriculum.scheduler import Completion, CurriculumScheduler, groups_of
from logic_curriculum.generators.task import as_chat
from logic_curriculum.rewards.completions import opens_thought, with_opening_mark

logger = logging.getLogger(__name__)

RELIED_ON = {
    "_generate_and_score_completions": ["self", "inputs"],
    "_calculate_rewards": ["self", "inputs", "prompts", "completions", "completion_ids_list"],
    "_log_metric": ["self", "name", "value"],
    "_get_per_token_logps_and_entropies": [
        *["self", "model", "input_ids", "attention_mask", "logits_to_keep", "batch_size"],
        *["compute_entropy", "compute_aux_loss", "pixel_values", "image_grid_thw", "num_images"],
        *["pixel_attention_mask", "spatial_shapes", "num_tiles", "image_sizes", "token_type_ids"],
        *["mm_token_type_ids", "image_position_ids"],
    ],
}
"""The private methods of TRL's trainers that this module relies on, with their parameters."""
OnlineConfig: TypeAlias = GRPOConfig | RLOOConfig


if TYPE_CHECKING:  # what they are mixed into
    from transformers import Trainer
    from trl import GRPOTrainer as OnlineTrainer
else:
    OnlineTrainer = Trainer = object


class ExactEnd(Trainer):
    """Mixed into a trainer: resumed after the last step, it takes no further one.

    Trainer takes at least one where ``max_steps`` ends inside an epoch.
    """

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], Any]:
        """Return the batches of a step, none after the last one, and the items in them."""
        if self.state.global_step >= self.state.max_steps:
            return [], None
        return super().get_batch_samples(epoch_iterator, num_batches, device)


class OnlineCurriculum(ExactEnd, OnlineTrainer):
    """Mixed into a trainer that generates: tasks are made on the fly, at the level that is due.

    All arguments but ``curriculum``, ``make_task``, ``task_options`` and ``conversational`` are
    the trainer's own. ``train_dataset`` is the curriculum's; an ``eval_dataset`` is an ordinary
    dataset with prompts, and evaluation moves no level.

    Args:
        reward_funcs: ``curriculum.pass_reward`` names the one that decides a pass: a value of 1.0
            or more. ``None`` counts as no attempt.
        args: ``max_steps`` must be set, since a curriculum has no epochs.
        curriculum: The rules, or a scheduler, which is the attribute ``curriculum`` later.
        make_task: Makes the row of a task from (family, level, seed); by default the generators.
        task_options: Options of ``generate`` by family, e.g. ``{"slr": {"style": "compact"}}``.
        conversational: Whether prompts become chats with one user message.

    Raises:
        ValueError: If the arguments cannot work together; the message says what to change.
        RuntimeError: If the installed TRL is not one that this class was written for.
    """

    def __init__(
        self,
        model: Any,
        reward_funcs: Any,
        args: OnlineConfig,
        *,
        curriculum: CurriculumConfig | CurriculumScheduler,
        make_task: dataset.MakeTask | None = None,
        task_options: Mapping[str, Mapping[str, Any]] | None = None,
        conversational: bool = False,
        **kwargs: Any,
    ) -> None:
        check_trl(type(self))
        _check_online_arguments(args)
        if isinstance(curriculum, CurriculumConfig):
            curriculum = CurriculumScheduler(curriculum)
        self.curriculum = curriculum
        self._tasks = CurriculumDataset(curriculum, make_task, task_options, conversational)
        if "train_dataset" in kwargs:
            raise ValueError(
                "train_dataset was given, but a curriculum makes its tasks itself: leave it out; "
                "tasks of your own come through make_task."
            )
        slots = self._tasks.slots(_slots_needed(args))
        super().__init__(model, reward_funcs, args, train_dataset=slots, **kwargs)
        if not args.use_vllm:
            self.model.generate = partial(shared_prompts.generate, self.model)
        # Slots are random draws already. In order, a slot keeps its place whatever max_steps is.
        self.shuffle_dataset = False
        rewards = self.reward_func_names
        pass_reward = curriculum.config.pass_reward or rewards[0]
        if pass_reward not in rewards:
            raise ValueError(
                f"pass_reward is {pass_reward!r}, but the reward functions are {rewards}: name one "
                "of them, or leave it out for the first."
            )
        self._pass_column = rewards.index(pass_reward)
        self._callback = CurriculumCallback(curriculum)
        self.add_callback(self._callback)

    def _generate_and_score_completions(self, inputs: list[Row]) -> dict[str, Any]:
        if SLOT in inputs[0]:
            inputs = self._tasks.rows([row[SLOT] for row in inputs])
        return super()._generate_and_score_completions(inputs)

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        batch_size: int | None = None,
        compute_entropy: bool = False,
        compute_aux_loss: bool = False,
        **images: Any,
    ) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
        """Return the same as TRL, but let the model read a prompt of several rows only once."""
        own = super()._get_per_token_logps_and_entropies
        options = {"compute_entropy": compute_entropy, "compute_aux_loss": compute_aux_loss}
        has_more = compute_aux_loss or any(value is not None for value in images.values())
        if has_more or not self._can_join:
            given = (input_ids, attention_mask, logits_to_keep, batch_size)
            return own(model, *given, **options, **images)
        parts = []
        size = batch_size or len(input_ids)
        for batch in zip(input_ids.split(size), attention_mask.split(size), strict=True):
            with self.accelerator.autocast():
                joined = shared_prompts.join(*batch, logits_to_keep, self.model.dtype)
            if joined is None:
                parts.append(own(model, *batch, logits_to_keep, **options)[:2])
                continue
            with self.accelerator.autocast():
                found = model(**joined.inputs, fused_lm_head=True)
            parts.append((joined.apart(found.log_probs), joined.apart(found.entropy)))
        logps, entropies = zip(*parts, strict=True)
        return torch.cat(logps), torch.cat(entropies) if compute_entropy else None, None

    @cached_property
    def _can_join(self) -> bool:
        return shared_prompts.can_join(self.model)

    def _calculate_rewards(
        self, inputs: list[Row], prompts: Any, completions: Any, completion_ids_list: Any
    ) -> torch.Tensor:
        if self._template_opens_thought and not isinstance(completions[0], str):
            completions = [
                [{**first, "content": with_opening_mark(first["content"])}, *rest]
                for first, *rest in completions
            ]
        began = time.perf_counter()
        rewards = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
        self._log_metric("reward_time", time.perf_counter() - began)
        if self.model.training and SLOT in inputs[0]:
            self._observe(inputs, rewards)
        return rewards

    @cached_property
    def _template_opens_thought(self) -> bool:
        """Whether the chat template opens a thought, which completions then lack the mark of."""
        if not getattr(self.processing_class, "chat_template", None):
            return False
        chat = as_chat({"prompt": "?"})["prompt"]
        options = {"tokenize": False, "add_generation_prompt": True, **self.chat_template_kwargs}
        return opens_thought(self.processing_class.apply_chat_template(chat, **options))

    def _observe(self, inputs: list[Row], rewards: torch.Tensor) -> None:
        """Move the levels on the rewards of all processes; the rows are this process's own."""
        families = self.curriculum.families
        own = [(row[SLOT], families.index(row["family"]), row["level"]) for row in inputs]
        slots = self.accelerator.gather(torch.tensor(own, device=self.accelerator.device)).tolist()
        scores = rewards[:, self._pass_column].tolist()
        trained = (rewards * self.reward_weights.to(rewards.device)).nansum(dim=1).tolist()
        groups = groups_of(
            Completion(slot, families[number], level, score, reward)
            for (slot, number, level), score, reward in zip(slots, scores, trained, strict=True)
        )
        for name, value in self._callback.observe(groups, self.state.global_step).items():
            self._log_metric(name, value)


class CurriculumGRPOTrainer(OnlineCurriculum, GRPOTrainer):
    """GRPOTrainer with a curriculum; :class:`OnlineCurriculum` has the arguments."""


class CurriculumRLOOTrainer(OnlineCurriculum, RLOOTrainer):
    """RLOOTrainer with a curriculum; :class:`OnlineCurriculum` has the arguments."""


def check_trl(trainer: type) -> None:
    """Raise a RuntimeError if a trainer's private methods aren't those this module builds on."""
    if not issubclass(trainer, (GRPOTrainer, RLOOTrainer)):
        raise RuntimeError(
            f"{trainer.__name__} is neither a GRPOTrainer nor an RLOOTrainer. Others can't follow "
            "the levels; AsyncGRPOTrainer rewards in a process of its own, where a scheduler would "
            "be a copy that no other process sees: use one of these two."
        )
    base = next((each for each in trainer.__mro__ if each.__module__.startswith("trl.")), trainer)
    for name, expected in RELIED_ON.items():
        method = getattr(base, name, None)
        found = None if method is None else list(inspect.signature(method).parameters)
        if found != expected:
            raise RuntimeError(
                f"{base.__name__}.{name} of trl {trl.__version__} has parameters {found}, but the "
                f"curriculum builds on {expected}. Install a version it was tested with: "
                'pip install "trl>=1.16,<1.17"'
            )


def _check_max_steps(args: OnlineConfig | SFTConfig) -> None:
    if args.max_steps <= 0:
        raise ValueError(
            f"max_steps is {args.max_steps}, but a curriculum has no epochs, since its tasks are "
            "made on the fly: set max_steps to the number of optimizer steps to train."
        )


def _check_online_arguments(args: OnlineConfig) -> None:
    """Check the trainer's arguments that a curriculum depends on."""
    _check_max_steps(args)
    if args.remove_unused_columns:
        raise ValueError(
            "remove_unused_columns is True, which would drop the slots and the columns that the "
            "rewards read: leave it at False, GRPOConfig's default."
        )
    period = generation_steps(args)
    # As transformers reads it: below 1 it is a share of max_steps.
    share = args.max_steps if args.save_steps < 1 else 1
    saves = args.save_strategy == SaveStrategy.STEPS and args.process_index == 0
    if saves and math.ceil(args.save_steps * share) % period:
        logger.warning(
            f"save_steps is {args.save_steps}, but completions are generated for {period} "
            "optimizer steps at a time. A checkpoint in between can be resumed from, though not "
            "exactly: the batch is generated and counted a second time. Make save_steps a "
            f"multiple of {period}."
        )


def _slots_needed(args: OnlineConfig) -> int:
    """Return the number of slots for ``max_steps``, with one generation batch to spare."""
    batches = args.max_steps * args.gradient_accumulation_steps
    generations = math.ceil(batches / (args.steps_per_generation * args.num_iterations)) + 1
    return generations * (args.generation_batch_size // args.num_generations)


class ResumableSFTTrainer(ExactEnd, SFTTrainer):
    """SFTTrainer that goes on exactly: it counts tokens and steps on from its checkpoint's."""

    @property
    def _total_train_tokens(self) -> int:  # TRL begins anew, what the state holds is saved
        return int(self.state.num_input_tokens_seen)

    @_total_train_tokens.setter
    def _total_train_tokens(self, count: int) -> None:
        self.state.num_input_tokens_seen = count


class CurriculumSFTTrainer(ResumableSFTTrainer):
    """SFTTrainer that learns from a curriculum's tasks, in the order of their slots.

    Whoever measures pass rates moves the levels of ``tasks.scheduler``: the first step after a
    move learns from the new level, in all processes alike. ``tasks`` says what a slot means at the
    current level, ``encoder`` makes tokens of a row; ``args.max_steps`` must be set, since a
    curriculum has no epochs.

    Raises:
        ValueError: If ``max_steps`` is not set, or the slots would be shuffled.
    """

    def __init__(
        self, *, tasks: CurriculumDataset, encoder: Encoder, args: SFTConfig, **kwargs: Any
    ) -> None:
        _check_max_steps(args)
        if args.train_sampling_strategy != "sequential":
            raise ValueError(
                f"train_sampling_strategy is {args.train_sampling_strategy!r}, but a gated "
                "curriculum takes its slots in order: set it to sequential."
            )
        args.remove_unused_columns = False  # or the slots would be dropped
        size = args.max_steps * args.gradient_accumulation_steps * args.train_batch_size
        slots, collate = tasks.slots(size * args.world_size), torch.utils.data.default_collate
        super().__init__(args=args, train_dataset=slots, data_collator=collate, **kwargs)
        self._tasks, self._encoder = tasks, encoder
        self._pad = DataCollatorForLanguageModeling(
            pad_token_id=self.processing_class.pad_token_id,
            padding_free=self.padding_free,
            pad_to_multiple_of=args.pad_to_multiple_of,
        )

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], Any]:
        """Return the batches of a step, and how many tokens its loss is taken over."""
        return super().get_batch_samples(map(self._as_tokens, epoch_iterator), num_batches, device)

    def _as_tokens(self, batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        rows = self._tasks.rows(batch[SLOT].tolist())
        padded: dict[str, torch.Tensor] = self._pad([self._encoder.encode(row) for row in rows])
        return padded
