"""evaluate.py from its command line to its report, with a scripted endpoint for a model."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import compare
import evaluate
import pytest
import yaml
from llm_server import Endpoint, completion, failure
from pytest_httpserver import HTTPServer

from logic_curriculum.curriculum.evaluation import ltgen, page
from logic_curriculum.curriculum.evaluation.records import read_records
from logic_curriculum.curriculum.evaluation.run import EvaluationArguments, claim, make_questions

RED = "eastbound(T) :- has_car(T, C), car_color(C, red)."
SMALL = ("--families", "slr", "sat", "--levels", "1", "2", "--tasks", "4", "--batch_size", "4")


def answer_red(body: dict[str, Any]) -> Any:
    """Answer every question with the same rule."""
    return completion(RED)


@pytest.fixture
def endpoint(httpserver: HTTPServer) -> Endpoint:
    return Endpoint(httpserver, answer_red)


@pytest.fixture
def without_pictures(monkeypatch) -> None:
    """Draw nothing: that takes longer than all else."""
    monkeypatch.setattr(page, "save", lambda path, charts: None)
    monkeypatch.setattr(page, "as_svg", lambda chart: b"")
    monkeypatch.setattr(compare, "save", lambda path, charts: None)
    monkeypatch.setattr(ltgen, "plots", lambda records, folder: [])


@pytest.fixture
def run(endpoint: Endpoint, tmp_path: Path, monkeypatch):
    """Return what runs evaluate.py with options; None if it came to its end, else its message."""
    config = {
        "model": "o4-mini",
        "client": {"base_url": endpoint.url, "api_key": "none", "max_retries": 0},
        "cache": str(tmp_path / "cache"),
        "concurrency": 1,
    }
    (tmp_path / "llm.yaml").write_text(yaml.safe_dump(config))

    own = tmp_path / "own.yaml"
    own.write_text("conversational: true\n")  # in place of the demo's options

    def evaluated(*options: str) -> str | None:
        given = ("--output_dir", str(tmp_path / "run"), "--endpoint", str(tmp_path / "llm.yaml"))
        argv = ["evaluate.py", "--config", str(own), *given, *SMALL, *options]
        monkeypatch.setattr(sys, "argv", argv)
        try:
            evaluate.main()
        except SystemExit as error:
            return str(error)
        return None

    return evaluated


@pytest.mark.usefixtures("without_pictures")
def test_a_run_leaves_answers_scores_and_reports(run, endpoint, tmp_path, capsys):
    assert run() is None
    folder = tmp_path / "run"
    records = read_records(folder / "records.jsonl")
    assert [(r.family, r.level) for r in records] == [
        (family, level) for family in ("slr", "sat") for _ in range(4) for level in (1, 2)
    ]
    assert {record.completion for record in records} == {RED}
    assert {(r.model, r.prompt_tokens, r.completion_tokens) for r in records} == {
        ("o4-mini", 10, 5)
    }
    assert all(0 < record.seconds < 60 for record in records)
    assert len(endpoint.asked) == 16
    left = {path.name for path in folder.iterdir()}
    assert {"report.html", "report.md", "scores.json", "run.json"} <= left
    assert "records.parts" not in left
    # 8 answers on slr: 80 tokens at 1.10 and 40 at 4.40 a million
    slr, sat = json.loads((folder / "scores.json").read_text())
    assert slr["cost"] == pytest.approx((80 * 1.10 + 40 * 4.40) / 1e6)
    assert sat["overall"]["accuracy"]["value"] == 0.0
    text = (folder / "report.md").read_text()
    assert "| model | LRL | syntax score (%) | basic (%) | tokens (M) | cost (USD) |" in text
    assert "Accuracy, precision, recall and F1" in text
    printed = capsys.readouterr().out
    assert "SLR leaderboard row (Table 4)" in printed
    assert "Accuracy, precision, recall and F1" in printed


def test_pictures_are_drawn_of_charts_and_of_consistency(run, tmp_path):
    assert run("--families", "sat", "--tasks", "2") is None
    pictures = {path.name: path.read_bytes() for path in (tmp_path / "run").rglob("*.png")}
    assert "report.png" in pictures
    assert len(pictures) > 1
    assert all(content.startswith(b"\x89PNG") for content in pictures.values())


@pytest.mark.usefixtures("without_pictures")
def test_an_endpoint_may_be_asked_again_at_temperature_0(run, endpoint, tmp_path):
    config = yaml.safe_load((tmp_path / "llm.yaml").read_text())
    config["options"] = {"temperature": 0}
    (tmp_path / "llm.yaml").write_text(yaml.safe_dump(config))

    assert run("--families", "sat", "--levels", "1", "--tasks", "2", "--samples", "3") is None

    records = read_records(tmp_path / "run" / "records.jsonl")
    assert Counter(record.sample for record in records) == {0: 2, 1: 2, 2: 2}
    assert len(endpoint.asked) == 6
    assert {request["temperature"] for request in endpoint.asked} == {0}


@pytest.mark.usefixtures("without_pictures")
def test_a_finished_run_asks_nothing_more_and_is_not_mixed_with_another(run, endpoint, tmp_path):
    assert run() is None
    asked = len(endpoint.asked)
    assert run() is None
    assert len(endpoint.asked) == asked
    message = run("--seed", "1")
    assert "holds a run whose seed is 0, but 1 was asked for" in str(message)
    (tmp_path / "llm.yaml").write_text("{model: o4-mini, client: {base_url: http://b/v1}}")
    assert "but 'http://b/v1' was asked for" in str(run())


@pytest.mark.usefixtures("without_pictures")
def test_an_endpoint_that_dies_loses_no_batch(run, endpoint, tmp_path):
    def dying(body: dict[str, Any]) -> Any:
        return completion(RED) if len(endpoint.asked) <= 6 else failure(500, "gone")

    endpoint.script = dying
    assert "gave no answer" in str(run())
    endpoint.script = answer_red
    assert run() is None
    # 6 came, one failed; the two of the broken batch are in the client's cache
    assert len(endpoint.asked) == 16 + 1
    assert len(read_records(tmp_path / "run" / "records.jsonl")) == 16


@pytest.mark.usefixtures("without_pictures")
def test_examples_stand_in_front_of_questions_and_samples_are_asked_apart(run, endpoint, tmp_path):
    assert run("--shots", "0", "2", "--samples", "2", "--families", "slr", "--tasks", "1") is None
    records = read_records(tmp_path / "run" / "records.jsonl")
    assert [(r.shots, r.level, r.sample) for r in records] == [
        (shots, level, sample) for shots in (0, 2) for level in (1, 2) for sample in (0, 1)
    ]
    zero, few = records[0], records[4]
    assert few.id == zero.id
    assert few.prompt.endswith(zero.prompt)
    assert few.prompt.count(":-") > zero.prompt.count(":-")
    assert len(endpoint.asked) == 8


@pytest.mark.parametrize("split", ["validation", "test"])
def test_no_question_stands_among_its_own_examples(split):
    script = EvaluationArguments(
        output_dir="run",
        levels=[2, 3],
        tasks=12,
        split=split,
        shots=[3],
        task_options='{"slr": {"style": "compact"}}',
    )
    assert [q.prompt.count(q.task.prompt) for q in make_questions(script)] == [1] * 24


@pytest.mark.usefixtures("without_pictures")
def test_the_report_says_what_the_endpoint_and_the_extractor_were_asked(run, tmp_path):
    path = tmp_path / "llm.yaml"
    options = {"temperature": 0.3, "max_tokens": 50}
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), "options": options}))
    assert run("--families", "slr", "--tasks", "1", "--extractor", str(path)) is None
    text = (tmp_path / "run" / "report.md").read_text()
    assert "- decoding: max_tokens 50, temperature 0.3; else the endpoint's defaults\n" in text
    assert "- extractor: o4-mini\n" in text


def test_a_folder_whose_run_never_began_is_free(tmp_path):
    folder = tmp_path / "run"
    claim(folder, {"tasks": 40})
    claim(folder, {"tasks": 20})
    assert json.loads((folder / "run.json").read_text()) == {"tasks": 20}


def test_settings_that_were_broken_by_hand_are_named(tmp_path):
    (tmp_path / "records.jsonl").write_text("an answer")
    (tmp_path / "run.json").write_text('{"tasks": 40,}')
    with pytest.raises(SystemExit, match=r"run\.json is no JSON any more \(Expecting"):
        claim(tmp_path, {"tasks": 40})


def test_a_run_that_ended_before_its_first_answer_is_begun_again_with_other_settings(tmp_path):
    (tmp_path / "records.parts").mkdir()
    (tmp_path / "records.parts" / "0.jsonl").touch()
    claim(tmp_path, {"endpoint_url": "http://wrong/v1"})
    claim(tmp_path, {"endpoint_url": "http://right/v1"})
    assert "right" in (tmp_path / "run.json").read_text()


def test_a_file_is_no_run_folder(tmp_path):
    (tmp_path / "notes").write_text("precious")
    with pytest.raises(SystemExit, match="notes is a file"):
        claim(tmp_path / "notes", {"tasks": 40})


def test_a_folder_with_something_else_is_left_alone(run, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("precious")
    assert "is not empty and holds no evaluation" in str(run())
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--families", "chess"), "There is no task family 'chess'"),
        (("--split", "dev"), "split is 'dev'"),
        (("--backend", "tpu"), "backend is 'tpu'"),
        (("--tasks", "0"), "tasks is 0"),
        (("--max_new_tokens", "0"), "max_new_tokens is 0"),
        (("--shots", "0", "-2"), "shots is -2"),
        (("--temperature", "-0.1"), "temperature is -0.1"),
        (("--temperature", "nan"), "temperature is nan"),
        (("--temperature", "inf"), "temperature is inf"),
        (("--top_k", "-1"), "top_k is -1"),
        (("--top_p", "1.5"), "top_p is 1.5"),
        (("--task_options", "[1]"), "give a mapping"),
        (("--task_options", "{"), "which is no JSON"),
        (("--task_options", '{"slr": 1}'), "task_options of slr is 1"),
        (("--task_options", '{"slr": {"colour": 1}}'), "the family slr have no such option"),
        (("--task_options", '{"slr": {"split": "train"}}'), "a mapping of its options but split"),
    ],
)
def test_options_that_can_not_be_are_refused_at_once(run, options, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        run(*options)


@pytest.mark.usefixtures("without_pictures")
def test_two_runs_are_compared_by_their_folders(run, tmp_path, capsys):
    assert run() is None
    again = tmp_path / "again"
    again.mkdir()
    text = (tmp_path / "run" / "records.jsonl").read_text()
    (again / "records.jsonl").write_text(text.replace('"solved": false', '"solved": true'))
    capsys.readouterr()

    compare.main([str(tmp_path / "run"), str(again), "--out", str(tmp_path / "both")])

    printed = capsys.readouterr().out
    assert "Paired comparison" in printed
    assert f"The page is {tmp_path / 'both' / 'comparison.html'}" in printed
    assert "Accuracy, precision, recall and F1" in printed
    assert f"| sat | {tmp_path / 'run'} | {again} | 8 |" in printed
    # all 8 tasks turn out otherwise: 2 / 2**8, times 2 for two comparisons
    assert "| 8 | 0 | 0.016 | McNemar, exact |" in printed
    written = {path.name for path in (tmp_path / "both").iterdir()}
    assert {"comparison.html", "comparison.md"} <= written


def test_without_a_number_of_tasks_the_published_data_set_is_asked():
    options = {"sat": {"preset": "hard3sat-paper", "style": "paper"}}
    script = EvaluationArguments(
        "run", families=["sat"], levels=[4, 10], tasks=None, task_options=json.dumps(options)
    )
    asked = [question.task for question in make_questions(script)]
    assert Counter((t.level, t.verification["satisfiable"]) for t in asked) == {
        (4, True): 4, (4, False): 5, (10, False): 5,
    }  # fmt: skip
    assert sorted(t.metadata["clauses"] for t in asked) == [7, 7, 8, 9, *[17] * 5, *[42] * 5]
