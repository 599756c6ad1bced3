from logic_curriculum.curriculum.evaluation.level_evaluation import best_constant, constant_answers
from logic_curriculum.generators import generate


def test_a_constant_countermodel_interprets_every_symbol():
    answers = constant_answers("countermodel", 1, {"style": "compact"})

    symbols = [{word.split("=")[0] for word in answer.split()} for answer in answers]
    assert len(answers) > 100
    assert symbols == [symbols[0]] * len(answers)
    assert {"a", "b", "c", "F", "P"} <= symbols[0]


def test_one_structure_solves_some_tasks_and_never_most():
    options = {"style": "compact"}
    tasks = [generate("countermodel", 1, seed, split="validation", **options) for seed in range(20)]

    assert 0 < best_constant(tasks, options) < 0.5


def test_the_constant_answers_of_validity_are_its_options():
    assert constant_answers("validity", 1, {}) == ["1", "2", "3", "4", "5", "6"]
