"""The wheel and the sdist, in an environment that has never seen the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import z3

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES.remove(ROOT / "docs" / "custom_trainer.md")  # its examples call what its snippets define
LIBRARIES = Path(z3.__file__).parents[1]
"""Where the dependencies are. As an entry of PYTHONPATH it brings them, and no editable install."""
DOCTESTS = """
import doctest, sys
import logic_curriculum
assert logic_curriculum.__file__.startswith(sys.argv[1]), logic_curriculum.__file__
results = [doctest.testfile(page, module_relative=False) for page in sys.argv[2:]]
print(sum(found.failed for found in results), sum(found.attempted for found in results))
"""


SDIST = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"


def wheel_of(source: Path, folder: Path) -> Path:
    options = ["-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(source)]
    subprocess.run(command, check=True, timeout=200)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(checkout, tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_it_holds_one_import_root_with_recipes_and_hardware_files(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"logic_curriculum"}
    for name in (
        "recipes/grpo_slr.py",
        "recipes/configs/sft_slr/llama3.1-8b-paper.yaml",
        "accelerate_configs/zero3.yaml",
        "generators/slr/languages/trains.yaml",
    ):
        assert f"logic_curriculum/{name}" in names


@pytest.mark.slow
def test_the_sdist_has_files_instead_of_links_and_gives_the_same_wheel(checkout, wheel, tmp_path):
    subprocess.run([sys.executable, "-c", SDIST, tmp_path], cwd=checkout, check=True, timeout=200)
    sdist = next(tmp_path.glob("*.tar.gz"))
    with tarfile.open(sdist) as files:
        assert not [file.name for file in files if file.issym() or file.islnk()]
    ours, theirs = map(zipfile.ZipFile, (wheel, wheel_of(sdist, tmp_path)))
    assert sorted(ours.namelist()) == sorted(theirs.namelist())
    assert all(ours.read(name) == theirs.read(name) for name in ours.namelist())


@pytest.mark.slow
def test_readme_s_first_path_runs_after_pip_install_alone(wheel, tmp_path):
    folder = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin" / "pip", "install", "-q", wheel], check=True, timeout=280)
    first = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGES[0].read_text(), re.DOTALL)
    done = subprocess.run(
        [folder / "bin" / "python", "-c", first[1]],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == first[2]


@pytest.mark.slow
def test_the_dockerfile_s_steps_install_a_command_that_works(checkout, tmp_path):
    lines = (checkout / "Dockerfile").read_text().splitlines()
    steps = [line.removeprefix("RUN ") for line in lines if line.startswith("RUN pip")]
    assert len(steps) == 2
    folder = tmp_path / "image"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    for step in [*steps, "logic-curriculum generate slr --level 3 --show"]:
        here = step.split(" --index-url")[0]  # torch comes from the index that pip is set up for
        done = subprocess.run(here, shell=True, cwd=checkout, env={**os.environ, "PATH": path},
                              capture_output=True, text=True, timeout=290, check=True)  # fmt: skip
    assert "slr · level 3" in done.stdout


@pytest.mark.slow
def test_the_doctests_of_readme_and_guides_pass_there(wheel, tmp_path):
    target = tmp_path / "site"
    options = ["-q", "--no-deps", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    done = subprocess.run(
        [tmp_path / "venv" / "bin" / "python", "-c", DOCTESTS, str(tmp_path), *map(str, PAGES)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{target}:{LIBRARIES}"},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    failed, attempted = done.stdout.split()[-2:]
    assert failed == "0", done.stdout + done.stderr
    assert int(attempted) > 20
