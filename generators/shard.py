"""A share of a dataset's work, for one of several jobs."""

from __future__ import annotations

from typing import NamedTuple


class Shard(NamedTuple):
    """A share of the first candidates of all files: every ``of``-th piece, from ``number`` on."""

    number: int  # from 1 to `of`
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """Return the shard of a text such as ``3/64``; a ``ValueError`` if there is none."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise ValueError(
                f"{text!r} is no shard: write two whole numbers, such as 3/64 for the third of 64, "
                "where the first is 1/64 and the last 64/64"
            )
        return cls(int(number), int(of))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"
