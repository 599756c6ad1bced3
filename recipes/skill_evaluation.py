"""Accuracy on held-out tasks of each skill and language, every process answering its share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import gather_object
from skill_tasks import SKILLS, task_options

from curriculum.transfer import Setting
from generators import Task, generate, registry
from generators.seeding import derive_seed
from generators.whole_files import whole_file
from rewards import judge_batch

REDRAWS = 100  # draws per wanted task, before a level counts as exhausted

Record = dict[str, Any]


def evaluation_tasks(
    levels: Mapping[str, Sequence[int]],
    languages: Sequence[str],
    count: int,
    seed: int,
    style: str,
) -> dict[Setting, list[Task]]:
    """Return distinct tasks of the test split for each skill and language.

    Args:
        levels: Levels of each skill, in turn.
        languages: Lexicons; the n-th task of one is drawn with the seed of the n-th of the others.
        count: Tasks per setting.
        seed: Seed of the tasks.
        style: Prompt style.
    """
    return {
        Setting(skill, language): distinct_tasks(
            skill, levels[skill], count, seed, **task_options(skill, language or "", style)
        )
        for skill in SKILLS
        for language in ([None] if skill == "countermodel" else languages)
    }


def distinct_tasks(
    family: str, levels: Sequence[int], count: int, seed: int, **options: str
) -> list[Task]:
    """Return tasks of the test split that differ in content, levels in turn.

    Raises:
        ValueError: If the levels have too few.
    """
    tasks: dict[str, Task] = {}
    for index in range(REDRAWS * count):
        level = levels[len(tasks) % len(levels)]
        task_seed = derive_seed("evaluation", family, seed, index)
        task = generate(family, level, task_seed, split="test", **options)
        tasks.setdefault(registry.family(family).fingerprint(task), task)
        if len(tasks) == count:
            return list(tasks.values())
    raise ValueError(
        f"{count} evaluation tasks of {family} were asked for, but levels {list(levels)} gave only "
        f"{len(tasks)} distinct ones: ask for fewer, or for higher levels."
    )


def evaluate(
    path: Path,
    load: Callable[[], tuple[Any, Any]],
    tasks: Mapping[Setting, Sequence[Task]],
    max_new_tokens: int,
    batch_size: int,
    conversational: bool,
) -> dict[Setting, list[bool | None]]:
    """Return what a model solves, from ``path`` if it was evaluated before, else written there.

    Every process answers its share of the tasks, greedily, and judges it.

    Args:
        path: JSON lines, one a task: its setting, level and seed, the completion and the verdict.
        load: Returns the model and its tokenizer; called only when there is something to answer.
        tasks: Tasks of each setting.
        max_new_tokens: The longest answer, in tokens.
        batch_size: Tasks that a process answers at a time.
        conversational: Whether prompts are chat messages.
    """
    if path.is_file():
        return outcomes(_read(path), tasks, path)
    model, tokenizer = load()
    state = PartialState()
    records = []
    for setting, items in tasks.items():
        own = items[state.process_index :: state.num_processes]
        prompts = [as_text(tokenizer, task.prompt, conversational) for task in own]
        completions = complete(model, tokenizer, prompts, max_new_tokens, batch_size)
        records += gather_object(_records(setting, own, completions))
    order = {_key(setting, task): index for index, (setting, task) in enumerate(_flat(tasks))}
    records.sort(key=lambda record: order[_record_key(record)])
    if state.is_main_process:
        with whole_file(path) as partial:
            lines = [json.dumps(record, ensure_ascii=False) for record in records]
            partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    state.wait_for_everyone()
    return outcomes(records, tasks, path)


def outcomes(
    records: Sequence[Record], tasks: Mapping[Setting, Sequence[Task]], path: Path
) -> dict[Setting, list[bool | None]]:
    """Return the verdicts in the order of the tasks.

    Raises:
        SystemExit: If the records are of other tasks.
    """
    solved = {_record_key(record): record["solved"] for record in records}
    if list(solved) != [_key(setting, task) for setting, task in _flat(tasks)]:
        raise SystemExit(
            f"{path} holds answers to other tasks than those asked for: keep seed, levels, style "
            "and eval_tasks as they were, or delete the folder to evaluate again."
        )
    return {
        setting: [solved[_key(setting, task)] for task in items] for setting, items in tasks.items()
    }


def as_text(tokenizer: Any, prompt: str, conversational: bool) -> str:
    """Return the prompt as the model reads it, in the chat template if it is conversational."""
    if not conversational:
        return prompt
    chat = [{"role": "user", "content": prompt}]
    text: str = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    return text


@torch.no_grad()
def complete(
    model: Any, tokenizer: Any, prompts: Sequence[str], max_new_tokens: int, batch_size: int
) -> list[str]:
    """Return the greedy completion of each prompt.

    Args:
        model: A whole model on one device.
        tokenizer: Its tokenizer, padding on the left.
        prompts: Texts, special tokens included.
        max_new_tokens: The longest completion, in tokens.
        batch_size: Prompts at a time; they are sorted by length, so that little is padded.
    """
    model.eval()
    order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
    completions = [""] * len(prompts)
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        inputs = tokenizer(
            [prompts[index] for index in batch],
            return_tensors="pt",
            padding=True,
            add_special_tokens=False,
        ).to(model.device)
        tokens = model.generate(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            max_new_tokens=max_new_tokens,
            do_sample=False,
        )
        texts = tokenizer.batch_decode(
            tokens[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
        )
        for index, text in zip(batch, texts, strict=True):
            completions[index] = text
    return completions


def _records(setting: Setting, tasks: Sequence[Task], completions: Sequence[str]) -> list[Record]:
    verdicts = judge_batch(setting.skill, completions, [task.verification for task in tasks])
    return [
        {
            **setting._asdict(),
            "level": task.level,
            "seed": task.seed,
            "completion": completion,
            "solved": None if verdict.reward is None else verdict.solved,
            "explanation": verdict.explanation,
        }
        for task, completion, verdict in zip(tasks, completions, verdicts, strict=True)
    ]


def _read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _flat(tasks: Mapping[Setting, Sequence[Task]]) -> list[tuple[Setting, Task]]:
    return [(setting, task) for setting, items in tasks.items() for task in items]


def _key(setting: Setting, task: Task) -> tuple[Any, ...]:
    return (*setting, task.level, task.seed)


def _record_key(record: Record) -> tuple[Any, ...]:
    return tuple(record[name] for name in ("skill", "language", "level", "seed"))
