"""The groups of benchmarks for lm-evaluation-harness."""

import pytest
import yaml
from launching import ROOT

FOLDER = ROOT / "recipes" / "configs" / "evaluate"


@pytest.mark.slow
def test_a_group_is_found_and_its_tasks_are_the_harness_s():
    tasks = pytest.importorskip(
        "lm_eval.tasks", reason='pip install "logic-curriculum[downstream]"'
    )
    manager = tasks.TaskManager(include_path=str(FOLDER))
    for path in FOLDER.glob("*.yaml"):
        group = yaml.safe_load(path.read_text())
        assert group["group"] in manager.all_groups
        assert set(group["task"]) <= set(manager.all_tasks)
