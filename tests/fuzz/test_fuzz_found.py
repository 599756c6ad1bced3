"""What fuzzing found, each with the example that showed it."""

from __future__ import annotations

import json

import pytest
from near_answers import FAMILIES, tasks

from logic_curriculum.rewards import judge, judge_batch
from logic_curriculum.rewards.__main__ import judge_chunk, table, totals


@pytest.mark.parametrize("name", ["validation_cases", "heldout_cases"])
def test_damaged_packed_examples_play_no_part(name: str) -> None:  # it waited for 120 s
    task = tasks("slr")[0]
    packed = task.verification[name]
    head = packed.split("\n")[0]
    damaged = [packed[:-cut] for cut in (1, 2, 40, 300)] + [packed[3:], packed.replace("1", "2")]
    for text in [*damaged, "", head, f"{head}\n", f"{head}\nx 01 a b", f"{head}\nhas_car z a\n\n"]:
        assert judge("slr", task.solution, {**task.verification, name: text}).solved


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
    (judged,) = judge_chunk([(1, json.dumps(row).encode())], "validity")
    assert len(table(totals([judged])).encode().splitlines()) == 3


def test_a_fact_of_too_many_arguments_is_refused_in_one_line() -> None:  # it ended a worker
    payload = tasks("slr")[0].verification
    program = f"{payload['validation_program']}\nwide({', '.join(['a'] * 1025)}).\n"
    with pytest.raises(ValueError, match=r"Row 0 .* is no fact of two names"):
        judge_batch("slr", [""], [{"validation_program": program}])


def test_a_part_of_more_attributes_than_a_table_has_columns_is_judged() -> None:
    facts = "".join(f"p{number}(car, v).\n" for number in range(1030))
    program = f"eastbound(train0).\nhas_car(train0, car).\n{facts}westbound(train1).\n"
    for rule in ("p0(C, v)", "p1029(C, v)", "p3(C, X), p1028(C, X)"):
        text = f"eastbound(T) :- has_car(T, C), {rule}."
        assert judge("slr", text, {"validation_program": program}).solved
