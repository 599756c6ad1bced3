import json
from pathlib import Path

import pytest

from logic_curriculum.curriculum.evaluation.transfer import (
    PAPER_DELTAS,
    Setting,
    accuracy,
    difference,
    evaluation_tasks,
    format_matrix,
    format_profile,
    guesses,
    plot,
    published_questions,
    summarize,
)

ENGLISH = Setting("symbolization", "english")
CARROLL = Setting("symbolization", "carroll")
COUNTERMODEL = Setting("countermodel", None)

MODELS = {
    "base": {
        ENGLISH: [False, False, True, False],
        CARROLL: [False, False, False, True],
        COUNTERMODEL: [True, False, False, False],
    },
    "symbolization": {
        ENGLISH: [True, True, True, False],
        CARROLL: [True, True, False, True],
        COUNTERMODEL: [False, False, False, False],
    },
}


def test_accuracy_has_the_binomial_standard_error():
    # 3 of 4: 75 %; sqrt(0.75 * 0.25 / 4) = 0.2165
    value, error, items = accuracy([True, True, True, False])

    assert value == 75.0
    assert error == pytest.approx(21.65, abs=0.01)
    assert items == 4


def test_items_that_could_not_be_graded_count_for_nothing():
    assert accuracy([True, None, False, None]) == accuracy([True, False])
    assert difference([True, None, False], [True, True, True]) == difference(
        [True, False], [True, True]
    )


def test_a_difference_has_the_standard_error_of_paired_differences():
    # differences 1, 0, 0, -1: mean 0, variance 0.5, sqrt(0.5 / 4) = 0.3536
    value, error, items = difference([False, True, False, True], [True, True, False, False])

    assert value == 0.0
    assert error == pytest.approx(35.36, abs=0.01)
    assert items == 4


def test_two_models_that_solve_the_same_items_differ_by_nothing():
    assert difference([True, False], [True, False])[:2] == (0.0, 0.0)


def test_outcomes_on_different_items_are_not_compared():
    with pytest.raises(ValueError, match="same items"):
        difference([True], [True, False])


def test_no_graded_item_gives_no_accuracy():
    with pytest.raises(ValueError, match="None of 2 items"):
        accuracy([None, None])


def test_the_matrix_pools_languages_and_stands_beside_the_paper():
    # symbolization: 2 of 8 → 6 of 8, i.e. +50 points; countermodel: 1 of 4 → 0 of 4
    header, _, base, tuned = format_matrix(MODELS).splitlines()

    assert header == "| trained on | symbolization Δ | paper Δ | countermodel Δ | paper Δ |"
    assert base == "| nothing: base accuracy | 25.0 ± 15.3 |  | 25.0 ± 21.7 |  |"
    assert tuned == "| symbolization | +50.0 ± 17.7 | +80.7 | -25.0 ± 21.7 | +0.0 |"


def test_an_adapter_that_the_paper_does_not_have_is_shown_without_its_figure():
    models = {"base": MODELS["base"], "validity": MODELS["symbolization"]}

    assert format_matrix(models).splitlines()[-1].startswith("| validity | +50.0 ± 17.7 | – |")


def test_the_profile_has_a_column_for_each_language():
    header, _, base, _ = format_profile(MODELS).splitlines()

    assert header == "| model | symbolization (english) | symbolization (carroll) | countermodel |"
    assert base == "| base | 25.0 ± 21.7 | 25.0 ± 21.7 | 25.0 ± 21.7 |"


def test_the_summary_is_json_and_agrees_with_the_matrix():
    summary = json.loads(json.dumps(summarize(MODELS, {"guess": MODELS["base"]})))

    gain = summary["difference"]["symbolization"]["symbolization"]
    assert gain["value"] == 50.0
    assert gain["items"] == 8
    assert gain["paper"] == PAPER_DELTAS["symbolization"]["symbolization"]
    assert summary["accuracy"]["base"]["countermodel"]["value"] == 25.0
    assert summary["accuracy"]["guess"] == summary["accuracy"]["base"]
    assert list(summary["difference"]) == ["symbolization"]


def test_the_authors_questions_are_asked_in_their_settings(tmp_path):
    rows = [
        {"task": "validity", "language": "carroll", "options": ["A", "B"], "label": "2"},
        {"task": "countermodel", "language": "formal", "premises": ["Ga"], "conclusion": "Fa",
         "domain": [0, 1, 2]},
        {"task": "symbolization", "language": "english", "formula": "Fa", "key": {"F": "[1] ran"}},
        {"task": "symbolization", "language": "english", "formula": "Ga", "key": {"G": "[1] sat"}},
    ]  # fmt: skip
    lines = [json.dumps({**row, "prompt": f"Question {n}", "id": n}) for n, row in enumerate(rows)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))

    found = published_questions(tmp_path)

    assert {setting: [q.prompt[-1] for q in own] for setting, own in found.items()} == {
        ENGLISH: ["2", "3"], COUNTERMODEL: ["1"], Setting("validity", "carroll"): ["0"]
    }  # fmt: skip
    asked = {Setting("validity", "carroll"): found[Setting("validity", "carroll")]}
    guessed = guesses(asked, [("Question 0", "2")], {"validity": {"style": "paper"}})
    assert [list(own.values()) for own in guessed.values()] == [[[True]], [[True]]]


def test_guessers_stand_beside_the_models():
    levels, options = {"validity": [1, 2]}, {"validity": {"style": "compact"}}
    tasks = evaluation_tasks(levels, ["english", "carroll"], 12, 0, options)
    setting = Setting("validity", "english")
    known = [(question.prompt, question.task.solution) for question in tasks[setting]]

    found = guesses(tasks, known, options)

    assert 2 <= sum(found["best constant"][setting]) < 12  # of six options, one is right twice
    assert all(found["nearest neighbour"][setting])
    assert list(found["nearest neighbour"]) == list(tasks)


def test_the_profile_is_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib", reason='pip install "logic-curriculum[plots]"')
    plot(tmp_path / "profile.png", MODELS)

    assert (tmp_path / "profile.png").read_bytes().startswith(b"\x89PNG")
