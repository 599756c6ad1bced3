"""What docs/tasks-logicskills.md shows of sentences, and symbolization is true."""

import random
import re
from pathlib import Path

import pytest
from random_sentences import draw

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.logicskills import split_of
from logic_curriculum.generators.logicskills.lexicon import load_lexicon
from logic_curriculum.generators.logicskills.sentences import realize
from logic_curriculum.generators.logicskills.symbolization import LEVELS
from logic_curriculum.generators.task import SPLITS

PAGE = (Path(__file__).parents[3] / "docs" / "tasks-logicskills.md").read_text(encoding="utf-8")


def section(title):
    """The text of a section with its subsections."""
    after = PAGE.partition(f"\n## {title}\n")[2]
    return re.split(r"\n## ", after)[0]


def blocks(title, language="text"):
    return re.findall(rf"```{language}\n(.*?)```", section(title), flags=re.DOTALL)


def test_the_compact_example_is_the_same_task():
    task = generate("symbolization", 6, 1, style="compact", language="carroll")
    assert blocks("Symbolization")[0] == f"{task.prompt}{task.solution}\n"


def test_the_table_of_types_has_true_examples():
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| `(.*)` \|$", section("Sentences"), re.MULTILINE)
    assert len(rows) >= 6
    for name, *shown in rows:
        sentence = draw(random.Random(name), (name,))
        assert shown == [realize(sentence, load_lexicon("english")), str(sentence.formula)]


def test_the_table_of_levels_is_the_generator_s():
    rows = re.findall(
        r"^\| (\d+ \| (?:basic|easy|medium|hard) .*) \|$", section("Symbolization"), re.MULTILINE
    )
    settings = [registry.family("symbolization").level_settings(n, None) for n in range(1, 11)]
    assert [row.split(" | ")[-2:] for row in rows] == [[*row.values()] for row in settings]
    examples = [generate("symbolization", n, 0).metadata["sentence"] for n in range(1, 11)]
    shown = " ".join(f"{number}. {text}" for number, text in enumerate(examples, start=1))
    assert shown in " ".join(section("Symbolization").split())


@pytest.mark.parametrize("level", [1, 2, 4])
def test_the_small_levels_hold_what_the_table_says(level):
    (group,) = LEVELS[level - 1].sets
    sides = [split_of(str(sentence.formula)) for sentence in group.pools[0]]
    counts = " | ".join(str(sides.count(split)) for split in SPLITS)
    assert f"\n| {level} | {counts} |\n" in section("Symbolization")


@pytest.mark.parametrize("split", SPLITS)
def test_the_table_of_sizes_is_what_is_built(split):
    sizes = [
        registry.family("symbolization").published_sizes(level)[split] for level in range(1, 11)
    ]
    assert len(set(sizes[4:])) == 1
    cells = " | ".join(f"{size:,}" for size in (*sizes[:5], sum(sizes)))
    assert f"\n| {split} | {cells} |\n" in section("Symbolization")
