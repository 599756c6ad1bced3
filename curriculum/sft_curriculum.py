"""SFTTrainer whose tasks are made at the level that a scheduler says.

The training set holds slots, as in ``CurriculumGRPOTrainer``. A slot becomes a task when the step
that learns from it begins, so nothing that a data loader fetched ahead depends on a level: the
first step after a move learns from the new level, in all processes alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from trl import SFTConfig, SFTTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from logic_curriculum.curriculum.dataset import SLOT, CurriculumDataset
from logic_curriculum.curriculum.sft_examples import Encoder


class CurriculumSFTTrainer(SFTTrainer):
    """SFTTrainer that learns from a curriculum's tasks, in the order of their slots.

    Args:
        tasks: Says what a slot means at the current level.
        encoder: Makes tokens of a row.
        args: As in SFTTrainer; ``max_steps`` must be set, since a curriculum has no epochs.
        **kwargs: Further arguments of SFTTrainer.

    Raises:
        ValueError: If ``max_steps`` is not set, or the slots would be shuffled.
    """

    def __init__(
        self, *, tasks: CurriculumDataset, encoder: Encoder, args: SFTConfig, **kwargs: Any
    ) -> None:
        check_arguments(args)
        size = args.max_steps * args.gradient_accumulation_steps * args.train_batch_size
        super().__init__(
            args=args,
            train_dataset=tasks.slots(size * args.world_size),
            data_collator=torch.utils.data.default_collate,
            **kwargs,
        )
        self._tasks = tasks
        self._encoder = encoder
        self._pad = DataCollatorForLanguageModeling(
            pad_token_id=self.processing_class.pad_token_id,
            padding_free=self.padding_free,
            pad_to_multiple_of=args.pad_to_multiple_of,
        )

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], Any]:
        """Return the batches of a step, and how many tokens its loss is taken over."""
        batches = map(self._as_tokens, epoch_iterator)
        return super().get_batch_samples(batches, num_batches, device)

    def _as_tokens(self, batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        rows = self._tasks.rows(batch[SLOT].tolist())
        padded: dict[str, torch.Tensor] = self._pad([self._encoder.encode(row) for row in rows])
        return padded


def check_arguments(args: SFTConfig) -> None:
    """Check the trainer's arguments that slots depend on; unused columns are kept.

    Raises:
        ValueError: If they cannot work.
    """
    if args.max_steps <= 0:
        raise ValueError(
            f"max_steps is {args.max_steps}, but a gated curriculum has no epochs, since its tasks "
            "are made on the fly: set max_steps to the number of optimizer steps to train."
        )
    if args.train_sampling_strategy != "sequential":
        raise ValueError(
            f"train_sampling_strategy is {args.train_sampling_strategy!r}, but a gated curriculum "
            "takes its slots in order: set it to sequential."
        )
    args.remove_unused_columns = False  # or the slots would be dropped
