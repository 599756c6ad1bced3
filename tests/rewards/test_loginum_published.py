"""The engine and the judge of LogiNumSynth on tasks that an independent solver checked.

``pytest tests/rewards/test_loginum_published.py --data FOLDER`` reads ``few_shot.jsonl.gz`` and
``generated.jsonl.gz``: tasks of the authors' earlier generator with ``checked``, the solver's value
and whether the published value and solution are right.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from loginum_worlds import marks, read_world

from logic_curriculum.rewards.engines.numeric.engine import ConflictError

WORLD = {
    "id": "D1-1",
    "facts": [{"fr": "gives(Clare, Ann)"}, {"fr": "is(Ann, steady, 1)"}],
    "rules": [{"fr": "gives(?x, ?y) -> is(?x, steady, 2y+3)"}],
    "query": {"entity": "Clare", "attribute": "steady"},
    "gold_steps": [
        {"id": "int0", "deps": ["Fact0", "Fact1", "Rule0"], "conclusion": "Clare is 2*1+3=5 steady"}
    ],
    "gold_value": 5,
    "checked": {
        **{"status": "unique", "value": 5},
        **{"gold_value_correct": True, "gold_process_correct": True},
    },
}
NO_WORLD = 2  # of 321 tasks: one is cyclic, one lost a number of a rule


def test_a_made_up_world_gets_its_value_and_full_marks():
    world = read_world(WORLD)
    assert world.value() == 5
    assert marks(world, WORLD)[0] == 1.0


def test_published_worlds_get_the_checked_value_and_right_solutions_full_marks(
    request: pytest.FixtureRequest,
):
    folder = request.config.getoption("--data")
    if folder is None:
        pytest.skip("give the folder of published tasks by --data")
    found: Counter[str] = Counter()
    for path in sorted(Path(folder).glob("*.jsonl.gz")):
        for row in map(json.loads, gzip.decompress(path.read_bytes()).splitlines()):
            checked = row["checked"]
            try:
                world = read_world(row)
                value = world.value()
            except (ValueError, ConflictError):
                found["no world"] += 1
                continue
            assert value == checked["value"], row["id"]
            found["values"] += 1
            if checked["gold_value_correct"]:
                score, why = marks(world, row)
                assert (score == 1.0) == bool(checked["gold_process_correct"]), why
                found["full marks"] += score == 1.0
    print(dict(found))
    assert found["no world"] <= NO_WORLD < found["values"]
