"""What a user decides about a curriculum."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any


def option(default: Any, help_text: str) -> Any:
    """Return a dataclass field that parsers show with its help; a list or dict is copied."""
    if isinstance(default, list | dict):
        return field(default_factory=lambda: copy(default), metadata={"help": help_text})
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True)
class CurriculumConfig:
    """Which levels are trained, and what it takes to move between them.

    ``TrlParser`` and ``HfArgumentParser`` read the fields from the command line or from YAML; no
    name collides with a field of ``GRPOConfig``.

    Raises:
        ValueError: If a value is out of range; the message says what to change.
    """

    families: list[str] = option(  # noqa: RUF009 - option is known by its full name only
        ["slr"], "Task families, each with a track of its own; they take turns by slot."
    )
    first_level: int = option(
        1, "Lowest level of every track, counted from 1; replay and demotion stop here."
    )
    last_level: int | None = option(
        None, "Highest level of every track; by default the family's last level."
    )
    start_level: int | None = option(None, "Level to begin at; by default first_level.")
    pass_threshold: float = option(
        0.8, "Pass rate in (0, 1] over the window at which a track advances."
    )
    window: int = option(
        256, "Latest graded completions at the current level that the pass rate is of, at least."
    )
    replay_share: float = option(
        0.0, "Share of slots in [0, 1) that repeat a level of the track below the current one."
    )
    demotion_threshold: float | None = option(
        None, "Pass rate over a full window below which a track falls back a level; off by default."
    )
    task_seed: int = option(
        0, "Seed that, with slot and level, determines every task; the trainer's is another one."
    )
    pass_reward: str | None = option(
        None, "Name of the reward function whose value 1.0 is a pass; by default the first one."
    )

    def __post_init__(self) -> None:
        """Check every field."""
        self._check_families()
        self._check_levels()
        self._check_rates()
        if self.window < 1:
            raise ValueError(
                f"window is {self.window}, but a pass rate needs at least one attempt: set it to "
                "1 or more completions."
            )

    def _check_families(self) -> None:
        if isinstance(self.families, str) or not self.families:
            raise ValueError(
                f"families is {self.families!r}, but a curriculum needs a non-empty list of family "
                'names, e.g. families=["slr"].'
            )
        repeated = [name for name in self.families if self.families.count(name) > 1]
        if repeated:
            raise ValueError(
                f"families names {repeated[0]!r} more than once, but a family has one track: name "
                "each family once."
            )

    def _check_levels(self) -> None:
        if self.first_level < 1:
            raise ValueError(
                f"first_level is {self.first_level}, but levels are counted from 1: set it to 1 or "
                "more."
            )
        if self.last_level is not None and self.last_level < self.first_level:
            raise ValueError(
                f"last_level is {self.last_level} and first_level {self.first_level}, which leaves "
                "no level to train: raise last_level or lower first_level."
            )
        if self.start_level is None:
            return
        above = self.last_level is not None and self.start_level > self.last_level
        if self.start_level < self.first_level or above:
            raise ValueError(
                f"start_level is {self.start_level}, outside the track's levels "
                f"{self.first_level} to {self.last_level or 'the last'}: choose one of these."
            )

    def _check_rates(self) -> None:
        if not 0 < self.pass_threshold <= 1:
            raise ValueError(
                f"pass_threshold is {self.pass_threshold}, but a pass rate to reach lies in "
                "(0, 1]: 0.8 asks for four passes in five attempts."
            )
        if not 0 <= self.replay_share < 1:
            raise ValueError(
                f"replay_share is {self.replay_share}, but it is a share of slots in [0, 1) and "
                "the current level needs some: set it to e.g. 0.2."
            )
        demotion = self.demotion_threshold
        if demotion is not None and not 0 < demotion < self.pass_threshold:
            raise ValueError(
                f"demotion_threshold is {demotion}, but it must lie above 0 and below "
                f"pass_threshold ({self.pass_threshold}), or one window could ask for both moves: "
                "lower it, or leave it out for no demotion."
            )
