import json
from pathlib import Path

import pytest
from launching import ROOT, Launch

from logic_curriculum.curriculum.models.sat_targets import with_target
from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.generators import Task, generate
from logic_curriculum.rewards import judge_batch

DEMO = ROOT / "recipes" / "configs" / "grpo_sat" / "demo.yaml"
OPTIONS = {"language": "symbolic", "style": "certificate_compact"}


def test_worked_tables_end_in_a_certificate_that_is_paid_and_hold_true_lines():
    for level in (1, 2, 3):
        for seed in range(25):
            task = generate("sat", level, seed, **OPTIONS)
            worked = with_target(task, "worked")
            (verdict,) = judge_batch("sat", [worked.solution], [task.verification])
            assert verdict.reward == 1.0
            table = worked.solution.partition("<result>")[0].splitlines()
            consistent = task.verification["satisfiable"]
            assert (len(table) == 2 ** task.metadata["variables"]) or consistent
            assert table[-1].endswith("all") is consistent
            named = {line.partition(": ")[2] for line in table} - {"all"}
            if not consistent:
                core = worked.solution.partition("<certificate>")[2].partition("<")[0]
                assert named == set(core.split(", "))


def test_a_line_names_a_statement_that_is_false_there():
    formulas = ["(v1→v2)", "(v2∧¬v1)", "(v1→¬v2)"]
    payload = {"formulas": formulas, "satisfiable": True}
    about = {"variables": 2, "style": "certificate_compact"}
    task = Task("sat", 1, 0, "", "<result>consistent</result>", payload, about)

    # v1 and v2 false: 2 is false; v1 alone true: 1 and 2, of which 2 is false most often
    assert with_target(task, "worked").solution.splitlines()[:3] == ["00: 2", "10: 2", "01: all"]
    assert with_target(task, "certificate") == task


@pytest.mark.parametrize(
    ("level", "style", "named"), [(6, "certificate", "lower"), (1, "full", "certificate_compact")]
)
def test_a_table_that_can_not_be_written_is_refused(level: int, style: str, named: str):
    with pytest.raises(ValueError, match=named):
        with_target(generate("sat", level, 0, style=style), "worked")


def test_a_variable_is_one_token():
    tokenizer = make_tokenizer([generate("sat", 1, 0, **OPTIONS)])
    tokens = [tokenizer.decode([token]) for token in tokenizer("(v1→¬v2)").input_ids]
    assert tokens == ["(", "v1", "→", "¬", "v2", ")"]


@pytest.mark.slow
def test_the_curriculum_climbs_the_ladder_of_consistency(launch: Launch, tmp_path: Path):
    run = launch(tmp_path / "run", recipe="grpo_sat", options_file=DEMO)

    assert run.returncode == 0, run.stderr[-3000:]
    (level,) = json.loads((tmp_path / "run" / "levels.json").read_text())
    assert (level["family"], level["level"], level["tasks"]) == ("sat", 1, 8)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert list(summary["families"]) == ["sat"]
    assert f"{level['constant']:.2f}" in run.stdout
