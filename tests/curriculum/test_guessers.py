"""What one answer to all tasks, and the answer of the most similar example, solve."""

import pytest

from logic_curriculum.curriculum.evaluation.guessers import best_constant, nearest_neighbour
from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family


def test_a_constant_countermodel_interprets_every_symbol():
    answers = family("countermodel").constant_answers(1, {"style": "compact"})

    symbols = [{word.split("=")[0] for word in answer.split()} for answer in answers]
    assert len(answers) > 100
    assert symbols == [symbols[0]] * len(answers)
    assert {"a", "b", "c", "F", "P"} <= symbols[0]


@pytest.mark.slow
def test_one_structure_solves_some_tasks_and_never_most():
    options = {"style": "compact"}
    tasks = [generate("countermodel", 1, seed, split="validation", **options) for seed in range(20)]

    assert 0 < sum(best_constant(tasks, options)) < 10


def test_the_nearest_neighbour_gives_the_solution_of_the_most_similar_prompt():
    tasks = [generate("validity", 3, seed, style="compact") for seed in range(6)]
    examples = [(task.prompt.upper(), "none") for task in tasks]
    assert not any(nearest_neighbour(tasks, examples))
    assert all(nearest_neighbour(tasks, examples + [(t.prompt, t.solution) for t in tasks]))


def test_the_constant_answers_of_validity_are_its_options():
    assert family("validity").constant_answers(1, {}) == ["1", "2", "3", "4", "5", "6"]
