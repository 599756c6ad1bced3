"""The import root: a folder of links to the packages at the top, which some checkouts lack."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("curriculum", "generators", "recipes", "rewards", "accelerate_configs")


def test_it_works_where_links_are_text_files(tmp_path: Path) -> None:
    unlinked = shutil.ignore_patterns("__pycache__")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=unlinked)
    shutil.copytree(ROOT / "logic_curriculum" / "common", tmp_path / "logic_curriculum" / "common")
    for file in (ROOT / "logic_curriculum").glob("*.py"):
        shutil.copy(file, tmp_path / "logic_curriculum")
    for name in PACKAGES:
        (tmp_path / "logic_curriculum" / name).write_text(f"../{name}")

    words = [sys.executable, "-m", "logic_curriculum"]
    for command in (["generate", "sat", "--level", "1", "--show"], ["train", "--help"]):
        done = subprocess.run([*words, *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_the_ground_floor_imports_none_of_the_packages() -> None:
    for file in (ROOT / "logic_curriculum" / "common").glob("*.py"):
        upstairs = r"^from logic_curriculum\.(generators|rewards|curriculum)\b.*"
        assert not re.findall(upstairs, file.read_text(), re.MULTILINE), file.name
