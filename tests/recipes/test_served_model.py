"""A real model behind a real server, from a cold start: evaluate.py and the extractor."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml
from launching import ROOT

from logic_curriculum.curriculum.models import pretrained

RECIPE = [sys.executable, "recipes/evaluate.py"]
CONFIG = ["--config", "recipes/configs/evaluate/smollm2-135m.yaml"]
ASKED = ["--families", "validity", "--levels", "1", "--tasks", "6", "--shots", "0", "3"]


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory) -> Iterator[Path]:
    """Start the guide's command, and return the YAML file of the endpoint when it answers."""
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
        config = {
            "model": str(pretrained.resolve(pretrained.NAME)),
            "client": {"base_url": f"http://localhost:{port}/v1", "api_key": "none"},
            "options": {"max_tokens": 48, "temperature": 0},
            "concurrency": 2,
            "cache": str(folder / "cache"),
        }
        (folder / "llm.yaml").write_text(yaml.safe_dump(config))
        yield folder / "llm.yaml"
    finally:
        os.killpg(server.pid, 15)
        server.wait(60)


def answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as reply:
            return reply.status == 200
    except (URLError, ConnectionError, TimeoutError):
        return False


def evaluated(folder: Path, *options: str) -> list[dict]:
    """Run evaluate.py and return its records."""
    command = [*RECIPE, *CONFIG, *ASKED, "--output_dir", str(folder), *options]
    subprocess.run(command, cwd=ROOT, check=True)
    assert (folder / "report.html").is_file()
    return [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]


@pytest.mark.slow
def test_a_real_model_behind_a_real_server_is_evaluated(endpoint: Path, tmp_path: Path):
    records = evaluated(tmp_path / "run", "--endpoint", str(endpoint))
    assert len(records) == 12
    assert all(record["completion"] for record in records)


@pytest.mark.slow
def test_the_extractor_is_asked_about_what_no_parser_reads(endpoint: Path, tmp_path: Path):
    alone = evaluated(tmp_path / "alone", "--endpoint", str(endpoint))
    both = ("--endpoint", str(endpoint), "--extractor", str(endpoint))
    helped = evaluated(tmp_path / "helped", *both)
    assert [record["completion"] for record in helped] == [item["completion"] for item in alone]
    changed = [a["verdict"] != b["verdict"] for a, b in zip(alone, helped, strict=True)]
    unread = [not item["verdict"]["syntax"] for item in alone]
    assert any(unread)
    assert all(changed[place] for place in range(len(alone)) if unread[place])
