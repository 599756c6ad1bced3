"""The readers of payloads, rows and JSON lines, on rows that are nearly right."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_answers import FAMILIES, mutated, tasks

from logic_curriculum.rewards import Verdict, judge_batch
from logic_curriculum.rewards.__main__ import judge_chunk, table, totals

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
    | st.sampled_from((2**70, 10**4000, float("nan"), "\ud800", "", "1" * 5000, "[" * 3000)),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part),
    max_leaves=6,
)  # fmt: skip
DEEP = "[" * 100_000
POOL = [*'{}[]",:\\ \n\0', "null", "NaN", "1e999", "9" * 5000, "\\ud800", DEEP, '"verification":']


def _mutate(draw: st.DrawFn, value: object, depth: int = 0) -> object:
    """Replace, drop or add a part of a payload."""
    if (
        depth == 3
        or not value
        or not isinstance(value, dict | list)
        or draw(st.integers(0, 3)) == 0
    ):
        if isinstance(value, str) and draw(st.booleans()):
            return draw(mutated(value[:2000], [*"()∀∃¬,.'é→&?"], changes=2))
        return draw(JSON)
    changed = value.copy()
    key = draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
    if draw(st.integers(0, 4)) == 0:
        del changed[key]
    else:
        changed[key] = _mutate(draw, value[key], depth + 1)
    return changed


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_a_payload_is_judged_or_refused_in_one_line(family: str, data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(tasks(family)[:2]))
    payload = _mutate(data.draw, task.verification)
    if data.draw(st.booleans()):
        payload = json.dumps(payload)
        payload = data.draw(mutated(payload[:3000], POOL)) if data.draw(st.booleans()) else payload
    try:
        verdicts = judge_batch(family, [task.solution, ""], [payload, payload])
    except ValueError as refusal:
        verdicts, problem = [], str(refusal)
    assert verdicts or problem.startswith("Row 0 can't be judged. ")
    assert verdicts or len(problem.splitlines()) == 1
    assert all(type(verdict) is Verdict for verdict in verdicts)


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_a_line_is_judged_or_said_to_be_wrong_and_harms_no_other(
    family: str, data: st.DataObject
) -> None:
    task = data.draw(st.sampled_from(tasks(family)[:2]))
    row = {"completion": task.solution, "verification": task.verification, "level": task.level}
    good = json.dumps(row).encode()
    changed = json.dumps(_mutate(data.draw, row))[:6000]
    text = data.draw(mutated(changed, POOL)) if data.draw(st.booleans()) else changed
    line = text.encode("utf-8", data.draw(st.sampled_from(("replace", "surrogatepass"))))
    written = judge_chunk([(1, good), (2, line), (3, good)], family)
    assert [each["line"] for each in written] == [1, 2, 3]
    assert written[0]["solved"]
    assert written[2]["solved"]
    assert "error" in written[1] or type(written[1]["solved"]) is bool
    for each in written:
        assert len(str(each.get("error", "")).splitlines()) <= 1
    table(totals(json.loads(json.dumps(written)))).encode()
