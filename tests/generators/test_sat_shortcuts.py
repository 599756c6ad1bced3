"""What can be counted in consistency tasks does not tell whether they are consistent."""

import importlib
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from logic_curriculum.generators.sat.levels import LEVELS, PRESETS

SHORTCUTS = Path(__file__).parents[2] / "benchmarks/shortcuts"


@pytest.fixture(scope="module")
def shortcuts():
    """The benchmark's module, which finds its neighbours in its folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SHORTCUTS)
        yield importlib.import_module("sat")


def test_learners_find_a_label_that_can_be_counted(shortcuts):
    # The control: the same learners, asked for the number of statements of level 4.
    data = shortcuts.column(4, None, 150, 100)
    (describe,) = shortcuts.SETS["counts"]
    known, asked = ([describe(task) for task in tasks] for tasks in (data.train, data.test))
    labels, truth = ([row[0] > 6 for row in rows] for rows in (known, asked))
    for learner in shortcuts.LEARNERS.values():
        assert learner().fit(np.array(known), labels).score(np.array(asked), truth) > 0.9


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("level", range(1, len(LEVELS) + 1))
def test_learners_of_counts_are_right_in_at_most_55_percent(shortcuts, level):
    found = shortcuts.accuracies(shortcuts.column(level, None, 2000, 2000))
    assert max(of_counts(shortcuts, found)) <= shortcuts.LIMIT


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("preset", "variables"), list(product(PRESETS, (3, 4, 7, 10, 13))))
def test_so_they_are_in_presets(shortcuts, preset, variables):
    found = shortcuts.accuracies(shortcuts.column(variables, preset, 2000, 2000))
    assert max(of_counts(shortcuts, found)) <= shortcuts.LIMIT


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("preset", PRESETS)
def test_with_the_counts_of_table_3_size_tells_little_more_than_the_commoner_kind(
    shortcuts, preset
):
    found = shortcuts.accuracies(shortcuts.published_column(preset, 2000, 2000))
    assert max(of_counts(shortcuts, found)) <= found["share of the commoner kind"] + 0.05


def of_counts(shortcuts, found):
    figures = [figure for name, figure in found.items() if name.endswith(": counts")]
    assert len(figures) == len(shortcuts.LEARNERS)
    return figures
