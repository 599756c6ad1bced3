"""TRL's GRPO, RLOO and SFT trainers with a curriculum: levels can move between any two batches.

The training set holds *slots* (:class:`.CurriculumDataset`). A slot becomes a task only when its
completions are about to be generated, or the step that learns from it begins. GRPO and RLOO move
the levels on the rewards of all processes, so these move together. Everything here is built on what
TRL and transformers document: ``training_step``, ``get_batch_samples``, ``log``, callbacks.
"""

import copy
import logging
import math
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from transformers.trainer_utils import SaveStrategy
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer, SFTConfig, SFTTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from logic_curriculum.curriculum import dataset
from logic_curriculum.curriculum.callback import ELSEWHERE, CurriculumCallback
from logic_curriculum.curriculum.checkpoints import generation_steps
from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.dataset import SLOT, CurriculumDataset, Encoder, Row
from logic_curriculum.curriculum.scheduler import CurriculumScheduler, checked_curriculum
from logic_curriculum.generators.task import as_chat
from logic_curriculum.rewards.blocks import opens_thought

logger = logging.getLogger(__name__)

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
        reward_funcs: ``curriculum.pass_reward`` names the function that decides a pass: a value of
            1.0 or more; by default the first one. ``None`` counts as no attempt. Reward models
            train, and decide nothing.
        args: ``max_steps`` must be set, since a curriculum has no epochs.
        curriculum: Needed: the rules, or a scheduler, which is the attribute ``curriculum`` later.
        make_task: Makes the row of a task from (family, level, seed); by default the generators.
        task_options: Options of ``generate`` by family, e.g. ``{"slr": {"style": "compact"}}``.
        conversational: Whether prompts become chats with one user message.

    Raises:
        ValueError: If the arguments cannot work together; the message says what to change.
        TypeError: If the trainer is neither a GRPOTrainer nor an RLOOTrainer, ``args`` is not its
            configuration, or ``curriculum`` is missing.
    """

    def __init__(
        self,
        model: Any,
        reward_funcs: Any,
        args: OnlineConfig,
        *,
        curriculum: CurriculumConfig | CurriculumScheduler | None = None,
        make_task: dataset.MakeTask | None = None,
        task_options: Mapping[str, Mapping[str, Any]] | None = None,
        conversational: bool = False,
        **kwargs: Any,
    ) -> None:
        if not isinstance(self, (GRPOTrainer, RLOOTrainer)):
            raise TypeError(
                f"{type(self).__name__} is neither a GRPOTrainer nor an RLOOTrainer. If it is an "
                f"AsyncGRPOTrainer: {ELSEWHERE}"
            )
        if kwargs.pop("train_dataset", None) is not None:
            raise ValueError(
                "train_dataset was given, but a curriculum makes its tasks itself: leave it out; "
                "your own tasks come through make_task."
            )
        if not isinstance(curriculum, CurriculumScheduler):
            curriculum = CurriculumScheduler(checked_curriculum(self, curriculum, CurriculumConfig))
        _check_online_arguments(args, GRPOConfig if isinstance(self, GRPOTrainer) else RLOOConfig)
        self.curriculum = curriculum
        self._tasks = CurriculumDataset(curriculum, make_task, task_options, conversational)
        self._slots: list[int] = []
        self._rows: list[Row] = []
        self._callback = CurriculumCallback(curriculum)
        self._callback.check_tasks(self._tasks)
        functions = [*reward_funcs] if isinstance(reward_funcs, (list, tuple)) else [reward_funcs]
        if make_task is None:
            dataset.check_rewards(functions, curriculum.config.families)
        weights = chain(args.reward_weights or (), repeat(1.0))  # TRL refuses a wrong number
        rewards = [
            self._callback.watch(reward, weight) if _is_function(reward) else reward
            for reward, weight in zip(functions, weights, strict=False)
        ]
        self._callback.pass_place()
        args = copy.copy(args)
        args.remove_unused_columns = False  # or the slots would be dropped
        args.ignore_data_skip = False  # or a resumed run would begin again at the first slot
        # Slots are random draws already. In order, a slot keeps its place whatever max_steps is.
        args.shuffle_dataset = False
        slots = self._tasks.slots(_slots_needed(args))
        # Before the user's, so that these see the levels as they are.
        kwargs["callbacks"] = [self._callback, *(kwargs.get("callbacks") or ())]
        super().__init__(model, rewards, args, train_dataset=slots, **kwargs)
        if self._opens_thought():
            self._callback.decode_with(self.processing_class.decode)

    def _opens_thought(self) -> bool:
        """Return whether the chat template opens a thought, whose mark is then in the prompt."""
        if not getattr(self.processing_class, "chat_template", None):
            return False
        chat = as_chat({"prompt": "?"})["prompt"]
        options = {**(self.args.chat_template_kwargs or {}), "add_generation_prompt": True}
        return opens_thought(
            self.processing_class.apply_chat_template(chat, tokenize=False, **options)
        )

    def train(self, *args: Any, **kwargs: Any) -> Any:
        """Train, with no row that an earlier training made."""
        self._slots, self._rows = [], []
        return super().train(*args, **kwargs)

    def training_step(self, model: Any, inputs: list[Row], *rest: Any, **options: Any) -> Any:
        """Take a step with the tasks of a batch's slots, made at the present levels."""
        slots = [row[SLOT] for row in inputs]
        if slots != self._slots:  # a batch comes again for each step that its completions serve
            self._slots, self._rows = slots, self._tasks.rows(slots)
        return super().training_step(model, self._rows, *rest, **options)

    def log(self, logs: dict[str, float], *rest: Any, **options: Any) -> None:
        """Log, of the training with the curriculum's metrics."""
        if "loss" in logs:
            logs = {**logs, **self._callback.take_metrics()}
        super().log(logs, *rest, **options)


