"""An interpreter that has this library and a package that does not fit into ours."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]


def interpreter_with(module: str, extra: str, folder: Path, *more: str) -> Path:
    """Return this interpreter where it has the module, else one in a new environment."""
    if find_spec(module):
        return Path(sys.executable)
    source, environment = folder / "source", folder / "environment"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(source)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = environment / "bin" / "python"
    command = [str(python), "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([*command, f"{source}[{extra}]", *more], check=True)
    return python


def run(python: Path, code: str, *arguments: str, cwd: Path, **environment: str) -> str:
    """Run code with arguments and return what it prints."""
    done = subprocess.run(
        [str(python), "-c", code, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
