"""Asking in batches: what is kept, what is asked again, and what a batch depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from logic_curriculum.curriculum.evaluation.ask import (
    Question,
    Reply,
    answer_all,
    answer_settings,
    batches,
)
from logic_curriculum.curriculum.evaluation.records import read_records
from logic_curriculum.generators import Task
from logic_curriculum.generators.sampling import distinct_tasks
from logic_curriculum.rewards import Verdict, judge_batch, parallel


class Scripted:
    """Answers as told by a task, and keeps what it was asked; dies after some batches."""

    def __init__(self, dies_after: int = 1000) -> None:
        self.asked: list[tuple[int, tuple[str, ...]]] = []
        self.left = dies_after

    def answer(self, questions, seed, shape=None):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        self.asked.append((seed, tuple(question.prompt for question in questions)))
        return [Reply(self.text(question), 7, 3) for question in questions]

    def text(self, question: Question) -> str:
        return question.task.solution if question.task.level == 1 else f"sample {question.sample}"


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return distinct_tasks("sat", [1, 2], 10, seed=0)


@pytest.fixture
def questions(tasks: list[Task]) -> list[Question]:
    return [Question(task, task.prompt, 0, sample) for task in tasks for sample in (0, 1)]


def ask(path: Path, model: Scripted, questions: list[Question], **options):
    given = {"name": "m", "batch_size": 3, "seed": 0, **options}
    return answer_all(path, lambda: model, questions, **given)


def test_answers_come_in_the_order_of_the_questions_and_are_kept(tmp_path, questions):
    path = tmp_path / "run" / "records.jsonl"
    records = ask(path, Scripted(), questions)
    assert [(r.prompt, r.sample) for r in records] == [(q.prompt, q.sample) for q in questions]
    assert [record.verdict.solved for record in records] == [
        question.task.level == 1 for question in questions
    ]
    assert {(r.model, r.prompt_tokens, r.completion_tokens) for r in records} == {("m", 7, 3)}
    assert read_records(path) == records
    assert [item.name for item in path.parent.iterdir()] == ["records.jsonl"]


def test_what_was_answered_is_not_asked_again(tmp_path, questions):
    path = tmp_path / "records.jsonl"
    records = ask(path, Scripted(), questions)
    assert answer_all(path, pytest.fail, questions, "m", 3, 0) == records


@pytest.mark.parametrize("dies_after", [0, 1, 3])
def test_a_run_that_died_goes_on_after_its_last_batch(tmp_path, questions, dies_after):
    whole, first, second = Scripted(), Scripted(dies_after), Scripted()
    expected = ask(tmp_path / "whole.jsonl", whole, questions)
    with pytest.raises(KeyboardInterrupt):
        ask(tmp_path / "died.jsonl", first, questions)
    assert ask(tmp_path / "died.jsonl", second, questions) == expected
    assert first.asked + second.asked == whole.asked  # the same batches with the same seeds


def test_a_line_that_a_kill_cut_short_is_asked_again(tmp_path, questions):
    path = tmp_path / "records.jsonl"
    first, second = Scripted(2), Scripted()
    with pytest.raises(KeyboardInterrupt):
        ask(path, first, questions)
    (part,) = (tmp_path / "records.parts").iterdir()
    part.write_bytes(part.read_bytes()[:-5])
    expected = ask(tmp_path / "whole.jsonl", Scripted(), questions)
    assert ask(path, second, questions) == expected
    assert second.asked[0] == first.asked[1]
    assert read_records(path) == expected


def test_a_damaged_line_is_named_with_its_file(tmp_path, questions):
    path = tmp_path / "records.jsonl"
    with pytest.raises(KeyboardInterrupt):
        ask(path, Scripted(2), questions)
    (part,) = (tmp_path / "records.parts").iterdir()
    lines = part.read_text().splitlines(keepends=True)
    part.write_text(lines[0] + lines[1][:50] + "\n" + "".join(lines[2:]))
    with pytest.raises(ValueError, match=r"0\.jsonl, line 2 is no record .* delete the line"):
        ask(path, Scripted(), questions)


def test_a_run_that_goes_on_under_another_name_has_one_name(tmp_path, questions):
    path = tmp_path / "records.jsonl"
    with pytest.raises(KeyboardInterrupt):
        ask(path, Scripted(2), questions, name="first")
    assert {record.model for record in ask(path, Scripted(), questions, name="next")} == {"next"}
    assert {record.model for record in ask(path, Scripted(), questions, name="last")} == {"last"}
    assert {record.model for record in read_records(path)} == {"last"}


def test_answers_to_other_questions_are_not_taken_for_these(tmp_path, questions):
    path = tmp_path / "records.jsonl"
    ask(path, Scripted(), questions[:4])
    with pytest.raises(SystemExit, match="answers to other questions"):
        ask(path, Scripted(), questions)
    with pytest.raises(SystemExit, match="answers to other questions"):
        ask(path, Scripted(), questions[1:5])


def test_a_question_that_stands_twice_is_refused(tmp_path, questions):
    with pytest.raises(ValueError, match="stands twice"):
        ask(tmp_path / "r.jsonl", Scripted(), [*questions, questions[0]])


def test_batches_hold_one_family_each_and_long_prompts_first(tasks):
    others = distinct_tasks("slr", [1, 2], 4, seed=0)
    pairs = zip(tasks, others, strict=False)
    mixed = [Question(task, task.prompt) for pair in pairs for task in pair]
    found = batches(mixed, 3)
    assert [len({q.task.family for q in batch.questions}) for batch in found] == [1] * 4
    assert [batch.number for batch in found] == [0, 1, 2, 3]
    for family in ("sat", "slr"):
        lengths = [len(q.prompt) for b in found for q in b.questions if q.task.family == family]
        assert lengths == sorted(lengths, reverse=True)


def test_another_judge_may_decide(tmp_path, questions):
    def judge(family, completions, payloads):
        found = judge_batch(family, completions, payloads)
        return [Verdict(v.solved, None, explanation="not today") for v in found]

    records = ask(tmp_path / "r.jsonl", Scripted(), questions, judge=judge)
    assert not any(record.graded for record in records)


def test_settings_get_their_own_answers(tmp_path, questions):
    answers = answer_settings(
        tmp_path / "before.jsonl", Scripted, {"a": questions[:4], "b": questions[4:]}, 3, 0
    )
    assert [record.prompt for record in answers["b"]] == [q.prompt for q in questions[4:]]
    assert {record.model for record in answers["a"]} == {"before"}


def test_progress_tells_the_answers_and_the_time_left(tmp_path, questions, monkeypatch, capsys):
    monkeypatch.setattr(parallel, "SECONDS_BETWEEN_LINES", 0)
    ask(tmp_path / "r.jsonl", Scripted(), questions)
    first, *_, last = capsys.readouterr().err.splitlines()
    assert "m: 3 of 20 answers" in first
    assert first.endswith("s left")
    assert "m: 20 of 20 answers, about 0 s left" in last


def test_tasks_are_distinct_and_levels_are_in_turn(tasks):
    assert [task.level for task in tasks] == [1, 2] * 5
    assert len({task.prompt for task in tasks}) == 10


def test_more_tasks_than_a_level_has_are_refused(monkeypatch):
    monkeypatch.setattr("logic_curriculum.generators.sampling.REDRAWS", 1)
    with pytest.raises(ValueError, match=r"40 evaluation tasks of slr .* gave only"):
        distinct_tasks("slr", [1], 40, seed=0)
