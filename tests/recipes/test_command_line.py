"""What a recipe says of itself when it is asked for help."""

import sys

import pytest
from launching import ROOT

from logic_curriculum.curriculum.command_line import parse
from logic_curriculum.curriculum.evaluation.run import EvaluationArguments

DEMO = ROOT / "recipes" / "configs" / "evaluate" / "demo.yaml"


def test_help_is_the_docstring_and_the_defaults_of_the_yaml(monkeypatch, capsys):
    monkeypatch.setattr(
        sys.modules["__main__"], "__doc__", "A recipe.\n\n    launch \\\n        it"
    )
    monkeypatch.setattr(sys, "argv", ["recipe.py", "--help"])
    with pytest.raises(SystemExit):
        parse((EvaluationArguments,), DEMO)
    shown = capsys.readouterr().out
    assert "A recipe.\n\n    launch \\\n        it" in shown
    assert "--config FILE.yaml" in shown
    assert "(default: runs/evaluate_demo)" in " ".join(shown.split())
    assert shown.endswith("Without --config: recipes/configs/evaluate/demo.yaml.\n")
