"""Generated tasks and the reward: true rules earn everything, cheap answers nothing."""

import importlib.util
import sys
from pathlib import Path

import pytest

from generators import generate
from rewards import judge_batch, slr_partial_reward, slr_reward

LEVELS = range(1, 21)
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "shortcuts_slr.py"
WORTHLESS = [
    "empty answer",
    "echo of the prompt",
    "always true",
    "never true",
    "examples enumerated",
    "parts named",
    "not the other label",
    "its own label",
    "order of names",
    "parity of names",
    "parity of positions",
    "first half by name",
]


@pytest.fixture(scope="module")
def shortcuts():
    """The benchmark's module."""
    spec = importlib.util.spec_from_file_location("shortcuts_slr", BENCHMARK)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tasks_of(seeds, split="train", **options):
    return [
        generate("slr", level=level, seed=seed, split=split, **options)
        for level in LEVELS
        for seed in seeds
    ]


def assert_ground_truth_is_perfect(tasks):
    """Check that a task's own rule solves it on all three programs, bare and as formatted."""
    verdicts = judge_batch(
        "slr",
        [answer for task in tasks for answer in (task.solution, task.metadata["rule"])],
        [task.verification for task in tasks for _ in range(2)],
    )
    imperfect = [
        (tasks[i // 2].level, tasks[i // 2].seed, verdict.explanation)
        for i, verdict in enumerate(verdicts)
        if not verdict.solved
        or (verdict.reward, verdict.partial) != (1.0, 1.0)
        or any(
            verdict.metrics[name] != 1.0
            for name in ("isomorphic", "extensional", "heldout_accuracy", "chance_corrected")
        )
    ]
    assert len(verdicts) == 2 * len(tasks)
    assert imperfect == []


@pytest.mark.parametrize("options", [{}, {"style": "compact"}, {"language": "houses"}], ids=str)
def test_every_ground_truth_rule_is_perfect_on_all_three_programs(options):
    assert_ground_truth_is_perfect(tasks_of(range(3), **options))


@pytest.mark.slow
def test_every_ground_truth_rule_of_fifty_seeds_is_perfect():
    assert_ground_truth_is_perfect(tasks_of(range(50)))


def assert_no_cheap_answer_solves(shortcuts, tasks):
    """Check that none of the worthless strategies is ever paid."""
    views = [shortcuts.view(task) for task in tasks]
    answers = [(name, shortcuts.STRATEGIES[name](seen)) for name in WORTHLESS for seen in views]
    rewards = slr_reward(
        [answer for _, answer in answers],
        verification=[task.verification for _ in WORTHLESS for task in tasks],
    )
    assert len(rewards) == len(WORTHLESS) * len(tasks)
    paid = [answer for answer, reward in zip(answers, rewards, strict=True) if reward != 0.0]
    assert paid == []


@pytest.mark.parametrize("split", ["train", "test"])
def test_no_cheap_answer_solves_a_task(shortcuts, split):
    assert_no_cheap_answer_solves(shortcuts, tasks_of(range(2), split))


@pytest.mark.slow
def test_no_cheap_answer_solves_a_task_of_fifty_seeds(shortcuts):
    assert_no_cheap_answer_solves(shortcuts, tasks_of(range(50)))


def test_naming_the_examples_works_on_the_shown_program_only(shortcuts):
    tasks = tasks_of([0])
    answers = [shortcuts.enumerate_examples(shortcuts.view(task)) for task in tasks]
    verdicts = judge_batch("slr", answers, [task.verification for task in tasks])
    assert [verdict.metrics["hacking_gap"] for verdict in verdicts] == [1.0] * len(tasks)


def test_a_rule_that_never_fires_gets_half_of_the_partial_score(shortcuts):
    tasks = tasks_of([0])
    answers = [shortcuts.never(shortcuts.view(task)) for task in tasks]
    partial = slr_partial_reward(answers, verification=[task.verification for task in tasks])
    assert partial == [0.5] * len(tasks)
