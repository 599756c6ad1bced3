"""What the library makes and says is what it was when ``pins.json`` was written.

A change that is meant to move a task or a verdict raises a version and rewrites the file by
``python tests/pins/make.py``. All of it is compared by ``pytest tests/pins -m slow``, one family by
``pytest tests/pins -m slow -k slr``.
"""

from __future__ import annotations

import pytest
from pin_datasets import dataset_pins
from pin_library import FAMILIES
from pin_rows import row_pins, text_pins
from pin_store import FILE, MAKERS, differences, stored
from pin_verdicts import answer_pins

SAMPLE = 19
"""Of so many levels, one is in the sample; it has no divisor in common with their numbers."""
SHOWN = 40
"""Differences that a message names."""


def assert_unchanged(made, kept, *, partly=False):
    found = differences(made, kept, partly=partly)
    assert not found, f"{len(found)} pins differ:\n" + "\n".join(found[:SHOWN])


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sample_of_tasks_and_verdicts_is_as_it_was(family):
    kept = stored()[family]
    assert_unchanged(row_pins(family, SAMPLE), kept["rows"], partly=True)
    assert_unchanged(text_pins(family), kept["texts"])
    assert_unchanged(answer_pins(family), kept["verdicts"], partly=True)


def test_a_dataset_is_as_it_was():
    assert_unchanged(dataset_pins("sat"), stored()["sat"]["datasets"])


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("group", "kind"), [(group, kind) for group, kinds in MAKERS.items() for kind in kinds]
)
def test_everything_is_as_it_was(group, kind):
    assert_unchanged(MAKERS[group][kind](), stored()[group][kind])


def test_the_file_is_small():
    assert FILE.stat().st_size < 100_000