class CurriculumGRPOTrainer(OnlineCurriculum, GRPOTrainer):
    """GRPOTrainer with a curriculum; :class:`OnlineCurriculum` has the arguments."""


class CurriculumRLOOTrainer(OnlineCurriculum, RLOOTrainer):
    """RLOOTrainer with a curriculum; :class:`OnlineCurriculum` has the arguments."""


def _is_function(reward: Any) -> bool:
    """Return whether a reward is a function; the name of a reward model and a model are not."""
    return callable(reward) and not isinstance(reward, torch.nn.Module)


def check_max_steps(args: Any, kind: type[OnlineConfig | SFTConfig]) -> None:
    """Raise an error unless it is a configuration of this kind with a number of steps."""
    if not isinstance(args, kind):
        raise TypeError(f"args is of type {type(args).__name__}: give a {kind.__name__}.")
    if args.max_steps <= 0:
        raise ValueError(
            f"max_steps is {args.max_steps}, but a curriculum has no epochs, since its tasks are "
            "made on the fly: set max_steps to the number of optimizer steps to train."
        )


def _check_online_arguments(args: OnlineConfig, kind: type[OnlineConfig]) -> None:
    """Check the trainer's arguments that a curriculum depends on."""
    check_max_steps(args, kind)
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


class ExactSFTTrainer(ExactEnd, SFTTrainer):
    """SFTTrainer that takes no step after the last one."""


class CurriculumSFTTrainer(ExactSFTTrainer):
    """SFTTrainer that learns from a curriculum's tasks, in the order of their slots.

    Whoever measures pass rates moves the levels of ``tasks.scheduler``: the first step after a
    move learns from the new level, in all processes alike. ``tasks`` says what a slot means at the
    current level, ``encoder`` makes tokens of a row, so that it decides what ``max_length``,
    ``completion_only_loss`` and ``formatting_func`` decide elsewhere; ``args.max_steps`` must be
    set, since a curriculum has no epochs.

    Raises:
        ValueError: If ``max_steps`` is not set, or an ``eval_dataset`` is given.
        TypeError: If ``args`` is no SFTConfig.
    """

    def __init__(
        self, *, tasks: CurriculumDataset, encoder: Encoder, args: SFTConfig, **kwargs: Any
    ) -> None:
        check_max_steps(args, SFTConfig)
        if kwargs.get("eval_dataset") is not None:
            raise ValueError(
                "eval_dataset was given, but batches come as slots here: leave it out, and add a "
                "JudgedEvaluation."
            )
        args = copy.copy(args)
        args.remove_unused_columns = False  # or the slots would be dropped
        args.ignore_data_skip = False  # or a resumed run would begin again at the first slot
        args.train_sampling_strategy = "sequential"
        args.dataset_kwargs = {**(args.dataset_kwargs or {}), "skip_prepare_dataset": True}
        size = args.max_steps * args.gradient_accumulation_steps * args.train_batch_size
        slots, collate = tasks.slots(size * args.world_size), torch.utils.data.default_collate
        super().__init__(args=args, train_dataset=slots, data_collator=collate, **kwargs)
        self.tasks, self._encoder = tasks, encoder
        tokenizer = encoder.tokenizer
        padding = tokenizer.pad_token_id
        self._pad = DataCollatorForLanguageModeling(
            pad_token_id=tokenizer.eos_token_id if padding is None else padding,
            padding_free=self.padding_free,
            pad_to_multiple_of=args.pad_to_multiple_of,
        )

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], Any]:
        """Return the batches of a step, and how many tokens its loss is taken over."""
        return super().get_batch_samples(map(self._as_tokens, epoch_iterator), num_batches, device)

    def _as_tokens(self, batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        rows = self.tasks.rows(batch[SLOT].tolist())
        padded: dict[str, torch.Tensor] = self._pad([self._encoder.encode(row) for row in rows])
        return padded
