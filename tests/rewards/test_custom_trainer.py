"""The custom trainer of the guide, run as it is printed there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "custom_trainer.md"
CODE_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
AROUND = """
{stand_in}
before = [parameter.detach().clone() for parameter in model.parameters()]
{trainer}
import json
moved = any(not a.equal(b) for a, b in zip(before, model.parameters(), strict=True))
print(json.dumps({{"moved": moved, "history": trainer.state.log_history}}))
"""


def block_with(text):
    """The one code block of the guide that holds a text."""
    (block,) = [block for block in CODE_BLOCK.findall(GUIDE.read_text()) if text in block]
    return block


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the guide's trainer logged, and whether it moved the model's weights."""
    trainer, stand_in = block_with("GRPOTrainer("), block_with("LlamaForCausalLM(")
    done = subprocess.run(
        [sys.executable, "-c", AROUND.format(stand_in=stand_in, trainer=trainer)],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        cwd=tmp_path_factory.mktemp("custom"),
        env={**os.environ, "OMP_WAIT_POLICY": "passive"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_guide_s_trainer_is_at_most_ten_lines():
    trainer = block_with("GRPOTrainer(")
    assert len([line for line in trainer.splitlines() if line.strip()]) <= 10


@pytest.mark.slow
def test_every_step_logs_the_reward_and_what_the_judge_measured(run):
    steps = [entry for entry in run["history"] if "rewards/slr_reward/mean" in entry]
    assert len(steps) == 40
    for entry in steps:
        assert entry["slr/pass_rate"] == pytest.approx(entry["rewards/slr_reward/mean"])
        assert {"slr/syntax_rate", "slr/fits", "slr/chance_corrected"} <= set(entry)
        # a group in which no answer fits has nothing to try on fresh examples
        assert ("slr/heldout_accuracy" in entry) == (entry["slr/fits"] > 0)
        assert "slr/hacking_gap" not in entry  # of the paper's scores, which cost more


@pytest.mark.slow
def test_the_guide_s_trainer_earns_rewards_and_moves_the_weights(run):
    assert run["moved"]
    assert max(entry.get("rewards/slr_reward/mean", 0.0) for entry in run["history"]) > 0
