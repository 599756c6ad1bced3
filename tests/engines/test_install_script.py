"""The installer accepts a recent SWI-Prolog, and says so when it can't provide one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "install_swipl.sh"


def _stand_in(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def _install(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", SCRIPT], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )


def test_a_recent_version_is_left_alone(tmp_path: Path) -> None:
    _stand_in(tmp_path, "swipl", "echo 90004")
    result = _install(tmp_path)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


@pytest.mark.parametrize("swipl", ["echo 80402", "exit 1", "echo 90003"])
def test_an_old_or_broken_version_is_named_and_fails_without_an_upgrade(
    tmp_path: Path, swipl: str
) -> None:
    _stand_in(tmp_path, "swipl", swipl)
    result = _install(tmp_path)
    assert result.returncode == 1
    assert "is older than 9.0.4 or does not run" in result.stderr
    assert "swi-prolog.org/download" in result.stderr


def test_a_missing_prolog_without_package_manager_fails_with_the_remedy(tmp_path: Path) -> None:
    result = _install(tmp_path)
    assert result.returncode == 1
    assert "found: none" in result.stderr
