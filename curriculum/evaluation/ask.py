"""Ask a model: questions, batches over all processes, judged answers, resumption after a kill.

A batch holds the same questions in every run, and its seed depends on its number alone. So the
answers depend neither on the number of processes nor on interruptions.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from logic_curriculum.common.processes import Progress
from logic_curriculum.curriculum.evaluation.records import (
    Record,
    grouped,
    make_record,
    open_for_records,
    read_records,
    write_records,
)
from logic_curriculum.curriculum.processes import PartialState, gather_object
from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import split_of_examples
from logic_curriculum.rewards import Verdict, judge_batch

JudgeBatch = Callable[[str, Sequence[str], Sequence[Any]], list[Verdict]]
"""Returns verdicts on completions of a family, given their verifications."""
Group = TypeVar("Group")  # What questions are grouped by


class Question(NamedTuple):
    """A task with its prompt; the fields are arguments of ``make_record``."""

    task: Task
    prompt: str  # The task's own prompt, or examples and that prompt
    shots: int = 0  # Worked examples in the prompt
    sample: int = 0  # Number of the answer among those to this prompt, from 0
    id: str = ""  # Identifies a question of a file; else its family's fingerprint does


class Reply(NamedTuple):
    """Fields of a record; tokens and time are None where nobody measured them."""

    completion: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None  # From the question to the answer


class Shape(NamedTuple):
    """What the prompts of a batch are filled up to where processes generate together."""

    rows: int  # Prompts
    beside: Sequence[Question]  # The longest prompt among these is as long as each row


class Model(Protocol):
    """Whatever answers questions."""

    def answer(
        self, questions: Sequence[Question], seed: int, shape: Shape | None = None
    ) -> list[Reply]:
        """Return an answer to each question; the seed is that of the draws.

        Processes that each hold a part of the model call this together, with one shape.
        """


def few_shot_examples(
    family: str,
    levels: Sequence[int],
    count: int,
    seed: int,
    index: int,
    split: str = "test",
    **options: object,
) -> list[Task]:
    """Return worked examples for question ``index``, from another split than its own ``split``.

    The levels take turns, beginning at another one for each question.
    """
    return [
        generate(
            family,
            levels[(index + number) % len(levels)],
            derive_seed("few-shot", seed, index, number),
            **{**options, "split": split_of_examples(split)},
        )
        for number in range(count)
    ]


def in_context(task: Task, given: Sequence[Task], sample: int = 0) -> Question:
    """Return a few-shot question: the family's instructions once, the examples, the task."""
    once = registry.family(task.family).instructions
    parts = [f"{other.prompt.removeprefix(once)}\n{other.solution}\n\n" for other in given]
    first = once if task.prompt.startswith(once) else ""
    prompt = f"{first}{''.join(parts)}{task.prompt.removeprefix(once)}"
    return Question(task, prompt, len(given), sample)


def answer_settings(
    path: Path,
    open_model: Callable[[], Model],
    questions: Mapping[Group, Sequence[Question]],
    batch_size: int,
    seed: int,
) -> dict[Group, list[Record]]:
    """Return the answers to each group of questions, of a model named as the file in records."""
    flat = [question for items in questions.values() for question in items]
    answers = iter(answer_all(path, open_model, flat, path.stem, batch_size, seed))
    return {group: [next(answers) for _ in items] for group, items in questions.items()}


