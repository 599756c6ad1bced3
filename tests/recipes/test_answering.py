"""Asking in batches: what is kept, what is asked again, and what a batch depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from logic_curriculum.curriculum.evaluation.models import answers_to, batches
from logic_curriculum.curriculum.evaluation.prompts import Question
from logic_curriculum.curriculum.evaluation.records import read_records
from logic_curriculum.generators import Task
from logic_curriculum.generators.sampling import distinct_tasks


class Scripted:
    """Solves the tasks of level 1, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, tuple[str, ...]]] = []

    def answer(self, questions, seed, *shape):
        self.asked.append((seed, tuple(question.prompt for question in questions)))
        return [q.task.solution if q.task.level == 1 else "perhaps" for q in questions]


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return distinct_tasks("sat", [1, 2], 10, seed=0)


@pytest.fixture
def questions(tasks: list[Task]) -> list[Question]:
    return [Question(task, task.prompt) for task in tasks]


def ask(path: Path, model: Scripted, questions: list[Question]):
    return answers_to(questions, path, lambda: model, batch_size=3, seed=0)


def test_answers_come_in_the_order_of_the_questions_and_are_kept(tmp_path, questions):
    path, model = tmp_path / "run" / "before.jsonl", Scripted()
    records = ask(path, model, questions)
    assert [record.prompt for record in records] == [question.prompt for question in questions]
    assert [record.solved for record in records] == [q.task.level == 1 for q in questions]
    assert {record.model for record in records} == {"before"}
    assert [(r.prompt, r.solved, r.metrics) for r in read_records(path)] == [
        (r.prompt, r.solved, r.metrics) for r in records
    ]
    assert [len(asked) for _, asked in model.asked] == [3, 3, 3, 1]
    assert len({seed for seed, _ in model.asked}) == 4  # each batch draws by a seed of its own


def test_what_was_answered_is_not_asked_again(tmp_path, questions):
    path, again = tmp_path / "before.jsonl", Scripted()
    first = ask(path, Scripted(), questions)
    second = ask(path, again, questions)
    assert not again.asked
    assert [r.solved for r in second] == [r.solved for r in first]


def test_answers_to_other_questions_are_not_taken_for_these(tmp_path, questions):
    path = tmp_path / "before.jsonl"
    ask(path, Scripted(), questions[:6])
    for others in (questions, questions[1:7]):
        with pytest.raises(SystemExit, match="answers to other questions"):
            ask(path, Scripted(), others)


def test_a_damaged_line_is_named_with_its_file(tmp_path):
    path = tmp_path / "before.jsonl"
    path.write_text('{"id": 1}\n')
    with pytest.raises(ValueError, match=r"before\.jsonl, line 1 is no record .* delete the file"):
        read_records(path)


def test_batches_hold_one_family_each_and_long_prompts_first(tasks):
    others = distinct_tasks("slr", [1, 2], 4, seed=0)
    pairs = zip(tasks, others, strict=False)
    mixed = [Question(task, task.prompt) for pair in pairs for task in pair]
    found = batches(mixed, 3)
    assert [len({q.task.family for q in batch}) for batch in found] == [1] * 4
    for family in ("sat", "slr"):
        lengths = [len(q.prompt) for b in found for q in b if q.task.family == family]
        assert lengths == sorted(lengths, reverse=True)


def test_tasks_are_distinct_and_levels_are_in_turn(tasks):
    assert [task.level for task in tasks] == [1, 2] * 5
    assert len({task.prompt for task in tasks}) == 10


def test_other_levels_and_more_tasks_leave_a_task_as_it_is():
    some, others = distinct_tasks("slr", [1, 3], 10, 7), distinct_tasks("slr", [2, 3, 4], 30, 7)
    first, second = ([t.seed for t in tasks if t.level == 3] for tasks in (some, others))
    assert (len(first), len(second)) == (5, 10)
    assert second[:5] == first


def test_more_tasks_than_a_level_has_are_refused(monkeypatch):
    monkeypatch.setattr("logic_curriculum.generators.sampling.REDRAWS", 1)
    with pytest.raises(ValueError, match=r"36 different evaluation tasks of slr .* gave only"):
        distinct_tasks("slr", [1], 36, seed=0)
