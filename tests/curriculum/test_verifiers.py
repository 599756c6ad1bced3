"""Our taskset in verifiers, by its own commands, with a scripted endpoint for a model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from own_environment import ROOT, interpreter_with, run
from pytest_httpserver import HTTPServer

sys.path.append(str(ROOT / "tests" / "generators"))
from llm_server import Endpoint, completion

from logic_curriculum.generators.sampling import level_tasks

pytestmark = [pytest.mark.slow, pytest.mark.timeout(2000)]
EVAL = "from verifiers.v1.cli.eval.main import main; main()"
LOST = f"""
import logic_curriculum.curriculum.integrations.verifiers_taskset as module
from logic_curriculum.rewards import Verdict
module.judge = lambda *given: Verdict(False, None, explanation="the worker was lost")
{EVAL}
"""
VALIDATE = "from verifiers.v1.cli.validate import main; main()"
TASKS = ["--env.taskset.family", "slr", "--env.taskset.levels", "[2, 4]"]
TASKS += ["--env.taskset.tasks-per-level", "1", "--env.taskset.task-options.style", "compact"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return what runs code where verifiers and the environment's package are installed."""
    folder = tmp_path_factory.mktemp("verifiers")
    python = interpreter_with("verifiers", "verifiers", folder)
    module = "logic_curriculum.curriculum.integrations.verifiers_taskset"
    package = subprocess.run(
        [sys.executable, "-m", module], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()
    command = [str(python), "-m", "pip", "install", "-q", "--no-deps", "--target"]
    subprocess.run([*command, str(folder / "site"), package], check=True)
    path = str(folder / "site")
    if python == Path(sys.executable):
        path += f":{ROOT}"
    return lambda code, *arguments, cwd: run(
        python, code, *arguments, cwd=cwd, **{**os.environ, "PYTHONPATH": path}
    )


@pytest.fixture
def endpoint(httpserver: HTTPServer) -> Endpoint:
    """Answer the first task with its solution and all others with a text."""
    first = level_tasks("slr", [2, 4], 1, style="compact")[0]

    def answer(body: dict[str, Any]) -> Any:
        right = body["messages"][-1]["content"] == first.prompt
        return completion(f"[RULE]{first.solution}[/RULE]" if right else "I do not know.")

    return Endpoint(httpserver, answer)


def traces(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "outputs" / "it" / "traces.jsonl").read_text().splitlines()
    found = [trace for line in lines for trace in json.loads(line)["traces"]]
    return sorted(found, key=lambda trace: trace["task"]["data"]["level"])


def options(endpoint: Endpoint) -> list[str]:
    model = ["-m", "scripted", "--client.base-url", endpoint.url]
    return ["logic-curriculum-env", "--no-rich", "--no-push", "--run.name", "it", *model, *TASKS]


def test_vf_eval_asks_our_tasks_once_and_pays_what_the_judge_says(installed, endpoint, tmp_path):
    installed(EVAL, *options(endpoint), cwd=tmp_path)

    right, wrong = traces(tmp_path)
    assert endpoint.asked[0]["messages"][0]["role"] == "user"
    assert len(endpoint.asked) == 2
    assert [right["task"]["data"]["level"], wrong["task"]["data"]["level"]] == [2, 4]
    assert right["rewards"] == {"reward": {"score": 1.0, "weight": 1.0}}
    assert right["metrics"]["solved"] == right["metrics"]["fits"] == 1.0
    assert right["info"]["answer"].startswith("eastbound(T)")
    assert wrong["rewards"]["reward"]["score"] == wrong["metrics"]["syntax"] == 0.0
    assert right["ok"]
    assert wrong["ok"]


def test_what_could_not_be_graded_is_an_error_and_asked_again_at_resume(
    installed, endpoint, tmp_path
):
    installed(LOST, *options(endpoint), cwd=tmp_path)
    for trace in traces(tmp_path):
        assert trace["rewards"] == {"reward": None}
        assert not trace["ok"]
        assert trace["errors"][0]["type"] == "TaskError"
        assert "not graded: the worker was lost" in trace["errors"][0]["message"]

    installed(EVAL, *options(endpoint), "--resume", cwd=tmp_path)
    assert [trace["rewards"]["reward"]["score"] for trace in traces(tmp_path)] == [1.0, 0.0]


@pytest.mark.parametrize("family", ["sat", "loginum"])
def test_vf_validate_accepts_the_solutions_and_no_empty_answer(installed, tmp_path, family):
    arguments = ["logic-curriculum-env", "-n", "4", "--no-rich", "--runtime.type", "subprocess"]
    arguments += ["--taskset.family", family, "--taskset.tasks-per-level", "1"]
    told = installed(VALIDATE, *arguments, cwd=tmp_path)
    summary = json.loads(told[told.index("{") :])
    assert summary["outcomes"]["valid"] == summary["total"] == 4
    assert summary["checks"]["noop"]["valid"] == summary["checks"]["gold"]["valid"] == 4
