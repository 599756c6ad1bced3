"""What the guide says of validity and countermodel tasks is what the code does."""

from pathlib import Path

import pytest

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.logicskills import TIERS
from logic_curriculum.generators.logicskills.countermodel import LEVELS as COUNTERMODEL
from logic_curriculum.generators.logicskills.validity import LEVELS as VALIDITY
from logic_curriculum.generators.logicskills.validity import STORED

GUIDE = Path(__file__).parents[3] / "docs" / "tasks-logicskills.md"


@pytest.fixture(scope="module")
def guide():
    return GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("family", "level", "seed"), [("validity", 4, 0), ("countermodel", 3, 1)])
def test_the_guide_shows_a_task_as_it_is_made(guide, family, level, seed):
    task = generate(family, level, seed, style="compact")
    assert f"```text\n{task.prompt}\n{task.solution}\n```" in guide


def test_the_guide_lists_the_levels_of_validity(guide):
    for number, level in enumerate(VALIDITY, start=1):
        counts = [count for question in level for count in question.premises.clauses]
        least, most = min(counts), max(counts)
        plans = ", ".join(question.about for question in level)
        premises = level[0].premises.premises
        clauses = f"{least}-{most}" if least < most else str(least)
        row = f"| {number} | {TIERS[number - 1]} | {premises} | {clauses} | {plans} |"
        assert row in guide


def test_the_guide_lists_the_levels_of_countermodels(guide):
    for number, level in enumerate(COUNTERMODEL, start=1):
        clauses = level.premises.clauses
        cells = [
            str(number),
            TIERS[number - 1],
            str(level.size),
            "yes" if level.axiom else "no",
            str(level.premises.premises),
            f"{min(clauses)}-{max(clauses)}",
            f"{level.max_share * 100:g} %",
        ]
        assert f"| {' | '.join(cells)} |" in guide


def test_the_guide_counts_the_stored_models(guide):
    assert f"{sum(count for _, count in STORED):,} models of the domain axiom" in guide


def test_the_guide_states_the_sizes_of_the_datasets(guide):
    sizes = [registry.family("validity").published_sizes(level) for level in range(1, 11)]
    assert all(size == {"train": 1_000, "validation": 20, "test": 60} for size in sizes)
    assert "| validity | 1,000 per level | 20 | 60, in all the paper's 600 |" in guide
    sizes = [registry.family("countermodel").published_sizes(level) for level in range(1, 11)]
    assert all(size == {"train": 10_000, "validation": 30, "test": 30} for size in sizes)
    assert "| countermodel | 10,000 per level, in all the paper's 100,000 | 30 | 30," in guide
