"""A shuffle of 0 … size - 1 that needs no memory: number in, shuffled number out."""

from __future__ import annotations

_MASK = 2**64 - 1
_ROUNDS = 4


def shuffled(index: int, size: int, key: int) -> int:
    """Return where a shuffle sends a number; different numbers go to different places.

    A Feistel network over the next power of four, walked until the result is in range (Black and
    Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).

    Args:
        index: 0 to ``size - 1``.
        size: How many numbers are shuffled, at least 1 and at most 2**126.
        key: 0 to 2**63 - 1; each gives another shuffle.
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for turn in range(_ROUNDS):
            left, right = right, left ^ (_mix(right + turn * 0x9E3779B97F4A7C15 + key) & mask)
        index = left << half | right
        if index < size:
            return index


def _mix(number: int) -> int:
    """Scatter the bits of a number over 64 bits, as SplitMix64 does."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _MASK
    return number ^ number >> 31
