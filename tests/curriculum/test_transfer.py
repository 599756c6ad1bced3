"""The transfer matrix and the skill profile of LogicSkills, by hand-computed examples."""

from __future__ import annotations

import json

from answered import answered, frame

from logic_curriculum.curriculum.evaluation.guessers import guesses
from logic_curriculum.curriculum.evaluation.papers import transfer_tables
from logic_curriculum.curriculum.evaluation.prompts import (
    language_of,
    read_questions,
    skill_questions,
)

MODELS = {  # 1 solved, 0 not, ? not graded
    "base": {"english": "0010", "carroll": "0001", "formal": "1000"},
    "symbolization": {"english": "1110", "carroll": "1101", "formal": "0000"},
}


def tables(models: dict[str, dict[str, str]], *tuned: str):
    """Return the rows of both tables, as texts."""
    records = [
        answered(
            number,
            mark == "1",
            graded=mark != "?",
            family="countermodel" if language == "formal" else "symbolization",
            model=model,
            metadata={"language": language},
        )
        for model, marks in models.items()
        for language, own in marks.items()
        for number, mark in enumerate(own)
    ]
    return [
        [[str(cell) for cell in row.values()] for row in table.rows]
        for table in transfer_tables(frame(*records), tuned)
    ]


def test_the_matrix_pools_languages_and_stands_beside_the_paper():
    # symbolization: 2 of 8 → 6 of 8, i.e. +50 points; countermodel: 1 of 4 → 0 of 4.
    # Accuracies have the binomial standard error, sqrt(0.25 * 0.75 / 8) = 0.153; differences that
    # of the pairs: of 4 gains and 4 ties, 0.5 / sqrt(8) = 0.177.
    base, tuned = tables(MODELS, "symbolization")[0]
    assert base == ["nothing: base accuracy", "25.0 ± 15.3", "", "25.0 ± 21.7", ""]
    assert tuned == ["symbolization", "+50.0 ± 17.7", "+80.7", "-25.0 ± 21.7", "+0.0"]


def test_an_adapter_that_the_paper_does_not_have_is_shown_without_its_figure():
    models = {"base": MODELS["base"], "validity": MODELS["symbolization"]}
    assert tables(models, "validity")[0][1][:3] == ["validity", "+50.0 ± 17.7", "–"]


def test_the_profile_has_a_column_for_each_language():
    _, profile = tables(MODELS, "symbolization")
    assert profile == [
        ["base", "25.0 ± 21.7", "25.0 ± 21.7", "25.0 ± 21.7"],
        ["symbolization", "75.0 ± 21.7", "75.0 ± 21.7", "0.0 ± 0.0"],
    ]


def test_items_that_could_not_be_graded_count_for_nothing():
    lost = {"base": {"english": "0?10"}, "validity": {"english": "1100"}}
    kept = {"base": {"english": "010"}, "validity": {"english": "100"}}
    assert tables(lost, "validity")[0] == tables(kept, "validity")[0]


def test_the_authors_questions_are_guessed_by_skill_and_language(tmp_path):
    rows = [
        {"task": "validity", "language": "carroll", "options": ["A", "B"], "label": "2"},
        {"task": "countermodel", "language": "formal", "premises": ["Ga"], "conclusion": "Fa",
         "domain": [0, 1, 2]},
        {"task": "validity", "language": "english", "options": ["A", "B"], "label": "1"},
    ]  # fmt: skip
    lines = [json.dumps({**row, "prompt": f"Question {n}", "id": n}) for n, row in enumerate(rows)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))

    asked = read_questions(tmp_path)

    assert [language_of(question) for question in asked] == ["carroll", None, "english"]
    guessed = guesses([asked[0], asked[2]], [("Question 0", "2")], {"validity": {"style": "paper"}})
    assert [(r.model, r.prompt, r.solved) for r in guessed] == [
        ("best constant", "Question 0", True),
        ("nearest neighbour", "Question 0", True),
        ("best constant", "Question 2", True),
        ("nearest neighbour", "Question 2", False),
    ]


def test_guessers_stand_beside_the_models():
    levels, options = {"validity": [1, 2]}, {"validity": {"style": "compact"}}
    asked = skill_questions(levels, ["english", "carroll"], 12, 0, options)
    known = [(question.prompt, question.task.solution) for question in asked[:12]]

    found = guesses(asked[:12], known, options)

    assert [language_of(question) for question in asked] == ["english"] * 12 + ["carroll"] * 12
    assert 2 <= sum(record.solved for record in found[:12]) < 12  # of six options, one is right
    assert all(record.solved for record in found[12:])
