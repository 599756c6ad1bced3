"""Sets of numbered things as integers, one bit for each member: many are met and compared fast."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.arguments import Indices

Bools = npt.NDArray[np.bool_]
Octets = npt.NDArray[np.uint8]


def pack(members: Bools) -> Octets:
    """Return one bit for each truth value of the last axis, eight to an octet."""
    return np.packbits(members, axis=-1, bitorder="little")


def as_sets(octets: Octets) -> list[int]:
    """Return the rows of packed truth values as sets, those of all leading axes in one list."""
    size, text = octets.shape[-1], octets.tobytes()
    return [
        int.from_bytes(text[start : start + size], "little") for start in range(0, len(text), size)
    ]


def members(numbers: int) -> Indices:
    """Return the numbers in a set, ascending."""
    text = numbers.to_bytes(-(-numbers.bit_length() // 8), "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(text, np.uint8), bitorder="little"))
