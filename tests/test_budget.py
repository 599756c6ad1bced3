"""What counts as a line of code for the budget."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from budget import code_lines, sizes  # noqa: E402

SOURCE = '''"""A module."""

import os  # counted


def f(
    x,  # counted
):
    """A docstring
    of two lines."""
    # a comment
    return """counted
    twice"""
'''


def test_blanks_comments_and_docstrings_are_no_code():
    assert code_lines(SOURCE) == 6


def test_the_sizes_are_those_of_the_checkout():
    found = sizes()
    assert found["python_files"] > 50
    assert found["readme_lines"] == len((ROOT / "README.md").read_text().splitlines())
