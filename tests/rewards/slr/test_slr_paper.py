"""The scores of the SLR paper: for reproduction and evaluation, and never for pay."""

import re

import pytest
from slr_samples import (
    ALWAYS,
    FACTS,
    FORBIDDEN,
    FRESH_TASK,
    NAMES,
    NEVER,
    NOT_SHOWN,
    RED,
    TASK,
    UNREADABLE,
)

from logic_curriculum.generators import generate
from logic_curriculum.rewards import (
    judge_batch,
    logic_reward,
    slr_paper_reward,
    slr_partial_reward,
    slr_reward,
)
from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import Execution
from logic_curriculum.rewards.registry import judge_of, measure_batch
from logic_curriculum.rewards.slr.judge import SlrPaperJudge

PAPER_METRICS = {"extensional", "isomorphic", "hacking_gap"}
UNDEFINED = "eastbound(T) :- is_red(T)."
RAISES = "eastbound(T) :- has_car(T, C), C > 1."
RAISES_LATE = "eastbound(T) :- has_car(T, C), (car_color(C, red) ; C > 1)."
RAISES_EARLY = "eastbound(T) :- has_car(T, C), (car_color(C, blue) ; C > 1)."
LOOKS_AROUND = (
    "eastbound(T) :- has_car(T, C), car_color(C, V), "
    "findall(X, (has_car(X, D), car_color(D, V)), L), length(L, 2)."
)


@pytest.fixture
def whole_programs(monkeypatch):
    """Record the programs that are run as a whole."""
    calls = []
    original = prolog.judge_programs

    def record(groups):
        calls.extend(program for program, _ in groups)
        return original(groups)

    monkeypatch.setattr(prolog, "judge_programs", record)
    for judge in (judge_of("slr"), judge_of("slr").paper):
        judge._judge_again.cache_clear()
    return calls


@pytest.mark.parametrize(
    ("completion", "syntax", "partial", "overall", "isomorphic", "reason"),
    [
        (RED, True, 1.0, 1.0, 1.0, "right on both"),
        (NOT_SHOWN, True, 1.0, 1.0, 1.0, "fits the examples; fresh ones play no part"),
        (NAMES, True, 1.0, 1.0, 0.0, "the program is judged as shown, with its names"),
        (LOOKS_AROUND, True, 1.0, 1.0, 0.0, "sees the others; the copy of 4 has 8 of them"),
        (NEVER, True, 0.5, 0.0, 0.0, "2 of 4: all negatives are right"),
        (ALWAYS, True, 0.5, 0.0, 0.0, "2 of 4: all positives are right"),
        (RAISES, True, 0.5, 0.0, 0.0, "no example is entailed, so the negatives are right"),
        (UNDEFINED, True, 0.5, 0.0, 0.0, "as if it never fired"),
        (f"eastbound(T) :- \\+ {UNDEFINED[19:]}", True, 0.5, 0.0, 0.0, "under negation, too"),
        (RAISES_LATE, True, 1.0, 1.0, 1.0, "the positives are entailed, the negatives are not"),
        (RAISES_EARLY, True, 0.25, 0.0, 0.0, "1 of 4: a negative it raises on"),
        (
            f"{RED} eastbound(T) :- has_car(T, C), car_color(C, blue).",
            True,
            0.75,
            0.0,
            0.0,
            "3 of 4",
        ),
        ("eastbound(T) :- eastbound(T).", True, 0.0, 0.0, 0.0, "runs out of inferences"),
        ("eastbound(T) :- p([T]). p(X) :- p([X|X]).", True, 0.0, 0.0, 0.0, "runs out"),
        (FORBIDDEN, True, 0.0, 0.0, 0.0, "readable, but refused"),
        (UNREADABLE, False, 0.0, 0.0, 0.0, "unreadable"),
        (RED.rstrip("."), True, 1.0, 1.0, 1.0, "a missing full stop is added"),
        (FACTS, False, 0.0, 0.0, 0.0, "facts are no rule"),
        ("", False, 0.0, 0.0, 0.0, "no rule"),
    ],
)
@pytest.mark.parametrize("task", [TASK, FRESH_TASK], ids=["shown only", "with fresh"])
def test_syntax_partial_and_overall_are_those_of_the_program_as_shown(
    task, completion, syntax, partial, overall, isomorphic, reason
):
    (verdict,) = SlrPaperJudge().judge_batch([completion], [task])
    assert (verdict.syntax, verdict.partial, verdict.reward) == (syntax, partial, overall), reason
    assert verdict.solved is (overall == 1.0)
    assert verdict.metrics == {
        "extensional": overall,
        "isomorphic": isomorphic,
        "hacking_gap": overall - isomorphic,
    }, reason


