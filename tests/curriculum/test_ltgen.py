"""The metrics of LTGen on a file of results whose values are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from logic_curriculum.curriculum.evaluation.ltgen import main, plots, tables
from logic_curriculum.curriculum.evaluation.ltgen_measures import (
    accuracy_points,
    by_size,
    experiments,
    false_positive_points,
    mean_homogeneity,
    over,
    over_runs,
    predictions,
    rates,
    read_answer,
    text_sizes,
)
from logic_curriculum.curriculum.evaluation.records import Record, make_record, write_records
from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge_batch

SAID = {"c": "<result>consistent</result>", "i": "<result>inconsistent</result>", "-": "Hm."}
# Text: whether it is consistent, its variables and clauses, and what two runs say of it.
TEXTS = {
    "A": (True, 3, 8, "cc"),
    "B": (False, 3, 8, "ci"),
    "C": (True, 4, 12, "ic"),
    "D": (False, 4, 12, "ii"),
    "E": (False, 4, 15, "c-"),
    "F": (True, 3, 5, "cc"),
}


def record(name: str, run: int, model: str = "tiny") -> Record:
    consistent, variables, clauses, said = TEXTS[name]
    payload = {"formulas": ["v1"] if consistent else ["v1", "¬v1"], "satisfiable": consistent}
    prompt = "?" * (10 * clauses)
    completion = SAID[said[run]].ljust(2 * len(prompt))
    (verdict,) = judge_batch("sat", [completion], [payload])
    return Record(
        id=name,
        family="sat",
        level=1,
        seed=0,
        split="test",
        sample=run,
        shots=0,
        model=model,
        prompt=prompt,
        completion=completion,
        solution=SAID["c" if consistent else "i"],
        verdict=verdict,
        verification=payload,
        metadata={"variables": variables, "clauses": clauses, "preset": "uniform"},
        seconds=None if name == "F" else 2 * run + 1.0,
    )


RECORDS = [record(name, run) for run in (0, 1) for name in TEXTS]


@pytest.fixture(scope="module")
def answers():
    ((experiment, found),) = experiments(RECORDS).items()
    assert experiment == ("uniform", "tiny")
    return found


def test_classification_is_the_mean_over_runs_with_consistent_as_positive(answers):
    # Run 0: TP A F, FN C, FP B E, TN D. Run 1: TP A C F, TN B D, nothing said of E.
    #   accuracy 3/6 and 5/6, precision 2/4 and 3/3, recall 2/3 and 3/3,
    #   F1 2*2/(4 called + 3 consistent) = 4/7 and 2*3/(3+3) = 1
    # The deviation of two values is their difference over the root of 2.
    pairs = {
        "accuracy": (3 / 6, 5 / 6),
        "precision": (2 / 4, 1),
        "recall": (2 / 3, 1),
        "F1": (4 / 7, 1),
    }
    for name, found in over_runs(answers).items():
        first, second = pairs[name]
        assert found == pytest.approx(((first + second) / 2, (second - first) / sqrt(2)))
    # All answers together: false positives B E of six answers to inconsistent texts.
    assert rates(answers).false_positive == pytest.approx(2 / 6)


def test_homogeneity_is_the_share_of_the_most_frequent_answer(answers):
    # A cc 100, B ci 50, F cc 100; C ic 50, D ii 100, E c- 50, no verdict being a value too.
    found = {size: mean_homogeneity(group) for size, group in by_size(answers, "variables").items()}
    assert found == {3: pytest.approx(250 / 3), 4: pytest.approx(200 / 3)}
    assert mean_homogeneity([answer for answer in answers if answer.run == 0]) is None


def test_accuracy_is_taken_by_variables_and_by_intervals_of_clauses(answers):
    # Three variables: A 2, B 1, F 2 of 6 right; four: C 1, D 2, E 0 of 6.
    for groups, keys in (
        (by_size(answers, "variables"), (3, 4)),
        (by_size(answers, "interval"), ("1-10", "11-20")),
    ):
        assert {key: rates(group).accuracy for key, group in groups.items()} == {
            keys[0]: pytest.approx(5 / 6),
            keys[1]: pytest.approx(3 / 6),
        }
    assert list(by_size(answers, "clauses")) == [5, 8, 12, 15]
    assert [replace(answers[0], clauses=n).interval for n in (1, 10, 11, 70, 71, 95)] == [
        *("1-10", "1-10", "11-20", "61-70", "71 or more", "71 or more"),
    ]


def test_predictions_are_split_by_truth(answers):
    # Consistent texts: 5 of 6 called consistent, C once not. Inconsistent ones: B and E once called
    # consistent, B once and D twice not, E once neither.
    assert predictions(answers) == {
        True: pytest.approx([500 / 6, 100 / 6, 0]),
        False: pytest.approx([200 / 6, 300 / 6, 100 / 6]),
    }


def test_false_positive_rates_are_correlated_with_inconsistency(answers):
    # Clauses: 5 (F) 0 % inconsistent, rate 0; 8 (A B) 50 %, B once of twice; 12 (C D) 50 %, rate 0;
    # 15 (E) 100 %, once of twice.
    points = false_positive_points(answers)
    assert [point[:2] for point in points] == [(0, 0), (50, 0.5), (50, 0), (100, 0.5)]
    # Deviations -50 0 0 50 and -1/4 1/4 -1/4 1/4: products 25, squares 5000 and 1/4,
    # r = 25 / sqrt(1250) = 1/sqrt(2); with 4 points p = 1 - |r|.
    found = over(points)
    assert (found.r, found.p, found.points) == pytest.approx((1 / sqrt(2), 1 - 1 / sqrt(2), 4))
    # Without the first group: deviations -1/3 -1/3 2/3 of 50 and 1/6 -1/3 1/6: products 50/6,
    # squares 2500 * 6/9 and 1/6, r = (50/6) / sqrt(2500/9) = 1/2; with 3 points
    # p = 1 - 2/pi * asin(1/2) = 2/3.
    found = over([point for point in points if point.x > 0])
    assert (found.r, found.p, found.points) == pytest.approx((1 / 2, 2 / 3, 3))


def test_accuracy_is_correlated_with_consistency(answers):
    points = accuracy_points(answers)
    assert [point[:2] for point in points] == [(100, 1), (50, 0.75), (50, 0.75), (0, 0)]
    # Deviations 50 0 0 -50 and 3/8 1/8 1/8 -5/8: products 50, squares 5000 and 36/64,
    # r = 50 / sqrt(2812.5) = sqrt(8/9).
    found = over(points)
    assert (found.r, found.p, found.points) == pytest.approx((sqrt(8 / 9), 1 - sqrt(8 / 9), 4))


def test_the_command_writes_tables_and_pictures(tmp_path: Path, capsys):
    pytest.importorskip("matplotlib", reason='pip install "logic-curriculum[plots]"')
    write_records(tmp_path / "results.jsonl", RECORDS)

    assert main([str(tmp_path / "results.jsonl"), "--out", str(tmp_path / "out")]) == 0

    text = (tmp_path / "out" / "sat.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    found = {row[0]: row[1:] for row in rows}
    # mean 0.667 and deviation 1/3/sqrt(2) = 0.236 for the accuracy, and so on; 6 answers a run,
    # 2 runs, 1 of 12 without a verdict, 8 right; answers took 1 s in run 0 and 3 s in run 1
    assert [
        *("uniform", "tiny", "0.67 (0.24)", "0.75 (0.35)", "0.83 (0.24)", "0.79 (0.30)"),
        *("6.0 (0.0)", "2.00 (1.41)", "2", "0.08", "0.67"),
    ] in rows
    assert ["uniform", "tiny", "0.71", "0.293", "4", "0.50", "0.667", "3"] in rows
    assert ["uniform", "tiny", "0.94", "0.057", "4"] in rows
    # three variables: TP A F twice each, FP B once, TN B once: precision 4/5, F1 8/9
    assert found["3"] == [
        *("3", "6", "66.7", "0.83", "0.80", "1.00", "0.89", "0.50", "83.3"),
        *("70.0 (17.3)", "7.00 (1.73)", "140"),  # (80 + 80 + 50) / 3 characters read
    ]
    assert found["11-20"][:4] == ["3", "6", "33.3", "0.50"]
    assert len(list((tmp_path / "out").glob("sat-*.png"))) == 8
    for path in (tmp_path / "out").glob("sat-*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")


def test_data_sets_and_models_are_kept_apart(tmp_path: Path):
    pytest.importorskip("matplotlib", reason='pip install "logic-curriculum[plots]"')
    records = [
        *RECORDS,
        *(record(name, 0, model="other") for name in TEXTS),
        *(replace(each, metadata={**each.metadata, "preset": "hard3sat"}) for each in RECORDS),
        *(replace(each, metadata={**each.metadata, "style": "certificate"}) for each in RECORDS),
    ]
    names = [str(experiment) for experiment in experiments(records)]
    assert names == [
        *("uniform · tiny", "uniform · other", "hard3sat · tiny", "uniform, with proof · tiny"),
    ]
    assert [row[:2] for row in tables(records)[0].rows] == [
        list(name) for name in experiments(records)
    ]
    assert len(plots(records, tmp_path / "new" / "folder")) == 8


def test_other_families_and_ungraded_answers_are_left_out():
    ungraded = replace(RECORDS[0], verdict=replace(RECORDS[0].verdict, reward=None))
    other = replace(RECORDS[0], family="slr")
    ((_, found),) = experiments([RECORDS[1], ungraded, other]).items()
    assert len(found) == 1
    with pytest.raises(ValueError, match="None of 2 records"):
        experiments([ungraded, other])


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"metadata": {"clauses": 3}}, "variables=None"),
        ({"metadata": {"variables": 3, "clauses": "8"}}, "clauses='8'"),
        ({"verification": {}}, "satisfiable=None"),
        ({"verdict": replace(RECORDS[0].verdict, metrics={})}, "none of the metrics"),
    ],
)
def test_a_record_that_lacks_what_is_measured_is_named(changes, named):
    with pytest.raises(ValueError, match=f"Record A, sample 0, .*{named}"):
        read_answer(replace(RECORDS[0], **changes))


def test_a_wrong_file_ends_the_command_with_a_message(tmp_path: Path, capsys):
    (tmp_path / "bad.jsonl").write_text("{}\n")
    assert main([str(tmp_path / "bad.jsonl"), "--out", str(tmp_path / "out")]) == 2
    assert "line 1 is no record" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_records_of_generated_tasks_can_be_measured():
    task = generate("sat", 3, 1, style="certificate")
    verdicts = judge_batch("sat", [task.solution], [task.verification])
    made = make_record(
        task, verdicts[0], model="gold", prompt=task.prompt, completion=task.solution
    )
    answer = read_answer(made)
    assert answer.called is answer.consistent
    assert answer.solved
    assert answer.consistent is task.verification["satisfiable"]
    assert (answer.variables, answer.clauses) == (4, task.metadata["clauses"])
    assert list(map(str, experiments([made]))) == ["ladder, with proof · gold"]


def test_texts_have_mean_and_deviation_of_characters_and_statements(answers):
    # Three variables: A 8, B 8, F 5 statements, ten characters of the prompt for each; mean 7,
    # squares 1 + 1 + 4 over 2. An answer more to a text changes nothing.
    characters, statements = text_sizes(by_size(answers, "variables")[3])
    assert statements == (7, pytest.approx(sqrt(3)))
    assert characters == (70, pytest.approx(10 * sqrt(3)))
    assert text_sizes(answers[:1]) == ((80, None), (8, None))
