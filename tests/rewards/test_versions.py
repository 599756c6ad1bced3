"""Rows carry the versions of their tasks and their reward, and those of others are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge_batch, validity_reward
from logic_curriculum.rewards.registry import JUDGES, check_recorded, judge_of

WITHOUT_PROLOG = tuple(family for family in JUDGES if family != "slr")
REMEDY = "make the rows again with this library, or install the version of it that made them."


@pytest.mark.parametrize("family", WITHOUT_PROLOG)
def test_a_task_and_its_row_carry_the_versions_of_their_family(family):
    task = generate(family, 1, 0)
    assert list(task.verification)[-2:] == ["task_version", "reward_version"]
    assert judge_of(family).versions.items() <= task.verification.items()
    assert judge_of(family).versions.items() <= json.loads(task.to_row()["verification"]).items()


@pytest.mark.parametrize("name", ["task_version", "reward_version"])
@pytest.mark.parametrize("family", WITHOUT_PROLOG)
def test_a_row_of_another_version_is_refused_with_one_line(family, name):
    task = generate(family, 1, 0)
    other = {**task.verification, name: 99}
    for given in (other, json.dumps(other)):
        with pytest.raises(ValueError, match=rf"Row 1 .* {name} 99 of {family}, but .*") as raised:
            judge_batch(family, ["a", "b"], [task.verification, given])
        assert str(raised.value).endswith(REMEDY)
        assert "\n" not in str(raised.value)


def test_a_reward_function_refuses_a_row_of_another_version():
    row = {**generate("validity", 1, 0).verification, "task_version": 0}
    with pytest.raises(ValueError, match="task_version 0 of validity"):
        validity_reward(["1"], verification=[row])


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "The run records no task_version of sat, but"),
    ({"task_versions": {"slr": 2}, "reward_versions": {"sat": 1}}, "records no task_version"),
    ({"task_versions": {"sat": 0}, "reward_versions": {"sat": 1}}, "has task_version 0 of sat"),
    ({"task_versions": {"sat": 4}, "reward_versions": {"sat": 99}}, "has reward_version 99 of sat"),
]


@pytest.mark.parametrize(("record", "message"), REFUSED)
def test_a_run_of_other_versions_or_of_none_is_refused(record, message):
    with pytest.raises(ValueError, match=message):
        check_recorded("The run", record, ["sat"])
