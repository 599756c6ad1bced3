"""Specifications of a user's own: options come before the level's row, and everything follows."""

import json
import re
from collections import Counter

import pyarrow.parquet as pq
import pytest

from logic_curriculum.generators import build_dataset, generate
from logic_curriculum.generators.sampling import available_tasks
from logic_curriculum.rewards import judge

COLOURS = {"car_color": {"red": 3, "blue": 1}}
OWN = [
    (1, {"positives": 2}),
    (3, {"positives": 1, "negatives": 3, "background": "uniform"}),
    (3, {"guided_share": 1.0}),
    (5, {"negatives": 5, "background": COLOURS}),
    (6, {"positives": 4, "negatives": 1, "background": "mirror", "rule_length": 3}),
    (8, {"parts": "1-4", "predicates": 9, "guided_share": 0}),
    (13, {"parts": 15, "rule_length": "6-8"}),
]


def labels(program):
    return Counter(re.findall(r"^(\w+)\(\w+\)\.$", program, re.MULTILINE))


def literals(rule):
    return len(re.findall(r"\w+\(\w+, [a-z\d]\w*\)", rule))


@pytest.mark.parametrize(("level", "own"), OWN)
def test_a_task_of_an_own_specification_is_what_was_asked_for(level, own):
    for split, seed in (("train", 1), ("train", 2), ("test", 3)):
        task = generate("slr", level, seed, split=split, **own)
        about, row = task.metadata, generate("slr", level, seed, split=split).metadata
        assert judge("slr", task.solution, task.verification).solved
        assert generate("slr", level, seed, split=split, **about["specification"]) == task
        program = task.verification["validation_program"]
        for name, label in (("positives", "eastbound"), ("negatives", "westbound")):
            assert labels(program)[label] == own.get(name, row["problem_size"] // 2)
        assert about["problem_size"] == sum(labels(program).values())
        if "rule_length" in own:
            assert about["rule_length"] == str(own["rule_length"])
            low, *high = map(int, about["rule_length"].split("-"))
            if about["rule_sampling"] == "uniform":
                assert low <= literals(about["rule"]) <= max(high, default=low)
        if own.get("guided_share") == 1:
            assert about["rule_sampling"] == "schema"
        if own.get("background") == COLOURS:
            seen = program + task.verification["heldout_program"]
            assert set(re.findall(r"car_color\(\w+, (\w+)\)", seen)) == {"red", "blue"}


def test_what_the_row_says_anyway_changes_nothing():
    row = {"positives": 3, "negatives": 3, "rule_length": "1-2", "guided_share": 0.3}
    row |= {"background": "uniform", "parts": 2, "predicates": 5}
    assert generate("slr", 6, 1, **row) == generate("slr", 6, 1)


def test_weights_decide_how_often_values_occur():
    # 64 fresh examples of two cars a task, three in four red, less what redraws for fairness shift.
    tasks = (generate("slr", 6, seed, background=COLOURS, guided_share=0) for seed in range(40))
    counts = Counter()
    for task in tasks:
        if "car_color" not in task.metadata["rule"]:  # else the classes' balance shifts it
            counts.update(
                re.findall(r"car_color\(\w+, (\w+)\)", task.verification["heldout_program"])
            )
    assert 0.65 < counts["red"] / counts.total() < 0.8


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ({"positives": 0}, "positives=0: .* greater than 0"),
        ({"negatives": 2.5}, "negatives=2.5: .* valid integer"),
        ({"positives": 500}, "of the 400 that there are"),
        ({"rule_length": "3-2"}, "Write 3 or 2-3"),
        ({"rule_length": (2, 3)}, "Write 3 or 2-3"),
        ({"parts": 21}, "from 1 to 20"),
        ({"predicates": 13}, "'trains' has 12"),
        ({"predicates": 2}, "of the 1 that there are"),
        ({"guided_share": 1.5}, "guided_share=1.5: .* less than or equal to 1"),
        ({"background": "unifrom"}, "neither mirror, uniform nor weights"),
        ({"background": {"car_color": {"red": -1}}}, "neither mirror, uniform nor weights"),
        ({"background": {"car_num": {"1": 1}}}, "at car_num"),
        ({"background": {"car_color": {"rot": 1}}}, "at rot.* red, blue"),
        ({"background": {"car_color": {"red": 0}}}, "Give a weight above 0 to some of red"),
    ],
)
def test_a_specification_without_tasks_is_refused_in_one_line(own, problem):
    with pytest.raises(ValueError, match=problem) as refused:
        generate("slr", 6, 1, **own)
    assert "\n" not in str(refused.value)


def test_weights_that_the_constraints_forbid_are_refused():
    never = {"car_type": {"passenger": 1}, "load_num": {"1": 1}}
    with pytest.raises(ValueError, match=r"leaves no car: .* Name more values"):
        generate("slr", 18, 1, background=never)


@pytest.mark.parametrize(
    "own",
    [
        {},
        *(
            pytest.param(own, marks=pytest.mark.slow)
            for own in ({"positives": 2}, {"negatives": 2}, {"background": "uniform"})
        ),
    ],
)
def test_as_many_tasks_are_counted_as_can_be_made(own):
    made = (generate("slr", 1, seed, **own) for seed in range(2000))
    assert len({task.metadata["fingerprint"] for task in made}) == available_tasks(
        "slr", 1, "train", own
    )


def test_specifications_share_no_question_between_splits_and_no_test_rule():
    """Among them some that draw the examples of levels 1 to 3 without enumerating them."""
    of_question, of_rule = {}, {}
    for level, own in ((1, {}), (1, {"parts": "1-2"}), (1, {"rule_length": "1-3"})):
        for split in ("train", "validation", "test"):
            for seed in range(60):
                about = generate("slr", level, seed, split=split, **own).metadata
                assert of_question.setdefault(about["question"], split) == split
                assert of_rule.setdefault(about["rule"], split == "test") == (split == "test")


def test_a_dataset_of_an_own_specification_says_so(tmp_path):
    own = {"positives": 2, "negatives": 3, "background": json.dumps(COLOURS), "parts": "2-3"}
    sizes = {"train": 3, "test": 2}
    folder = build_dataset("slr", [1, 4], out=tmp_path / "set", sizes=sizes, num_proc=1, **own)
    for row in pq.read_table(folder / "data/test/level-04.parquet").to_pylist():
        assert row["problem size"] == 5
        assert row["background sampling"] == "weights"
        assert row["vocabulary car constants"] == "2-3"
        assert re.fullmatch(r"trains-test-4-\d+-[0-9a-f]{8}", row["id"])
    card = (folder / "README.md").read_text()
    assert f"background={own['background']!r}" in card
