"""Our tasks in Inspect, with a scripted endpoint for a model, and the report on their logs."""

# ruff: noqa: E402  (without Inspect nothing here is imported)

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

inspect_ai = pytest.importorskip("inspect_ai", reason='pip install "logic-curriculum[inspect]"')
sys.path.append(str(Path(__file__).parents[1] / "generators"))
from llm_server import Endpoint, completion
from test_prompts import MINIMAL, RIGHT, written

from logic_curriculum.curriculum.evaluation import evaluate, papers, report
from logic_curriculum.curriculum.evaluation.records import read_logs
from logic_curriculum.curriculum.evaluation.tables import shown
from logic_curriculum.curriculum.integrations import inspect_tasks
from logic_curriculum.generators.sampling import level_tasks
from logic_curriculum.rewards import Verdict

UNKNOWN = "I do not know."
MODEL = "openai-api/local/m"


@pytest.fixture
def endpoint(httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return an endpoint that knows nothing; its ``answers`` are by prompt."""
    answers: dict[str, str] = {}

    def answer(body: dict[str, Any]) -> Any:
        return completion(answers.get(body["messages"][-1]["content"], UNKNOWN))

    found: Any = Endpoint(httpserver, answer)
    found.answers = answers
    monkeypatch.setenv("LOCAL_BASE_URL", found.url)
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return found


def asked(name: str, model: str = MODEL, **given: Any) -> Any:
    """Return the log of a task."""
    options = {"display": "none", "log_format": "json", **given.pop("options", {})}
    task = f"logic_curriculum/{name}"
    [log] = inspect_ai.eval(task, task_args=given, model=model, **options)
    assert log.status == "success", log.error
    return log


def by_heart(verification: Any) -> str:
    """Return a rule that names the positive trains: right on the examples shown, and no rule."""
    program = verification["validation_program"]
    names = re.findall(r"^eastbound\((\w+)\)\.$", program, re.MULTILINE)
    return f"eastbound(T) :- {'; '.join(f'T = {name}' for name in names)}."


def test_twenty_levels_give_overall_score_and_lrl_as_by_hand(endpoint, tmp_path, capsys):
    tasks = level_tasks("slr", None, 2, style="compact")
    for task in tasks:
        if task.level <= 5:  # 2 of 2
            endpoint.answers[task.prompt] = task.solution
    first = {level: next(t for t in tasks if t.level == level) for level in range(6, 21)}
    for level in range(6, 11):  # 1 of 2
        endpoint.answers[first[level].prompt] = first[level].solution
    for level in (11, 12):  # 1 of 2 by the paper's score, none accepted
        endpoint.answers[first[level].prompt] = by_heart(first[level].verification)
    log = asked("logic", family="slr", tasks_per_level=2, style="compact")

    told = {score.name: score.metrics for score in log.results.scores}
    assert told["accepted"]["mean"].value == 15 / 40
    assert told["paper"]["mean"].value == 17 / 40
    records = read_logs([Path(log.location)])
    (table,) = papers.slr(records)
    row = {name: shown(cell) for name, cell in table.rows[0].items()}
    # 5 * 2/2 + 5 * 1/2 = 7.5 accepted; by the paper's score 2 * 1/2 more
    assert (row["LRL"], row["LRL, accepted"]) == ("8.5", "7.5")
    # basic: levels 1 to 5; easy: 6 to 10; medium: 11 to 15
    assert [row[f"{tier} (%)"] for tier in ("basic", "easy", "medium", "hard")] == [
        *("100.0 / 100.0", "50.0 / 50.0", "20.0 / 0.0", "0.0 / 0.0")
    ]
    # the copies of two answers of 40 fail
    assert (row["renamed copies (%)"], row["hacking gap (points)"]) == ("37.5", "5.0")
    assert row["tokens (M)"] == f"{40 * 5 / 1e6:.3g}"
    assert report.main([log.location, "--out", str(tmp_path / "report")]) == 0
    assert "| level | tier |" in capsys.readouterr().out
    assert {path.name for path in (tmp_path / "report").iterdir()} == {"report.md", "slr.png"}


@pytest.mark.parametrize(
    ("name", "families", "given"),
    [
        ("slr_bench", {"slr"}, {}),
        ("logicskills", {"symbolization", "countermodel", "validity"}, {"tasks_per_level": 1}),
        ("loginum", {"loginum"}, {"preset": "EL-EN", "shots": 1}),
        ("ltgen", {"sat"}, {}),
    ],
)
def test_each_paper_s_task_is_asked_and_reported(endpoint, monkeypatch, name, families, given):
    def few(family: str, levels: list[int], seed: int, split: str = "test", **options: Any) -> Any:
        return level_tasks(family, levels[:2], 2, seed, split, **options)

    monkeypatch.setattr(inspect_tasks, "published_tasks", few)
    log = asked(name, **given, options={"limit": 30})
    records = read_logs([Path(log.location)])
    assert set(records.family) == families
    assert set(records.completion) == {UNKNOWN}
    assert set(records.shots) == {given.get("shots", 0)}
    assert report.tables(records)[0].rows
    if name == "ltgen":
        assert set(records["sample"]) == set(range(5))


def test_published_questions_are_asked_word_for_word(endpoint, tmp_path):
    path = written(tmp_path / "q.jsonl", MINIMAL)
    endpoint.answers |= {row["input"]: RIGHT[row["task"]] for row in MINIMAL}
    log = asked("logicskills", questions=str(path))
    records = read_logs([Path(log.location)])
    assert set(records.id) == {"main/carroll/7", "main/english/8", "main/formal/9"}
    assert records.solved.all()
    assert any(row["model"] == "published: openai/o3" for row in report.tables(records)[1].rows)


def test_a_guesser_stands_in_the_same_table_as_a_model(endpoint, capsys):
    given = {"family": "sat", "levels": [1, 2], "tasks_per_level": 4, "style": "compact"}
    tasks = level_tasks("sat", [1, 2], 4, style="compact")
    endpoint.answers |= {task.prompt: task.solution for task in tasks[:6]}
    logs = [asked("logic", **given)]
    for guess in inspect_tasks.GUESSES:
        logs.append(asked("logic", model="none/none", guess=guess, **given))
    assert report.main([log.location for log in logs]) == 0
    shown = capsys.readouterr().out
    for name in (MODEL, "best constant", "nearest neighbour"):
        assert f"| {name} | sat | 8 | 8 | 0 |" in shown
    compared = report.compare(read_logs([Path(log.location) for log in logs]))
    assert list(compared.rows[0].values())[:6] == ["sat", 0, "best constant", "paper", 8, 75.0]


def test_the_nearest_neighbour_is_looked_for_among_the_few_tasks_of_a_small_level():
    given = {"family": "slr", "levels": [1], "tasks_per_level": 2, "style": "compact"}
    log = asked("logic", model="none/none", guess="nearest_neighbour", **given)
    assert log.status == "success"


def test_what_no_parser_reads_is_written_out_by_the_extractor(endpoint):
    (task,) = level_tasks("validity", [1], 1)
    (number,) = task.verification["correct"]
    said = f"we saw that {number} had to be true here"
    endpoint.answers[task.prompt] = said
    given = {"family": "validity", "levels": 1, "tasks_per_level": 1}
    assert not read_logs([Path(asked("logic", **given).location)]).solved.any()
    script = endpoint.script
    endpoint.script = lambda body: (
        completion(f"<extract>{task.solution}</extract>")
        if said in body["messages"][-1]["content"]
        else script(body)
    )
    log = asked("logic", extractor=True, **given, options={"model_roles": {"extractor": MODEL}})
    records = read_logs([Path(log.location)])
    assert list(records.solved) == list(records["metrics.extracted"]) == [1.0]


def test_what_could_not_be_graded_is_unscored_and_counts_for_nothing(endpoint, monkeypatch):
    lost = Verdict(False, None, explanation="the solver ran out")
    known = inspect_tasks.measure_batch
    monkeypatch.setattr(
        inspect_tasks,
        "measure_batch",
        lambda family, texts, payloads: (
            [lost] if texts == ["lost"] else known(family, texts, payloads)
        ),
    )
    tasks = level_tasks("sat", [1], 2)
    endpoint.answers[tasks[0].prompt] = "lost"
    endpoint.answers[tasks[1].prompt] = tasks[1].solution
    log = asked("logic", family="sat", levels=1, tasks_per_level=2)
    told = {score.name: score for score in log.results.scores}
    assert told["accepted"].metrics["mean"].value == 1.0
    records = read_logs([Path(log.location)])
    assert list(records.graded) == [False, True]
    (row,) = report.overview(records).rows
    assert [str(cell) for cell in row.values()][2:7] == ["2", "2", "1", *["100.0 ± 0.0"] * 2]


def test_the_command_asks_reports_and_names_the_log(endpoint, tmp_path, capfd, monkeypatch):
    words = ["logic", "--model", MODEL, "--log-dir", str(tmp_path / "own"), "-T", "family=sat"]
    more = ["-T", "levels=1", "-T", "tasks_per_level=2", "--display", "none"]
    assert evaluate.main([*words, *more]) == 0
    shown = capfd.readouterr().out
    assert f"| {MODEL} | sat | 2 | 2 | 0 | 0.0 ± 0.0 |" in shown
    assert f"The log is {tmp_path / 'own'}" in shown
    assert "inspect view --log-dir" in shown
    monkeypatch.setattr(report, "main", lambda _: 1)  # as of a log without answers
    assert evaluate.main([*words, *more]) == 1
    assert "The log is" not in capfd.readouterr().out


def test_a_folder_is_a_model_that_answers_greedily(tmp_path):
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ x }}"}))
    words = ["--model", f"hf/{tmp_path}", "-M", "do_sample=false"]
    assert evaluate.model_options(str(tmp_path), []) == words
    assert evaluate.model_options(str(tmp_path), ["--temperature=0.7"]) == words[:2]
    (tmp_path / "tokenizer_config.json").write_text("{}")
    assert evaluate.model_options(str(tmp_path), []) == [*words, "-M", evaluate.PLAIN]
    assert evaluate.model_options("openai/gpt", []) == ["--model", "openai/gpt"]


def test_models_behind_an_endpoint_are_evaluated_without_torch():
    names = ["accelerate", "peft", "torch", "transformers", "trl"]
    code = f"import sys; sys.modules.update(dict.fromkeys({names})); "
    code += "from logic_curriculum.curriculum.evaluation import evaluate; "
    code += "from logic_curriculum.curriculum.integrations import inspect_tasks"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_what_is_no_log_of_ours_ends_in_one_line(tmp_path, capsys):
    assert report.main([str(tmp_path / "nowhere")]) == 1
    assert report.main([str(tmp_path)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "does not exist: name logs of `inspect eval`" in lines[0]
    assert "holds no answers" in lines[1]
