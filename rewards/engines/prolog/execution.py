"""What one hypothesis did on one program."""

from __future__ import annotations

from operator import is_
from typing import Literal, NamedTuple

Status = Literal["ok", "syntax", "rejected", "limit", "lost"]


class Execution(NamedTuple):
    """The outcome of running a hypothesis over the examples of a program."""

    status: Status
    """``ok``: it ran. ``syntax``: some clause can't be read. ``rejected``: readable, but not
    allowed to run (unknown predicate, forbidden goal, redefinition, no clause for the target).
    ``limit``: a budget was exceeded. ``lost``: our failure, not gradable."""
    outcomes: tuple[bool | None, ...] = ()
    """For each example whether it is entailed, ``None`` where the proof raised an error; empty
    unless the status is ``ok``."""
    labels: tuple[bool, ...] = ()
    """For each example whether it is positive."""
    inferences: int = 0
    """Logical inferences spent on all examples; equal on every machine."""
    detail: str = ""
    """Why the status is not ``ok``, or the first error a proof raised."""

    @property
    def accuracy(self) -> float:
        """Share of examples classified as labelled, in [0, 1]; 0.0 unless the status is ``ok``.

        This is the partial score of the SLR paper (appendix B). An example whose proof raised
        counts as wrong.
        """
        if not self.outcomes:
            return 0.0
        return sum(map(is_, self.outcomes, self.labels)) / len(self.labels)

    @property
    def solved(self) -> bool:
        """Whether every example is classified as labelled."""
        return self.status == "ok" and self.outcomes == self.labels
