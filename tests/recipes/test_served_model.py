"""A real model behind a real server, from a cold start, and the extractor."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pandas as pd
import pytest
from launching import ROOT

from logic_curriculum.curriculum.evaluation.records import column, read_logs
from logic_curriculum.curriculum.models import pretrained

ASKED = ["-T", "family=validity", "-T", "levels=1", "-T", "tasks_per_level=3"]


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    """Start the guide's command, and return the address of the endpoint when it answers."""
    folder = tmp_path_factory.mktemp("served")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "server.log").open("w") as log:
        command = ["make", "serve", f"PORT={port}"]
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + 300
        while not answers(f"http://localhost:{port}/health"):
            assert server.poll() is None, (folder / "server.log").read_text()[-2000:]
            assert time.monotonic() < deadline, (folder / "server.log").read_text()[-2000:]
            time.sleep(1)
        yield f"http://localhost:{port}/v1"
    finally:
        os.killpg(server.pid, 15)
        server.wait(60)


def answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as reply:
            return reply.status == 200
    except (URLError, ConnectionError, TimeoutError):
        return False


def evaluated(address: str, folder: Path, *options: str) -> pd.DataFrame:
    """Evaluate the model behind the endpoint, and return its answers."""
    model = f"openai-api/local/{pretrained.resolve(pretrained.NAME)}"
    given = ["--model", model, "--log-dir", str(folder), "--max-tokens", "48", "--temperature", "0"]
    command = [sys.executable, "-m", "logic_curriculum", "evaluate", "logic", *ASKED, *given]
    environment = {**os.environ, "LOCAL_BASE_URL": address, "LOCAL_API_KEY": "none"}
    done = subprocess.run([*command, *options], cwd=ROOT, env=environment, check=False)
    answers = read_logs([folder])
    assert (done.returncode == 0) == answers.graded.any()
    return answers


@pytest.mark.slow
def test_a_real_model_behind_a_real_server_is_evaluated(address: str, tmp_path: Path):
    answers = evaluated(address, tmp_path / "logs")
    assert len(answers) == 3
    assert answers.completion.all()


@pytest.mark.slow
def test_the_extractor_is_asked_about_what_no_parser_reads(address: str, tmp_path: Path):
    alone = evaluated(address, tmp_path / "alone")
    helped = evaluated(address, tmp_path / "helped", "-T", "extractor=true")
    assert [*helped.completion] == [*alone.completion]
    assert (alone.syntax == 0).any()
    # A model this small writes no extract, and then its answer is not graded.
    assert (column(helped, "metrics.extracted").notna() | ~helped.graded).all()
