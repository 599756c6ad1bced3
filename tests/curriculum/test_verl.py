"""What verl gets of us: a reward function, and Parquet files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import z3
from datasets import load_dataset

from logic_curriculum.curriculum.integrations import verl
from logic_curriculum.generators import families, generate
from logic_curriculum.rewards import Verdict

ROOT = Path(__file__).parents[2]
LIBRARIES = Path(z3.__file__).parents[1]
"""Where the other dependencies are; what is installed for verl comes before them."""
INSTALLED = [
    *("verl==0.9.1", "tensordict==0.10.0", "torchdata==0.11.0", "ray==2.60.0", "pyvers", "orjson"),
    *("transformers==5.10.4", "tokenizers==0.22.2", "huggingface_hub==1.33.0", "httpx", "httpcore"),
    *(
        "hydra-core==1.3.2",
        "omegaconf",
        "antlr4-python3-runtime==4.9.3",
        "cachetools",
        "codetiming",
    ),
    *("importlib_metadata", "jsonschema", "jsonschema_specifications", "msgpack", "protobuf"),
    *("pylatexenc", "referencing", "rpds_py", "zipp"),
]


def score(family: str, completion: str, payload: Any, **kwargs: Any) -> dict[str, float]:
    return verl.compute_score(
        data_source=f"logic_curriculum/{family}",
        solution_str=completion,
        ground_truth=payload,
        extra_info={"num_turns": None},
        **kwargs,
    )


def test_all_families_have_the_same_keys_for_right_and_wrong_answers():
    keys = set()
    for family in families():
        task = generate(family, level=2, seed=3)
        right = score(family, task.solution, json.dumps(task.verification))
        wrong = score(family, "?", json.dumps(task.verification))
        assert (right["score"], right["acc"], right["graded"]) == (1.0, 1.0, 1.0)
        assert (wrong["score"], wrong["acc"], wrong["graded"]) == (0.0, 0.0, 1.0)
        keys |= {tuple(right), tuple(wrong)}
    assert keys == {("score", "acc", "syntax", "partial", "graded")}


def test_what_is_not_gradable_raises_unless_a_score_is_given_for_it(monkeypatch):
    lost = Verdict(False, None, explanation="not gradable: the worker was lost")
    monkeypatch.setattr(verl, "judge", lambda *_: lost)
    with pytest.raises(verl.NotGradableError, match="the worker was lost"):
        score("slr", "?", {})
    found = score("slr", "?", {}, ungraded=0.5)
    assert (found["score"], found["graded"], found["acc"]) == (0.5, 0.0, 0.0)


def test_a_row_of_another_source_is_refused():
    with pytest.raises(ValueError, match="scores logic_curriculum/FAMILY only"):
        verl.compute_score("openai/gsm8k", "42", "42")


def test_an_answer_in_a_thought_that_the_template_opened_does_not_count():
    task = generate("validity", level=2, seed=3)
    cut = f"I think it is {task.solution}"
    assert score("validity", cut, task.verification)["acc"] == 1.0
    assert score("validity", cut, task.verification, opens_thought=True)["acc"] == 0.0


def test_rows_are_written_in_the_columns_that_verl_reads(tmp_path):
    rows = [generate("symbolization", 1, seed).to_row() for seed in range(3)]
    written = verl.write_parquet(rows, tmp_path / "theirs" / "test.parquet", "test")
    found = load_dataset("parquet", data_files=str(written))["train"]
    assert [row["extra_info"]["index"] for row in found] == [0, 1, 2]
    assert {row["extra_info"]["split"] for row in found} == {"test"}
    assert set(found.column_names) == {
        *("data_source", "prompt", "ability", "reward_model", "extra_info")
    }


def test_the_options_of_the_guide_are_those_that_the_test_with_verl_gives():
    page = (ROOT / "docs" / "integrations.md").read_text()
    (command,) = re.findall(r"^python -m verl\.trainer\.main_ppo.*?^```", page, re.M | re.S)
    given = set(re.findall(r" ([\w.+]+)=", command))
    tested = re.findall(r'"([\w.+]+)=', (ROOT / "tests" / "curriculum" / "verl_run.py").read_text())
    assert given - {"data.train_files", "data.val_files"} == set(tested)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with verl and what it can't share with ours."""
    folder = tmp_path_factory.mktemp("verl") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "--no-deps", *INSTALLED], check=True, timeout=800)
    subprocess.run([*pip, "aiohttp"], check=True, timeout=200)  # verl imports it, and asks for none
    (site / "libraries.pth").write_text(f"{LIBRARIES}\n")
    return folder / "bin" / "python"


@pytest.mark.slow
@pytest.mark.timeout(1300)
def test_verl_scores_and_reads(python, tmp_path):
    shown = [generate(family, level=1, seed=3) for family in families()]
    verl.write_parquet([task.to_row() for task in shown], tmp_path / "test.parquet", "test")
    (tmp_path / "solutions.json").write_text(json.dumps([task.solution for task in shown]))
    done = subprocess.run(
        [python, str(ROOT / "tests" / "curriculum" / "verl_run.py"), str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])

    assert found["prompts"] == [task.prompt for task in shown]
    assert found["naive"] == found["dapo"] == [1.0] * len(shown)
    assert found["wrong"] == [0.0] * len(shown)
    assert set(found["metrics"]) == {f"logic_curriculum/{family}" for family in families()}
    assert all(variables["acc"]["mean@1"] == 1.0 for variables in found["metrics"].values())
