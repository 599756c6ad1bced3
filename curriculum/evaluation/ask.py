"""Ask a model in step: every process makes the same forward passes, whatever its questions are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from accelerate import PartialState
from accelerate.utils import gather_object

from logic_curriculum.curriculum.evaluation.questions import Question
from logic_curriculum.curriculum.evaluation.records import (
    Record,
    grouped,
    make_record,
    read_records,
    write_records,
)
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards import judge_batch

Group = TypeVar("Group")  # What questions are grouped by


class Shape(NamedTuple):
    """What the prompts of a batch are filled up to where processes generate together."""

    rows: int  # Prompts
    beside: Sequence[Question]  # The longest prompt among these is as long as each row


class Model(Protocol):
    """Whatever answers questions."""

    def answer(
        self, questions: Sequence[Question], seed: int, shape: Shape | None = None
    ) -> list[str]:
        """Return an answer to each question; the seed is that of the draws.

        Processes that each hold a part of the model call this together, with one shape.
        """


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
) -> Iterator[tuple[Batch, list[str]]]:
    """Yield this process's batches, and the answers to them.

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
        texts = model.answer(at_once[place].questions, seed_of(at_once[place].number), shape)
        if place == state.process_index:
            yield at_once[place], texts


def answer_settings(
    path: Path,
    open_model: Callable[[], Model],
    questions: Mapping[Group, Sequence[Question]],
    batch_size: int,
    seed: int,
) -> dict[Group, list[Record]]:
    """Return the judged answers to each group of questions, in every process.

    The main process writes them to ``path``. If that is there already, nothing is asked and no
    model opened; a file of answers to other questions is a SystemExit.
    """
    state, flat = PartialState(), [question for items in questions.values() for question in items]
    is_there = path.is_file()
    state.wait_for_everyone()  # all have looked before one writes
    if is_there:
        records = read_records(path)
    else:
        records = _ask(open_model(), flat, path.stem, batch_size, seed)
        if state.is_main_process:
            write_records(path, records)
        state.wait_for_everyone()
    asked = [(question.task.family, question.task.level, question.prompt) for question in flat]
    if asked != [(record.family, record.level, record.prompt) for record in records]:
        raise SystemExit(
            f"{path} holds answers to other questions than those asked for: keep seed, levels, "
            "style and number of tasks as they were, or delete it to ask again."
        )
    found = iter(records)
    return {group: [next(found) for _ in items] for group, items in questions.items()}


def _ask(
    model: Model, questions: Sequence[Question], name: str, batch_size: int, seed: int
) -> list[Record]:
    """Return the answers in the order of the questions."""
    places = {id(question): place for place, question in enumerate(questions)}
    answered: list[tuple[int, Record]] = []
    work = batches(questions, batch_size)
    for batch, texts in in_step(model, work, partial(derive_seed, "decoding", seed)):
        tasks = [question.task for question in batch.questions]
        verdicts = judge_batch(tasks[0].family, texts, [task.verification for task in tasks])
        for question, text, verdict in zip(batch.questions, texts, verdicts, strict=True):
            said = {"prompt": question.prompt, "completion": text, "shots": question.shots}
            record = make_record(question.task, verdict, id=question.id, model=name, **said)
            answered.append((places[id(question)], record))
    return [record for _, record in sorted(gather_object(answered), key=lambda pair: pair[0])]
