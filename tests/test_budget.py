"""What counts as a line of code for the budget."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from budget import code_lines  # noqa: E402  (a script, on the path above)

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
