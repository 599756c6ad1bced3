"""What SLR pays: a rule right on every example shown, and on enough fresh ones of either class."""

import random

import pytest
from slr_samples import FRESH_TASK, NEVER, NOT_SHOWN, RED, TASK, TRAINS, program, task_with

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge, judge_batch
from logic_curriculum.rewards.engines.prolog import Program
from logic_curriculum.rewards.registry import measure_batch


@pytest.mark.parametrize(
    ("fresh", "accepted", "told"),
    [
        ([(True, "red", 32), (False, "blue", 32)], True, "32 of 32 eastbound, 32 of 32 westbound"),
        (
            [(True, "red", 24), (True, "white", 8), (False, "blue", 32)],
            True,
            "24 of 32 eastbound, 32 of 32 westbound",
        ),
        (
            [(True, "red", 23), (True, "white", 9), (False, "blue", 32)],
            False,
            "23 of 32 eastbound, 32 of 32 westbound",
        ),
        (
            [(True, "red", 32), (False, "red", 8), (False, "blue", 24)],
            True,
            "32 of 32 eastbound, 24 of 32 westbound",
        ),
        (
            [(True, "red", 32), (False, "red", 9), (False, "blue", 23)],
            False,
            "32 of 32 eastbound, 23 of 32 westbound",
        ),
        (
            [(True, "red", 24), (True, "white", 8), (False, "red", 8), (False, "blue", 24)],
            True,
            "24 of 32 eastbound, 24 of 32 westbound",
        ),
        (
            [(True, "white", 32), (False, "blue", 32)],
            False,  # never fires: 32 of 64 right, none of one class
            "0 of 32 eastbound, 32 of 32 westbound",
        ),
        (
            [(True, "red", 32), (False, "red", 32)],
            False,  # always fires
            "32 of 32 eastbound, 0 of 32 westbound",
        ),
        (
            [(True, "red", 200), (False, "red", 9), (False, "blue", 23)],
            False,  # 223 of 232 right: either class counts by itself
            "200 of 200 eastbound, 23 of 32 westbound",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_rule_must_be_right_on_three_of_four_fresh_examples_of_either_class(
    fresh, accepted, told
):
    verdict = judge("slr", RED, task_with(*fresh))
    assert verdict.solved is accepted
    assert verdict.reward == float(accepted)
    assert verdict.explanation == f"all 4 examples right; of fresh ones {told}"
    assert verdict.partial == verdict.metrics["fits"] == 1.0


def test_fresh_examples_help_no_rule_that_is_wrong_on_one_shown():
    task = {**FRESH_TASK, "validation_program": TRAINS + "\n" + program(("odd", True, "blue"))}
    verdict = judge("slr", RED, task)
    assert (verdict.solved, verdict.metrics["fits"], verdict.partial) == (False, 0.0, 0.8)
    assert "heldout_accuracy" not in verdict.metrics
    assert verdict.explanation == "4 of 5 examples right; odd should be eastbound"


def test_held_out_accuracy_is_that_of_answers_that_fit_and_of_no_others():
    task = task_with((True, "red", 24), (True, "white", 8), (False, "blue", 32))
    verdicts = judge_batch("slr", [RED, NEVER, ""], [task] * 3)
    # (24 + 32) / 64 = 0.875
    assert [v.metrics.get("heldout_accuracy") for v in verdicts] == [0.875, None, None]
    assert "heldout_accuracy" not in judge("slr", RED, TASK).metrics


def test_a_task_without_fresh_examples_asks_no_more_than_those_shown():
    for rule in (RED, NOT_SHOWN):
        verdict = judge("slr", rule, TASK)
        assert (verdict.solved, verdict.explanation) == (True, "all 4 examples right")


# ------------------------------------------------------------------------------ accepted outcomes

COLORS = ("red", "blue", "green", "white", "brown")
EVERY = program(*((f"every{at}", color == "red", color) for at, color in enumerate(COLORS)))
LISTED = {**TASK, "heldout_program": EVERY, "accepted": ["10000", "10010"]}


@pytest.mark.parametrize(("rule", "accepted", "reason"), [
    (RED, True, "10000 is listed"),
    ("eastbound(T) :- has_car(T, C), (car_color(C, red) ; car_color(C, white)).", True, "10010"),
    (NOT_SHOWN, False, "10011 is not listed, though it fits"),
    ("eastbound(T) :- has_car(T, C), \\+ member(C, []), car_color(C, red).", True, "10000"),
    (NEVER, False, "00000 does not fit"),
])  # fmt: skip
def test_where_outcomes_are_listed_a_rule_must_have_one_of_them(rule, accepted, reason):
    assert judge("slr", rule, LISTED).solved is accepted, reason


def test_the_explanation_tells_whether_a_listed_outcome_was_met():
    right, other = judge_batch("slr", [RED, NOT_SHOWN], [LISTED] * 2)
    assert right.explanation != other.explanation
    for verdict in (right, other):
        assert verdict.explanation.startswith("all 4 examples right; ")
        assert "5 possible ones" in verdict.explanation


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"accepted": "10000"}, "'accepted' is '10000' of type str: .*tuple"),
        ({"accepted": ["1000x"]}, "'accepted.0' is '1000x'.*pattern"),
        ({"accepted": ["10000", ""]}, "'accepted.1' is ''"),
        ({"accepted": [10000]}, "'accepted.0' is 10000 of type int"),
        ({"accepted": ["10000", "100"]}, "outcomes of 3 examples, but heldout_program has 5"),
        ({"accepted": ["1000"]}, "outcomes of 4 examples, but heldout_program has 5"),
        ({"heldout_program": None}, "outcomes of 5 examples, but heldout_program has 0"),
    ],
)
def test_malformed_lists_of_outcomes_raise(change, message):
    with pytest.raises(ValueError, match=rf"Row 0 can't be judged\. .*{message}"):
        judge("slr", RED, {**LISTED, **change})


