"""The setting that names ``swipl``: one of a user's own, where none is on PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from logic_curriculum.rewards.engines.prolog import Program, PrologUnavailable, judge_programs
from logic_curriculum.rewards.engines.prolog.judging import PATH_VARIABLE, close_worker, swipl_path

RULE = "p(X) :- q(X)."
SCRIPT = f"""
from logic_curriculum.rewards.engines.prolog import *
program = Program.parse("p(a). q(a). n(b).", "p", "n")
here = lambda: entailed("{RULE}", program)
there = lambda: judge_programs([(program, ["{RULE}"])])[0][0].solved
for ask in (there, here):
    try:
        print(ask())
    except PrologUnavailable as error:
        print(error)
"""


def _said(folder: Path, **setting: str) -> str:
    """Return what workers and this process say where nothing is on PATH."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOGIC_")}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**kept, "PATH": str(folder), **setting},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_the_setting_serves_workers_and_this_process_and_a_wrong_one_is_named(
    tmp_path: Path,
) -> None:
    assert _said(tmp_path, **{PATH_VARIABLE: swipl_path()}) == "True\n[True, False]\n"
    named = f"{PATH_VARIABLE} is '/nowhere/swipl', which is no program"
    assert _said(tmp_path, **{PATH_VARIABLE: "/nowhere/swipl"}).count(named) == 2
    said = _said(tmp_path)
    assert "no `swipl` is on PATH" in said
    assert PATH_VARIABLE in said


def test_the_setting_goes_before_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: Program
) -> None:
    own = tmp_path / "my-swipl"
    own.write_text("#!/bin/sh\necho 'my own' >&2\nexit 3\n")
    own.chmod(0o755)
    close_worker()
    monkeypatch.setenv(PATH_VARIABLE, str(own))
    with pytest.raises(PrologUnavailable, match=r"my-swipl, started as a worker.* said 'my own'"):
        judge_programs([(program, [RULE])])


def test_a_relative_setting_is_made_absolute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = shutil.which("swipl") or swipl_path()
    (tmp_path / "swipl").symlink_to(real)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PATH_VARIABLE, "./swipl")
    assert swipl_path() == str(tmp_path / "swipl")
