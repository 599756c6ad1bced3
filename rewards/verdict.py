"""What every judge returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verdict:
    """A judge's finding on one completion.

    A completion can be right, wrong, or not gradable. The last is our fault (a broken row, a lost
    worker, a solver out of resources), never the model's: ``reward`` is then ``None`` and TRL
    leaves the completion out of the advantage.
    """

    solved: bool  # whether the answer passes everything the task asks for
    reward: float | None  # the family's default reward in [0, 1], or `None` when not gradable
    syntax: bool = False  # whether an answer was found and could be read
    partial: float = 0.0  # the family's partial score in [0, 1]
    answer: str | None = None  # as extracted from the completion, `None` when there was none
    explanation: str = ""  # one line for a reader: why this verdict
    metrics: Mapping[str, float] = field(default_factory=dict)  # logged beside the reward
    faults: Mapping[str, str] = field(default_factory=dict)
    """Part of the task or of the answer that is wrong, as written there → what is wrong with it."""
