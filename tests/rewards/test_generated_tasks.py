"""Generated tasks and the reward: true rules earn everything, cheap answers nothing."""

import re
from functools import cache

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge_batch, slr_partial_reward, slr_reward
from logic_curriculum.rewards.engines.prolog_old import Program, own_facts
from logic_curriculum.rewards.registry import measure_batch

LEVELS = range(1, 21)


@cache
def tasks_of(seeds, split="train", **options):
    return [
        generate("slr", level=level, seed=seed, split=split, **options)
        for level in LEVELS
        for seed in seeds
    ]


def named_examples(task):
    shown = Program.parse(task.verification["validation_program"])
    pairs = zip(shown.examples, shown.labels, strict=True)
    return "\n".join(f"eastbound(T) :- T = {name}." for name, positive in pairs if positive)


def named_parts(task):
    names = re.findall(r"T = (\w+)\.", named_examples(task))
    owned = re.findall(r"has_car\((\w+), (\w+)\)", task.verification["validation_program"])
    return "\n".join(f"eastbound(T) :- has_car(T, {part})." for own, part in owned if own in names)


TRAINS = "findall(X, has_car(X, _), L), sort(L, S), length(S, N)"
WORTHLESS = {
    "empty answer": lambda task: "",
    "echo of the prompt": lambda task: task.prompt,
    "always true": lambda task: "eastbound(_).",
    "always true of what has cars": lambda task: "eastbound(T) :- has_car(T, _).",
    "never true": lambda task: "eastbound(T) :- has_car(T, nothing).",
    "examples named": named_examples,
    "parts named": named_parts,
    "not the other label": lambda task: "eastbound(T) :- \\+ westbound(T).",
    "its own label": lambda task: "eastbound(T) :- eastbound(T).",
    "the judge's name of an example": lambda task: "eastbound(T) :- T = obj000.",
    "the judge's name of a part": lambda task: "eastbound(T) :- has_car(T, obj001).",
    "even number of characters": lambda task: "eastbound(T) :- atom_length(T, N), 0 is N mod 2.",
    "first of two names": lambda task: "eastbound(T) :- \\+ (has_car(X, _), X @< T).",
    "even position": lambda task: f"eastbound(T) :- {TRAINS}, nth0(I, L, T), 0 is I mod 2.",
    "even place by name": lambda task: f"eastbound(T) :- {TRAINS}, nth0(I, S, T), 0 is I mod 2.",
    "first half by name": lambda task: f"eastbound(T) :- {TRAINS}, nth1(I, S, T), I =< N // 2.",
    "colours of half of the trains": lambda task: (
        f"eastbound(T) :- {TRAINS}, has_car(T, C), car_color(C, V), "
        "findall(X, (has_car(X, D), car_color(D, V)), A), sort(A, B), length(B, M), N =:= 2 * M."
    ),
}


def assert_ground_truth_is_perfect(tasks):
    """Check that a task's own rule is right on all its examples, bare and as formatted."""
    verdicts = measure_batch(
        "slr",
        [answer for task in tasks for answer in (task.solution, task.metadata["rule"])],
        [task.verification for task in tasks for _ in range(2)],
    )
    names = ("fits", "heldout_accuracy", "chance_corrected", "isomorphic", "extensional")
    imperfect = [
        (tasks[i // 2].level, tasks[i // 2].seed, verdict.explanation)
        for i, verdict in enumerate(verdicts)
        if not verdict.solved
        or (verdict.reward, verdict.partial) != (1.0, 1.0)
        or any(verdict.metrics[name] != 1.0 for name in names)
    ]
    assert len(verdicts) == 2 * len(tasks)
    assert imperfect == []


@pytest.mark.parametrize("options", [{}, {"language": "houses"}], ids=str)
def test_every_ground_truth_rule_is_perfect_on_examples_shown_fresh_and_renamed(options):
    assert_ground_truth_is_perfect(tasks_of(range(1), **options))


@pytest.mark.slow
def test_every_ground_truth_rule_of_fifty_seeds_is_perfect():
    assert_ground_truth_is_perfect(tasks_of(range(50)))


def assert_no_cheap_answer_solves(tasks):
    """Check that none of the worthless strategies is ever paid."""
    answers = [(name, answer(task)) for name, answer in WORTHLESS.items() for task in tasks]
    rewards = slr_reward(
        [answer for _, answer in answers],
        verification=[task.verification for _ in WORTHLESS for task in tasks],
    )
    assert len(rewards) == len(WORTHLESS) * len(tasks)
    paid = [answer for answer, reward in zip(answers, rewards, strict=True) if reward != 0.0]
    assert paid == []


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_no_cheap_answer_solves_a_task(split):
    assert_no_cheap_answer_solves(tasks_of(range(1), split))


@pytest.mark.slow
def test_no_cheap_answer_solves_a_task_of_fifty_seeds():
    assert_no_cheap_answer_solves(tasks_of(range(50)))


def test_a_rule_that_never_fires_gets_half_of_the_partial_score():
    tasks = tasks_of(range(1))
    answers = [WORTHLESS["never true"](task) for task in tasks]
    partial = slr_partial_reward(answers, verification=[task.verification for task in tasks])
    assert partial == [0.5] * len(tasks)


@pytest.mark.parametrize("options", [{}, {"language": "houses"}], ids=str)
def test_no_examples_of_generated_tasks_share_objects(options):
    for task in tasks_of(range(1), **options):
        names = task.verification["positive"], task.verification["negative"]
        for key in ("validation_program", "heldout_program"):
            assert own_facts(task.verification[key], *names).sharing == 0


def test_a_payload_without_cases_made_beforehand_is_judged_alike():
    tasks = tasks_of(range(1))
    answers = [task.metadata["rule"] for task in tasks] + ["eastbound(_)."] * len(tasks)
    made = [task.verification for task in tasks] * 2
    plain = [{key: payload[key] for key in payload if "_cases" not in key} for payload in made]
    assert judge_batch("slr", answers, made) == judge_batch("slr", answers, plain)


@pytest.mark.parametrize("key", ["validation", "heldout"])
def test_cases_that_were_made_of_another_text_play_no_part(key):
    task, other = (generate("slr", 5, seed) for seed in (0, 1))
    mixed = {**task.verification, f"{key}_cases": other.verification.get(f"{key}_cases")}
    answers = [task.metadata["rule"], other.metadata["rule"], "eastbound(_)."]
    judged = judge_batch("slr", answers, [mixed] * 3)
    assert judged == judge_batch("slr", answers, [task.verification] * 3)
    assert judged[0].solved
