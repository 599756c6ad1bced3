"""Fixtures for the tests of the Prolog judge."""

from __future__ import annotations

import pytest
from sample_programs import trains

from logic_curriculum.rewards.engines.prolog_old import Cases, Program, own_facts, whole_program


@pytest.fixture
def program() -> Program:
    return Program.parse(trains())


@pytest.fixture
def cases() -> Cases:
    """The examples of ``program``, each with its own facts."""
    return own_facts(trains())


@pytest.fixture
def whole(program: Program) -> Cases:
    """The examples of ``program`` in one case."""
    return whole_program(program)
