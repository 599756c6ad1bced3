"""What docs/tasks-slr.md and docs/results/slr-levels.md show is true."""

import re
from pathlib import Path

import pytest

from logic_curriculum.common.yaml_file import YamlFileError
from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.slr.enumeration import shortest_conjunctions
from logic_curriculum.generators.slr.family import SlrOptions
from logic_curriculum.generators.slr.language_file import load_language, read_language
from logic_curriculum.generators.slr.levels import LEVELS, range_text
from logic_curriculum.generators.slr.rules import draw_schema_rule, draw_uniform_rule, schema_bank
from logic_curriculum.generators.slr.synthesis import synthesize
from logic_curriculum.generators.task import SPLITS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tasks-slr.md").read_text(encoding="utf-8")
MEASURED = (ROOT / "docs" / "results" / "slr-levels.md").read_text(encoding="utf-8")
DEMANDS = MEASURED.split("| level | κ | ≤ 1 |")[1].split("\n\n")[0]
BLOCKS = re.findall(r"```text\n(.*?)\n```", PAGE, flags=re.DOTALL)


def test_the_prolog_example_is_a_real_task():
    task = generate("slr", 1, 2)
    assert BLOCKS[1:3] == [task.prompt, task.solution]


def test_the_natural_example_is_a_real_task():
    assert f"\n\nExamples:\n{BLOCKS[3]}\n\n" in generate("slr", 4, 0, style="natural").prompt


def test_the_compact_example_is_a_real_task():
    task = generate("slr", 8, 12, style="compact")
    assert BLOCKS[4] == f"{task.prompt}\n{task.solution}"


def test_the_message_about_a_bad_file_is_real():
    text = (ROOT / "generators/slr/languages/trains.yaml").read_text(encoding="utf-8")
    with pytest.raises(YamlFileError) as error:
        read_language(text.replace("car_len(car, len)", "car_len(car, lenght)"), "mine.yaml")
    assert str(error.value) == BLOCKS[5]


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


def test_what_a_level_demands_has_a_row_for_each_level():
    rows = [row.strip("| ").split(" | ") for row in DEMANDS.split("\n")[2:]]
    assert [row[:2] for row in rows] == [[str(item.number), str(item.kappa)] for item in LEVELS]


@pytest.mark.parametrize("level", [2, 4, 12])
def test_the_table_of_demands_is_about_the_tasks_of_today(level):
    published = float(DEMANDS.split("\n")[level + 1].strip("| ").split(" | ")[3])
    language, sources = (
        load_language("trains"),
        {"uniform": draw_uniform_rule, "guided": draw_schema_rule},
    )
    fitted = 0
    for seed in range(15):
        task = synthesize(language, LEVELS[level - 1], seed, "train", sources)
        classes = [[e.parts for e in task.examples if e.positive is of] for of in (True, False)]
        fitted += bool(shortest_conjunctions(*classes, 2))
    assert fitted / 15 == pytest.approx(published, abs=0.35)
