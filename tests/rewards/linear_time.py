"""Whether work takes time in proportion to the length of a text."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[str], object], text: str) -> float:
    """Return the time of this process that work takes."""
    start = time.process_time()
    work(text)
    return time.process_time() - start


def takes_linear_time(work: Callable[[str], object], small: str, large: str) -> bool:
    """Say whether a text of four times the length takes less than 12 times as long, once in three.

    Tries after the first are for the noise of a machine with other work. What takes less than half
    a second is fast enough not to be compared.
    """
    return any(
        (long := seconds(work, large)) < 0.5 or long < 12 * seconds(work, small) for _ in range(3)
    )
