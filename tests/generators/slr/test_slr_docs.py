"""What docs/tasks-slr.md shows is true."""

import re
from pathlib import Path

import pytest

from logic_curriculum.common.yaml_file import YamlFileError
from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.slr.family import SlrOptions
from logic_curriculum.generators.slr.language_file import read_language
from logic_curriculum.generators.slr.levels import LEVELS, range_text
from logic_curriculum.generators.slr.rules import schema_bank
from logic_curriculum.generators.task import SPLITS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tasks-slr.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n(.*?)\n```", PAGE, flags=re.DOTALL)


def test_the_message_about_a_bad_file_is_real():
    text = (ROOT / "generators/slr/languages/trains.yaml").read_text(encoding="utf-8")
    with pytest.raises(YamlFileError) as error:
        read_language(text.replace("car_len(car, len)", "car_len(car, lenght)"), "mine.yaml")
    assert str(error.value) == BLOCKS[1]


def test_the_table_of_levels_is_the_generator_s():
    rows = [row for row in PAGE.split("\n") if re.match(r"\| \d+ \| (basic|easy|medium|hard)", row)]
    for row, level in zip(rows, LEVELS, strict=True):
        sizes = [range_text(level.parts), str(level.predicates), str(level.kappa)]
        sampling = "uniform/guided" if level.guided_share else "uniform"
        form = [level.background, range_text(level.rule_length), sampling]
        assert row.strip("| ").split(" | ") == [str(level.number), level.tier, *sizes, *form]


def test_every_style_has_its_row():
    styles = dict.fromkeys(schema.style for schema in schema_bank())
    for number, style in enumerate(styles, start=1):
        assert f"\n| {number} | {style} | `eastbound(T) :- " in PAGE
    assert f"a bank of {len(schema_bank())} schemata" in PAGE


def test_the_table_of_sizes_is_counted():
    for level in (1, 2, 3):
        cells = [
            f"{family('slr').available_tasks(level, SlrOptions(split, language)):,}"
            for language in ("trains", "houses")
            for split in SPLITS
        ]
        assert f"\n| {level} | {' | '.join(cells)} |\n" in PAGE


def test_the_paragraph_on_acceptance_is_the_prompt_s():
    quoted = " ".join(re.findall(r"^> (.*)$", PAGE, flags=re.MULTILINE))
    assert f"\n\n{quoted}\n\n" in generate("slr", 20, 0).prompt
