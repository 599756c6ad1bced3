"""The code blocks of docs/curriculum.md run, with a tiny model in place of a downloaded one."""

from __future__ import annotations

import json
import re
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


def test_the_page_has_four_code_blocks() -> None:
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("block", BLOCKS, ids=["scheduler", "trainer", "own trainer", "metrics"])
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
