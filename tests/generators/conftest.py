"""Fixtures of the tests with a language model's server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer


@pytest.fixture(scope="session")
def make_httpserver() -> Iterator[HTTPServer]:
    """Serve several requests at a time, unlike the library's own fixture of this name."""
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture
def without_endpoint(monkeypatch):
    """Hide the endpoint of whoever runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
