"""The registry of families, and that nothing in this one's code knows the shipped languages."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import logic_curriculum.generators
from logic_curriculum.generators import families, generate, registry

FOLDER = Path(logic_curriculum.generators.__file__).parent / "slr"


def test_slr_is_a_family_with_twenty_levels_in_four_tiers():
    assert "slr" in families()
    assert registry.family("slr").levels() == range(1, 21)
    slr = registry.family("slr")
    assert [slr.tier(level) for level in (1, 5, 6, 11, 16, 20)] == [
        "basic",
        "basic",
        "easy",
        "medium",
        "hard",
        "hard",
    ]


def test_an_unknown_family_is_answered_with_the_choices():
    with pytest.raises(ValueError, match=r"There is no task family 'slt': choose one of .*slr"):
        generate("slt", 1, 0)


@pytest.mark.parametrize("level", [0, 21])
def test_a_level_out_of_range_is_answered_with_the_range(level):
    with pytest.raises(ValueError, match=rf"slr has no level {level}: its levels are 1 to 20"):
        generate("slr", level, 0)


@pytest.mark.parametrize(
    ("level", "seed", "message"),
    [
        (3.0, 1, "level is 3.0 of type float"),
        (True, 1, "level is True of type bool"),
        ("3", 1, "level is '3' of type str"),
        (3, 1.0, "seed is 1.0 of type float"),
        (3, None, "seed is None of type NoneType"),
    ],
)
def test_a_level_or_seed_that_is_no_int_is_refused(level, seed, message):
    with pytest.raises(ValueError, match=rf"{message}.*Pass an int"):
        generate("slr", level, seed)


def test_importing_generators_brings_neither_prolog_nor_heavy_libraries():
    code = (
        "import sys, logic_curriculum.generators as generators; generators.families(); "
        "heavy = {'datasets', 'pyswip', 'torch', 'transformers', 'trl'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_build_dataset_is_offered_lazily():
    assert logic_curriculum.generators.build_dataset is logic_curriculum.generators.build_dataset
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = logic_curriculum.generators.no_such_name


def texts(file):
    """The string constants of a module's code; docstrings do not count."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


# A word of the shipped languages; "constraint" and "carried" are none.
DOMAIN_WORD = r"(?<![a-z])(trains?|cars?|eastbound|westbound|houses?|rooms?|red)(?![a-z])"
ALLOWED = {
    "train",  # the split
    "trains",  # the default language
    "vocabulary car constants",  # a column of the published dataset
    "_SMALL_TRAIN_SETS",  # sizes of the split
}


def domain_words(texts_of_file):
    """Where a module of the family speaks of an object of a shipped language."""
    return [
        (file.name, text)
        for file in sorted(FOLDER.glob("*.py"))
        for text in texts_of_file(file)
        if re.search(DOMAIN_WORD, text, re.IGNORECASE) and text not in ALLOWED
    ]


def identifiers(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def test_no_text_in_the_code_names_an_object_of_a_shipped_language():
    said = domain_words(texts)
    # What the command line explains to readers of the paper's table, and the remedy of a message.
    prose = [item for item in said if "Table 2" in item[1] or "e.g. `[train, car]`" in item[1]]
    assert [item for item in said if item not in prose] == []


def test_no_name_in_the_code_is_an_object_of_a_shipped_language():
    assert domain_words(identifiers) == []
