"""What a user decides about a curriculum."""

import math
from dataclasses import dataclass, fields
from typing import Any

from logic_curriculum.curriculum.strategies import (
    ENOUGH,
    Threshold,
    strategy_class,
    wilson_bounds,
)
from logic_curriculum.generators.family import option


@dataclass(frozen=True)
class CurriculumConfig:
    """Which levels are trained, and what it takes to move between them.

    ``TrlParser`` and ``HfArgumentParser`` read the fields from the command line or from YAML; no
    name collides with a field of ``GRPOConfig``.

    Raises:
        ValueError: If a value is out of range; the message says what to change.
    """

    families: list[str] = option(
        ["slr"], "Task families; they share the slots by what their strategies ask for."
    )
    first_level: int = option(1, "Lowest level of every family.")
    last_level: int | None = option(None, "Highest level; by default the family's.")
    start_level: int | None = option(
        None, "First level to be trained, where a strategy begins with one; by default first_level."
    )
    strategy: str = option(
        "threshold",
        "How levels are chosen: threshold, target, learning_progress, rlve, adarft, uniform, "
        "staircase, or your own class as module:Class.",
    )
    pass_threshold: float = option(
        0.5, "Pass rate, in (0, 1), that passes a level if reached with 80 percent confidence."
    )
    window: int = option(
        64, "Latest tasks at a level that its pass rate is tested on; a quarter of them may do."
    )
    replay_share: float = option(
        0.3, "Share of slots, in [0, 1), that repeat lower levels, in proportion to p(1 - p)."
    )
    demotion_threshold: float | None = option(
        None, "Pass rate that its upper bound lies below when a level is left for the one before."
    )
    task_seed: int = option(
        0, "Seed that, with slot and level, determines every task; the trainer's is another one."
    )
    pass_reward: str | None = option(
        None, "Name of the reward function whose value 1.0 is a pass; by default the first one."
    )

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "families" and (value, field.default) != (None, None):
                _check_type(field.name, value, field.type)
        families, first, start = self.families, self.first_level, self.start_level
        last = math.inf if self.last_level is None else self.last_level
        _check(
            bool(families) and not isinstance(families, str),
            f"families is {families!r}, but a curriculum needs a non-empty list of family names, "
            'e.g. families=["slr"].',
        )
        _check(
            len(set(families)) == len(families),
            f"families is {families}, which names one more than once: name each family once.",
        )
        _check(
            first >= 1,
            f"first_level is {first}, but levels are counted from 1: set it to 1 or more.",
        )
        _check(
            first <= last,
            f"last_level is {last} and first_level {first}, which leaves no level to train: raise "
            "last_level or lower first_level.",
        )
        _check(
            start is None or first <= start <= last,
            f"start_level is {start}, outside the levels {first} to "
            f"{self.last_level or 'the last'}: choose one of these.",
        )
        passing, demotion = self.pass_threshold, self.demotion_threshold
        _check(
            self.window >= 1,
            f"window is {self.window}, but a pass rate needs at least one task: set it to 1 or "
            "more tasks.",
        )
        _check(
            0 < passing < 1,
            f"pass_threshold is {passing}, but a pass rate to reach lies in (0, 1): 0.8 asks for "
            "four passes in five attempts. A level is never left with strategy: uniform.",
        )
        tested = issubclass(strategy_class(self.strategy), Threshold)
        highest = wilson_bounds(1.0, self.window, ENOUGH)[0]
        lowest = wilson_bounds(0.0, self.window)[1]
        _check(
            not tested or passing <= highest,
            f"pass_threshold is {passing} and window {self.window}, but the lower bound of a rate "
            f"over {self.window} tasks is at most {highest:.3f}, even if all are solved: raise "
            "window or lower pass_threshold.",
        )
        _check(
            0 <= self.replay_share < 1,
            f"replay_share is {self.replay_share}, but it is a share of slots in [0, 1) and the "
            "current level needs some: set it to e.g. 0.2.",
        )
        _check(
            demotion is None or 0 < demotion < passing,
            f"demotion_threshold is {demotion}, but it must lie above 0 and below pass_threshold "
            f"({passing}), or one window could ask for both moves: lower it, or leave it out for "
            "no demotion.",
        )
        _check(
            not tested or demotion is None or lowest < demotion,
            f"demotion_threshold is {demotion} and window {self.window}, but the upper bound of a "
            f"rate over {self.window} tasks is at least {lowest:.3f}, even if none is solved: "
            "raise window or demotion_threshold.",
        )


def _check_type(name: str, value: object, kind: Any) -> None:
    """Check that a value has the type of its field; an integer will do for a float."""
    fits = isinstance(value, kind) or (isinstance(value, int) and isinstance(0.5, kind))
    wanted = str(getattr(kind, "__name__", kind)).replace(" | None", ", or left out")
    _check(
        fits and not isinstance(value, bool),
        f"{name} is {value!r}, of type {type(value).__name__}: {wanted} is needed.",
    )


def _check(fits: bool, problem: str) -> None:
    if not fits:
        raise ValueError(problem)
