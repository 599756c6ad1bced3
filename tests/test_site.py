"""The documentation as a site: it is built without a warning, with all its parts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from logic_curriculum.generators import families

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_it_has_guides_a_reference_and_a_task_of_each_level(tmp_path):
    pytest.importorskip("material", reason="needs the extra docs: make docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in families():
        assert (tmp_path / "samples" / name / "index.html").read_text().count("Solution:") >= 10
    reference = (tmp_path / "reference" / "curriculum" / "index.html").read_text()
    assert "CurriculumGRPOTrainer" in reference
    assert ":class:" not in reference
    _, _, first, *_ = (ROOT / "README.md").read_text().splitlines()
    assert first.partition(" with ")[0] in (tmp_path / "index.html").read_text()
