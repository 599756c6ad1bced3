"""What a language model was asked, counted over processes."""

from __future__ import annotations

import multiprocessing

from logic_curriculum.generators.llm_records import Answer, Prices, Usage

_COUNTS = ("asked", "cached", "input_tokens", "output_tokens", "unmetered")


class Meter:
    """Counts answers and tokens; processes that are forked from this one count on the same meter.

    A dataset is built by such processes, whose sum is told at the end.
    """

    def __init__(self) -> None:
        self._counts = multiprocessing.Array("q", len(_COUNTS))

    def count(self, answer: Answer) -> None:
        """Count an answer that the endpoint gave."""
        tokens = (answer.input_tokens, answer.output_tokens)
        self._add(1, 0, tokens[0] or 0, tokens[1] or 0, int(None in tokens))

    def count_cached(self) -> None:
        """Count an answer that was there already."""
        self._add(0, 1, 0, 0, 0)

    def _add(self, *amounts: int) -> None:
        with self._counts.get_lock():
            for place, amount in enumerate(amounts):
                self._counts[place] += amount

    def read(self, prices: Prices | None) -> Usage:
        """Return the counts so far."""
        with self._counts.get_lock():
            counts = self._counts[:]
        return Usage(**dict(zip(_COUNTS, counts, strict=True)), prices=prices)
