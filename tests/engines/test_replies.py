"""What a worker replies is read strictly: anything odd is our failure, never a verdict."""

from __future__ import annotations

import pytest

from logic_curriculum.rewards.engines.prolog import Cases, judge_groups
from logic_curriculum.rewards.engines.prolog.pool import _execution
from logic_curriculum.rewards.engines.prolog.worker import BadReply, Worker

GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."
LABELS = (True, False)
ODD = [
    "",
    "ok",
    "ok 1",
    "ok 1 -",
    "ok 1 1",
    "ok 1 101",
    "ok 1 1x",
    "ok x 10",
    "ok -1 10",
    "ok 1  10",
    " ok 1 10",
    "fine 1 10",
    "syntax 0 10 why",
    "syntax 0",
    "loaded",
    ".",
    "failed length",
    "ok ١ 10",
]


@pytest.mark.parametrize("line", ODD)
def test_a_malformed_reply_is_told_from_a_good_one(line: str) -> None:
    with pytest.raises(BadReply):
        _execution(line, LABELS)


def test_a_good_reply_is_read() -> None:
    assert _execution("ok 7 1e", LABELS).outcomes == (True, None)
    assert _execution("ok 7 10 a text = b] ok", LABELS).detail == "a text = b] ok"
    assert _execution("limit 9 - a\x0btext\u2028", LABELS).detail == "a\x0btext\u2028"


def test_lines_that_nobody_asked_for_are_a_lost_verdict(
    monkeypatch: pytest.MonkeyPatch, cases: Cases
) -> None:
    """As any odd line is; three workers are tried, which takes seconds."""
    read = Worker._read
    monkeypatch.setattr(Worker, "_read", lambda *args: read(*args) + b"ok 1 10101010\n")
    executions = judge_groups([(cases, [GOOD] * 2)])[0]
    assert [execution.status for execution in executions] == ["lost"] * 2
