"""What trainers learn from: slots that become tasks, and tasks as rows, chats and tokens."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from datasets import Dataset, load_dataset

from logic_curriculum.curriculum.scheduler import CurriculumScheduler, checked_curriculum
from logic_curriculum.generators import Task, build_dataset, families, generate, registry
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import as_chat

SLOT = "curriculum_slot"  # column that holds the slot; rows with it belong to the curriculum
IGNORED = -100  # label of a token that the loss leaves out

Row = dict[str, Any]
Options = Mapping[str, Any]
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
        task_options: Options of ``generate`` by family, e.g. ``{"slr": {"style": "compact"}}``;
            only without ``make_task``.
        conversational: Whether prompts and completions that are strings become chat messages.

    Raises:
        ValueError: If ``make_task`` and ``task_options`` are both given, or the generators have no
            such options.
    """

    def __init__(
        self,
        scheduler: CurriculumScheduler,
        make_task: MakeTask | None = None,
        task_options: Mapping[str, Options] | None = None,
        conversational: bool = False,
    ) -> None:
        self.scheduler = checked_curriculum(self, scheduler, CurriculumScheduler)
        if make_task is not None and task_options:
            raise ValueError(
                f"task_options {dict(task_options)} were given together with make_task, but they "
                "are options of the default generators: apply them inside make_task instead."
            )
        check_families(task_options or {}, scheduler.families)
        self.make_task = make_task or partial(_training_task, task_options or {})
        given = {name: options for name, options in (task_options or {}).items() if options}
        self.task_options = json.loads(json.dumps(given, default=str))  # as a checkpoint has them
        self.conversational = conversational

    def slots(self, size: int) -> Dataset:
        """Return a dataset of the slots 0 to ``size`` - 1, in a column of that name alone."""
        return Dataset.from_dict({SLOT: np.arange(size)})

    def row(self, slot: int) -> Row:
        """Return the row of a slot: a task by ``make_task`` at the current levels.

        ``family`` and ``level``, which the scheduler assigned, and the slot are columns too.
        """
        family, level = self.scheduler.assign(slot)
        row = self.make_task(family, level, self.scheduler.task_seed(slot))
        if not isinstance(row, Mapping) or "prompt" not in row:
            given = f"{row!r:.80} for level {level} of {family!r}"
            raise ValueError(f"make_task gave {given}: give a mapping with a 'prompt'.")
        row = as_chat(row) if self.conversational else row
        return {**row, "family": family, "level": level, SLOT: slot}

    def rows(self, slots: Sequence[int]) -> list[Row]:
        """Return the row of each slot; the task of a repeated slot is made once."""
        made = {slot: self.row(slot) for slot in dict.fromkeys(slots)}
        return [dict(made[slot]) for slot in slots]

    def lazy(self, size: int) -> Dataset:
        """Return slots that turn into tasks when a data loader fetches them.

        For trainers other than ``CurriculumGRPOTrainer``. A data loader fetches one batch ahead,
        so a move of the level shows one generation batch late; it never shows in worker processes,
        which hold a copy of the scheduler: keep ``dataloader_num_workers`` at 0.
        """
        return self.slots(size).with_transform(self._transform)

    def _transform(self, batch: dict[str, list[int]]) -> dict[str, list[Any]]:
        from torch.utils.data import get_worker_info  # only a data loader of torch comes here

        if get_worker_info() is not None:
            raise ValueError(
                "dataloader_num_workers is above 0, but worker processes hold a copy of the "
                "scheduler and would never see a level move: set it to 0, or use "
                "CurriculumGRPOTrainer, which allows any number."
            )
        rows = self.rows(batch[SLOT])
        return {column: [row[column] for row in rows] for column in rows[0]}


def _training_task(options: Mapping[str, Options], family: str, level: int, seed: int) -> Row:
    """Return a row of the generators' train split."""
    return generate(family, level, seed, **{"split": "train", **options.get(family, {})}).to_row()


def check_families(task_options: Mapping[str, Any], trained: Sequence[str]) -> None:
    """Raise a ValueError for options that are no mappings by family, or none of its generator."""
    for name, options in task_options.items():
        if name not in (*trained, *families()) or not isinstance(options, Mapping):
            raise ValueError(
                f"task_options has {name!r}: {options!r}, but options are given by family: write "
                f'{{"{trained[0]}": {{...}}}}.'
            )
        try:
            registry.family(name).read_options(options)
        except TypeError as error:
            raise ValueError(*error.args) from None


