"""What fuzzing found, each with the example that showed it."""

from __future__ import annotations

import json
import time

import pytest
from near_answers import FAMILIES, tasks

from logic_curriculum.rewards import judge, judge_batch
from logic_curriculum.rewards.__main__ import Scores, judge_chunk


@pytest.mark.parametrize("cut", [2, 40, 300])
def test_a_damaged_program_is_not_graded_at_once(cut: int) -> None:  # it waited for 120 s
    task = tasks("slr")[0]
    payload = {
        **task.verification,
        "validation_cases": task.verification["validation_cases"][:-cut],
    }
    started = time.monotonic()
    verdict = judge("slr", task.solution, payload)
    assert verdict.reward is None
    assert "Bad program" in verdict.explanation
    assert time.monotonic() - started < 60


def test_a_damaged_head_of_packed_cases_plays_no_part() -> None:  # int() or zip() raised
    task = tasks("slr")[0]
    checksum = task.verification["validation_cases"].split(" ")[0]
    for words in ("x 01 a b", "0", "0 2 a", "0 10 a", "0 10 a b c", "0  "):
        head = f"{checksum} {words}\n"
        assert judge("slr", task.solution, {**task.verification, "validation_cases": head}).solved


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("text", ["[" * 100_000, '{"answer": ' * 50_000, f'{{"a": {"9" * 5000}}}'])
def test_a_verification_that_json_cannot_hold_is_refused(family: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"Row 0 can't be judged\. .* no JSON that can be read"):
        judge_batch(family, [""], [text])
    line = json.dumps({"completion": "", "verification": text}).encode()
    assert "no JSON that can be read" in judge_chunk([(1, line)], family)[0]["error"]


@pytest.mark.parametrize("level", ["\ud800", "1\n2", "\x1b[2J"])
def test_a_level_that_cannot_be_printed_is_escaped_in_the_table(level: str) -> None:
    row = {"completion": "", "verification": tasks("validity")[0].verification, "level": level}
    scores = Scores()
    scores.add(judge_chunk([(1, json.dumps(row).encode())], "validity")[0])
    assert len(scores.table().encode().splitlines()) == 3


def test_a_fact_of_too_many_arguments_is_refused_in_one_line() -> None:  # it ended the worker
    payload = tasks("slr")[0].verification
    program = f"{payload['validation_program']}\nwide({', '.join(['a'] * 1025)}).\n"
    with pytest.raises(ValueError, match=r"Row 0 .* wide 1,025 arguments, .* at most 1,024"):
        judge_batch("slr", [""], [{"validation_program": program}])


def test_a_part_of_more_attributes_than_a_table_has_columns_is_judged() -> None:
    facts = "".join(f"p{number}(car, v).\n" for number in range(1030))
    program = f"eastbound(train0).\nhas_car(train0, car).\n{facts}westbound(train1).\n"
    for rule in ("p0(C, v)", "p1029(C, v)", "p3(C, X), p1028(C, X)"):
        text = f"eastbound(T) :- has_car(T, C), {rule}."
        assert judge("slr", text, {"validation_program": program}).solved
