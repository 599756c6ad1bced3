"""The scripts that judge the answers which LogicSkills' authors published, on a made-up copy."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest
from test_questions import MINIMAL, RIGHT, written

from logic_curriculum.generators.llm import LanguageModel

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FILES = {  # task → file of results, extraction of a right answer
    "symbolization": ("final_results/carroll_me_m-1_20250905_152608.json", {"formula": "¬Fa"}),
    "validity": ("final_results/english_me_m-1_20250905_152608.json", "2"),
    "countermodel": (
        "final_results/me_m-1_20250905_152608.json",
        {"Domain": [0, 1], "a": 0, "F": [0], "M": [1]},
    ),
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    data = tmp_path / "clone" / "logicskills" / "data"
    data.mkdir(parents=True)
    written(data / "all.jsonl", MINIMAL)
    for row in MINIMAL:
        name, extracted = FILES[row["task"]]
        path = data.parents[1] / "results" / "evaluation" / row["task"] / name
        path.parent.mkdir(parents=True)
        answer = {
            **{"question_id": row["id"], "model_response": RIGHT[row["task"]]},
            **{"extracted_answer": extracted, "is_correct": True},
        }
        path.write_text(json.dumps({"results": [answer]}))
    return data.parents[1]


def run(name: str, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    monkeypatch.setattr(sys, "argv", [name, *words])
    runpy.run_path(str(BENCHMARKS / name), run_name="__main__")


def test_published_answers_become_tables(clone, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    words = ("--data", str(clone), "--out", str(tmp_path / "out"))
    run("published_logicskills.py", monkeypatch, *words)
    said = capsys.readouterr().out
    assert "| me_m-1 | 100.0 ± 0.0 |" in said
    assert "| published: openai/gpt-4o | 85 | 74 | 10 |" in said


def test_a_reading_is_held_beside_the_stored_extraction(clone, monkeypatch, capsys):
    path = clone / "results" / "evaluation" / "validity" / FILES["validity"][0]
    path.write_text(path.read_text().replace('"extracted_answer": "2"', '"extracted_answer": "1"'))
    run("extraction_logicskills.py", monkeypatch, "--data", str(clone))
    said = capsys.readouterr().out
    assert "me_m-1 · validity · english · 8: another" in said
    assert "| symbolization | 1 | 100.0 ± 0.0 | 1 | 0 | 0 | 0 |" in said
    assert "| countermodel | 1 | 100.0 ± 0.0 | 1 | 0 | 0 | 0 |" in said
    assert "| validity | 1 | 0.0 ± 0.0 | 0 | 0 | 1 | 0 |" in said


def test_what_the_reader_leaves_is_asked_of_the_extractor(clone, monkeypatch, capsys):
    path = clone / "results" / "evaluation" / "validity" / FILES["validity"][0]
    path.write_text(path.read_text().replace("Answer: 2", "we saw that 2 had to be true here"))
    asked = []

    def texts(self, prompts):
        asked.extend(prompts)
        return ["<extract>Answer: 2</extract>"] * len(prompts)

    monkeypatch.setattr(LanguageModel, "texts", texts)
    words = ("--data", str(clone), "--extractor", "a-model")
    run("extraction_logicskills.py", monkeypatch, *words)
    assert ["we saw that 2 had to be true here" in prompt for prompt in asked] == [True]
    assert "| validity | 1 | 100.0 ± 0.0 | 1 | 0 | 0 | 1 |" in capsys.readouterr().out
