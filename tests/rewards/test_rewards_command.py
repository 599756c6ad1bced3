"""``logic-curriculum judge``: every line of a file is judged, or named and counted."""

import json
from pathlib import Path

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards.__main__ import main

PROGRAM = (
    "eastbound(t0).\nhas_car(t0, c0).\ncar_color(c0, red).\n"
    "westbound(t1).\nhas_car(t1, c1).\ncar_color(c1, blue)."
)
RED = "eastbound(T) :- has_car(T, C), car_color(C, red)."
GOOD = {"completion": RED, "verification": json.dumps({"validation_program": PROGRAM}), "level": 2}
WRONG = {**GOOD, "completion": "eastbound(T)."}
PUBLISHED = {"prediction": RED, "validation program": PROGRAM, "curriculum level": 10}
UNGROUNDED = {"completion": RED, "level": 2, "seed": 7}


@pytest.fixture
def judge_file(tmp_path, capsys):
    """Write lines to a file, judge it, and return status, table rows, complaints and verdicts."""

    def run(*lines: str | bytes | dict):
        predictions, out = tmp_path / "predictions.jsonl", tmp_path / "verdicts.jsonl"
        texts = [json.dumps(line) if isinstance(line, dict) else line for line in lines]
        data = [text if isinstance(text, bytes) else text.encode() for text in texts]
        predictions.write_bytes(b"\n".join(data))
        status = main(["slr", "--predictions", str(predictions), "--out", str(out)])
        shown = capsys.readouterr()
        rows = [line.split() for line in shown.out.splitlines()]
        verdicts = [json.loads(line) for line in out.read_text().splitlines()]
        *complaints, last = shown.err.splitlines()
        assert last == f"the verdicts are in {out}"
        return status, rows, complaints, verdicts

    return run


def test_scores_are_printed_by_level_and_in_all(judge_file):
    status, rows, complaints, _ = judge_file(PUBLISHED, GOOD, WRONG)
    assert (status, complaints) == (0, [])
    #       level  lines solved   partial  syntax  gap      not graded
    assert rows[1:] == [
        ["2", "2", "0.500", "0.750", "1.000", "0.000", "0"],
        ["10", "1", "1.000", "1.000", "1.000", "0.000", "0"],
        ["all", "3", "0.667", "0.833", "1.000", "0.000", "0"],
    ]


@pytest.mark.parametrize(("line", "complaint"), [
    ("{", "no JSON"),
    ("[]", "a list, not an object"),
    (b'{"completion": "\xff"}', "no JSON"),
    ({"verification": {}}, "neither 'completion' nor 'prediction' among ['verification']"),
    ({"completion": 3, "validation program": PROGRAM}, "completion of type int"),
    (UNGROUNDED, "The row has no 'validation_program', only ['completion', 'level', 'seed']"),
    ({"completion": RED, "validation program": "p("}, "line 1, "),
    (generate("slr", 1, 0).to_row(), "give the model's as 'prediction'"),
])  # fmt: skip
def test_a_bad_line_is_named_and_counted_and_costs_the_others_nothing(judge_file, line, complaint):
    status, rows, complaints, verdicts = judge_file(GOOD, line, WRONG)
    assert status == 1
    assert complaints[0].startswith("line 2: ")
    assert complaint in complaints[0]
    assert rows[-1] == ["all", "3", "0.500", "0.750", "1.000", "0.000", "1"]
    assert ["error" in verdict for verdict in verdicts] == [False, True, False]


@pytest.mark.parametrize(("words", "message"), [
    (["--out", "{folder}"], "name another for the verdicts"),
    (["--out", "{folder}/./q.jsonl"], "name another for the verdicts"),
    (["--predictions", "nowhere.jsonl"], "nowhere.jsonl is not a file"),
    (["--num-proc", "0"], "--num-proc 0: at least 1 process judges"),
])  # fmt: skip
def test_a_mistake_is_refused_before_anything_is_judged(tmp_path, capsys, words, message):
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps(GOOD))
    words = [word.format(folder=tmp_path) for word in words]
    with pytest.raises(SystemExit):
        main(["slr", "--predictions", str(file), *words])
    assert message in capsys.readouterr().err
    assert json.loads(file.read_text()) == GOOD


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_a_line_is_named(tmp_path, capsys, content):
    file = tmp_path / "q.jsonl"
    file.write_text(content)
    assert main(["slr", "--predictions", str(file)]) == 1
    assert capsys.readouterr().err == f"{file} has no line to judge\n"


def test_a_full_device_costs_one_line_and_no_earlier_verdicts(tmp_path, capsys, monkeypatch):
    file, out = tmp_path / "q.jsonl", tmp_path / "verdicts.jsonl"
    file.write_text(json.dumps(GOOD))
    out.write_text("earlier")
    monkeypatch.setattr(Path, "with_name", lambda *_: Path("/dev/full"))
    assert main(["slr", "--predictions", str(file), "--out", str(out)]) == 1
    assert "verdicts.jsonl can't be written (No space left on device)" in capsys.readouterr().err
    assert out.read_text() == "earlier"


def test_the_first_bad_lines_are_named_and_all_are_counted(judge_file):
    _, rows, complaints, verdicts = judge_file(GOOD, *[{"a": 1}] * 30)
    error = "neither 'completion' nor 'prediction' among ['a']; add one"
    assert complaints[:-1] == [f"line {number}: {error}" for number in range(2, 22)]
    assert complaints[-1] == "30 lines in all can't be judged"
    assert (rows[-1][-1], len(verdicts)) == ("30", 31)


def test_two_processes_write_one_verdict_for_each_line_in_the_order_of_the_file(tmp_path):
    predictions, out = tmp_path / "p.jsonl", tmp_path / "v.jsonl"
    row = {"verification": {"correct": [2], "options": 6, "why": "x" * 900}}
    with predictions.open("w") as file:
        for number in range(400):  # a third is right, a seventh can't be judged
            text = json.dumps({**row, "completion": f"Answer: {number % 3}"})
            file.write("{\n" if number % 7 == 6 else f"{text}\n" + "\n" * (number % 11 == 0))
    words = ["validity", "--predictions", str(predictions), "--out", str(out), "--num-proc", "2"]
    assert main(words) == 1
    found = [json.loads(line) for line in out.read_text().splitlines()]
    asked = [n for n, line in enumerate(predictions.read_text().split("\n"), 1) if line]
    assert [line["line"] for line in found] == asked
    assert [line.get("solved") for line in found] == [
        None if n % 7 == 6 else n % 3 == 2 for n in range(400)
    ]


def test_rows_of_another_family_are_told_so(judge_file):
    row = {"prediction": RED, "family": "sat", "verification": {"task_version": 3}}
    status, _, complaints, _ = judge_file(row)
    assert (status, len(complaints)) == (1, 1)
    assert "The row is of family 'sat', not of slr" in complaints[0]
