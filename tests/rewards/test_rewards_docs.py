"""The examples in guide and docstrings run as they stand."""

import doctest
from pathlib import Path

import pytest

import rewards.claims
import rewards.clauses
import rewards.extraction
import rewards.formulas
import rewards.labels
import rewards.listings
import rewards.loginum_claims
import rewards.loginum_numbers
import rewards.loginum_summary
import rewards.markup
import rewards.plain
import rewards.sat_answers
import rewards.slr
import rewards.structures
import rewards.validity

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("page", "examples"), [("docs/rewards.md", 10), ("README.md", 5)])
def test_the_examples_of_a_page_are_true(page: str, examples: int):
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > examples


@pytest.mark.parametrize(
    "module",
    [
        rewards.claims,
        rewards.clauses,
        rewards.extraction,
        rewards.formulas,
        rewards.labels,
        rewards.listings,
        rewards.loginum_claims,
        rewards.loginum_numbers,
        rewards.loginum_summary,
        rewards.markup,
        rewards.plain,
        rewards.sat_answers,
        rewards.slr,
        rewards.structures,
        rewards.validity,
    ],
)
def test_the_docstrings_examples_are_true(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0
