"""Freed memory is kept for the next use."""

import ctypes
import sys
from types import SimpleNamespace

import pytest

from logic_curriculum.rewards.engines import allocator


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has mallopt")
def test_a_later_call_never_keeps_less(monkeypatch):
    asked = []
    monkeypatch.setattr(allocator, "_kept", 0)
    libc = SimpleNamespace(mallopt=lambda *given: asked.append(given))
    monkeypatch.setattr(ctypes, "CDLL", lambda name: libc)
    for most in (2**24, allocator.ALL, 2**24):
        allocator.keep_freed(most)
    thresholds = (allocator.M_MMAP_THRESHOLD, allocator.M_TRIM_THRESHOLD)
    wanted = [(2**24, 2**25), (allocator.ALL, allocator.ALL)]
    assert asked == [pair for values in wanted for pair in zip(thresholds, values, strict=True)]
