"""The contract with TRL, apart from any family's judge."""

import subprocess
import sys

import pytest

from logic_curriculum.rewards import (
    Judge,
    RewardFunction,
    Verdict,
    judge,
    judge_batch,
    logic_reward,
    slr_reward,
)
from logic_curriculum.rewards.registry import JUDGES


class EchoJudge(Judge[str]):
    """Judges by comparing a completion with its payload; ``?`` can't be graded."""

    def __init__(self, family: str) -> None:
        super().__init__()
        self.family = family

    def read_payload(self, payload):
        return payload["wanted"]

    def judge_text(self, text, payload):
        return Verdict(
            solved=text == payload,
            reward=None if text == "?" else float(text == payload),
            syntax=text != "",
            partial=0.25,
            answer=text,
            explanation=f"{self.family} wants {payload}",
            metrics={"hacking_gap": 1.0} if text == "trick" else {},
        )


def want(*answers):
    return [{"wanted": answer} for answer in answers]


@pytest.fixture(autouse=True)
def echo(monkeypatch):
    """A reward function over :class:`EchoJudge`."""
    for family in ("echo", "one", "two"):
        monkeypatch.setitem(JUDGES, family, EchoJudge(family))
    monkeypatch.setattr(JUDGES["echo"], "paper", EchoJudge("echo"), raising=False)
    return RewardFunction("echo_reward", "echo")


def test_none_is_returned_where_nothing_can_be_graded(echo):
    assert echo(["a", "b", "?"], verification=want("a", "a", "a")) == [1.0, 0.0, None]


def test_the_trainer_s_other_arguments_are_ignored(echo):
    assert echo(
        prompts=["p"],
        completions=["a"],
        completion_ids=[[1]],
        trainer_state=object(),
        verification=want("a"),
    ) == [1.0]


def test_batch_metrics_are_logged_over_graded_completions_only(echo):
    logged = {}
    echo(["a", "trick", "?", ""], verification=want("a") * 4, log_metric=logged.__setitem__)
    assert logged == {
        "echo/pass_rate": 1 / 3,
        "echo/syntax_rate": 2 / 3,
        "echo/partial": 0.25,
        "echo/hacking_gap": 1.0,  # over the one verdict that has it
    }


def test_answers_and_explanations_are_logged_for_every_completion(echo):
    logged = {}
    echo(["a", "?"], verification=want("a", "b"), log_extra=logged.__setitem__)
    assert logged == {
        "echo_reward/answer": ["a", "?"],
        "echo_reward/explanation": ["echo wants a", "echo wants b"],
    }


def test_logic_reward_dispatches_by_family_and_keeps_order():
    logged, extra = {}, {}
    paid = logic_reward(
        ["a", "b", "c"],
        verification=want("a", "x", "c"),
        family=["one", "two", "one"],
        log_metric=logged.__setitem__,
        log_extra=extra.__setitem__,
    )
    assert paid == [1.0, 0.0, 1.0]
    assert (logged["one/pass_rate"], logged["two/pass_rate"]) == (1.0, 0.0)
    assert extra["logic_reward/explanation"] == ["one wants a", "two wants x", "one wants c"]


def test_logic_reward_without_family_column_says_what_to_do():
    with pytest.raises(ValueError, match=r"no 'family' column.*slr_reward"):
        logic_reward(["a"], verification=want("a"))


@pytest.mark.parametrize(
    ("verification", "message"),
    [
        (["a"], "2 completions came with 1 items of verification"),
        (["a"] * 3, "2 completions came with 3 items of verification"),
        ("ab", "single str.*Pass a list"),
        ({"validation_program": ""}, "single dict.*Pass a list"),
    ],
)
def test_verifications_that_cannot_be_paired_are_refused(verification, message):
    with pytest.raises(ValueError, match=message):
        slr_reward(["x", "y"], verification=verification)


def test_a_row_without_payload_names_the_columns_seen():
    with pytest.raises(ValueError, match=r"no 'validation_program', only \['answer', 'prompts'\]"):
        slr_reward(["x"], prompts=["p"], answer=["y"])


def test_an_unknown_family_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"no judge for family 'chess'.*slr"):
        judge("chess", "e4", {})


def test_logic_reward_refuses_an_unknown_family_as_the_judge_does():
    with pytest.raises(ValueError, match=r"no judge for family 'chess'.*slr"):
        logic_reward(["e4"], verification=[{}], family=["chess"])


def test_a_reward_by_paper_asks_another_judge_and_logs_under_its_own_name():
    logged, extra = {}, {}
    paid = RewardFunction("echo_paper_reward", "echo", paper=True)(
        ["a", "trick"],
        verification=want("a", "b"),
        log_metric=logged.__setitem__,
        log_extra=extra.__setitem__,
    )
    assert paid == [1.0, 0.0]
    assert logged["echo_paper/pass_rate"] == 0.5
    assert logged["echo_paper/hacking_gap"] == 1.0
    assert set(extra) == {"echo_paper_reward/answer", "echo_paper_reward/explanation"}


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="1 completions came with 2 items of verifications"):
        judge_batch("slr", ["x"], [{}, {}])


LIGHT = """
import subprocess, sys
def refuse(*args, **kwargs):
    raise AssertionError("a process was started")
subprocess.Popen.__init__ = refuse
import logic_curriculum.rewards
heavy = {"torch", "trl", "transformers", "datasets", "pyswip"} & set(sys.modules)
print(sorted(heavy))
"""


def test_importing_rewards_is_light_and_starts_nothing():
    done = subprocess.run(
        [sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
