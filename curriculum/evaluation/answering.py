"""A model's answers to tasks: asked in batches over all processes, judged, kept, never asked twice.

A batch holds the same questions in every run, and its seed depends on its number alone. So what a
model answers depends neither on the number of processes nor on how often the run was interrupted.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from accelerate import PartialState
from accelerate.utils import gather_object

from logic_curriculum.curriculum.progress import AnswerProgress
from logic_curriculum.curriculum.records import (
    Record,
    make_record,
    open_for_records,
    parse_record,
    read_records,
    write_records,
)
from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards import Verdict, judge_batch

Judge = Callable[[str, Sequence[str], Sequence[Any]], list[Verdict]]
"""Returns verdicts on completions of a family, given their verifications."""
Setting = TypeVar("Setting")
"""In what setting tasks are asked."""


class Question(NamedTuple):
    """A task, in the words in which it is asked."""

    task: Task
    prompt: str
    """The task's own prompt, or examples and that prompt."""
    shots: int = 0
    """Examples in it."""
    sample: int = 0
    """Number of the answer that is wanted, from 0."""


class Reply(NamedTuple):
    """What a model wrote."""

    text: str
    prompt_tokens: int | None = None
    """Tokens of the prompt, or None where nobody counted them."""
    completion_tokens: int | None = None
    """Tokens of the text, or None where nobody counted them."""


class Model(Protocol):
    """Whatever answers questions."""

    def answer(self, questions: Sequence[Question], seed: int) -> list[Reply]:
        """Return an answer to each question; the seed is that of the draws."""


def answer_settings(
    path: Path,
    open_model: Callable[[], Model],
    questions: Mapping[Setting, Sequence[Question]],
    batch_size: int,
    seed: int,
) -> dict[Setting, list[Record]]:
    """Return a model's answers to the questions of each setting; see :func:`answer_all`.

    The file's name names the model.
    """
    flat = [question for items in questions.values() for question in items]
    answers = iter(answer_all(path, open_model, flat, path.stem, batch_size, seed))
    return {setting: [next(answers) for _ in items] for setting, items in questions.items()}


def answer_all(
    path: Path,
    open_model: Callable[[], Model],
    questions: Sequence[Question],
    name: str,
    batch_size: int,
    seed: int,
    judge: Judge = judge_batch,
) -> list[Record]:
    """Return a model's answers, in the order of the questions, in every process.

    Each process asks its share and keeps every finished batch in a folder beside ``path``; a run
    that was killed goes on after these. At the end the main process writes ``path``.

    Args:
        path: JSON lines, one an answer; when it is there already, nothing is asked.
        open_model: Returns the model; called only when there is something to ask.
        questions: All questions, no two alike.
        name: What the records call the model, those that were there already too.
        batch_size: Questions at a time.
        seed: Seed of the draws.
        judge: What judges the answers of one family.

    Raises:
        SystemExit: If the file holds answers to other questions.
        ValueError: If two questions are alike, or the file is damaged.
    """
    _check_distinct(questions)
    state = PartialState()
    if path.is_file():
        kept = _in_order(questions, read_records(path), path)
        if state.is_main_process and any(record.model != name for record in kept):
            write_records(path, _named(name, kept))
        return _named(name, kept)
    parts = path.with_name(f"{path.stem}.parts")
    parts.mkdir(parents=True, exist_ok=True)
    known = {_identity(record): record for record in _named(name, _read_parts(parts))}
    share = _Share(
        batches(questions, batch_size)[state.process_index :: state.num_processes],
        known,
        parts / f"{state.process_index}.jsonl",
    )
    records = _in_order(questions, gather_object(share.ask(open_model, name, seed, judge)), path)
    if state.is_main_process:
        write_records(path, records)
    state.wait_for_everyone()
    if state.is_main_process:
        shutil.rmtree(parts)
    return records


class Batch(NamedTuple):
    """Questions of one family that are asked together."""

    number: int
    questions: Sequence[Question]


def batches(questions: Sequence[Question], size: int) -> list[Batch]:
    """Return the questions in batches of one family each, those with long prompts first.

    So little is padded, memory runs out at the start or not at all, and time left is not
    underestimated.
    """
    families: dict[str, list[Question]] = {}
    for question in questions:
        families.setdefault(question.task.family, []).append(question)
    groups = []
    for group in families.values():
        group.sort(key=lambda question: -len(question.prompt))
        groups += [group[start : start + size] for start in range(0, len(group), size)]
    return [Batch(number, group) for number, group in enumerate(groups)]


