"""A model's answers to held-out tasks: every process answers its share, and judges it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from accelerate import PartialState
from accelerate.utils import gather_object, set_seed

from generators import Task, generate, registry
from generators.seeding import derive_seed
from generators.whole_files import whole_file
from rewards import judge_batch

REDRAWS = 100  # draws per wanted task, before a level counts as exhausted

Record = dict[str, Any]
Setting = TypeVar("Setting", bound=Any)
"""A NamedTuple: in what setting tasks are asked; its fields are fields of the records."""


@dataclass(frozen=True)
class Decoding:
    """How completions are made."""

    max_new_tokens: int
    """The longest completion, in tokens."""
    batch_size: int
    """Prompts at a time."""
    conversational: bool = False
    """Whether prompts are chat messages."""
    temperature: float = 0.0
    """0 takes the likeliest token each time; above, tokens are drawn."""
    top_p: float = 1.0
    """Draw from the likeliest tokens of so much probability together."""
    top_k: int = 0
    """Draw from so many of the likeliest tokens; 0 for all."""
    seed: int = 0
    """Seed of the draws."""

    def options(self) -> dict[str, Any]:
        """Return the options of ``model.generate``."""
        if self.temperature == 0:
            return {"max_new_tokens": self.max_new_tokens, "do_sample": False}
        return {
            "max_new_tokens": self.max_new_tokens,
            "do_sample": True,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "top_k": self.top_k,
        }


def distinct_tasks(
    family: str, levels: Sequence[int], count: int, seed: int, split: str = "test", **options: Any
) -> list[Task]:
    """Return tasks of a split that differ in content, levels in turn.

    Raises:
        ValueError: If the levels have too few.
    """
    purpose = "evaluation" if split == "test" else split
    tasks: dict[str, Task] = {}
    for index in range(REDRAWS * count):
        level = levels[len(tasks) % len(levels)]
        task_seed = derive_seed(purpose, family, seed, index)
        task = generate(family, level, task_seed, split=split, **options)
        tasks.setdefault(registry.family(family).fingerprint(task), task)
        if len(tasks) == count:
            return list(tasks.values())
    raise ValueError(
        f"{count} {purpose} tasks of {family} were asked for, but levels {list(levels)} gave only "
        f"{len(tasks)} distinct ones: ask for fewer, or for higher levels."
    )


def answer_all(
    path: Path,
    load: Callable[[], tuple[Any, Any]],
    tasks: Mapping[Setting, Sequence[Task]],
    decoding: Decoding,
) -> dict[Setting, list[Record]]:
    """Return a model's answers, from ``path`` if it was asked before, else written there.

    Args:
        path: JSON lines, one a task: its setting, level and seed, the completion and the verdict.
        load: Returns the model and its tokenizer; called only when there is something to answer.
        tasks: Tasks of each setting.
        decoding: How completions are made.

    Raises:
        SystemExit: If the file holds answers to other tasks.
    """
    if path.is_file():
        return _by_setting(_read(path), tasks, path)
    model, tokenizer = load()
    state = PartialState()
    set_seed(derive_seed("decoding", decoding.seed, state.process_index) % 2**32)
    records = []
    for setting, items in tasks.items():
        own = items[state.process_index :: state.num_processes]
        prompts = [as_text(tokenizer, task.prompt, decoding.conversational) for task in own]
        completions = complete(model, tokenizer, prompts, decoding)
        records += gather_object(_records(setting, own, completions))
    order = {_key(setting, task): index for index, (setting, task) in enumerate(_flat(tasks))}
    records.sort(key=lambda record: order[_record_key(record, tasks)])
    if state.is_main_process:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as partial:
            lines = [json.dumps(record, ensure_ascii=False) for record in records]
            partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    state.wait_for_everyone()
    return _by_setting(records, tasks, path)


def _by_setting(
    records: Sequence[Record], tasks: Mapping[Setting, Sequence[Task]], path: Path
) -> dict[Setting, list[Record]]:
    """Return the records in the order of the tasks."""
    found = {_record_key(record, tasks): record for record in records}
    if list(found) != [_key(setting, task) for setting, task in _flat(tasks)]:
        raise SystemExit(
            f"{path} holds answers to other tasks than those asked for: keep seed, levels, style "
            "and eval_tasks as they were, or delete the folder to evaluate again."
        )
    return {
        setting: [found[_key(setting, task)] for task in items] for setting, items in tasks.items()
    }


def as_text(tokenizer: Any, prompt: str, conversational: bool) -> str:
    """Return the prompt as the model reads it, in the chat template if it is conversational."""
    if not conversational:
        return prompt
    chat = [{"role": "user", "content": prompt}]
    text: str = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    return text


@torch.no_grad()
def complete(model: Any, tokenizer: Any, prompts: Sequence[str], decoding: Decoding) -> list[str]:
    """Return a completion of each prompt.

    Prompts are sorted by length, so that little is padded.

    Args:
        model: A whole model on one device.
        tokenizer: Its tokenizer, padding on the left.
        prompts: Texts, special tokens included.
        decoding: How completions are made.
    """
    model.eval()
    order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
    completions = [""] * len(prompts)
    for start in range(0, len(order), decoding.batch_size):
        batch = order[start : start + decoding.batch_size]
        inputs = tokenizer(
            [prompts[index] for index in batch],
            return_tensors="pt",
            padding=True,
            add_special_tokens=False,
        ).to(model.device)
        tokens = model.generate(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            **decoding.options(),
        )
        texts = tokenizer.batch_decode(
            tokens[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
        )
        for index, text in zip(batch, texts, strict=True):
            completions[index] = text
    return completions


def _records(setting: Any, tasks: Sequence[Task], completions: Sequence[str]) -> list[Record]:
    if not tasks:
        return []
    verdicts = judge_batch(tasks[0].family, completions, [task.verification for task in tasks])
    return [
        {
            **setting._asdict(),
            "level": task.level,
            "seed": task.seed,
            "completion": completion,
            "solved": None if verdict.reward is None else verdict.solved,
            "partial": None if verdict.reward is None else verdict.partial,
            "explanation": verdict.explanation,
        }
        for task, completion, verdict in zip(tasks, completions, verdicts, strict=True)
    ]


def _read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _flat(tasks: Mapping[Setting, Sequence[Task]]) -> list[tuple[Setting, Task]]:
    return [(setting, task) for setting, items in tasks.items() for task in items]


def _key(setting: Any, task: Task) -> tuple[Any, ...]:
    return (*setting, task.level, task.seed)


def _record_key(record: Record, tasks: Mapping[Any, Any]) -> tuple[Any, ...]:
    fields = next(iter(tasks))._fields
    return tuple(record[name] for name in (*fields, "level", "seed"))
