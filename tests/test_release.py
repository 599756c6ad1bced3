"""What goes with the code: how to cite it, the workflows, the container."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_citation_is_of_this_package_and_of_the_papers_that_the_page_cites():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["message"]
    own = {name: cited[name] for name in ("title", "license", "authors")}
    assert own == {"title": PROJECT["name"], "license": "MIT", "authors": PROJECT["authors"]}
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    page = page.translate({ord(brace): None for brace in "{}"})
    for paper in cited["references"]:
        assert paper["authors"]
        assert paper["title"] in page
        assert paper["url"].rpartition("/")[2] in page


WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github").rglob("*.yml")
}


def test_the_workflows_run_the_targets_of_the_makefile():
    steps = [
        step["run"]
        for workflow in WORKFLOWS.values()
        for job in workflow["jobs"].values()
        for step in job["steps"]
        if "run" in step
    ]
    targets = [word for step in steps for word in re.findall(r"^make (\S+)$", step)]
    assert sorted(targets) == ["check", "docs", "test"]
    subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, check=True, capture_output=True)


def test_the_tests_run_on_each_python_of_the_classifiers():
    pythons = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]["python"]
    listed = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: Python ::" in line]
    assert pythons == listed


def test_the_dockerfile_names_files_extras_and_a_program_that_there_are():
    text = (ROOT / "Dockerfile").read_text()
    assert all((ROOT / name).exists() for name in re.findall(r"^COPY (\S+) ", text, re.MULTILINE))
    extras = re.search(r'install -c constraints.txt "\.\[(.*)\]"', text)[1].split(",")
    assert {*extras} <= {*PROJECT["optional-dependencies"]}
    assert re.search(r'^ENTRYPOINT \["(.*)"\]$', text, re.MULTILINE)[1] in PROJECT["scripts"]
