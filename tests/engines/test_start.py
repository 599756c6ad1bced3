"""A judge that can't work says so; it never takes that for a wrong answer."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from broken_engine import broken_engine

from logic_curriculum.rewards.engines.prolog import confinement
from logic_curriculum.rewards.engines.prolog_old import (
    Cases,
    PrologUnavailable,
    judge_groups,
    pool,
)
from logic_curriculum.rewards.engines.prolog_old import worker as workers

GOOD = "eastbound(T) :- has_car(T, C), car_color(C, red)."


@pytest.fixture(autouse=True)
def _own_pool() -> Iterator[None]:
    pool.close_pool()
    workers._warn_once.cache_clear()
    yield
    pool.close_pool()


def _use_swipl(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Put a stand-in for swipl on the path."""
    path = folder / "swipl"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_swipl_that_ends_at_once_is_quoted_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cases: Cases
) -> None:
    _use_swipl(monkeypatch, tmp_path, "echo 'libswipl.so is gone' >&2; exit 3")
    with pytest.raises(PrologUnavailable, match=r"status 3 .*libswipl.so is gone") as raised:
        judge_groups([(cases, [GOOD])])
    assert "apt-get install" in str(raised.value)
    assert "signal" not in str(raised.value)


def test_a_swipl_that_is_too_old_is_named_with_its_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cases: Cases
) -> None:
    _use_swipl(monkeypatch, tmp_path, "echo version 80402; echo ready; exec cat")
    with pytest.raises(PrologUnavailable, match=r"is version 8\.4\.2"):
        judge_groups([(cases, [GOOD])])


def test_a_swipl_that_never_gets_ready_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cases: Cases
) -> None:
    monkeypatch.setattr(workers, "_WALL_LIMIT_S", 0.3)
    monkeypatch.setattr(pool, "START_TRIES", 2)
    _use_swipl(monkeypatch, tmp_path, "echo version 90004; while :; do :; done")
    with pytest.raises(PrologUnavailable, match="not ready within"):
        judge_groups([(cases, [GOOD])])


def test_an_engine_that_fails_its_own_examples_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cases: Cases
) -> None:
    monkeypatch.setattr(workers, "_SERVING", broken_engine(tmp_path) / "serving.pl")
    with pytest.raises(PrologUnavailable, match="its own examples"):
        judge_groups([(cases, [GOOD])])


@pytest.mark.skipif("seccomp" not in confinement.confinement(), reason="no seccomp here")
def test_a_kernel_without_seccomp_is_warned_about_once_and_judged_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cases: Cases, caplog: pytest.LogCaptureFixture
) -> None:
    launcher = tmp_path / "launcher.py"
    source = Path(confinement.__file__).read_text()
    assert "= 38, 22, 2" in source
    launcher.write_text(source.replace("= 38, 22, 2", "= 38, 9999, 2"))  # no option of prctl
    monkeypatch.setattr(confinement, "__file__", str(launcher))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert judge_groups([(cases, [GOOD])])[0][0].solved
            pool.close_pool()
    assert [record.getMessage().count("PR_SET_SECCOMP") for record in caplog.records] == [1]
