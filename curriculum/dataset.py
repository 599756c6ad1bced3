"""What a TRL trainer iterates: integers that become tasks at the level the scheduler says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from datasets import Dataset

from logic_curriculum.curriculum.scheduler import CurriculumScheduler

SLOT = "curriculum_slot"
"""Column that holds the slot; rows with it belong to the curriculum."""

Row = dict[str, Any]
MakeTask = Callable[[str, int, int], Mapping[str, Any]]
"""(family, level, seed) -> dataset row with a ``prompt``; a pure function of its arguments."""


class CurriculumDataset:
    """Slots, and what each of them means at the current level.

    A slot is a number. Its task is a pure function of (task seed, slot, current levels), so every
    process that meets a slot before the level moves makes the same task, and nothing that a data
    loader fetches ahead depends on the level.

    Args:
        scheduler: Says which family and level a slot asks for.
        make_task: Makes the row of a task; by default the generators, on their train split.
        task_options: Options of ``generate``, e.g. ``{"style": "compact"}``; only
            without ``make_task``.
        conversational: Whether a prompt that is a string becomes a chat with one user message.

    Raises:
        ValueError: If both ``make_task`` and ``task_options`` are given.
    """

    def __init__(
        self,
        scheduler: CurriculumScheduler,
        make_task: MakeTask | None = None,
        task_options: Mapping[str, Any] | None = None,
        conversational: bool = False,
    ) -> None:
        if make_task is not None and task_options:
            raise ValueError(
                f"task_options {dict(task_options)} were given together with make_task, but they "
                "are options of the default generators: apply them inside make_task instead."
            )
        self.scheduler = scheduler
        self.make_task = make_task or _Generated(task_options or {})
        self.conversational = conversational

    def slots(self, size: int) -> Dataset:
        """Return a dataset of the slots 0 to ``size`` - 1, in a column of that name alone."""
        return Dataset.from_dict({SLOT: np.arange(size)})

    def row(self, slot: int) -> Row:
        """Return the row of a slot at the current levels.

        The row has the columns of ``make_task``, the ``family`` and ``level`` that the scheduler
        assigned, and the slot.
        """
        family, level = self.scheduler.assign(slot)
        row = dict(self.make_task(family, level, self.scheduler.task_seed(slot)))
        if self.conversational and isinstance(row["prompt"], str):
            row["prompt"] = [{"role": "user", "content": row["prompt"]}]
        return {**row, "family": family, "level": level, SLOT: slot}

    def rows(self, slots: Sequence[int]) -> list[Row]:
        """Return the row of each slot; the task of a repeated slot is made once."""
        made = {slot: self.row(slot) for slot in dict.fromkeys(slots)}
        return [dict(made[slot]) for slot in slots]

    def lagging(self, size: int) -> Dataset:
        """Return slots that turn into tasks when a data loader fetches them.

        For trainers other than ``CurriculumGRPOTrainer``. A data loader fetches one batch ahead,
        so a move of the level shows one generation batch late; it never shows in worker processes,
        which hold a copy of the scheduler: keep ``dataloader_num_workers`` at 0.
        """
        return self.slots(size).with_transform(self._transform)

    def _transform(self, batch: dict[str, list[int]]) -> dict[str, list[Any]]:
        rows = self.rows(batch[SLOT])
        return {column: [row[column] for row in rows] for column in rows[0]}


class _Generated:
    """The default task: a row of the generators' train split."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = {"split": "train", **options}

    def __call__(self, family: str, level: int, seed: int) -> Row:
        from logic_curriculum.generators import (
            generate,  # the Prolog host starts only when a task is made
        )

        return generate(family, level, seed, **self.options).to_row()
