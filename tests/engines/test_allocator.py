"""Freed memory is kept for the next use, until it is given back."""

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


@pytest.mark.parametrize("kept", [0, allocator.ALL])
def test_only_what_was_to_be_kept_is_given_back(kept, monkeypatch):
    trimmed = []
    monkeypatch.setattr(allocator, "_kept", kept)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace(malloc_trim=trimmed.append))
    allocator.give_back()
    assert trimmed == [0] * bool(kept)
