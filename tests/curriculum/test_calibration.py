"""Where a curriculum begins and ends, from answers by hand."""

from __future__ import annotations

import pytest
from answered import answered, frame

from logic_curriculum.curriculum.evaluation.report import recommend, useful_share, where_to_begin


def begin(*levels: tuple[int, ...], group: int = 2):
    """Return the table for tasks with 4 answers each, so many of them right."""
    records = [
        answered(task, sample < right, level=level, sample=sample, family="sat")
        for level, solved in enumerate(levels, 1)
        for task, right in enumerate(solved)
        for sample in range(4)
    ]
    return where_to_begin("m", "sat", frame(*records), group)


@pytest.mark.parametrize(
    ("answers", "solved", "group", "share"),
    [(4, 1, 2, 0.5), (4, 2, 2, 4 / 6), (4, 0, 2, 0.0), (4, 4, 4, 0.0), (4, 1, 4, 1.0)],
)
def test_a_useful_group_has_right_and_wrong_answers(answers, solved, group, share):
    assert useful_share(answers, solved, group) == pytest.approx(share)


def test_rates_are_means_over_tasks():
    rows = begin((4, 2), (0, 1)).rows
    # useful: (0 + 4/6) / 2 and (0 + 1/2) / 2
    assert [(row["pass rate"], row["useful groups of 2"]) for row in rows] == [
        *(("0.75", "0.33"), ("0.12", "0.25"))
    ]


def test_fewer_answers_than_a_group_has_are_refused():
    with pytest.raises(ValueError, match="evaluate with --epochs 8 or more"):
        begin((1, 2), group=8)


@pytest.mark.parametrize(
    ("rates", "levels"),
    [
        ({1: (0.9, 0.1), 2: (0.5, 0.5), 3: (0.1, 0.3), 4: (0.0, 0.0)}, (2, 4)),
        ({1: (0.5, 0.5), 2: (0.1, 0.05), 3: (0.0, 0.5)}, (1, 2)),
        ({1: (0.9, 0.0), 2: (0.9, 0.0)}, (2, 2)),
    ],
)
def test_a_curriculum_begins_at_the_first_level_not_passed(rates, levels):
    assert recommend(rates, threshold=0.8) == levels


@pytest.mark.parametrize(
    ("levels", "note"),
    [
        (((2, 2), (1, 0)), "A curriculum could begin with --start_level 1 --last_level 2."),
        (((0, 0),), "train on solutions first"),
        (((4,) * 60,), "evaluate higher ones"),
    ],
)
def test_the_table_says_where_to_begin_or_why_nowhere(levels, note):
    assert note in begin(*levels).note