# ------------------------------------------------------------------------------ memorising


def memorised(text):
    """Return a clause for each positive example, with all attributes of all of its parts."""
    shown = Program.parse(text)
    parts = {
        fact.arguments[1]: fact.arguments[0] for fact in shown.facts if fact.predicate == "has_car"
    }
    clauses = []
    for example, positive in zip(shown.examples, shown.labels, strict=True):
        names = {part: f"C{at}" for at, part in enumerate(p for p in parts if parts[p] == example)}
        body = []
        for part, name in names.items():
            body.append(f"has_car(T, {name})")
            body += [
                f"{fact.predicate}({name}, {fact.arguments[1]})"
                for fact in shown.facts
                if fact.arguments[0] == part
            ]
        if positive:
            clauses.append(f"eastbound(T) :- {', '.join(body)}.")
    return "\n".join(dict.fromkeys(clauses))


def look_around(attributes):
    """Return the constant of a value held by exactly half of the trains, over all attributes."""
    return "\n".join(
        "eastbound(T) :- findall(X, has_car(X, _), L0), sort(L0, L), length(L, N), has_car(T, C), "
        f"{name}(C, V), findall(X, (has_car(X, D), {name}(D, V)), M0), sort(M0, M), length(M, K), "
        "N =:= 2*K."
        for name in attributes
    )


def _tasks(levels, seeds):
    return [generate("slr", level, seed, split="test") for level in levels for seed in seeds]


@pytest.mark.parametrize("level", [1, 2, 3, 4, 8, 13, 20])
def test_memorising_the_attributes_of_the_examples_is_not_paid(level):
    tasks = _tasks([level], range({3: 20, 20: 2}.get(level, 6)))
    answers = [memorised(task.verification["validation_program"]) for task in tasks]
    verdicts = judge_batch("slr", answers, [task.verification for task in tasks])
    assert [verdict.reward for verdict in verdicts] == [0.0] * len(tasks)
    if level < 20:  # where the clauses are longer than an answer may be
        assert [verdict.metrics["outside"] for verdict in verdicts] == [1.0] * len(tasks)


def test_the_constant_that_looks_around_is_not_paid_at_any_level_where_it_once_was():
    tasks = _tasks([1, 2, 3, 4, 5, 6, 8, 12, 16], range(4))
    answers = []
    for task in tasks:
        facts = Program.parse(task.verification["validation_program"]).facts
        answers.append(
            look_around(dict.fromkeys(f.predicate for f in facts if f.predicate != "has_car"))
        )
    verdicts = measure_batch("slr", answers, [task.verification for task in tasks])
    assert [verdict.reward for verdict in verdicts] == [0.0] * len(tasks)
    assert sum(verdict.metrics["extensional"] for verdict in verdicts) >= 1  # as the paper judges


@pytest.mark.parametrize("level", [1, 3, 4, 9, 15])
def test_names_and_order_of_a_generated_task_change_no_verdict(level):
    (task,) = _tasks([level], [0])
    payload = dict(task.verification)
    text = payload["validation_program"].rstrip("\n") + "\n"
    blocks = text.replace("\neastbound(", "\n\neastbound(").replace(
        "\nwestbound(", "\n\nwestbound("
    )
    shuffled = random.Random(0).sample(blocks.split("\n\n"), blocks.count("\n\n") + 1)
    moved = "".join(block.rstrip("\n") + "\n" for block in shuffled).replace("train", "wagon_")
    answers = [task.metadata["rule"], memorised(text), "eastbound(_).", RED]
    before = judge_batch("slr", answers, [payload] * 4)
    after = judge_batch("slr", answers, [{**payload, "validation_program": moved}] * 4)
    assert [(v.reward, v.partial, v.metrics) for v in before] == [
        (v.reward, v.partial, v.metrics) for v in after
    ]
    assert before[0].solved
