"""Random streams that are equal on every machine, process and Python hash seed."""

import hashlib
import json
import random


def derive_seed(*scope: str | int) -> int:
    """Return a non-negative 63-bit seed for names and numbers, which are hashed as a whole.

    So streams of seeds 42 and 43 do not overlap the way ``Random(seed + index)`` makes them.
    """
    digest = hashlib.sha256(json.dumps(scope).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def stream(*scope: str | int) -> random.Random:
    """Return a random stream of its own for a tuple of names and numbers."""
    return random.Random(derive_seed(*scope))
