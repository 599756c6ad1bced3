"""The strategy of docs/own-strategy.md also runs in the simulation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "own-strategy.md").read_text(encoding="utf-8")


def test_the_guide_s_strategy_runs_in_the_simulation(tmp_path: Path) -> None:
    (tmp_path / "halfway.py").write_text(re.findall(r"```python\n(.*?)^```", PAGE, re.M | re.S)[0])
    words = ["--strategies", "uniform", "halfway:Halfway", "--seeds", "1", "--steps", "60"]
    simulate = ROOT / "benchmarks" / "curricula" / "simulate.py"
    paths = os.pathsep.join([str(ROOT), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, str(simulate), *words],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [line.split(" | ")[0] for line in done.stdout.splitlines() if " | " in line]
    assert rows[-2:] == ["| uniform", "| halfway:Halfway"], done.stderr
