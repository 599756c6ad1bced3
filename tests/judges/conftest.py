"""Fixtures for the tests of the Prolog judge."""

from __future__ import annotations

import pytest
from sample_programs import trains

from rewards.judges.prolog import Program


@pytest.fixture
def program() -> Program:
    return Program.parse(trains())
