"""What the tables of hostile hypotheses are made of."""

from __future__ import annotations

from typing import NamedTuple


class Attack(NamedTuple):
    """A hypothesis and why one might expect it to work."""

    name: str
    hypothesis: str
    why: str
