"""What goes with the code: how to cite it, and the container."""

from __future__ import annotations

import re
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


def test_workflows_call_targets_that_there_are():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text())["jobs"].values()
        text = "\n".join(step.get("run", "") for job in jobs for step in job["steps"])
        assert {*re.findall(r"\bmake ([\w-]+)", text)} <= {*targets}, path


def test_the_dockerfile_names_files_extras_and_a_program_that_there_are():
    text = (ROOT / "Dockerfile").read_text()
    assert all((ROOT / name).exists() for name in re.findall(r"^COPY (\S+) ", text, re.MULTILINE))
    extras = re.search(r'install -c constraints.txt "\.\[(.*)\]"', text)[1].split(",")
    assert {*extras} <= {*PROJECT["optional-dependencies"]}
    assert re.search(r'^ENTRYPOINT \["(.*)"\]$', text, re.MULTILINE)[1] in PROJECT["scripts"]
