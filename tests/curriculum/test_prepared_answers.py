"""The answers that a page offers: each is what it is said to be, by its judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from logic_curriculum.curriculum.play.view import Prepared, prepared_answers
from logic_curriculum.generators import Family, Task, families, generate, register_family, registry
from logic_curriculum.rewards import REWARDS, Judge, Verdict, judge, measure_batch
from logic_curriculum.rewards.answers import read
from logic_curriculum.rewards.registry import JUDGES

FAMILIES = ("slr", "symbolization", "countermodel", "validity", "loginum", "sat")


def tasks_of(family: str, seeds: range, every_level: bool = False) -> list[Task]:
    levels = registry.family(family).levels()
    chosen = levels if every_level else (levels[0], levels[-1])
    return [generate(family, level, seed) for level in chosen for seed in seeds]


def check(tasks: list[Task]) -> None:
    for task in tasks:
        answers = prepared_answers(task)
        for answer in answers:
            verdict = judge(task.family, answer.completion, task.verification)
            assert verdict.reward is not None
            assert verdict.solved is (answer.kind == "right"), (task.level, task.seed, answer)
        kinds = Counter(answer.kind for answer in answers)
        assert kinds["right"] == 2
        assert kinds["wrong"] == 3
        assert kinds["sly"] >= 2
        assert len({answer.name for answer in answers}) == len(answers)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_answer_is_as_right_as_it_is_said_to_be(family):
    check(tasks_of(family, range(2)))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_an_answer_of_any_level_is_as_right_as_it_is_said_to_be(family):
    check(tasks_of(family, range(5), every_level=True))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_s_own_sly_answers_can_be_read_and_are_offered(family):
    task = generate(family, level=3, seed=1)
    own = registry.family(family).sly_answers(task)
    offered = {answer.name for answer in prepared_answers(task) if answer.kind == "sly"}
    assert own
    left_out = own.keys() - offered
    assert all(judge(family, own[name], task.verification).solved for name in left_out)
    verdicts = [judge(family, own[name], task.verification) for name in own.keys() & offered]
    assert any(verdict.syntax for verdict in verdicts)


@pytest.mark.parametrize("language", ["trains", "houses"])
@pytest.mark.parametrize("level", [1, 8, 20])
def test_sly_rules_of_slr_fit_the_examples_as_one_program(level, language):
    task = generate("slr", level, seed=2, language=language)
    sly = registry.family("slr").sly_answers(task)
    verdicts = measure_batch("slr", list(sly.values()), [task.verification] * len(sly))
    scores = {
        name: (verdict.metrics["extensional"], verdict.metrics["fits"], verdict.reward)
        for name, verdict in zip(sly, verdicts, strict=True)
    }
    assert scores == {
        "the examples by name": (1.0, 0.0, 0.0),
        "the examples by their place": (1.0, 0.0, 0.0),
        "no label of the other class": (0.0, 0.0, 0.0),  # no rule sees a label
    }


class SumJudge(Judge[int]):
    family = "sums"

    def read_payload(self, payload: Mapping[str, Any]) -> int:
        return int(payload["sum"])

    def judge_text(self, text: str, payload: int) -> Verdict:
        reading = read(text, lambda block: int(block) if block.isdigit() else None)
        if reading.answer is None:
            return self.unanswered(reading)
        solved = reading.answer == payload
        return Verdict(solved, float(solved), True, answer=str(reading.answer))


class SumFamily(Family):
    """Level 1 asks for one and the same sum, whatever the seed."""

    name, judge, tiers = "sums", SumJudge(), ("easy", "hard")

    def make(self, level, seed, options):
        terms = (1, 1) if level == 1 else (seed, 1)
        solution = f"<answer>{sum(terms)}</answer>"
        prompt = f"What is {terms[0]} + {terms[1]}?"
        return Task(self.name, level, seed, prompt, solution, {"sum": sum(terms)})

    def sly_answers(self, task):
        return {"two": "<answer>2</answer>", "the largest": "<answer>9999</answer>"}


@pytest.fixture
def sums():
    """Register the family of sums, and forget it after the test."""
    tables: list[dict[str, Any]] = [registry._REGISTERED, JUDGES, REWARDS]
    before = [dict(table) for table in tables]
    register_family(SumFamily())
    yield
    for table, items in zip(tables, before, strict=True):
        table.clear()
        table.update(items)


def test_a_family_of_ones_own_offers_answers_as_well(sums):
    assert "sums" in families()
    answers = prepared_answers(generate("sums", 2, 5))
    assert answers[0] == Prepared("right", "the task's solution", "<answer>6</answer>")
    other = Prepared("wrong", "the solution of another task, seed 6", "<answer>7</answer>")
    assert other in answers
    assert Prepared("sly", "two", "<answer>2</answer>") in answers


def test_an_answer_that_is_right_by_chance_is_not_called_sly(sums):
    names = [answer.name for answer in prepared_answers(generate("sums", 2, 1))]
    assert "two" not in names
    assert "the largest" in names


def test_where_all_tasks_have_one_solution_none_is_wrong(sums):
    names = [answer.name for answer in prepared_answers(generate("sums", 1, 0))]
    assert not [name for name in names if "another" in name]
