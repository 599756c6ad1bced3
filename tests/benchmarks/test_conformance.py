"""The script that holds our judges beside published data, on a few rows made up for it."""

import json
import runpy
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "conformance.py"
QUESTIONS = [
    {
        **{"task": "symbolization", "language": "carroll", "id": "7", "answer": "¬Fa"},
        "input": "Sentence:\n\nZindle didn't gyre.",
    },
    {
        **{"task": "validity", "language": "english", "id": "8", "answer": [2]},
        "input": "Everything drank.\n\n1. Alfred ate.\n2. Lewis ate.\n",
    },
    {
        **{"task": "countermodel", "language": "formal", "id": "9", "answer": None},
        "input": "3. Use the fixed domain [0, 1]\n\nArgument:\n\n∃xMx, Fa |= Ma",
    },
]
STRUCTURE = {"Domain": [0, 1], "a": 0, "F": [0], "M": [1]}
RESULTS = {  # file of results → answer, extraction
    "symbolization/final_results/carroll_me_m-1_20250905_152608.json": ("¬Fa", {"formula": "¬Fa"}),
    "validity/final_results/english_me_m-1_20250905_152608.json": ("Answer: 2", "2"),
    "countermodel/final_results/me_m-1_20250905_152608.json": (json.dumps(STRUCTURE), STRUCTURE),
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    data, results = tmp_path / "logicskills/data", tmp_path / "results/evaluation"
    data.mkdir(parents=True)
    (data / "all.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    for question, (name, (answer, extracted)) in zip(QUESTIONS, RESULTS.items(), strict=True):
        (results / name).parent.mkdir(parents=True)
        row = {"question_id": question["id"], "model_response": answer, "is_correct": True}
        (results / name).write_text(
            json.dumps({"results": [{**row, "extracted_answer": extracted}]})
        )
    return tmp_path


def run(data: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["conformance.py", "--data", str(data)])
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    return stop.value.code


def test_published_answers_and_gold_are_judged_as_published(clone, monkeypatch, capsys):
    assert run(clone, monkeypatch) == 0
    said = capsys.readouterr().out
    for task in ("symbolization", "validity", "countermodel"):
        assert f"| all | {task} | all | 1 | 100.00% | 0 |" in said
    assert "| symbolization | gold | 1 | 1 | 0 | 0 |" in said
    assert "| symbolization | negation dropped | 1 | 0 | 1 | 0 |" in said
    assert "| me_m-1 | 100" in said


def test_a_disagreement_is_printed_with_both_readings(clone, monkeypatch, capsys):
    path = clone / "results/evaluation" / list(RESULTS)[1]
    path.write_text(path.read_text().replace("Answer: 2", "Answer: 1"))
    run(clone, monkeypatch)
    said = capsys.readouterr().out
    assert "m-1 · validity · english · 8\n  ours:   False · 1" in said
    assert "| all | validity | all | 1 | 0.00% | 0 |" in said
