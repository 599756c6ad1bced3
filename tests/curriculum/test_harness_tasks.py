"""What lm-evaluation-harness calls of ours, without the harness."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from logic_curriculum.curriculum.evaluation import harness_general
from logic_curriculum.curriculum.evaluation.harness import (
    draw,
    mean_of_known,
    score,
    sum_over_levels,
    write_tasks,
)
from logic_curriculum.generators import families, generate, registry
from logic_curriculum.generators.sampling import distinct_tasks
from logic_curriculum.rewards.registry import judge_of


class Loader(yaml.SafeLoader):
    """Reads the harness's tag of a function as its name."""


Loader.add_constructor("!function", Loader.construct_yaml_str)


def read(path: Path) -> dict[str, object]:
    return yaml.load(path.read_text(), Loader)


def row(family: str, level: int = 1) -> dict[str, object]:
    return generate(family, level, seed=3).to_row()


@pytest.mark.parametrize("family", families())
def test_a_task_s_version_is_the_family_s_task_version_and_reward_version(family):
    metadata = read(write_tasks() / f"logic_{family}.yaml")["metadata"]
    assert str(metadata["version"]) == ".".join(map(str, judge_of(family).versions.values()))


def test_each_family_is_a_task_and_all_of_them_a_group():
    tasks = {path.stem: read(path) for path in write_tasks().glob("logic*.yaml")}
    group = tasks.pop("logic")

    assert {task["metadata"]["family"] for task in tasks.values()} == set(families())
    assert all(name == task["task"] for name, task in tasks.items())
    assert sorted(group["task"]) == sorted(tasks)


def test_passages_of_a_text_are_split_at_blank_lines_and_percent_signs(tmp_path):
    (tmp_path / "text").write_text("One line\nand another.\n%\nA second.\n\n\nA third.\n")
    drawn = harness_general.draw_passages(str(tmp_path / "text"), passages=2)
    assert drawn["test"]["passage"][:] == ["One line\nand another.", "A second."]


def test_perplexity_without_a_text_is_refused():
    with pytest.raises(ValueError, match="task text has no file"):
        harness_general.draw_passages()


def test_a_puzzle_s_answer_is_graded_by_the_dataset_s_own_scorer():
    pytest.importorskip("reasoning_gym", reason='needs pip install "logic-curriculum[downstream]"')
    puzzles = harness_general.draw_puzzles("leg_counting", questions=3, task_seed=1)
    again = harness_general.draw_puzzles("leg_counting", questions=3, task_seed=1)
    assert puzzles["test"].to_list() == again["test"].to_list()
    assert not set(puzzles["test"]["question"]) & set(puzzles["validation"]["question"])
    doc = puzzles["test"][0]
    scores = [harness_general.score_puzzle(doc, [reply])["acc"] for reply in (doc["answer"], "7.5")]
    assert scores == [1, 0]
    assert harness_general.best_constant([doc]) == 1
    assert "gym_leg_counting" in {path.stem for path in write_tasks().glob("gym_*.yaml")}


def test_a_constant_that_a_lenient_scorer_takes_is_found():
    pytest.importorskip("reasoning_gym", reason='needs pip install "logic-curriculum[downstream]"')
    puzzles = harness_general.draw_puzzles("coin_flip")["test"].to_list()
    assert harness_general.best_constant(puzzles) > 0.9
    puzzles = harness_general.draw_puzzles("basic_arithmetic")["test"].to_list()
    assert harness_general.best_constant(puzzles) < 0.1


def test_puzzles_without_answers_are_refused():
    pytest.importorskip("reasoning_gym", reason='needs pip install "logic-curriculum[downstream]"')
    with pytest.raises(ValueError, match="propositional_logic come without answers"):
        harness_general.draw_puzzles("propositional_logic")


def test_the_folder_is_printed_for_the_harness():
    command = [sys.executable, "-m", "logic_curriculum.curriculum.evaluation.harness"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert Path(run.stdout.strip()) == write_tasks()


def test_the_tasks_are_those_that_evaluate_asks():
    docs = draw("slr", levels=[1, 2], tasks_per_level=3, task_seed=5)["test"]
    asked = distinct_tasks("slr", [1, 2], 6, 5)
    assert list(docs) == [task.to_row() for task in asked]


def test_what_the_harness_adds_to_the_metadata_changes_nothing():
    plain = draw("sat", levels=[1], tasks_per_level=2)
    added = draw("sat", levels=[1], tasks_per_level=2, pretrained="x", version=1.0, seed=99)
    assert plain["test"].to_list() == added["test"].to_list()


@pytest.mark.parametrize(
    ("asked", "shown"), [("test", "validation"), ("validation", "train"), ("train", "validation")]
)
def test_examples_are_of_another_split_than_the_questions(asked: str, shown: str):
    drawn = draw("slr", [1], tasks_per_level=4, split=asked, task_options={"style": "compact"})
    splits = {
        name: {json.loads(row["metadata"])["split"] for row in docs} for name, docs in drawn.items()
    }
    assert splits == {"test": {asked}, "validation": {shown}}


def test_a_level_that_the_family_lacks_is_refused():
    with pytest.raises(ValueError, match="has no level 99"):
        draw("sat", levels=[99], tasks_per_level=1)


@pytest.mark.parametrize("family", families())
def test_the_solution_is_solved_and_an_empty_answer_is_not(family: str):
    doc = row(family)
    tier = registry.family(family).tier(1)

    right, wrong = score(doc, [str(doc["completion"])]), score(doc, [""])

    assert (right["solved"], right["lrl"], right[tier], right["ungraded"]) == (1, (1, 1), 1, 0)
    assert (wrong["solved"], wrong["lrl"], wrong[tier], wrong["ungraded"]) == (0, (1, 0), 0, 0)
    assert right["hard"] is None


def test_a_level_of_a_preset_beyond_the_ladder_is_of_no_tier():
    doc = generate("sat", 11, 1, split="test", preset="hard3sat").to_row()
    scores = score(doc, [str(doc["completion"])])
    assert (scores["solved"], scores["lrl"]) == (1, (11, 1))
    assert {scores[name] for name in ("basic", "easy", "medium", "hard")} == {None}


def test_an_answer_that_could_not_be_graded_counts_for_nothing(monkeypatch):
    from logic_curriculum.rewards import Verdict

    monkeypatch.setattr(
        "logic_curriculum.curriculum.evaluation.harness.judge", lambda *args: Verdict(False, None)
    )
    scores = score(row("slr"), ["anything"])

    assert scores["ungraded"] == 1
    assert not {"solved", "syntax", "partial"} & set(scores)
    assert scores["lrl"] == (1, None)
    assert scores["basic"] is None


def test_the_reasoning_level_sums_the_levels_accuracies():
    # Level 1: 1 of 2; level 2: 1 of 1, the other one ungraded; level 3: none graded.
    values = [(1, 1.0), (1, 0.0), (2, 1.0), (2, None), (3, None)]
    assert sum_over_levels(values) == 1.5


def test_a_tier_without_tasks_has_no_score():
    assert math.isnan(mean_of_known([None, None]))
    assert mean_of_known([1.0, None, 0.0]) == 0.5