def answer_all(
    path: Path,
    open_model: Callable[[], Model],
    questions: Sequence[Question],
    name: str,
    batch_size: int,
    seed: int,
    judge: JudgeBatch = judge_batch,
) -> list[Record]:
    """Return a model's answers, in the order of the questions, in every process.

    Processes ask together, and keep every finished batch in a folder beside ``path``; a run that
    was killed continues after these. At the end the main process writes ``path``; if it is
    there already, nothing is asked and no model opened. All records call the model ``name``.
    Answers to other questions in the file are a SystemExit, and two equal questions a ValueError.
    """
    _refuse_twins(questions)
    state = PartialState()
    if path.is_file():
        kept = _in_order(questions, read_records(path), path)
        named = [replace(record, model=name) for record in kept]
        if state.is_main_process and named != kept:
            write_records(path, named)
        return named
    parts = path.with_name(f"{path.stem}.parts")
    parts.mkdir(parents=True, exist_ok=True)
    finished = [r for part in sorted(parts.glob("*.jsonl")) for r in read_records(part, True)]
    known = {_key(record): replace(record, model=name) for record in finished}
    work = batches(questions, batch_size)
    left = [batch for batch in work if not all(_key(q) in known for q in batch.questions)]
    asked = {_key(question) for batch in left for question in batch.questions}
    done = [record for key, record in known.items() if key not in asked]
    state.wait_for_everyone()  # all have read the same, before one writes
    answered: list[Record] = []
    if left:
        if done and state.is_main_process:
            print(f"{name}: {len(done)} of {len(questions)} answers are there already", flush=True)
        progress = Progress(name, "answers", len(questions), len(done))
        part = parts / f"{state.process_index}.jsonl"
        for records in _ask(open_model(), left, part, name, seed, judge):
            answered += records
            if state.is_main_process:
                progress.add(len(records) * state.num_processes)
    records = _in_order(questions, [*done, *gather_object(answered)], path)
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
    """Return the questions in batches of one family each.

    Long prompts come first: little padding, and if memory runs out, it does so at once.
    """
    groups = []
    for group in grouped(questions, lambda question: question.task.family).values():
        group.sort(key=lambda question: -len(question.prompt))
        groups += [group[start : start + size] for start in range(0, len(group), size)]
    return [Batch(number, group) for number, group in enumerate(groups)]


def in_step(
    model: Model, work: Sequence[Batch], seed_of: Callable[[int], int]
) -> Iterator[tuple[Batch, list[Reply]]]:
    """Yield this process's batches, and the replies to them.

    Processes that hold parts of one model can only generate together. So all answer as many
    batches, of one shape at a time: a process that has none left answers another one's again,
    which is not yielded. ``seed_of`` gives the seed for a batch's number.
    """
    state = PartialState()
    rows = max((len(batch.questions) for batch in work), default=0)
    for start in range(0, len(work), state.num_processes):
        at_once = work[start : start + state.num_processes]
        place = min(state.process_index, len(at_once) - 1)
        shape = Shape(rows, [question for batch in at_once for question in batch.questions])
        replies = model.answer(at_once[place].questions, seed_of(at_once[place].number), shape)
        if place == state.process_index:
            yield at_once[place], replies


def _ask(
    model: Model, work: Sequence[Batch], part: Path, name: str, seed: int, judge: JudgeBatch
) -> Iterator[list[Record]]:
    """Yield the judged answers to each batch after they have been written to the disk."""
    if part.is_file():  # a last line without an end must not run into the next one
        os.truncate(part, part.read_bytes().rfind(b"\n") + 1)
    with open_for_records(part, "a") as file:
        for batch, replies in in_step(model, work, partial(derive_seed, "decoding", seed)):
            tasks = [question.task for question in batch.questions]
            texts = [reply.completion for reply in replies]
            verdicts = judge(tasks[0].family, texts, [task.verification for task in tasks])
            records = [
                make_record(verdict=verdict, model=name, **question._asdict(), **reply._asdict())
                for question, reply, verdict in zip(batch.questions, replies, verdicts, strict=True)
            ]
            file.writelines(record.to_json() + "\n" for record in records)
            file.flush()
            os.fsync(file.fileno())
            yield records


def _refuse_twins(questions: Iterable[Question]) -> None:
    for key, count in Counter(map(_key, questions)).most_common(1):
        if count > 1:
            raise ValueError(
                f"The question {key[3][:80]!r} with sample {key[4]} stands twice among the "
                "questions: ask it once, or number its samples."
            )


def _key(item: Question | Record) -> tuple[Any, ...]:
    task = item.task if isinstance(item, Question) else item
    return task.family, task.level, task.seed, item.prompt, item.sample


def _in_order(questions: Sequence[Question], records: Iterable[Record], path: Path) -> list[Record]:
    found = {_key(record): record for record in records}
    if found.keys() != set(map(_key, questions)):
        raise SystemExit(
            f"{path} holds answers to other questions than those asked for: keep seed, levels, "
            "style and number of tasks as they were, or delete it to ask again."
        )
    return [found[_key(question)] for question in questions]