class _Share:
    """The batches of one process."""

    def __init__(
        self, work: Sequence[Batch], known: Mapping[tuple[Any, ...], Record], part: Path
    ) -> None:
        self._work = work
        self._known = known
        self._part = part

    def ask(
        self, open_model: Callable[[], Model], name: str, seed: int, judge: Judge
    ) -> list[Record]:
        """Return the answers to all questions of the share, asking what is not known."""
        left = [batch for batch in self._work if not self._is_known(batch)]
        answered = [record for batch in self._work for record in self._of(batch)]
        if not left:
            return answered
        model = open_model()
        _drop_torn_line(self._part)
        progress = AnswerProgress(
            name, sum(len(batch.questions) for batch in self._work), len(answered)
        )
        with open_for_records(self._part, "a") as file:
            for batch in left:
                replies = model.answer(batch.questions, derive_seed("decoding", seed, batch.number))
                records = _judged(batch.questions, replies, name, judge)
                file.writelines(record.to_json() + "\n" for record in records)
                file.flush()
                os.fsync(file.fileno())
                answered += records
                progress.add(records)
        return answered

    def _is_known(self, batch: Batch) -> bool:
        return all(_wanted(question) in self._known for question in batch.questions)

    def _of(self, batch: Batch) -> Iterable[Record]:
        if not self._is_known(batch):
            return []
        return [self._known[_wanted(question)] for question in batch.questions]


def _judged(
    questions: Sequence[Question], replies: Sequence[Reply], name: str, judge: Judge
) -> list[Record]:
    verdicts = judge(
        questions[0].task.family,
        [reply.text for reply in replies],
        [question.task.verification for question in questions],
    )
    return [
        make_record(
            question.task,
            verdict,
            model=name,
            prompt=question.prompt,
            completion=reply.text,
            sample=question.sample,
            shots=question.shots,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
        )
        for question, reply, verdict in zip(questions, replies, verdicts, strict=True)
    ]


def _wanted(question: Question) -> tuple[Any, ...]:
    """Return what tells a question apart from all others."""
    task = question.task
    return task.family, task.level, task.seed, question.prompt, question.sample


def _identity(record: Record) -> tuple[Any, ...]:
    """Return the same of the question that a record answers."""
    return record.family, record.level, record.seed, record.prompt, record.sample


def _check_distinct(questions: Sequence[Question]) -> None:
    seen = set()
    for question in questions:
        if _wanted(question) in seen:
            raise ValueError(
                f"The question {question.prompt[:80]!r} with sample {question.sample} stands twice "
                "among the questions: ask it once, or number its samples."
            )
        seen.add(_wanted(question))


def _in_order(questions: Sequence[Question], records: Iterable[Record], path: Path) -> list[Record]:
    """Return the records in the order of the questions."""
    found = {_identity(record): record for record in records}
    if len(found) != len(questions) or any(_wanted(q) not in found for q in questions):
        raise SystemExit(
            f"{path} holds answers to other questions than those asked for: keep seed, levels, "
            "style and number of tasks as they were, or delete it to ask again."
        )
    return [found[_wanted(question)] for question in questions]


def _named(name: str, records: Iterable[Record]) -> list[Record]:
    return [replace(record, model=name) for record in records]


def _read_parts(folder: Path) -> list[Record]:
    """Return the records that were finished; a line cut short by a kill is left out."""
    return [record for path in sorted(folder.glob("*.jsonl")) for record in _read_part(path)]


def _read_part(path: Path) -> list[Record]:
    text = path.read_bytes().decode(errors="replace")
    records = []
    for number, line in enumerate(text[: text.rfind("\n") + 1].split("\n"), 1):
        if line:
            try:
                records.append(parse_record(line))
            except ValueError as error:
                raise ValueError(
                    f"{path}, line {number} is no record ({error}): delete the line, and its "
                    "question is asked again."
                ) from error
    return records


def _drop_torn_line(path: Path) -> None:
    """Cut off a last line without an end, so that the next one does not continue it."""
    if path.is_file():
        content = path.read_bytes()
        os.truncate(path, content.rfind(b"\n") + 1)
