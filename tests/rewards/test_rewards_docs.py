"""The examples in guide and docstrings run as they stand."""

import doctest
from pathlib import Path

import pytest

import rewards.clauses
import rewards.extraction
import rewards.markup
import rewards.slr

GUIDE = Path(__file__).parents[2] / "docs" / "rewards.md"


def test_the_guide_s_examples_are_true():
    result = doctest.testfile(str(GUIDE), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 10


@pytest.mark.parametrize(
    "module", [rewards.clauses, rewards.extraction, rewards.markup, rewards.slr]
)
def test_the_docstrings_examples_are_true(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0