def check_rewards(functions: Iterable[Any], trained: Sequence[str]) -> None:
    """Raise a ValueError if a reward function of one family would judge another's tasks."""
    for function in functions:
        own = getattr(function, "family", None)  # of one of ours
        if own is not None and (others := [name for name in trained if name != own]):
            raise ValueError(
                f"{function.__name__} judges {own}, but families has {others[0]!r}: use "
                f"{others[0]}_reward, or logic_reward, which judges tasks of any family."
            )


def built_tasks(
    folder: Path, family: str, levels: Sequence[int], share: int, seed: int, options: Options
) -> Dataset:
    """Return distinct training tasks, ``share`` of each level, as ``prompt`` and ``completion``.

    They are built on all cores, unless the folder holds them; let the main process go first.

    Raises:
        RuntimeError: If a level has fewer distinct tasks than asked for.
    """
    built = build_dataset(family, levels, out=folder, sizes={"train": share}, seed=seed, **options)
    files = sorted(str(path) for path in (built / "data" / "train").glob("*.parquet"))
    return load_dataset("parquet", data_files=files, columns=["prompt", "completion"])["train"]


def held_out_tasks(
    family: str,
    splits: Sequence[str],
    levels: Sequence[int],
    count: int,
    seed: int,
    options: Options,
) -> list[Task]:
    """Return ``count`` tasks of each split and level; a small level may have one of them twice."""
    tasks = []
    for split, level, index in product(splits, levels, range(count)):
        task_seed = derive_seed("evaluation", split, level, seed, index)
        tasks.append(generate(family, level, task_seed, **{**options, "split": split}))
    return tasks


class Encoder(NamedTuple):
    """Turns rows into what SFTTrainer's collator takes."""

    tokenizer: Any
    max_length: int | None
    """Longest example in tokens, prompt and completion together; None for any length."""
    only_completion: bool = True
    """Whether the loss leaves the prompt out."""

    def encode(self, row: Mapping[str, Any]) -> dict[str, list[int]]:
        """Return ``input_ids`` and ``labels`` of a row, its parts both texts or lists of messages.

        The completion stays whole, with the sign of its end. A prompt that leaves too little room
        loses its middle: its beginning says what to do, and its end how to answer and, in a chat
        template, who speaks next.

        Raises:
            ValueError: If the completion leaves no room for a prompt, or the chat template writes
                a prompt otherwise once its answer follows.
        """
        is_text = isinstance(row["prompt"], str)
        prompt, completion = self._text(row) if is_text else self._chat(row)
        prompt = self._shortened(prompt, len(completion))
        ignored = [IGNORED] * len(prompt) if self.only_completion else prompt
        return {"input_ids": prompt + completion, "labels": ignored + completion}

    def _text(self, row: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        prompt = self.tokenizer(row["prompt"])["input_ids"]
        completion = self.tokenizer(row["completion"], add_special_tokens=False)["input_ids"]
        return prompt, [*completion, self.tokenizer.eos_token_id]

    def _chat(self, row: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        template = partial(self.tokenizer.apply_chat_template, tokenize=True, return_dict=False)
        prompt = template(row["prompt"], add_generation_prompt=True)
        whole = template(row["prompt"] + row["completion"])
        if whole[: len(prompt)] != prompt:
            raise ValueError(
                f"The chat template of {self.tokenizer.name_or_path!r} writes a prompt "
                "differently when an answer follows, so where that begins is not known: give the "
                "tokenizer a template that ends a prompt as it begins an answer."
            )
        return prompt, whole[len(prompt) :]

    def _shortened(self, prompt: list[int], taken: int) -> list[int]:
        if self.max_length is None or len(prompt) + taken <= self.max_length:
            return prompt
        room = self.max_length - taken
        if room < 2:
            raise ValueError(
                f"An answer has {taken} tokens, which leaves no room for its prompt in max_length "
                f"{self.max_length}, and answers are never cut: raise max_length."
            )
        end = room // 2
        return prompt[: room - end] + prompt[-end:]
