"""The code blocks of docs/curriculum.md run, with a tiny model in place of a downloaded one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from toy_task import toy_model, toy_tokenizer

PAGE = Path(__file__).parents[2] / "docs" / "curriculum.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
TINY = {
    '"Qwen/Qwen2.5-0.5B-Instruct"': "model, processing_class=tokenizer",
    "max_steps=500": (
        "max_steps=2, logging_steps=1, per_device_train_batch_size=8, max_completion_length=4, "
        "use_cpu=True, bf16=False, gradient_checkpointing=False, report_to='none', "
        "disable_tqdm=True"
    ),
}


NAMES = ["scheduler", "strategy", "trainer", "own trainer", "metrics"]


def test_the_page_has_its_code_blocks() -> None:
    assert len(BLOCKS) == len(NAMES)


@pytest.mark.parametrize("block", BLOCKS, ids=NAMES)
def test_a_code_block_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tokenizer = toy_tokenizer()
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    for large, tiny in TINY.items():
        block = block.replace(large, tiny)
    names: dict[str, Any] = {"model": toy_model(), "tokenizer": tokenizer}
    exec(compile(block, str(PAGE), "exec"), names)
    if "trainer" in names:
        assert names["trainer"].state.global_step == 2
        summary = json.loads((tmp_path / "runs" / "slr" / "summary.json").read_text())
        assert list(summary["metrics"]) == ["slr/syntax_rate"]


def test_the_guide_s_strategy_runs_in_the_simulation(tmp_path: Path) -> None:
    (tmp_path / "halfway.py").write_text(BLOCKS[NAMES.index("strategy")])
    words = ["--strategies", "uniform", "halfway:Halfway", "--seeds", "1", "--steps", "60"]
    simulate = PAGE.parents[1] / "benchmarks" / "curricula" / "simulate.py"
    paths = os.pathsep.join([str(PAGE.parents[1]), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, str(simulate), *words],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "| ladder | uniform | halfway:Halfway |" in done.stdout, done.stderr
