"""Tasks and datasets made with a language model from the command line, and what can go wrong."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from llm_server import Endpoint, completion, failure, proposal
from pytest_httpserver import HTTPServer

from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.slr.llm_rules import rule_bank

NAMES = ("Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ian", "Jo", "Kai", "Lea")
SAT = ("sat", "--level", "3", "--grounding", "themes")
SLR = ("slr", "--level", "6")
LOGINUM = ("loginum", "--level", "1-2")
COUNT = ("--count", "train=2", "--num-proc", "1")


def reply(prompt: str) -> str:
    """Answer as an able model would, and always the same to the same question."""
    if "[RULE]" in prompt:
        return proposal(prompt, 6, int(sha256(prompt.encode()).hexdigest(), 16))
    if "<score>" in prompt:
        return "<score>9</score>"
    if "<negation>" in prompt:
        negation = prompt.split('"')[1].replace("has signed", "has not signed")
        return f"<negation>{negation}</negation>"
    if "<sentence>" in prompt:
        (number,) = re.findall(r"Give a sentence for \[v(\d+)\]", prompt)
        return f"<sentence>{NAMES[int(number)]} has signed the lease</sentence>"
    return "fact_1: Who knows?"


def able(body):
    return completion(reply(body["messages"][-1]["content"]))


def file_of(endpoint: Endpoint, folder: Path, name: str = "llm") -> Path:
    """Write the endpoint's YAML file, whose cache is a folder of the same name beside it."""
    file = folder / f"{name}.yaml"
    client = f"{{base_url: '{endpoint.url}', api_key: none, timeout: 60, max_retries: 0}}"
    file.write_text(f"model: scripted\nclient: {client}\nconcurrency: 1\ncache: {folder / name}\n")
    return file


def build(endpoint: Endpoint, out: Path, what, name: str = "llm") -> int:
    """Build two tasks of each level; return the exit status."""
    file = file_of(endpoint, out.parent, name)
    return run(what, "--out", out, "--llm", file)


def run(what, *more: object) -> int:
    load_model.cache_clear()
    rule_bank.cache_clear()
    return main([*what, *COUNT, *map(str, more)])


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*.parquet"))
    }


def answers(folder: Path) -> int:
    return len(list(folder.rglob("*.json")))


def kill_at(endpoint: Endpoint, number: int, what, out: Path) -> None:
    """Build, and kill all processes of the build when so many questions were asked."""
    file = file_of(endpoint, out.parent)
    started = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "logic_curriculum.generators",
            *what,
            *COUNT,
            "--out",
            out,
            "--llm",
            file,
        ],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def script(body):
        if len(endpoint.asked) >= number:
            os.killpg(started.pid, signal.SIGKILL)
        return able(body)

    endpoint.script = script
    assert started.wait(120) == -signal.SIGKILL
    endpoint.script = able


@pytest.mark.parametrize(
    ("what", "number"),
    [
        pytest.param(SAT, 9, id="sat"),
        pytest.param(SLR, 20, id="slr", marks=pytest.mark.slow),
        pytest.param(LOGINUM, 3, id="loginum", marks=pytest.mark.slow),
    ],
)
def test_a_killed_build_goes_on_without_asking_twice(
    httpserver: HTTPServer, tmp_path, what, number
):
    endpoint = Endpoint(httpserver, able)
    kill_at(endpoint, number, what, tmp_path / "out")
    before = answers(tmp_path / "llm")
    assert before == number - 1  # the last one was on its way

    endpoint.asked.clear()
    assert build(endpoint, tmp_path / "out", what) == 0
    assert len(endpoint.asked) == answers(tmp_path / "llm") - before

    endpoint.asked.clear()
    assert build(endpoint, tmp_path / "whole", what, name="fresh") == 0
    assert len(endpoint.asked) == answers(tmp_path / "llm")
    assert content(tmp_path / "whole") == content(tmp_path / "out")


def test_the_end_of_a_build_tells_what_all_processes_asked(
    httpserver: HTTPServer, tmp_path, capsys
):
    endpoint = Endpoint(httpserver, able)
    build(endpoint, tmp_path / "out", LOGINUM)
    asked = len(endpoint.asked)
    assert asked >= 4  # two tasks of two levels
    told = capsys.readouterr().err
    assert f"scripted: {asked} asked, " in told
    # 10 and 5 tokens each
    assert f"{asked * 10} + {asked * 5} tokens" in told

    build(endpoint, tmp_path / "again", LOGINUM)
    assert "scripted: 0 asked, " in capsys.readouterr().err
    assert len(endpoint.asked) == asked


# ---- what goes wrong ----------------------------------------------------------------------------


def test_an_endpoint_that_dies_in_a_build_is_told_and_loses_nothing(
    httpserver: HTTPServer, tmp_path, capsys
):
    endpoint = Endpoint(httpserver, able)
    endpoint.script = lambda body: (
        able(body) if len(endpoint.asked) < 9 else failure(502, "the model has left")
    )
    assert build(endpoint, tmp_path / "out", SAT) == 1
    told = capsys.readouterr().err
    (message,) = re.findall(r"generate: error: .*", told)
    assert "the model has left" in message
    assert "run the same again" in message
    assert "scripted: 8 asked, " in told
    assert answers(tmp_path / "llm") == 8

    endpoint.script = able
    endpoint.asked.clear()
    assert build(endpoint, tmp_path / "out", SAT) == 0
    assert len(endpoint.asked) == answers(tmp_path / "llm") - 8


@pytest.mark.usefixtures("without_endpoint")
@pytest.mark.parametrize("what", [SAT, LOGINUM])
def test_without_a_key_nothing_is_begun(tmp_path, monkeypatch, capsys, what):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert run(what, "--out", tmp_path / "out", "--llm", "wren-1") == 1
    assert re.search(r"generate: error: .*OPENAI_API_KEY", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_without_an_endpoint_nothing_is_begun(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / "llm.yaml"
    file.write_text("model: wren-1\nclient: {max_retries: 0}\n")
    assert run(LOGINUM, "--out", tmp_path / "out", "--llm", file) == 1
    told = capsys.readouterr().err
    assert re.search(r"generate: error: .*127\.0\.0\.1:9.*OPENAI_BASE_URL", told)
    assert not (tmp_path / "out").exists()
