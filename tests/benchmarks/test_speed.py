"""The benchmark of speed prints its tables."""

import os
import runpy
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks/speed.py"


def test_every_family_is_timed_and_a_dataset_built(monkeypatch, capsys):
    script = runpy.run_path(str(SCRIPT))
    monkeypatch.setitem(script["LEVELS"], "slr", (1,))
    script["main"].__globals__["USUAL_LEVELS"] = (1,)
    monkeypatch.setattr(os, "sched_setaffinity", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["speed.py", "--seconds", "0.01", "--rows", "50"])
    script["main"]()
    said = capsys.readouterr().out
    families = ("slr", "symbolization", "countermodel", "validity", "loginum", "sat")
    assert [line.split()[1] for line in said.split("\n") if " | 1 | " in line] == list(families)
    assert "| processes | rows/s of build_dataset |" in said
