"""Our task in Inspect, by its own ``eval``, with a scripted endpoint for a model."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
from own_environment import ROOT, interpreter_with, run
from pytest_httpserver import HTTPServer

sys.path.append(str(ROOT / "tests" / "generators"))
from llm_server import Endpoint, completion

from logic_curriculum.generators.sampling import level_tasks
from logic_curriculum.rewards import judge

pytestmark = [pytest.mark.slow, pytest.mark.timeout(2000)]
EVAL = """
import json, sys
from inspect_ai import eval
given = {"family": "sat", "levels": [1, 2], "tasks_per_level": 2, "style": "compact"}
[log] = eval("logic_curriculum/logic", task_args=given, model="openai-api/scripted/m",
             display="none", log_dir="logs")
assert log.status == "success", log.error
[told] = log.results.scores
metrics = {name: metric.value for name, metric in told.metrics.items()}
samples = [{"level": sample.metadata["level"], **sample.scores["verdict"].model_dump()}
           for sample in log.samples]
print(json.dumps([metrics, told.unscored_samples, samples, log.eval.task]))
"""
LOST = f"""
import logic_curriculum.curriculum.integrations.inspect_tasks as module
from logic_curriculum.rewards import Verdict
judge = module.judge
def lose(family, text, payload):
    lost = Verdict(False, None, explanation="the solver ran out")
    return judge(family, text, payload) if "not know" in text else lost
module.judge = lose
{EVAL}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return what runs code where Inspect is installed."""
    folder = tmp_path_factory.mktemp("inspect")
    python = interpreter_with("inspect_ai", "inspect", folder, "openai>=2")
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return lambda code, url, cwd: run(
        python, code, cwd=cwd, **kept, SCRIPTED_BASE_URL=url, SCRIPTED_API_KEY="none"
    )


@pytest.fixture
def endpoint(httpserver: HTTPServer) -> Endpoint:
    """Solve both tasks of level 1 and one of level 2."""
    tasks = level_tasks("sat", [1, 2], 2, style="compact")
    solved = {task.prompt: task.solution for task in tasks[:3]}
    assert [task.level for task in tasks[:3]] == [1, 2, 1]
    assert judge("sat", tasks[0].solution, tasks[0].verification).solved

    def answer(body: dict[str, Any]) -> Any:
        return completion(solved.get(body["messages"][-1]["content"], "I do not know."))

    return Endpoint(httpserver, answer)


def test_eval_asks_our_tasks_and_reports_the_reward_by_level(installed, endpoint, tmp_path):
    told = installed(EVAL, endpoint.url, cwd=tmp_path).strip().splitlines()[-1]
    metrics, unscored, samples, name = json.loads(told)

    assert name == "logic_sat"
    assert unscored == 0
    assert (metrics["level_1"], metrics["level_2"], metrics["all"]) == (1.0, 0.5, 0.75)
    assert [sample["value"] for sample in samples] == [1.0, 1.0, 1.0, 0.0]
    assert samples[0]["metadata"]["solved"] is True
    assert samples[3]["explanation"]


def test_what_could_not_be_graded_is_unscored_and_counts_for_nothing(installed, endpoint, tmp_path):
    told = installed(LOST, endpoint.url, cwd=tmp_path).strip().splitlines()[-1]
    metrics, unscored, samples, _ = json.loads(told)

    assert unscored == 3
    assert (metrics["level_2"], metrics["all"]) == (0.0, 0.0)  # of the one wrong answer
    assert "level_1" not in metrics
    assert {sample["reason"] for sample in samples[:3]} == {"scoring_failed"}
