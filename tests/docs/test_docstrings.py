"""The examples in docstrings, which the site's reference shows, are true."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest
from pages import ROOT

FILES = [
    path
    for package in ("curriculum", "generators", "rewards")
    for path in sorted((ROOT / package).rglob("*.py"))
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_module_are_true(path: Path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    result = doctest.testmod(import_module(f"logic_curriculum.{name}"))
    assert result.failed == 0
    assert result.attempted > 0


def test_every_form_of_answers_has_an_example():
    names = ("answers", "*/answer", "sat", "symbolization", "validity")
    forms = {path for name in names for path in ROOT.glob(f"rewards/{name}.py")}
    assert len(forms) == 7
    assert forms <= {*FILES}