def test_its_metrics_are_logged_beside_those_of_the_judge_under_another_name():
    logged = {}
    answers = {"completions": [RED, NAMES], "verification": [FRESH_TASK] * 2}
    for function in (slr_reward, slr_paper_reward):
        function(**answers, log_metric=logged.__setitem__)
    assert logged["slr/pass_rate"] == 0.5
    assert logged["slr_paper/pass_rate"] == 1.0
    assert logged["slr_paper/hacking_gap"] == 0.5  # of one of the two answers
    assert {f"slr_paper/{name}" for name in PAPER_METRICS} <= set(logged)
    assert not {f"slr/{name}" for name in PAPER_METRICS} & set(logged)


def test_rewards_that_are_trained_with_never_run_the_whole_program(whole_programs):
    columns = {"verification": [FRESH_TASK] * 2, "family": ["slr"] * 2}
    logic_reward([RED, NAMES], **columns)
    slr_reward([RED, NAMES], **columns)
    slr_partial_reward([RED, NAMES], **columns)
    judge_batch("slr", [RED, NAMES], [FRESH_TASK] * 2)
    assert whole_programs == []
    slr_paper_reward([RED, NAMES], **columns)
    assert len(whole_programs) == 2  # the program and its copy, once for both


def test_a_measurement_has_the_verdict_of_the_judge_and_the_metrics_of_the_paper():
    answers, tasks = [RED, NAMES, ""], [FRESH_TASK, TASK, FRESH_TASK]
    measured = measure_batch("slr", answers, tasks)
    judged = judge_batch("slr", answers, tasks)
    papers = SlrPaperJudge().judge_batch(answers, tasks)
    for verdict, plain, paper in zip(measured, judged, papers, strict=True):
        assert (verdict.solved, verdict.reward, verdict.partial, verdict.explanation) == (
            plain.solved,
            plain.reward,
            plain.partial,
            plain.explanation,
        )
        assert verdict.metrics == {**plain.metrics, **paper.metrics}
    assert [verdict.metrics["hacking_gap"] for verdict in measured] == [0.0, 1.0, 0.0]


def test_naming_the_examples_of_generated_tasks_is_all_hacking_gap_and_no_reward():
    tasks = [generate("slr", level, 0) for level in (1, 5, 10, 15, 20)]
    answers = []
    for task in tasks:
        names = re.findall(r"(?m)^eastbound\((\w+)", task.verification["validation_program"])
        answers.append("\n".join(f"eastbound(T) :- T = {name}." for name in names))
    measured = measure_batch("slr", answers, [task.verification for task in tasks])
    assert [verdict.metrics["hacking_gap"] for verdict in measured] == [1.0] * len(tasks)
    assert [verdict.reward for verdict in measured] == [0.0] * len(tasks)


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({**TASK, "validation_program": "p(X)."}, "Line 1.*is no fact"),
        ({**TASK, "task_version": 1}, "task_version 1 of slr"),
        ({"level": 3}, "no 'validation_program'"),
    ],
)
def test_a_malformed_row_is_named(payload, message):
    with pytest.raises(ValueError, match=rf"Row 1 .*{message}"):
        SlrPaperJudge().judge_batch([RED, RED], [TASK, payload])


def test_a_lost_worker_makes_the_paper_s_score_unknown(monkeypatch):
    original = prolog.judge_programs

    def lose_copies(groups):
        return [
            [Execution("lost", detail="worker died")] * len(runs) if at % 2 else runs
            for at, runs in enumerate(original(groups))
        ]

    monkeypatch.setattr(prolog, "judge_programs", lose_copies)
    assert slr_paper_reward([RED, ""], verification=[TASK] * 2) == [None, 0.0]
