"""The examples in guides and docstrings run as they stand."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITH_EXAMPLES = [
    path
    for path in sorted((ROOT / "rewards").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize(
    ("page", "examples"), [("docs/answers.md", 2), ("docs/rewards.md", 10), ("README.md", 5)]
)
def test_the_examples_of_a_page_are_true(page: str, examples: int):
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > examples


def test_every_form_of_answers_has_an_example():
    forms = {ROOT / "rewards" / "answers.py", *ROOT.glob("rewards/*/answer.py")}
    assert len(forms) == 7
    assert forms <= {*WITH_EXAMPLES}


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_docstrings_examples_are_true(path: Path):
    module = import_module(
        "logic_curriculum." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
    )
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0
